import EtalonDiagnostics

/// Gives constants their values; specialisation constants get their defaults.
struct ConstantReader {
  /// The value of a constant or undefined value.
  func value(_ instruction: Instruction, _ types: TypeTable, _ instructions: InstructionTable) throws(DiagnosticsError) -> ConstantValue {
    guard let typeId = instruction.resultType, let type = types[typeId] else {
      throw ModuleMistake.error("type", "the constant has no type", instruction)
    }
    switch instruction.opcode {
    case .OpConstantTrue, .OpSpecConstantTrue, .OpConstantFalse, .OpSpecConstantFalse:
      guard type == .bool else { throw ModuleMistake.error("type", "\(typeId) is not the type of truth values", instruction) }
      return .scalar(instruction.opcode == .OpConstantTrue || instruction.opcode == .OpSpecConstantTrue ? 1 : 0)
    case .OpConstant, .OpSpecConstant: return .scalar(try bits(instruction, type))
    case .OpConstantComposite, .OpSpecConstantComposite: return try composite(instruction, type, types, instructions)
    case .OpConstantNull:
      guard type != .void else { throw ModuleMistake.error("type", "nothing has no zero", instruction) }
      return .null
    case .OpUndef: return .undefined
    default: return try operation(instruction, type, types, instructions)
    }
  }

  private func bits(_ instruction: Instruction, _ type: ModuleType) throws(DiagnosticsError) -> UInt64 {
    let width: Int
    switch type {
    case .int(let bits, _), .float(let bits): width = bits
    default: throw ModuleMistake.error("type", "the constant is no number", instruction)
    }
    guard instruction.operandCount == (width > 32 ? 2 : 1) else {
      throw ModuleMistake.error("operands", "\(instruction.operandCount) words for \(width) bits", instruction)
    }
    if width == 64 { return UInt64(instruction[0]) | UInt64(instruction[1]) << 32 }
    return UInt64(instruction[0]) & (1 << UInt64(width) - 1)
  }

  private func composite(
    _ instruction: Instruction, _ type: ModuleType, _ types: TypeTable, _ instructions: InstructionTable
  ) throws(DiagnosticsError) -> ConstantValue {
    let parts = instruction.ids(from: 0)
    guard let count = type.partCount, parts.count == count else {
      throw ModuleMistake.error("type", "\(parts.count) parts do not make the type", instruction)
    }
    for (index, part) in parts.enumerated() {
      guard types.constants[part] != nil, instructions.typeOfValue(part) == type.part(index) else {
        throw ModuleMistake.error("type", "part \(index), \(part), is not a constant of the right type", instruction)
      }
    }
    return .composite(parts)
  }

  /// The value of an `OpSpecConstantOp` on integers of up to 32 bits and truth values.
  private func operation(
    _ instruction: Instruction, _ type: ModuleType, _ types: TypeTable, _ instructions: InstructionTable
  ) throws(DiagnosticsError) -> ConstantValue {
    guard let code = OpcodeTable.shared.code(instruction[0]) else {
      throw ModuleMistake.error("operands", "operation \(instruction[0]) is not known", instruction)
    }
    if code.opcode == .OpCompositeExtract { return try extraction(instruction, types, instructions) }
    var arguments: [UInt32] = []
    for id in instruction.ids(from: 1) {
      guard let bits = scalar(id, types, instructions) else { throw unsupported(code.opcode, instruction) }
      arguments.append(UInt32(truncatingIfNeeded: bits))
    }
    guard type == .bool || isWord(type), let result = SpecializationArithmetic.apply(code.opcode, arguments) else {
      throw unsupported(code.opcode, instruction)
    }
    return .scalar(UInt64(result))
  }

  private func extraction(_ instruction: Instruction, _ types: TypeTable, _ instructions: InstructionTable) throws(DiagnosticsError)
    -> ConstantValue
  {
    var value = instruction.id(1)
    for index in instruction.operands.dropFirst(2) {
      guard case .composite(let parts) = types.constants[value], index < parts.count else {
        throw unsupported(.OpCompositeExtract, instruction)
      }
      value = parts[Int(index)]
    }
    guard let result = types.constants[value], instructions.typeOfValue(value) == instruction.resultType else {
      throw unsupported(.OpCompositeExtract, instruction)
    }
    return result
  }

  private func scalar(_ id: Id, _ types: TypeTable, _ instructions: InstructionTable) -> UInt64? {
    guard let type = instructions.typeOfValue(id), let meaning = types[type], meaning == .bool || isWord(meaning) else {
      return nil
    }
    switch types.constants[id] {
    case .scalar(let bits): return bits
    case .null, .undefined: return 0
    default: return nil
    }
  }

  private func isWord(_ type: ModuleType) -> Bool {
    if case .int(32, _) = type { true } else { false }
  }

  private func unsupported(_ opcode: Opcode, _ instruction: Instruction) -> DiagnosticsError {
    ModuleMistake.error("unsupported", "'\(opcode)' on specialisation constants is only possible with 32-bit integers", instruction)
  }
}
