import EtalonDiagnostics

/// Gives constants their values; specialisation constants get their defaults.
struct ConstantReader {
  /// The value of a constant or undefined value.
  func value(_ instruction: Instruction, _ types: TypeTable, _ instructions: InstructionTable) throws(DiagnosticsError) -> ConstantValue {
    guard let typeId = instruction.resultType, let type = types[typeId] else {
      throw ModuleDiagnostic.error("type", "the constant has no type", instruction)
    }
    switch instruction.opcode {
    case .OpConstantTrue, .OpSpecConstantTrue, .OpConstantFalse, .OpSpecConstantFalse:
      guard type == .bool else { throw ModuleDiagnostic.error("type", "\(typeId) is not the type of truth values", instruction) }
      return .scalar(instruction.opcode == .OpConstantTrue || instruction.opcode == .OpSpecConstantTrue ? 1 : 0)
    case .OpConstant, .OpSpecConstant: return .scalar(try bits(instruction, type))
    case .OpConstantComposite, .OpSpecConstantComposite: return try composite(instruction, type, types, instructions)
    case .OpConstantNull:
      guard type != .void else { throw ModuleDiagnostic.error("type", "nothing has no zero", instruction) }
      return .null
    case .OpUndef: return .undefined
    default: return try operation(instruction, type, types, instructions)
    }
  }

  private func bits(_ instruction: Instruction, _ type: ModuleType) throws(DiagnosticsError) -> UInt64 {
    let width: Int
    switch type {
    case .int(let bits, _), .float(let bits): width = bits
    default: throw ModuleDiagnostic.error("type", "the constant is no number", instruction)
    }
    guard instruction.operandCount == (width > 32 ? 2 : 1) else {
      throw ModuleDiagnostic.error("operands", "\(instruction.operandCount) words for \(width) bits", instruction)
    }
    if width == 64 { return UInt64(instruction[0]) | UInt64(instruction[1]) << 32 }
    return UInt64(instruction[0]) & (1 << UInt64(width) - 1)
  }

  private func composite(
    _ instruction: Instruction, _ type: ModuleType, _ types: TypeTable, _ instructions: InstructionTable
  ) throws(DiagnosticsError) -> ConstantValue {
    let parts = instruction.ids(from: 0)
    guard let count = type.partCount, parts.count == count else {
      throw ModuleDiagnostic.error("type", "\(parts.count) parts do not make the type", instruction)
    }
    for (index, part) in parts.enumerated() {
      guard types.constants[part] != nil, instructions.typeOfValue(part) == type.part(index) else {
        throw ModuleDiagnostic.error("type", "part \(index), \(part), is not a constant of the right type", instruction)
      }
    }
    return .composite(parts)
  }

  /// The value of an `OpSpecConstantOp` on integers of up to 32 bits and truth values.
  private func operation(
    _ instruction: Instruction, _ type: ModuleType, _ types: TypeTable, _ instructions: InstructionTable
  ) throws(DiagnosticsError) -> ConstantValue {
    guard let code = OpcodeTable.shared.code(instruction[0]) else {
      throw ModuleDiagnostic.error("operands", "operation \(instruction[0]) is not known", instruction)
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
    ModuleDiagnostic.error("unsupported", "'\(opcode)' on specialisation constants is only possible with 32-bit integers", instruction)
  }
}

// MARK: - Arithmetic

/// What `OpSpecConstantOp` computes from 32-bit integers and truth values (0 and 1).
private enum SpecializationArithmetic {
  /// The result, nil when the operation or the number of arguments is not possible.
  ///
  /// Division by zero gives zero.
  static func apply(_ opcode: Opcode, _ arguments: [UInt32]) -> UInt32? {
    switch arguments.count {
    case 1: unary(opcode, arguments[0])
    case 2: arithmetic(opcode, arguments[0], arguments[1]) ?? comparison(opcode, arguments[0], arguments[1]).map { $0 ? 1 : 0 }
    case 3 where opcode == .OpSelect: arguments[0] != 0 ? arguments[1] : arguments[2]
    default: nil
    }
  }

  private static func unary(_ opcode: Opcode, _ a: UInt32) -> UInt32? {
    switch opcode {
    case .OpSNegate: 0 &- a
    case .OpNot: ~a
    case .OpLogicalNot: a == 0 ? 1 : 0
    default: nil
    }
  }

  private static func arithmetic(_ opcode: Opcode, _ a: UInt32, _ b: UInt32) -> UInt32? {
    let signed = (a: Int32(bitPattern: a), b: Int32(bitPattern: b))
    switch opcode {
    case .OpIAdd: return a &+ b
    case .OpISub: return a &- b
    case .OpIMul: return a &* b
    case .OpUDiv: return b == 0 ? 0 : a / b
    case .OpUMod: return b == 0 ? 0 : a % b
    case .OpSDiv: return b == 0 ? 0 : UInt32(bitPattern: signed.a.dividingWrapping(by: signed.b))
    case .OpSRem: return b == 0 ? 0 : UInt32(bitPattern: signed.a.remainderWrapping(by: signed.b))
    case .OpSMod: return b == 0 ? 0 : UInt32(bitPattern: signed.a.floorModulus(signed.b))
    case .OpShiftLeftLogical: return a << (b & 31)
    case .OpShiftRightLogical: return a >> (b & 31)
    case .OpShiftRightArithmetic: return UInt32(bitPattern: signed.a >> Int32(b & 31))
    case .OpBitwiseAnd, .OpLogicalAnd: return a & b
    case .OpBitwiseOr, .OpLogicalOr: return a | b
    case .OpBitwiseXor: return a ^ b
    default: return nil
    }
  }

  private static func comparison(_ opcode: Opcode, _ a: UInt32, _ b: UInt32) -> Bool? {
    let signed = (a: Int32(bitPattern: a), b: Int32(bitPattern: b))
    switch opcode {
    case .OpIEqual, .OpLogicalEqual: return a == b
    case .OpINotEqual, .OpLogicalNotEqual: return a != b
    case .OpULessThan: return a < b
    case .OpULessThanEqual: return a <= b
    case .OpUGreaterThan: return a > b
    case .OpUGreaterThanEqual: return a >= b
    case .OpSLessThan: return signed.a < signed.b
    case .OpSLessThanEqual: return signed.a <= signed.b
    case .OpSGreaterThan: return signed.a > signed.b
    case .OpSGreaterThanEqual: return signed.a >= signed.b
    default: return nil
    }
  }
}

extension Int32 {
  fileprivate func dividingWrapping(by divisor: Int32) -> Int32 { dividedReportingOverflow(by: divisor).partialValue }

  fileprivate func remainderWrapping(by divisor: Int32) -> Int32 { remainderReportingOverflow(dividingBy: divisor).partialValue }

  /// The remainder with the sign of the divisor.
  fileprivate func floorModulus(_ divisor: Int32) -> Int32 {
    let remainder = remainderWrapping(by: divisor)
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder &+ divisor : remainder
  }
}
