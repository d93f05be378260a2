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
