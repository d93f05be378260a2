import EtalonDiagnostics

/// Reads what stands outside functions: types, constants and variables.
struct GlobalReader {
  private(set) var types: TypeTable
  private let instructions: InstructionTable
  /// The positions of the variables.
  private(set) var variables: [Int] = []

  init(_ instructions: InstructionTable, idBound: Int) {
    self.instructions = instructions
    types = TypeTable(idBound: idBound)
  }

  /// Takes one instruction; instructions of other sections are left alone.
  mutating func read(_ instruction: Instruction) throws(DiagnosticsError) {
    if instruction.opcode.definesType {
      try addType(instruction)
    } else if instruction.opcode.definesConstant || instruction.opcode == .OpUndef {
      let value = try ConstantReader().value(instruction, types, instructions)
      if let id = instruction.result { types.addConstant(id, value) }
    } else if instruction.opcode == .OpVariable {
      try add(variable: instruction)
    }
  }

  private mutating func addType(_ instruction: Instruction) throws(DiagnosticsError) {
    guard let id = instruction.result else { return }
    let entry = try TypeReader(types: types, instructions: instructions).read(instruction)
    types.add(id, entry)
  }

  private mutating func add(variable: Instruction) throws(DiagnosticsError) {
    guard let type = variable.resultType, case .pointer(let storageClass, _) = types[type], storageClass.rawValue == variable[0],
      storageClass != .Function
    else { throw ModuleMistake.error("type", "the type of the variable does not fit its storage class", variable) }
    variables.append(variable.index)
  }
}
