/// Which words follow the opcode of an instruction.
struct InstructionShape: Sendable, Hashable {
  /// A result type comes first.
  let hasResultType: Bool
  /// A result comes next.
  let hasResult: Bool
  /// Operands that must be there.
  let required: [OperandKind]
  /// Operands that may be left out, from the end.
  let optional: [OperandKind]
  /// What all further operands are, nil when there must be none.
  let rest: OperandKind?

  /// An instruction without a result.
  static func plain(_ required: OperandKind..., optional: [OperandKind] = [], rest: OperandKind? = nil) -> InstructionShape {
    InstructionShape(hasResultType: false, hasResult: false, required: required, optional: optional, rest: rest)
  }

  /// An instruction with a result that has no type, such as a type.
  static func result(_ required: OperandKind..., optional: [OperandKind] = [], rest: OperandKind? = nil) -> InstructionShape {
    InstructionShape(hasResultType: false, hasResult: true, required: required, optional: optional, rest: rest)
  }

  /// An instruction with a result and its type.
  static func typed(_ required: OperandKind..., optional: [OperandKind] = [], rest: OperandKind? = nil) -> InstructionShape {
    InstructionShape(hasResultType: true, hasResult: true, required: required, optional: optional, rest: rest)
  }
}
