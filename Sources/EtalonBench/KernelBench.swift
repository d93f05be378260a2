import CLaneKernels
import EtalonCPU

/// Times lane kernels: a row of the same instruction, over and over, beside a row of additions.
@safe final class KernelBench {
  private let registers: UnsafeMutablePointer<CChar>
  private let texels: UnsafeMutablePointer<Float>
  private let bytes: UnsafeMutablePointer<UInt8>
  private let textures: [lane_texture]

  private static let bufferBytes = Int(LANE_BATCH) * 4
  /// Instructions in a row.
  private static let length = 64
  /// The shortest time that is measured, in nanoseconds.
  private static let shortest: Int64 = 20_000

  init() {
    func allocate<Element>(_ count: Int, of type: Element.Type) -> UnsafeMutablePointer<Element> {
      guard let memory = unsafe lane_allocate(count * MemoryLayout<Element>.stride) else {
        preconditionFailure("no memory for a small block")
      }
      return unsafe memory.bindMemory(to: type, capacity: count)
    }
    unsafe registers = allocate(KernelOperand.byteCount, of: CChar.self)
    unsafe texels = allocate(KernelTexture.texelCount * 4, of: Float.self)
    unsafe bytes = allocate(Self.bufferBytes, of: UInt8.self)
    unsafe textures = KernelTexture.descriptors(texels)
    fill()
  }

  deinit {
    unsafe lane_free(registers)
    unsafe lane_free(texels)
    unsafe lane_free(bytes)
  }

  private func fill() {
    for operand in KernelOperand.allCases {
      for lane in 0..<(operand.isScalar ? 16 : Int(LANE_BATCH)) {
        let word = operand.word(lane: lane)
        unsafe UnsafeMutableRawPointer(registers).storeBytes(of: word, toByteOffset: Int(operand.offset) + lane * 4, as: UInt32.self)
      }
    }
    for index in 0..<KernelTexture.texelCount * 4 - 4 { unsafe texels[index] = Float(index % 251) / 251 }
  }

  /// How many additions of two vectors the kernel takes as long as: the least of several rounds of each, in turn.
  func ratio(of kernel: LaneKernelCase, _ set: InstructionSet, rounds: Int) -> Double {
    let unit = program(LaneKernelCase.unit, set), timed = program(kernel, set)
    var best = (unit: Double.infinity, timed: Double.infinity)
    for _ in 0..<rounds {
      best.unit = min(best.unit, time(unit) / Double(Self.length))
      best.timed = min(best.timed, time(timed) / Double(kernel.isLast ? 1 : Self.length))
    }
    return best.timed / best.unit
  }

  private func program(_ kernel: LaneKernelCase, _ set: InstructionSet) -> [lane_instruction] {
    let halt = lane_code(op: LANE_OP_halt.rawValue, forms: 0, d: 0, a: 0, b: 0, c: 0, e: 0, f: 0)
    let code = Array(repeatElement(kernel.code, count: kernel.isLast ? 1 : Self.length).joined()) + [halt]
    var program = [lane_instruction](repeating: lane_instruction(), count: code.count)
    let failed = unsafe lane_link(set.kernels, code, code.count, &program)
    precondition(failed == 0, "no kernel for '\(kernel.name)'")
    return program
  }

  /// Nanoseconds of one run.
  private func time(_ program: [lane_instruction]) -> Double {
    let buffers = unsafe [lane_buffer(bytes: bytes, byte_count: UInt64(Self.bufferBytes))]
    return unsafe textures.withUnsafeBufferPointer { textures in
      unsafe buffers.withUnsafeBufferPointer { buffers in
        let words = unsafe UnsafeRawPointer(texels).bindMemory(to: UInt32.self, capacity: 64)
        return unsafe withUnsafePointer(to: lane_constants(words: words, word_count: 64)) { constants in
          var context = unsafe lane_context(
            textures: textures.baseAddress, buffers: buffers.baseAddress, constants: constants, shared: registers, resume: nil, fuel: .max,
            steps_left: .max, deadline: 0, cancelled: nil,
            stop: 0, first_lane: 0, workgroup: 0, watch: nil)
          return unsafe program.withUnsafeBufferPointer { unsafe time($0, &context) }
        }
      }
    }
  }

  private func time(_ program: UnsafeBufferPointer<lane_instruction>, _ context: inout lane_context) -> Double {
    guard let start = program.baseAddress else { return 0 }
    var runs = 1
    while true {
      let began = lane_clock()
      for _ in 0..<runs { unsafe _ = lane_run(start, registers, &context) }
      let took = lane_clock() - began
      if took >= Self.shortest { return Double(took) / Double(runs) }
      runs = max(runs + 1, min(runs * 16, Int(Double(runs) * 1.3 * Double(Self.shortest) / Double(max(took, 100)))))
    }
  }
}

extension InstructionSet {
  /// The number that the lane kernels know the instruction set by.
  fileprivate var kernels: CInt {
    switch self {
    case .baseline: CInt(bitPattern: LANE_ISA_BASE.rawValue)
    case .avx2: CInt(bitPattern: LANE_ISA_AVX2.rawValue)
    case .avx512: CInt(bitPattern: LANE_ISA_AVX512.rawValue)
    }
  }
}

