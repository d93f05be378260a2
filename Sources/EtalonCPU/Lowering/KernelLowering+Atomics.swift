internal import CLaneKernels
internal import EtalonSPIRV

/// What an atomic operation makes of the old value; the numbers are those of the lane kernels.
private enum AtomicKind: UInt32 {
  case add, signedMinimum, signedMaximum, unsignedMinimum, unsignedMaximum, and, or, xor, exchange, compareExchange
}

extension KernelLowering {
  private static let atomics: [Opcode: AtomicKind] = [
    .OpAtomicExchange: .exchange, .OpAtomicIAdd: .add, .OpAtomicSMin: .signedMinimum, .OpAtomicUMin: .unsignedMinimum,
    .OpAtomicSMax: .signedMaximum, .OpAtomicUMax: .unsignedMaximum, .OpAtomicAnd: .and, .OpAtomicOr: .or, .OpAtomicXor: .xor,
  ]

  func atomic(_ instruction: Instruction, type: Id) throws(Refusal) -> [ValueId]? {
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

  func atomicStore(_ instruction: Instruction) throws(Refusal) {
    _ = try atomic(.exchange, instruction, value: try scalar(instruction.id(3), at: instruction.index))
  }

  private func atomic(
    _ kind: AtomicKind, _ instruction: Instruction, value: ValueId, expected: ValueId? = nil
  ) throws(Refusal) -> ValueId {
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
      guard first < 1 << 16, count <= 1 << 16 else { throw Refusal("atomic operations in this much shared memory", at: instruction.index) }
      watchShared(offset, first: first, .isAtomic, value: nil, at: instruction.index)
      return builder.add(
        LANE_OP_atomic_shared, [offset, value, always, wanted], immediate: UInt32(first) << 16 | UInt32(count - 1),
        second: kind.rawValue, effect: .writes)
    default: throw Refusal("an atomic operation on this kind of memory", at: instruction.index)
    }
  }
}
