internal import EtalonSPIRV

/// Operations on integers with more than two operands or one result, and atomics.
extension Evaluator {
  func composeIntegers(_ operation: Operation) throws(Stop) -> Bool {
    let isSigned = operation.isSigned
    switch operation.opcode {
    case .OpBitFieldInsert:
      let (offset, count) = (value(operation, 2, 0).word, value(operation, 3, 0).word)
      for part in 0..<operation.result.count {
        write(
          operation, part,
          value(operation, 0, part).bits(value(operation, 1, part), isSigned: isSigned) { base, insert in
            guard let mask = Self.mask(offset, count), let offset else { return nil }
            return base & ~mask | insert << offset & mask
          })
      }
    case .OpBitFieldSExtract, .OpBitFieldUExtract:
      let (offset, count) = (value(operation, 1, 0).word, value(operation, 2, 0).word)
      for part in 0..<operation.result.count {
        let base = value(operation, 0, part)
        write(
          operation, part,
          base.bits(base, isSigned: isSigned) { base, _ in
            guard let mask = Self.mask(offset, count), let offset, let count else { return nil }
            guard count > 0 else { return 0 }
            let field = (base & mask) >> offset
            let isNegative = operation.opcode == .OpBitFieldSExtract && field >> (count - 1) == 1
            return isNegative && count < 32 ? field | ~((1 << count) - 1) : field
          })
      }
    case .OpIAddCarry, .OpISubBorrow, .OpUMulExtended, .OpSMulExtended: write(operation, twoWords(operation))
    case .OpSDot, .OpUDot, .OpSUDot: write(operation, 0, try packedDot(operation))
    default: return try atomic(operation)
    }
    return true
  }

  private static func mask(_ offset: UInt32?, _ count: UInt32?) -> UInt32? {
    guard let offset, let count, UInt64(offset) + UInt64(count) <= 32 else { return nil }
    return (count == 32 ? .max : (1 << count) - 1) << offset
  }

  private func twoWords(_ operation: Operation) -> [Interval] {
    let (a, b) = (values(operation, 0), values(operation, 1))
    func each(_ body: (UInt32, UInt32) -> UInt32) -> [Interval] {
      zip(a, b).map { $0.bits($1, isSigned: operation.isSigned) { body($0, $1) } }
    }
    switch operation.opcode {
    case .OpIAddCarry: return each { $0 &+ $1 } + each { $0.addingReportingOverflow($1).overflow ? 1 : 0 }
    case .OpISubBorrow: return each { $0 &- $1 } + each { $0 < $1 ? 1 : 0 }
    case .OpUMulExtended: return each { $0 &* $1 } + each { $0.multipliedFullWidth(by: $1).high }
    default:
      return each { $0 &* $1 }
        + each { UInt32(bitPattern: Int32(bitPattern: $0).multipliedFullWidth(by: Int32(bitPattern: $1)).high) }
    }
  }

  private func packedDot(_ operation: Operation) throws(Stop) -> Interval {
    let (a, b) = (values(operation, 0), values(operation, 1))
    guard a.count == 1 else {
      return zip(a, b).reduce(Interval(0)) {
        $0.integerPlus($1.0.integerTimes($1.1, isSigned: operation.isSigned), isSigned: operation.isSigned)
      }
    }
    let signs = operation.opcode == .OpSDot ? (true, true) : operation.opcode == .OpUDot ? (false, false) : (true, false)
    return a[0].bits(b[0], isSigned: operation.isSigned) { a, b in
      func byte(_ word: UInt32, _ part: Int, _ isSigned: Bool) -> Int32 {
        let byte = UInt8(truncatingIfNeeded: word >> UInt32(8 * part))
        return isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
      }
      return UInt32(bitPattern: (0..<4).reduce(0) { $0 &+ byte(a, $1, signs.0) &* byte(b, $1, signs.1) })
    }
  }

  // MARK: Atomics

  /// What is in memory afterwards is certain where the order does not matter; what an invocation finds there is not.
  private func atomic(_ operation: Operation) throws(Stop) -> Bool {
    let isStore = operation.opcode == .OpAtomicStore
    let pointer = pointer(operation, 0)
    func operand(_ position: Int) -> Interval { value(operation, position, 0) }
    let isSigned = operation.isSigned
    let new: (Interval) -> Interval
    switch operation.opcode {
    case .OpAtomicLoad: new = { $0 }
    case .OpAtomicStore, .OpAtomicExchange: new = { [value = operand(3)] _ in value }
    case .OpAtomicIIncrement: new = { $0.integerPlus(Interval(1), isSigned: isSigned) }
    case .OpAtomicIDecrement: new = { $0.integerMinus(Interval(1), isSigned: isSigned) }
    case .OpAtomicIAdd: new = { [value = operand(3)] in $0.integerPlus(value, isSigned: isSigned) }
    case .OpAtomicISub: new = { [value = operand(3)] in $0.integerMinus(value, isSigned: isSigned) }
    case .OpAtomicUMin: new = { [value = operand(3)] in $0.reading(isSigned: false).smaller(value.reading(isSigned: false)) }
    case .OpAtomicUMax: new = { [value = operand(3)] in $0.reading(isSigned: false).larger(value.reading(isSigned: false)) }
    case .OpAtomicSMin: new = { [value = operand(3)] in $0.reading(isSigned: true).smaller(value.reading(isSigned: true)) }
    case .OpAtomicSMax: new = { [value = operand(3)] in $0.reading(isSigned: true).larger(value.reading(isSigned: true)) }
    case .OpAtomicAnd: new = { [value = operand(3)] in $0.bitAnd(value, isSigned: isSigned) }
    case .OpAtomicOr: new = { [value = operand(3)] in $0.bits(value, isSigned: isSigned) { $0 | $1 } }
    case .OpAtomicXor: new = { [value = operand(3)] in $0.bits(value, isSigned: isSigned) { $0 ^ $1 } }
    default: return false
    }
    let old = try load(pointer, operation)
    guard let first = old.first else { return false }
    // One invocation after the other, in an order that is not told: in a buffer those of other workgroups as well.
    let isAlone = laneCount == 1 && pointer.space == .shared
    try noteKind(operation, pointer)
    if operation.opcode != .OpAtomicLoad {
      let isLast = [.OpAtomicStore, .OpAtomicExchange].contains(operation.opcode)
      try store([isLast && !isAlone ? first.joined(new(first), because: Cause(.order)) : new(first)], to: pointer, operation)
    }
    if !isStore { write(operation, 0, isAlone ? first : .anyWord(.order, like: first).reading(isSigned: isSigned)) }
    return true
  }

  /// Functions of one kind may come in any order, as sums or the largest; of several kinds the order counts.
  private func noteKind(_ operation: Operation, _ pointer: Pointer) throws(Stop) {
    let kind: Opcode
    switch operation.opcode {
    case .OpAtomicLoad: return
    case .OpAtomicIIncrement, .OpAtomicIDecrement, .OpAtomicISub: kind = .OpAtomicIAdd
    case .OpAtomicStore: kind = .OpAtomicExchange
    default: kind = operation.opcode
    }
    for offset in pointer.offsets {
      let word = AtomicWord(space: pointer.space, offset: offset)
      let known =
        pointer.space == .shared ? atomicKinds.updateValue(kind, forKey: word) : surroundings.atomicKinds.updateValue(kind, forKey: word)
      if let known, known != kind { throw unknown("different atomic functions of one number", operation) }
    }
  }
}

/// A number that atomic functions change.
struct AtomicWord: Hashable {
  let space: Pointer.Space
  let offset: Int
}
