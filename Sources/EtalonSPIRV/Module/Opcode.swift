// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What an instruction does, spelled as in the SPIR-V specification.
///
/// These are the instructions that a compute shader for Vulkan can hold; a module with any other is refused.
package enum Opcode: UInt16, Sendable, Hashable, CaseIterable {
  case OpNop = 0
  case OpUndef = 1
  case OpSourceContinued = 2
  case OpSource = 3
  case OpSourceExtension = 4
  case OpName = 5
  case OpMemberName = 6
  case OpString = 7
  case OpLine = 8
  case OpExtension = 10
  case OpExtInstImport = 11
  case OpExtInst = 12
  case OpMemoryModel = 14
  case OpEntryPoint = 15
  case OpExecutionMode = 16
  case OpCapability = 17
  case OpTypeVoid = 19
  case OpTypeBool = 20
  case OpTypeInt = 21
  case OpTypeFloat = 22
  case OpTypeVector = 23
  case OpTypeMatrix = 24
  case OpTypeImage = 25
  case OpTypeSampler = 26
  case OpTypeSampledImage = 27
  case OpTypeArray = 28
  case OpTypeRuntimeArray = 29
  case OpTypeStruct = 30
  case OpTypePointer = 32
  case OpTypeFunction = 33
  case OpConstantTrue = 41
  case OpConstantFalse = 42
  case OpConstant = 43
  case OpConstantComposite = 44
  case OpConstantNull = 46
  case OpSpecConstantTrue = 48
  case OpSpecConstantFalse = 49
  case OpSpecConstant = 50
  case OpSpecConstantComposite = 51
  case OpSpecConstantOp = 52
  case OpFunction = 54
  case OpFunctionParameter = 55
  case OpFunctionEnd = 56
  case OpFunctionCall = 57
  case OpVariable = 59
  case OpImageTexelPointer = 60
  case OpLoad = 61
  case OpStore = 62
  case OpCopyMemory = 63
  case OpAccessChain = 65
  case OpInBoundsAccessChain = 66
  case OpPtrAccessChain = 67
  case OpArrayLength = 68
  case OpInBoundsPtrAccessChain = 70
  case OpDecorate = 71
  case OpMemberDecorate = 72
  case OpDecorationGroup = 73
  case OpGroupDecorate = 74
  case OpGroupMemberDecorate = 75
  case OpVectorExtractDynamic = 77
  case OpVectorInsertDynamic = 78
  case OpVectorShuffle = 79
  case OpCompositeConstruct = 80
  case OpCompositeExtract = 81
  case OpCompositeInsert = 82
  case OpCopyObject = 83
  case OpTranspose = 84
  case OpSampledImage = 86
  case OpImageSampleImplicitLod = 87
  case OpImageSampleExplicitLod = 88
  case OpImageSampleDrefImplicitLod = 89
  case OpImageSampleDrefExplicitLod = 90
  case OpImageSampleProjImplicitLod = 91
  case OpImageSampleProjExplicitLod = 92
  case OpImageSampleProjDrefImplicitLod = 93
  case OpImageSampleProjDrefExplicitLod = 94
  case OpImageFetch = 95
  case OpImageGather = 96
  case OpImageDrefGather = 97
  case OpImageRead = 98
  case OpImageWrite = 99
  case OpImage = 100
  case OpImageQuerySizeLod = 103
  case OpImageQuerySize = 104
  case OpImageQueryLod = 105
  case OpImageQueryLevels = 106
  case OpImageQuerySamples = 107
  case OpConvertFToU = 109
  case OpConvertFToS = 110
  case OpConvertSToF = 111
  case OpConvertUToF = 112
  case OpUConvert = 113
  case OpSConvert = 114
  case OpFConvert = 115
  case OpQuantizeToF16 = 116
  case OpBitcast = 124
  case OpSNegate = 126
  case OpFNegate = 127
  case OpIAdd = 128
  case OpFAdd = 129
  case OpISub = 130
  case OpFSub = 131
  case OpIMul = 132
  case OpFMul = 133
  case OpUDiv = 134
  case OpSDiv = 135
  case OpFDiv = 136
  case OpUMod = 137
  case OpSRem = 138
  case OpSMod = 139
  case OpFRem = 140
  case OpFMod = 141
  case OpVectorTimesScalar = 142
  case OpMatrixTimesScalar = 143
  case OpVectorTimesMatrix = 144
  case OpMatrixTimesVector = 145
  case OpMatrixTimesMatrix = 146
  case OpOuterProduct = 147
  case OpDot = 148
  case OpIAddCarry = 149
  case OpISubBorrow = 150
  case OpUMulExtended = 151
  case OpSMulExtended = 152
  case OpAny = 154
  case OpAll = 155
  case OpIsNan = 156
  case OpIsInf = 157
  case OpUnordered = 163
  case OpLogicalEqual = 164
  case OpLogicalNotEqual = 165
  case OpLogicalOr = 166
  case OpLogicalAnd = 167
  case OpLogicalNot = 168
  case OpSelect = 169
  case OpIEqual = 170
  case OpINotEqual = 171
  case OpUGreaterThan = 172
  case OpSGreaterThan = 173
  case OpUGreaterThanEqual = 174
  case OpSGreaterThanEqual = 175
  case OpULessThan = 176
  case OpSLessThan = 177
  case OpULessThanEqual = 178
  case OpSLessThanEqual = 179
  case OpFOrdEqual = 180
  case OpFUnordEqual = 181
  case OpFOrdNotEqual = 182
  case OpFUnordNotEqual = 183
  case OpFOrdLessThan = 184
  case OpFUnordLessThan = 185
  case OpFOrdGreaterThan = 186
  case OpFUnordGreaterThan = 187
  case OpFOrdLessThanEqual = 188
  case OpFUnordLessThanEqual = 189
  case OpFOrdGreaterThanEqual = 190
  case OpFUnordGreaterThanEqual = 191
  case OpShiftRightLogical = 194
  case OpShiftRightArithmetic = 195
  case OpShiftLeftLogical = 196
  case OpBitwiseOr = 197
  case OpBitwiseXor = 198
  case OpBitwiseAnd = 199
  case OpNot = 200
  case OpBitFieldInsert = 201
  case OpBitFieldSExtract = 202
  case OpBitFieldUExtract = 203
  case OpBitReverse = 204
  case OpBitCount = 205
  case OpDPdx = 207
  case OpDPdy = 208
  case OpFwidth = 209
  case OpDPdxFine = 210
  case OpDPdyFine = 211
  case OpFwidthFine = 212
  case OpDPdxCoarse = 213
  case OpDPdyCoarse = 214
  case OpFwidthCoarse = 215
  case OpControlBarrier = 224
  case OpMemoryBarrier = 225
  case OpAtomicLoad = 227
  case OpAtomicStore = 228
  case OpAtomicExchange = 229
  case OpAtomicCompareExchange = 230
  case OpAtomicIIncrement = 232
  case OpAtomicIDecrement = 233
  case OpAtomicIAdd = 234
  case OpAtomicISub = 235
  case OpAtomicSMin = 236
  case OpAtomicUMin = 237
  case OpAtomicSMax = 238
  case OpAtomicUMax = 239
  case OpAtomicAnd = 240
  case OpAtomicOr = 241
  case OpAtomicXor = 242
  case OpPhi = 245
  case OpLoopMerge = 246
  case OpSelectionMerge = 247
  case OpLabel = 248
  case OpBranch = 249
  case OpBranchConditional = 250
  case OpSwitch = 251
  case OpKill = 252
  case OpReturn = 253
  case OpReturnValue = 254
  case OpUnreachable = 255
  case OpNoLine = 317
  case OpModuleProcessed = 330
  case OpExecutionModeId = 331
  case OpDecorateId = 332
  case OpGroupNonUniformElect = 333
  case OpGroupNonUniformAll = 334
  case OpGroupNonUniformAny = 335
  case OpGroupNonUniformAllEqual = 336
  case OpGroupNonUniformBroadcast = 337
  case OpGroupNonUniformBroadcastFirst = 338
  case OpGroupNonUniformBallot = 339
  case OpGroupNonUniformInverseBallot = 340
  case OpGroupNonUniformBallotBitExtract = 341
  case OpGroupNonUniformBallotBitCount = 342
  case OpGroupNonUniformBallotFindLSB = 343
  case OpGroupNonUniformBallotFindMSB = 344
  case OpGroupNonUniformShuffle = 345
  case OpGroupNonUniformShuffleXor = 346
  case OpGroupNonUniformShuffleUp = 347
  case OpGroupNonUniformShuffleDown = 348
  case OpGroupNonUniformIAdd = 349
  case OpGroupNonUniformFAdd = 350
  case OpGroupNonUniformIMul = 351
  case OpGroupNonUniformFMul = 352
  case OpGroupNonUniformSMin = 353
  case OpGroupNonUniformUMin = 354
  case OpGroupNonUniformFMin = 355
  case OpGroupNonUniformSMax = 356
  case OpGroupNonUniformUMax = 357
  case OpGroupNonUniformFMax = 358
  case OpGroupNonUniformBitwiseAnd = 359
  case OpGroupNonUniformBitwiseOr = 360
  case OpGroupNonUniformBitwiseXor = 361
  case OpGroupNonUniformLogicalAnd = 362
  case OpGroupNonUniformLogicalOr = 363
  case OpGroupNonUniformLogicalXor = 364
  case OpGroupNonUniformQuadBroadcast = 365
  case OpGroupNonUniformQuadSwap = 366
  case OpCopyLogical = 400
  case OpPtrEqual = 401
  case OpPtrNotEqual = 402
  case OpTerminateInvocation = 4416
  case OpSubgroupBallotKHR = 4421
  case OpSubgroupFirstInvocationKHR = 4422
  case OpSubgroupAllKHR = 4428
  case OpSubgroupAnyKHR = 4429
  case OpSubgroupAllEqualKHR = 4430
  case OpGroupNonUniformRotateKHR = 4431
  case OpSubgroupReadInvocationKHR = 4432
  case OpSDot = 4450
  case OpUDot = 4451
  case OpSUDot = 4452
  case OpSDotAccSat = 4453
  case OpUDotAccSat = 4454
  case OpSUDotAccSat = 4455
  case OpReadClockKHR = 5056
  case OpDemoteToHelperInvocation = 5380
  case OpIsHelperInvocationEXT = 5381
  case OpAtomicFMinEXT = 5614
  case OpAtomicFMaxEXT = 5615
  case OpAtomicFAddEXT = 6035
}

