/// What a word of an instruction means.
enum OperandKind: Sendable, Hashable, CaseIterable {
  case id, literal, string
  /// An id and the label of the block that it comes from.
  case idPair
  /// An id and a number.
  case idAndLiteral
  /// A number as wide as the selector, and a label.
  case switchTarget
  /// The bits of a constant, as wide as its type.
  case constantLiteral
  /// The number of a function in an extended instruction set.
  case extendedInstruction
  /// An opcode, followed by the operands that it has after its result.
  case constantOperation
  case accessQualifier, addressingModel, builtIn, capability, decoration, dim, executionMode, executionModel
  case functionControl, functionParameterAttribute, groupOperation, imageFormat, imageOperands, linkageType, loopControl
  case memoryAccess, memoryModel, packedVectorFormat, roundingMode, selectionControl, sourceLanguage, storageClass

  /// Whether it is always a single word, which asks for no others.
  var isOneWord: Bool {
    switch self {
    case .string, .idPair, .idAndLiteral, .switchTarget, .constantLiteral, .constantOperation, .imageOperands, .memoryAccess, .loopControl,
      .executionMode, .decoration:
      false
    default: true
    }
  }

  /// Whether the word is a set of flags.
  var isMask: Bool {
    switch self {
    case .functionControl, .imageOperands, .loopControl, .memoryAccess, .selectionControl: true
    default: false
    }
  }

  /// The operands that a value of this kind asks for after it.
  func parameters(of value: UInt32) -> [OperandKind] {
    switch self {
    case .imageOperands, .memoryAccess, .loopControl: maskParameters(value)
    case .executionMode: Self.executionModeParameters(value)
    case .decoration: Self.decorationParameters(value)
    default: []
    }
  }

  /// The parameters of each flag, from the lowest bit on.
  private func maskParameters(_ mask: UInt32) -> [OperandKind] {
    var parameters: [OperandKind] = []
    var rest = mask
    while rest != 0 {
      let bit = rest & (~rest &+ 1)
      rest &= ~bit
      parameters += flagParameters(bit)
    }
    return parameters
  }

  private func flagParameters(_ bit: UInt32) -> [OperandKind] {
    switch (self, bit) {
    case (.imageOperands, 0x4): [.id, .id]
    case (.imageOperands, 0x1...0x200), (.imageOperands, 0x10000): [.id]
    case (.memoryAccess, 0x2): [.literal]
    case (.memoryAccess, 0x8), (.memoryAccess, 0x10): [.id]
    case (.loopControl, 0x8...0x100): [.literal]
    default: []
    }
  }

  private static func executionModeParameters(_ mode: UInt32) -> [OperandKind] {
    switch mode {
    case 0, 26, 30, 35, 36: [.literal]
    case 17, 18: [.literal, .literal, .literal]
    case 37: [.id]
    case 38, 39: [.id, .id, .id]
    case 4459...4463: [.literal]
    default: []
    }
  }

  private static func decorationParameters(_ decoration: UInt32) -> [OperandKind] {
    switch decoration {
    case 11: [.builtIn]
    case 1, 6, 7, 29...37, 40, 43...45: [.literal]
    case 38: [.functionParameterAttribute]
    case 39: [.roundingMode]
    case 41: [.string, .linkageType]
    case 27, 46, 47, 5634: [.id]
    case 5635, 5636: [.string]
    default: []
    }
  }
}
