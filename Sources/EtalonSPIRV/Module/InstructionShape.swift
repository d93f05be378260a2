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

// MARK: - Operands

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

// MARK: - Shapes of all instructions

extension Opcode {
  /// The operands of the instruction, as the grammar in the specification lists them.
  var shape: InstructionShape {
    switch self {
    case .OpNop, .OpFunctionEnd, .OpKill, .OpReturn, .OpUnreachable, .OpNoLine, .OpTerminateInvocation, .OpDemoteToHelperInvocation:
      .plain()
    case .OpUndef, .OpConstantTrue, .OpConstantFalse, .OpConstantNull, .OpSpecConstantTrue, .OpSpecConstantFalse, .OpFunctionParameter,
      .OpIsHelperInvocationEXT:
      .typed()
    case .OpSourceContinued, .OpSourceExtension, .OpExtension, .OpModuleProcessed:
      .plain(.string)
    case .OpSource:
      .plain(.sourceLanguage, .literal, optional: [.id, .string])
    case .OpName:
      .plain(.id, .string)
    case .OpMemberName:
      .plain(.id, .literal, .string)
    case .OpString, .OpExtInstImport:
      .result(.string)
    case .OpLine:
      .plain(.id, .literal, .literal)
    case .OpExtInst:
      .typed(.id, .extendedInstruction, rest: .id)
    case .OpMemoryModel:
      .plain(.addressingModel, .memoryModel)
    case .OpEntryPoint:
      .plain(.executionModel, .id, .string, rest: .id)
    case .OpExecutionMode, .OpExecutionModeId:
      .plain(.id, .executionMode)
    case .OpCapability:
      .plain(.capability)
    case .OpTypeVoid, .OpTypeBool, .OpTypeSampler, .OpDecorationGroup, .OpLabel:
      .result()
    case .OpTypeInt:
      .result(.literal, .literal)
    case .OpTypeFloat:
      .result(.literal)
    case .OpTypeVector, .OpTypeMatrix:
      .result(.id, .literal)
    case .OpTypeImage:
      .result(.id, .dim, .literal, .literal, .literal, .literal, .imageFormat, optional: [.accessQualifier])
    case .OpTypeSampledImage, .OpTypeRuntimeArray:
      .result(.id)
    case .OpTypeArray:
      .result(.id, .id)
    case .OpTypeStruct:
      .result(rest: .id)
    case .OpTypePointer:
      .result(.storageClass, .id)
    case .OpTypeFunction:
      .result(.id, rest: .id)
    case .OpConstant, .OpSpecConstant:
      .typed(.constantLiteral)
    case .OpConstantComposite, .OpSpecConstantComposite, .OpCompositeConstruct:
      .typed(rest: .id)
    case .OpSpecConstantOp:
      .typed(.constantOperation)
    case .OpFunction:
      .typed(.functionControl, .id)
    case .OpFunctionCall, .OpAccessChain, .OpInBoundsAccessChain:
      .typed(.id, rest: .id)
    case .OpVariable:
      .typed(.storageClass, optional: [.id])
    case .OpImageTexelPointer, .OpVectorInsertDynamic, .OpSelect, .OpBitFieldSExtract, .OpBitFieldUExtract, .OpAtomicLoad,
      .OpAtomicIIncrement, .OpAtomicIDecrement, .OpGroupNonUniformBroadcast, .OpGroupNonUniformBallotBitExtract,
      .OpGroupNonUniformShuffle, .OpGroupNonUniformShuffleXor, .OpGroupNonUniformShuffleUp, .OpGroupNonUniformShuffleDown,
      .OpGroupNonUniformQuadBroadcast, .OpGroupNonUniformQuadSwap:
      .typed(.id, .id, .id)
    case .OpLoad:
      .typed(.id, optional: [.memoryAccess])
    case .OpStore:
      .plain(.id, .id, optional: [.memoryAccess])
    case .OpCopyMemory:
      .plain(.id, .id, optional: [.memoryAccess, .memoryAccess])
    case .OpPtrAccessChain, .OpInBoundsPtrAccessChain:
      .typed(.id, .id, rest: .id)
    case .OpArrayLength:
      .typed(.id, .literal)
    case .OpDecorate, .OpDecorateId:
      .plain(.id, .decoration)
    case .OpMemberDecorate:
      .plain(.id, .literal, .decoration)
    case .OpGroupDecorate:
      .plain(.id, rest: .id)
    case .OpGroupMemberDecorate:
      .plain(.id, rest: .idAndLiteral)
    case .OpVectorExtractDynamic, .OpSampledImage, .OpImageQuerySizeLod, .OpImageQueryLod, .OpIAdd, .OpFAdd, .OpISub, .OpFSub, .OpIMul,
      .OpFMul, .OpUDiv, .OpSDiv, .OpFDiv, .OpUMod, .OpSRem, .OpSMod, .OpFRem, .OpFMod, .OpVectorTimesScalar, .OpMatrixTimesScalar,
      .OpVectorTimesMatrix, .OpMatrixTimesVector, .OpMatrixTimesMatrix, .OpOuterProduct, .OpDot, .OpIAddCarry, .OpISubBorrow,
      .OpUMulExtended, .OpSMulExtended, .OpUnordered, .OpLogicalEqual, .OpLogicalNotEqual, .OpLogicalOr, .OpLogicalAnd, .OpIEqual,
      .OpINotEqual, .OpUGreaterThan, .OpSGreaterThan, .OpUGreaterThanEqual, .OpSGreaterThanEqual, .OpULessThan, .OpSLessThan,
      .OpULessThanEqual, .OpSLessThanEqual, .OpFOrdEqual, .OpFUnordEqual, .OpFOrdNotEqual, .OpFUnordNotEqual, .OpFOrdLessThan,
      .OpFUnordLessThan, .OpFOrdGreaterThan, .OpFUnordGreaterThan, .OpFOrdLessThanEqual, .OpFUnordLessThanEqual,
      .OpFOrdGreaterThanEqual, .OpFUnordGreaterThanEqual, .OpShiftRightLogical, .OpShiftRightArithmetic, .OpShiftLeftLogical,
      .OpBitwiseOr, .OpBitwiseXor, .OpBitwiseAnd, .OpGroupNonUniformAll, .OpGroupNonUniformAny, .OpGroupNonUniformAllEqual,
      .OpGroupNonUniformBroadcastFirst, .OpGroupNonUniformBallot, .OpGroupNonUniformInverseBallot, .OpGroupNonUniformBallotFindLSB,
      .OpGroupNonUniformBallotFindMSB, .OpPtrEqual, .OpPtrNotEqual, .OpSubgroupReadInvocationKHR:
      .typed(.id, .id)
    case .OpVectorShuffle, .OpCompositeInsert:
      .typed(.id, .id, rest: .literal)
    case .OpCompositeExtract:
      .typed(.id, rest: .literal)
    case .OpCopyObject, .OpTranspose, .OpImage, .OpImageQuerySize, .OpImageQueryLevels, .OpImageQuerySamples, .OpConvertFToU,
      .OpConvertFToS, .OpConvertSToF, .OpConvertUToF, .OpUConvert, .OpSConvert, .OpFConvert, .OpQuantizeToF16, .OpBitcast, .OpSNegate,
      .OpFNegate, .OpAny, .OpAll, .OpIsNan, .OpIsInf, .OpLogicalNot, .OpNot, .OpBitReverse, .OpBitCount, .OpDPdx, .OpDPdy, .OpFwidth,
      .OpDPdxFine, .OpDPdyFine, .OpFwidthFine, .OpDPdxCoarse, .OpDPdyCoarse, .OpFwidthCoarse, .OpGroupNonUniformElect, .OpCopyLogical,
      .OpSubgroupBallotKHR, .OpSubgroupFirstInvocationKHR, .OpSubgroupAllKHR, .OpSubgroupAnyKHR, .OpSubgroupAllEqualKHR,
      .OpReadClockKHR:
      .typed(.id)
    case .OpImageSampleImplicitLod, .OpImageSampleProjImplicitLod, .OpImageFetch, .OpImageRead:
      .typed(.id, .id, optional: [.imageOperands])
    case .OpImageSampleExplicitLod, .OpImageSampleProjExplicitLod:
      .typed(.id, .id, .imageOperands)
    case .OpImageSampleDrefImplicitLod, .OpImageSampleProjDrefImplicitLod, .OpImageGather, .OpImageDrefGather:
      .typed(.id, .id, .id, optional: [.imageOperands])
    case .OpImageSampleDrefExplicitLod, .OpImageSampleProjDrefExplicitLod:
      .typed(.id, .id, .id, .imageOperands)
    case .OpImageWrite:
      .plain(.id, .id, .id, optional: [.imageOperands])
    case .OpBitFieldInsert, .OpAtomicExchange, .OpAtomicIAdd, .OpAtomicISub, .OpAtomicSMin, .OpAtomicUMin, .OpAtomicSMax,
      .OpAtomicUMax, .OpAtomicAnd, .OpAtomicOr, .OpAtomicXor, .OpAtomicFMinEXT, .OpAtomicFMaxEXT, .OpAtomicFAddEXT:
      .typed(.id, .id, .id, .id)
    case .OpControlBarrier:
      .plain(.id, .id, .id)
    case .OpMemoryBarrier:
      .plain(.id, .id)
    case .OpAtomicStore:
      .plain(.id, .id, .id, .id)
    case .OpAtomicCompareExchange:
      .typed(.id, .id, .id, .id, .id, .id)
    case .OpPhi:
      .typed(rest: .idPair)
    case .OpLoopMerge:
      .plain(.id, .id, .loopControl)
    case .OpSelectionMerge:
      .plain(.id, .selectionControl)
    case .OpBranch, .OpReturnValue:
      .plain(.id)
    case .OpBranchConditional:
      .plain(.id, .id, .id, rest: .literal)
    case .OpSwitch:
      .plain(.id, .id, rest: .switchTarget)
    case .OpGroupNonUniformBallotBitCount:
      .typed(.id, .groupOperation, .id)
    case .OpGroupNonUniformIAdd, .OpGroupNonUniformFAdd, .OpGroupNonUniformIMul, .OpGroupNonUniformFMul, .OpGroupNonUniformSMin,
      .OpGroupNonUniformUMin, .OpGroupNonUniformFMin, .OpGroupNonUniformSMax, .OpGroupNonUniformUMax, .OpGroupNonUniformFMax,
      .OpGroupNonUniformBitwiseAnd, .OpGroupNonUniformBitwiseOr, .OpGroupNonUniformBitwiseXor, .OpGroupNonUniformLogicalAnd,
      .OpGroupNonUniformLogicalOr, .OpGroupNonUniformLogicalXor:
      .typed(.id, .groupOperation, .id, optional: [.id])
    case .OpGroupNonUniformRotateKHR:
      .typed(.id, .id, .id, optional: [.id])
    case .OpSDot, .OpUDot, .OpSUDot:
      .typed(.id, .id, optional: [.packedVectorFormat])
    case .OpSDotAccSat, .OpUDotAccSat, .OpSUDotAccSat:
      .typed(.id, .id, .id, optional: [.packedVectorFormat])
    }
  }
}

