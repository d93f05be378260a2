import EtalonDiagnostics

/// Makes the error for a module that breaks a rule; every message says where in the module.
enum ModuleMistake {
  static func error(_ id: String, _ message: String) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("spirv.\(id)", message, notes: ["the SPIR-V module is damaged, or made by a tool with a mistake"]))
  }

  static func error(_ id: String, _ message: String, at word: Int) -> DiagnosticsError {
    error(id, "\(message), at word \(word)")
  }

  static func error(_ id: String, _ message: String, _ instruction: Instruction) -> DiagnosticsError {
    error(id, "'\(instruction.opcode)': \(message)", at: instruction.start)
  }
}
