package import EtalonSPIRV

/// The instructions of SPIR-V that the CPU executor carries out inside functions; a kernel with any other is refused.
///
/// Branches, merges, labels and returns are taken care of before, by `StructuredControlFlow`.
package enum SupportedInstructions {
  /// In the order of their numbers.
  package static let opcodes = Opcode.allCases.filter { names.contains("\($0)") }

  /// Names in the list that are no instructions: mistakes in the list.
  package static let unknownNames = names.subtracting(opcodes.map { "\($0)" }).sorted()

  private static let names = Set(list.split { $0 == " " || $0 == "\n" }.map(String.init))

  private static let list = """
    OpUndef OpExtInst OpFunctionCall OpVariable OpLoad OpStore OpCopyMemory OpAccessChain OpInBoundsAccessChain OpArrayLength OpCopyObject
    OpVectorExtractDynamic OpVectorInsertDynamic OpVectorShuffle OpCompositeConstruct OpCompositeExtract OpCompositeInsert OpTranspose
    OpCopyLogical
    OpSampledImage OpImage OpImageSampleImplicitLod OpImageSampleExplicitLod OpImageSampleProjImplicitLod OpImageSampleProjExplicitLod
    OpImageFetch OpImageGather OpImageRead OpImageWrite OpImageQuerySizeLod OpImageQuerySize OpImageQueryLevels
    OpConvertFToU OpConvertFToS OpConvertSToF OpConvertUToF OpUConvert OpSConvert OpFConvert OpQuantizeToF16 OpBitcast
    OpSNegate OpFNegate OpIAdd OpFAdd OpISub OpFSub OpIMul OpFMul OpUDiv OpSDiv OpFDiv OpUMod OpSRem OpSMod OpFRem OpFMod
    OpVectorTimesScalar OpMatrixTimesScalar OpVectorTimesMatrix OpMatrixTimesVector OpMatrixTimesMatrix OpOuterProduct OpDot
    OpIAddCarry OpISubBorrow OpUMulExtended OpSMulExtended OpAny OpAll OpIsNan OpIsInf OpUnordered
    OpLogicalEqual OpLogicalNotEqual OpLogicalOr OpLogicalAnd OpLogicalNot OpSelect
    OpIEqual OpINotEqual OpUGreaterThan OpSGreaterThan OpUGreaterThanEqual OpSGreaterThanEqual OpULessThan OpSLessThan OpULessThanEqual
    OpSLessThanEqual OpFOrdEqual OpFUnordEqual OpFOrdNotEqual OpFUnordNotEqual OpFOrdLessThan OpFUnordLessThan OpFOrdGreaterThan
    OpFUnordGreaterThan OpFOrdLessThanEqual OpFUnordLessThanEqual OpFOrdGreaterThanEqual OpFUnordGreaterThanEqual
    OpShiftRightLogical OpShiftRightArithmetic OpShiftLeftLogical OpBitwiseOr OpBitwiseXor OpBitwiseAnd OpNot
    OpBitFieldInsert OpBitFieldSExtract OpBitFieldUExtract OpBitReverse OpBitCount OpSDot OpUDot OpSUDot
    OpControlBarrier OpMemoryBarrier OpAtomicLoad OpAtomicStore OpAtomicExchange OpAtomicCompareExchange OpAtomicIIncrement
    OpAtomicIDecrement OpAtomicIAdd OpAtomicISub OpAtomicSMin OpAtomicUMin OpAtomicSMax OpAtomicUMax OpAtomicAnd OpAtomicOr OpAtomicXor
    OpGroupNonUniformElect OpGroupNonUniformAll OpGroupNonUniformAny OpGroupNonUniformAllEqual OpGroupNonUniformBroadcast
    OpGroupNonUniformBroadcastFirst OpGroupNonUniformBallot OpGroupNonUniformInverseBallot OpGroupNonUniformBallotBitExtract
    OpGroupNonUniformBallotBitCount OpGroupNonUniformBallotFindLSB OpGroupNonUniformBallotFindMSB OpGroupNonUniformShuffle
    OpGroupNonUniformShuffleXor OpGroupNonUniformShuffleUp OpGroupNonUniformShuffleDown OpGroupNonUniformIAdd OpGroupNonUniformFAdd
    OpGroupNonUniformIMul OpGroupNonUniformFMul OpGroupNonUniformSMin OpGroupNonUniformUMin OpGroupNonUniformFMin
    OpGroupNonUniformSMax OpGroupNonUniformUMax OpGroupNonUniformFMax OpGroupNonUniformBitwiseAnd OpGroupNonUniformBitwiseOr
    OpGroupNonUniformBitwiseXor OpGroupNonUniformLogicalAnd OpGroupNonUniformLogicalOr OpGroupNonUniformLogicalXor
    OpGroupNonUniformQuadBroadcast OpGroupNonUniformQuadSwap
    """
}
