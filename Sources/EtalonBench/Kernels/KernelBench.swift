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
