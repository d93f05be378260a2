internal import CLaneKernels
internal import EtalonSPIRV

// MARK: - Subgroups and quads

extension KernelLowering {
  private static let arithmeticKinds: [Opcode: UInt32] = [
    .OpGroupNonUniformIAdd: 0, .OpGroupNonUniformFAdd: 1, .OpGroupNonUniformIMul: 2, .OpGroupNonUniformFMul: 3,
    .OpGroupNonUniformSMin: 4, .OpGroupNonUniformUMin: 5, .OpGroupNonUniformFMin: 6, .OpGroupNonUniformSMax: 7,
    .OpGroupNonUniformUMax: 8, .OpGroupNonUniformFMax: 9, .OpGroupNonUniformBitwiseAnd: 10, .OpGroupNonUniformLogicalAnd: 10,
    .OpGroupNonUniformBitwiseOr: 11, .OpGroupNonUniformLogicalOr: 11, .OpGroupNonUniformBitwiseXor: 12,
    .OpGroupNonUniformLogicalXor: 12,
  ]

  /// Operations on the lanes of a subgroup or a quad, whose first operand is the scope.
  func subgroup(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    let at = instruction.index
    let always = builder.constant(UInt32.max)
    func operand(_ position: Int) throws(Unsupported) -> [ValueId] { try scalars(instruction.id(position), atLeast: 1, instruction) }
    func reading(_ operation: lane_op, _ arguments: [ValueId], _ immediate: UInt32 = 0, _ second: UInt32 = 0) -> ValueId {
      builder.add(operation, arguments, immediate: immediate, second: second, effect: .reads)
    }
    if let kind = Self.arithmeticKinds[instruction.opcode] {
      let group = instruction[1]
      guard group < 3 else { throw Unsupported("\(instruction.opcode) over clusters", at: at) }
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
        throw Unsupported("a quad swap in no direction", at: at)
      }
      return try operand(1).map { reading(LANE_OP_quad_swap, [$0], UInt32(direction) + 1) }
    case .OpGroupNonUniformQuadBroadcast:
      guard let lane = module.scalarConstant(instruction.id(2)) else { throw Unsupported("a quad broadcast from a varying lane", at: at) }
      return try operand(1).map { reading(LANE_OP_quad_broadcast, [$0], UInt32(truncatingIfNeeded: lane & 3)) }
    default: return nil
    }
  }

  private func shuffle(_ instruction: Instruction, kind: UInt32) throws(Unsupported) -> [ValueId] {
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

// MARK: - Atomic operations

/// What an atomic operation makes of the old value; the numbers are those of the lane kernels.
private enum AtomicKind: UInt32 {
  case add, signedMinimum, signedMaximum, unsignedMinimum, unsignedMaximum, and, or, xor, exchange, compareExchange
}

extension KernelLowering {
  private static let atomics: [Opcode: AtomicKind] = [
    .OpAtomicExchange: .exchange, .OpAtomicIAdd: .add, .OpAtomicSMin: .signedMinimum, .OpAtomicUMin: .unsignedMinimum,
    .OpAtomicSMax: .signedMaximum, .OpAtomicUMax: .unsignedMaximum, .OpAtomicAnd: .and, .OpAtomicOr: .or, .OpAtomicXor: .xor,
  ]

  func atomic(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    let at = instruction.index
    if let kind = Self.atomics[instruction.opcode] {
      return [try atomic(kind, instruction, value: try scalar(instruction.id(3), at: at))]
    }
    switch instruction.opcode {
    case .OpAtomicLoad: return try load(try pointer(instruction.id(0), at: at), at: at)
    case .OpAtomicISub: return [try atomic(.add, instruction, value: add(LANE_OP_ineg, try scalar(instruction.id(3), at: at)))]
    case .OpAtomicIIncrement: return [try atomic(.add, instruction, value: word(1))]
    case .OpAtomicIDecrement: return [try atomic(.add, instruction, value: word(-1))]
    case .OpAtomicCompareExchange:
      let value = try scalar(instruction.id(4), at: at), expected = try scalar(instruction.id(5), at: at)
      return [try atomic(.compareExchange, instruction, value: value, expected: expected)]
    default: return nil
    }
  }

  func atomicStore(_ instruction: Instruction) throws(Unsupported) {
    _ = try atomic(.exchange, instruction, value: try scalar(instruction.id(3), at: instruction.index))
  }

  private func atomic(
    _ kind: AtomicKind, _ instruction: Instruction, value: ValueId, expected: ValueId? = nil
  ) throws(Unsupported) -> ValueId {
    let pointer = try pointer(instruction.id(0), at: instruction.index)
    let always = builder.constant(UInt32.max)
    let place = pointer.dynamic ?? word(0)
    let wanted = expected ?? word(0)
    switch pointer.root {
    case .buffer(let number, _):
      let offset = add(LANE_OP_iadd, place, word(pointer.offset))
      return builder.add(
        LANE_OP_atomic_buffer, [offset, value, always, wanted], immediate: UInt32(number), second: kind.rawValue, effect: .writes)
    case .shared(let first, let count):
      let offset = add(LANE_OP_iadd, place, word(pointer.offset))
      guard first < 1 << 16, count <= 1 << 16 else {
        throw Unsupported("atomic operations in this much shared memory", at: instruction.index)
      }
      watchShared(offset, first: first, .isAtomic, value: nil, at: instruction.index)
      return builder.add(
        LANE_OP_atomic_shared, [offset, value, always, wanted], immediate: UInt32(first) << 16 | UInt32(count - 1),
        second: kind.rawValue, effect: .writes)
    default: throw Unsupported("an atomic operation on this kind of memory", at: instruction.index)
    }
  }
}