// MARK: operands

/// Where the operands of timed kernels lie in a block of registers.
///
/// Each case of this type is a vector register, or a scalar one; `KernelBench` fills them.
enum KernelOperand: UInt32, CaseIterable {
  /// Floats between 0 and 1, above 1, and around the circle, different in every lane.
  case unit, other, third, aboveOne
  /// Texture coordinates of a tile of 16×16 pixels, and the pixels.
  case u, v, x, y
  /// Small whole numbers, and four times the number of the lane.
  case index, byteOffset
  /// All lanes, and none.
  case mask, noLanes
  case result, result2, result3, result4
  case scalar, otherScalar, thirdScalar, one, zero

  static let firstScalar = KernelOperand.scalar

  var isScalar: Bool { rawValue >= Self.firstScalar.rawValue }

  /// The byte offset.
  var offset: UInt32 {
    let vectors = Self.firstScalar.rawValue, vectorBytes = UInt32(LANE_BATCH) * 4
    return isScalar ? vectors * vectorBytes + (rawValue - vectors) * UInt32(LANE_SCALAR_BYTES) : rawValue * vectorBytes
  }

  /// Where sixteen rows for indexed and shared memory begin.
  static let rows = UInt32(64) * UInt32(LANE_BATCH) * 4
  static let rowCount: UInt32 = 16
  static let byteCount = Int(rows + rowCount * UInt32(LANE_BATCH) * 4)

  /// The word in a lane.
  func word(lane: Int) -> UInt32 {
    let step = Float(lane) / Float(LANE_BATCH)
    let (column, row) = (UInt32(lane % 16), UInt32(lane / 16))
    switch self {
    case .unit: return (0.02 + 0.96 * step).bitPattern
    case .other: return (0.97 - 0.9 * step).bitPattern
    case .third: return (0.3 + 0.5 * step).bitPattern
    case .aboveOne: return (1.1 + 3 * step).bitPattern
    case .u: return ((Float(column) + 0.8) / 40).bitPattern
    case .v: return ((Float(row) + 0.8) / 40).bitPattern
    case .x: return column
    case .y: return row
    case .index: return column ^ row & 7
    case .byteOffset: return UInt32(lane) * 4
    case .mask: return .max
    case .scalar: return Float(0.37).bitPattern
    case .otherScalar: return Float(0.61).bitPattern
    case .thirdScalar: return Float(0.83).bitPattern
    case .one: return 1
    case .noLanes, .zero, .result, .result2, .result3, .result4: return 0
    }
  }
}

/// The textures that kernels are timed with, by their numbers.
struct KernelTexture {
  let name: String
  let number: UInt32

  private static let filters = ["nearest", "linear", "mipmap"]
  private static let addresses = ["clamp", "repeat", "mirror", "transparent"]
  private static let formats: [(name: String, format: lane_format)] = [
    ("rgba8", LANE_FORMAT_RGBA8), ("rgba16", LANE_FORMAT_RGBA16), ("rgba16f", LANE_FORMAT_RGBA16F), ("rgba32f", LANE_FORMAT_RGBA32F),
  ]

  /// Every way to read.
  static let all = addresses.indices.flatMap { address in
    filters.indices.map { filter in
      KernelTexture(name: "\(filters[filter])-\(addresses[address])", number: UInt32(address * filters.count + filter))
    }
  }
  /// The one that is read between texels.
  static let linear: UInt32 = 1

  /// Storage images, by what stores round to.
  static let stored = formats.enumerated().map { KernelTexture(name: $1.name, number: UInt32(all.count + $0)) }

  private static let side: Int32 = 64
  /// Six faces, or four layers, and a texel of zeros.
  fileprivate static let texelCount = Int(side * side) * 6 + 1

  /// What the kernels know about all of them; they share their texels.
  fileprivate static func descriptors(_ texels: UnsafeMutablePointer<Float>) -> [lane_texture] {
    let read = unsafe all.map { texture in
      unsafe descriptor(
        texels, filter: Int32(texture.number) % Int32(filters.count), address: Int32(texture.number) / Int32(filters.count),
        format: LANE_FORMAT_RGBA8)
    }
    return unsafe read + formats.map { unsafe descriptor(texels, filter: 0, address: 0, format: $0.format) }
  }

  private static func descriptor(_ texels: UnsafeMutablePointer<Float>, filter: Int32, address: Int32, format: lane_format) -> lane_texture
  {
    var texture = unsafe lane_texture()
    unsafe texture.texels = texels
    unsafe texture.levels.0 = lane_level(width: side, height: side, depth: 1, base: 0)
    unsafe texture.levels.1 = lane_level(width: side / 2, height: side / 2, depth: 1, base: side * side)
    unsafe texture.level_count = 2
    unsafe texture.zero = Int32(texelCount - 1)
    unsafe texture.filter = filter
    unsafe texture.address = address
    unsafe texture.format = Int32(bitPattern: format.rawValue)
    return unsafe texture
  }
}
