internal import CLaneKernels
internal import EtalonDiagnostics

/// Owns the instructions of a program for one instruction set.
@safe final class LinkedProgram: @unchecked Sendable {
  let program: Program
  private let instructions: UnsafeMutablePointer<lane_instruction>

  init(_ program: Program, for set: InstructionSet, kernel: String) throws(RenderError) {
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
