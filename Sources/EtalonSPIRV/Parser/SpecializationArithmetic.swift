/// What `OpSpecConstantOp` computes from 32-bit integers and truth values (0 and 1).
enum SpecializationArithmetic {
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
