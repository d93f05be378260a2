internal import EtalonSPIRV
internal import EtalonTypes

/// What invocations read and write outside of their own memory.
protocol Surroundings: AnyObject {
  /// The invocation that reads or writes next.
  var toucher: Toucher? { get set }
  /// Which kind of atomic function was used on a number of a buffer.
  var atomicKinds: [AtomicWord: Opcode] { get set }
  /// The bytes of the uniform block or a storage buffer, as words.
  func word(binding: Int, byte: Int) throws(Stop) -> Interval
  /// Stores a word of a buffer.
  ///
  /// - Parameter cause: why it may not be stored, where that is not certain.
  func store(_ value: Interval, binding: Int, byte: Int, isCertain: Bool, because cause: Cause?) throws(Stop)
  func pushConstant(byte: Int) -> Interval
  /// The bytes that are bound to a block.
  func byteCount(binding: Int) -> Int
  /// The texture at a binding.
  func texture(binding: Int) throws(Stop) -> any TextureReading
  /// Stores a texel of the target at a binding.
  ///
  /// - Parameter cause: why it may not be stored, where that is not certain.
  func storeTexel(_ channels: [Interval], binding: Int, x: Int, y: Int, z: Int, isCertain: Bool, because cause: Cause?)
}

/// An invocation that touches memory, and how many barriers of its workgroup it has passed.
struct Toucher: Hashable {
  let workgroup: Int
  let lane: Int
  let barriers: Int
  /// Whether it does so with an atomic function; the order of these is told by what they give.
  let isAtomic: Bool

  /// Whether two accesses, of which one is not atomic, have no order.
  func races(_ other: Toucher) -> Bool { !(isAtomic && other.isAtomic) && isUnordered(other) }

  /// Whether no barrier lies between two accesses of different invocations.
  fileprivate func isUnordered(_ other: Toucher) -> Bool {
    workgroup != other.workgroup || lane != other.lane && barriers == other.barriers
  }
}

/// The invocations that touched a word.
struct WordTouches {
  /// The last access of a kind, and one that has no order with it: an access without order with any of the earlier ones has none with one of the two.
  private struct Pair {
    var last: Toucher?
    var other: Toucher?

    func races(_ toucher: Toucher) -> Bool { [last, other].contains { $0?.races(toucher) ?? false } }

    mutating func add(_ toucher: Toucher) {
      if let last, last.isUnordered(toucher) { other = last }
      last = toucher
    }
  }

  private var writers = Pair()
  private var readers = Pair()

  /// Notes one more access; false where it races with an earlier one.
  mutating func add(_ toucher: Toucher, writes: Bool) -> Bool {
    guard !writers.races(toucher), !(writes && readers.races(toucher)) else { return false }
    if writes { writers.add(toucher) } else { readers.add(toucher) }
    return true
  }
}

/// A texture whose texels are ranges.
protocol TextureReading: AnyObject {
  var sampler: Sampler { get }
  var format: PixelFormat { get }
  var isVolume: Bool { get }
  var isCube: Bool { get }
  var levelCount: Int { get }
  /// How finely the device filters it.
  var samplerPrecision: SamplerPrecision { get }
  /// The width, the height and the depth of a level.
  func size(level: Int) -> (Int, Int, Int)
  /// Four channels of a texel that exists; z is a slice or a face.
  func texel(level: Int, x: Int, y: Int, z: Int) throws(Stop) -> [Interval]
  /// Ranges that hold all texels of a level; nil where they are not known without computing all.
  func everything(level: Int) -> [Interval]?
}

/// Where the invocations of a run are.
struct Invocations {
  /// For each of them, what built-ins say.
  struct Lane {
    var workgroup: (Int, Int, Int)
    var local: (Int, Int, Int)
    var localIndex: Int
    var subgroup: Int
    var lane: Int
  }
  var lanes: [Lane]
  var workgroupCounts: (Int, Int, Int)
  var subgroupSize: Int
}
