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
