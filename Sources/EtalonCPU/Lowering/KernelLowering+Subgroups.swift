internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  private static let arithmeticKinds: [Opcode: UInt32] = [
    .OpGroupNonUniformIAdd: 0, .OpGroupNonUniformFAdd: 1, .OpGroupNonUniformIMul: 2, .OpGroupNonUniformFMul: 3,
    .OpGroupNonUniformSMin: 4, .OpGroupNonUniformUMin: 5, .OpGroupNonUniformFMin: 6, .OpGroupNonUniformSMax: 7,
    .OpGroupNonUniformUMax: 8, .OpGroupNonUniformFMax: 9, .OpGroupNonUniformBitwiseAnd: 10, .OpGroupNonUniformLogicalAnd: 10,
    .OpGroupNonUniformBitwiseOr: 11, .OpGroupNonUniformLogicalOr: 11, .OpGroupNonUniformBitwiseXor: 12,
    .OpGroupNonUniformLogicalXor: 12,
  ]

  /// Operations on the lanes of a subgroup or a quad, whose first operand is the scope.
  func subgroup(_ instruction: Instruction, type: Id) throws(Refusal) -> [ValueId]? {
    let at = instruction.index
    let always = builder.constant(UInt32.max)
    func operand(_ position: Int) throws(Refusal) -> [ValueId] { try scalars(instruction.id(position), atLeast: 1, instruction) }
    func reading(_ operation: lane_op, _ arguments: [ValueId], _ immediate: UInt32 = 0, _ second: UInt32 = 0) -> ValueId {
      builder.add(operation, arguments, immediate: immediate, second: second, effect: .reads)
    }
    if let kind = Self.arithmeticKinds[instruction.opcode] {
      let group = instruction[1]
      guard group < 3 else { throw Refusal("\(instruction.opcode) over clusters", at: at) }
      return try operand(2).map { reading(LANE_OP_subgroup_arithmetic, [$0, always], kind, group) }
    }
    switch instruction.opcode {
    case .OpGroupNonUniformElect: return [reading(LANE_OP_subgroup_elect, [always, always])]
    case .OpGroupNonUniformAll: return try operand(1).map { reading(LANE_OP_subgroup_vote, [$0, always], 0) }
    case .OpGroupNonUniformAny: return try operand(1).map { reading(LANE_OP_subgroup_vote, [$0, always], 1) }
    case .OpGroupNonUniformAllEqual:
      let votes = try operand(1).map { reading(LANE_OP_subgroup_vote, [$0, always], 2) }
      return [votes.dropFirst().reduce(votes[0]) { add(LANE_OP_and, $0, $1) }]
    case .OpGroupNonUniformBallot:
      return [reading(LANE_OP_subgroup_ballot, [try operand(1)[0], always]), word(0), word(0), word(0)]
    case .OpGroupNonUniformInverseBallot:
      return [bit(try operand(1)[0], at: laneInSubgroup())]
    case .OpGroupNonUniformBallotBitExtract: return [bit(try operand(1)[0], at: try operand(2)[0])]
    case .OpGroupNonUniformBallotFindLSB: return [add(LANE_OP_find_lsb, try operand(1)[0])]
    case .OpGroupNonUniformBallotFindMSB: return [add(LANE_OP_find_umsb, try operand(1)[0])]
    case .OpGroupNonUniformBallotBitCount: return [bitCount(instruction[1], try operand(2)[0])]
    case .OpGroupNonUniformBroadcastFirst: return try operand(1).map { reading(LANE_OP_subgroup_first, [$0, always]) }
    case .OpGroupNonUniformBroadcast, .OpGroupNonUniformShuffle: return try shuffle(instruction, kind: 0)
    case .OpGroupNonUniformShuffleXor: return try shuffle(instruction, kind: 1)
    case .OpGroupNonUniformShuffleUp: return try shuffle(instruction, kind: 2)
    case .OpGroupNonUniformShuffleDown: return try shuffle(instruction, kind: 3)
    case .OpGroupNonUniformQuadSwap:
      guard let direction = module.scalarConstant(instruction.id(2)), direction < 3 else {
        throw Refusal("a quad swap in no direction", at: at)
      }
      return try operand(1).map { reading(LANE_OP_quad_swap, [$0], UInt32(direction) + 1) }
    case .OpGroupNonUniformQuadBroadcast:
      guard let lane = module.scalarConstant(instruction.id(2)) else { throw Refusal("a quad broadcast from a varying lane", at: at) }
      return try operand(1).map { reading(LANE_OP_quad_broadcast, [$0], UInt32(truncatingIfNeeded: lane & 3)) }
    default: return nil
    }
  }

  private func shuffle(_ instruction: Instruction, kind: UInt32) throws(Refusal) -> [ValueId] {
    let lane = try scalar(instruction.id(2), at: instruction.index)
    return try scalars(instruction.id(1), at: instruction.index).map {
      builder.add(LANE_OP_subgroup_shuffle, [$0, lane], immediate: kind, effect: .reads)
    }
  }

  private func laneInSubgroup() -> ValueId {
    add(LANE_OP_and, builder.add(LANE_OP_lane_index, []), word(Int(LANE_SUBGROUP) - 1))
  }

  private func bit(_ bits: ValueId, at lane: ValueId) -> ValueId {
    add(LANE_OP_ine, add(LANE_OP_and, add(LANE_OP_shr, bits, lane), word(1)), word(0))
  }

  /// How many bits of a ballot are set: all, those up to this lane, or those before it.
  private func bitCount(_ group: UInt32, _ bits: ValueId) -> ValueId {
    guard group != 0 else { return add(LANE_OP_bit_count, bits) }
    let from = add(LANE_OP_shl, word(group == 1 ? -2 : -1), laneInSubgroup())
    return add(LANE_OP_bit_count, add(LANE_OP_andnot, bits, from))
  }
}