// MARK: - Classes

extension Opcode {
  /// Whether it is the last instruction of a block.
  package var endsBlock: Bool {
    switch self {
    case .OpBranch, .OpBranchConditional, .OpSwitch, .OpReturn, .OpReturnValue, .OpKill, .OpUnreachable, .OpTerminateInvocation: true
    default: false
    }
  }

  /// Whether its result is a type.
  package var definesType: Bool {
    switch self {
    case .OpTypeVoid, .OpTypeBool, .OpTypeInt, .OpTypeFloat, .OpTypeVector, .OpTypeMatrix, .OpTypeImage, .OpTypeSampler,
      .OpTypeSampledImage, .OpTypeArray, .OpTypeRuntimeArray, .OpTypeStruct, .OpTypePointer, .OpTypeFunction:
      true
    default: false
    }
  }

  /// Whether its result is a constant, specialised or not.
  package var definesConstant: Bool {
    switch self {
    case .OpConstantTrue, .OpConstantFalse, .OpConstant, .OpConstantComposite, .OpConstantNull, .OpSpecConstantTrue,
      .OpSpecConstantFalse, .OpSpecConstant, .OpSpecConstantComposite, .OpSpecConstantOp:
      true
    default: false
    }
  }

  /// Whether it reads or changes a word of memory in one go.
  package var isAtomic: Bool { (Opcode.OpAtomicLoad.rawValue...Opcode.OpAtomicXor.rawValue).contains(rawValue) }

  /// Whether it samples a texture, fetches from one or gathers.
  package var readsTexture: Bool {
    (Opcode.OpImageSampleImplicitLod.rawValue...Opcode.OpImageRead.rawValue).contains(rawValue)
  }

  /// Whether invocations of a quad or subgroup exchange values by it.
  package var exchangesValues: Bool {
    switch self {
    case .OpSubgroupBallotKHR, .OpSubgroupFirstInvocationKHR, .OpSubgroupAllKHR, .OpSubgroupAnyKHR, .OpSubgroupAllEqualKHR,
      .OpSubgroupReadInvocationKHR, .OpGroupNonUniformRotateKHR, .OpDPdx, .OpDPdy, .OpFwidth, .OpDPdxFine, .OpDPdyFine, .OpFwidthFine,
      .OpDPdxCoarse, .OpDPdyCoarse, .OpFwidthCoarse:
      true
    default: (Opcode.OpGroupNonUniformElect.rawValue...Opcode.OpGroupNonUniformQuadSwap.rawValue).contains(rawValue)
    }
  }
}
