internal import CLaneKernels
internal import EtalonDiagnostics

/// A kernel as the lane kernels run it, for any instruction set.
struct LaneProgram: Sendable {
  let code: [lane_code]
  /// The position at which the part for each workgroup begins.
  let bodyStart: Int
  let constants: [(offset: UInt32, word: UInt32)]
  /// The bytes of the registers of one batch.
  let registerByteCount: Int
  let vectorCount: Int
  let resources: KernelResources
  let workgroupSize: (x: Int, y: Int, z: Int)
  /// What is looked at while it runs, by the numbers in its instructions.
  struct Sites: Sendable {
    var findings: [WatchSite] = []
    var assignments: [ProbeSite] = []
    /// The first site that stores texels of each texture.
    var stores: [Int: Int] = [:]
  }
  let sites: Sites

  /// The batches of one workgroup.
  var batchCount: Int { (workgroupSize.x * workgroupSize.y * workgroupSize.z + Int(LANE_BATCH) - 1) / Int(LANE_BATCH) }
  var sharedByteCount: Int { resources.sharedWordCount * 4 }
}

/// Puts registers and labels of linear code in their places.
struct Assembler {
  private let code: LinearCode
  private let allocation: RegisterAllocation

  init(_ code: LinearCode, _ allocation: RegisterAllocation) {
    self.code = code
    self.allocation = allocation
  }

  func assemble(_ resources: KernelResources, workgroupSize: (x: Int, y: Int, z: Int), _ sites: LaneProgram.Sites) -> LaneProgram {
    let preamble = code.preamble.map { word(for: $0, position: nil) }
    let body = code.body.enumerated().map { word(for: $1, position: $0) }
    return LaneProgram(
      code: preamble + body, bodyStart: preamble.count, constants: allocation.constants, registerByteCount: allocation.byteCount,
      vectorCount: allocation.vectorCount, resources: resources, workgroupSize: workgroupSize, sites: sites)
  }

  private func word(for instruction: LinearCode.Instruction, position: Int?) -> lane_code {
    var fields = SIMD8<UInt32>(repeating: 0)
    for field in 0..<6 {
      let number = instruction.fields[field]
      fields[field] = instruction.isRegister(field) ? allocation.offsets[Int(number)] : UInt32(bitPattern: number)
    }
    switch instruction.operation {
    case LANE_OP_fill_rows, LANE_OP_load_row, LANE_OP_store_row:
      fields[LinearCode.Field.f.rawValue] = UInt32(allocation.rowsStart) + fields[LinearCode.Field.f.rawValue] * UInt32(LANE_BATCH * 4)
    case LANE_OP_load_shared, LANE_OP_store_shared, LANE_OP_atomic_shared:
      fields[LinearCode.Field.f.rawValue] = fields[LinearCode.Field.f.rawValue] * 4
    default: break
    }
    if let label = instruction.label, let position {
      fields[LinearCode.Field.f.rawValue] = UInt32(bitPattern: Int32(code.labels[label] - position))
    }
    return lane_code(
      op: instruction.operation.rawValue, forms: forms(of: instruction), d: fields[0], a: fields[1], b: fields[2], c: fields[3],
      e: fields[4], f: fields[5])
  }

  /// Bit k for a scalar operand k; bit 7 for a result that is scalar.
  private func forms(of instruction: LinearCode.Instruction) -> UInt32 {
    var forms: UInt32 = instruction.isResultScalar ? 0x80 : 0
    for (bit, field) in [(0, 1), (1, 2), (2, 3), (3, 0), (3, 5)] where instruction.reads & (1 << UInt8(field)) != 0 {
      if !code.registers[Int(instruction.fields[field])].isVector { forms |= 1 << UInt32(bit) }
    }
    return forms
  }
}

// MARK: - In memory

/// Owns the instructions of a program for one instruction set.
@safe final class LinkedProgram: @unchecked Sendable {
  let program: LaneProgram
  private let instructions: UnsafeMutablePointer<lane_instruction>

  init(_ program: LaneProgram, for set: InstructionSet, kernel: String) throws(RenderError) {
    self.program = program
    unsafe instructions = .allocate(capacity: program.code.count)
    unsafe instructions.initialize(repeating: lane_instruction(), count: program.code.count)
    let failed = unsafe lane_link(CInt(bitPattern: set.lane.rawValue), program.code, program.code.count, instructions)
    if failed != 0 {
      let name = unsafe String(cString: lane_op_name(CInt(bitPattern: program.code[failed - 1].op)))
      throw RenderError(.internalError, "no lane kernel for '\(name)' with operands \(program.code[failed - 1].forms) (kernel '\(kernel)')")
    }
  }

  deinit { unsafe instructions.deallocate() }

  /// What runs once for a frame.
  var preamble: UnsafePointer<lane_instruction> { unsafe UnsafePointer(instructions) }
  /// What runs for each workgroup.
  var body: UnsafePointer<lane_instruction> { unsafe UnsafePointer(instructions.advanced(by: program.bodyStart)) }
}