// MARK: - Decoding

/// Opcodes and shapes by their number, for decoding without searching.
struct OpcodeTable: Sendable {
  /// What follows the required operands.
  enum Rest: Sendable {
    case none, ids, literals
  }

  /// What decoding needs for each instruction, without references.
  struct Code: Sendable {
    let opcode: Opcode
    let hasResultType: Bool
    let hasResult: Bool
    /// Required operands are one word each, of which `idMask` says which are ids, and all that may follow is of the kind `rest`.
    ///
    /// This also holds for instructions with optional operands, as long as those are left out.
    let isSimple: Bool
    let requiredCount: UInt8
    let idMask: UInt16
    let rest: Rest

    init(_ opcode: Opcode, _ shape: InstructionShape) {
      self.opcode = opcode
      hasResultType = shape.hasResultType
      hasResult = shape.hasResult
      requiredCount = UInt8(shape.required.count)
      idMask = shape.required.enumerated().reduce(0) { $1.element == .id ? $0 | 1 << UInt16($1.offset) : $0 }
      isSimple = shape.required.allSatisfy(\.isOneWord) && (shape.rest == nil || shape.rest == .id || shape.rest == .literal)
      switch shape.rest {
      case .id: rest = .ids
      case .literal: rest = .literals
      default: rest = .none
      }
    }

