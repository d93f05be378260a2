internal import EtalonSPIRV

/// What a kernel wants to have bound, in the order in which the lane kernels number it.
struct KernelResources: Sendable {
  enum Buffer: Hashable, Sendable {
    case pushConstants
    case bound(Int)
  }

  /// The buffers by number.
  var buffers: [Buffer] = []
  /// The bindings of the textures by number.
  var textures: [Int] = []
  /// The constant arrays by number.
  var constants: [[UInt32]] = []
  /// Rows of local arrays, each of which holds one word for each lane.
  var rowCount = 0
  var sharedWordCount = 0
  /// Whether it finds its pixel by the number of its subgroup, quad by quad.
  var readsSubgroupNumber = false

  mutating func number(of buffer: Buffer) -> Int {
    if let number = buffers.firstIndex(of: buffer) { return number }
    buffers.append(buffer)
    return buffers.count - 1
  }

  mutating func number(ofTexture binding: Int) -> Int {
    if let number = textures.firstIndex(of: binding) { return number }
    textures.append(binding)
    return textures.count - 1
  }
}