    /// The words before the first operand: opcode, result type, result.
    var firstOperand: Int { 1 + (hasResultType ? 1 : 0) + (hasResult ? 1 : 0) }
  }

  static let shared = OpcodeTable()

  private let codes: [Code]
  private let shapes: [InstructionShape]
  /// From an opcode's number to its position in `codes`.
  private let positions: [UInt16]
  private static let missing = UInt16.max

  private init() {
    shapes = Opcode.allCases.map(\.shape)
    codes = zip(Opcode.allCases, shapes).map { Code($0, $1) }
    let highest = Opcode.allCases.map { Int($0.rawValue) }.max() ?? 0
    var positions = [UInt16](repeating: Self.missing, count: highest + 1)
    for (position, code) in codes.enumerated() { positions[Int(code.opcode.rawValue)] = UInt16(position) }
    self.positions = positions
  }

  /// What is known about an opcode number, nil for instructions that no compute shader holds.
  func code(_ number: UInt32) -> Code? {
    guard Int(number) < positions.count, positions[Int(number)] != Self.missing else { return nil }
    return codes[Int(positions[Int(number)])]
  }

  /// The operands of an opcode.
  func shape(_ opcode: Opcode) -> InstructionShape { shapes[Int(positions[Int(opcode.rawValue)])] }
}
