internal import EtalonSPIRV

/// One operation, for all invocations that are here.
extension IntervalEvaluator {
  func run(_ operation: IntervalOperation) throws(Stop) {
    switch operation.opcode {
    case .OpFunctionCall: return try call(operation)
    case .OpControlBarrier: return try meet(operation)
    case .OpMemoryBarrier: return noteBarrier(semantics: 1, operation)
    default: break
    }
    if try runTogether(operation) { return }
    for lane in 0..<laneCount where path.presence[lane] != .absent {
      self.lane = lane
      try runAlone(operation)
    }
  }

  /// A barrier: what invocations wrote before it is there for all of them behind it.
  private func meet(_ operation: IntervalOperation) throws(Stop) {
    guard path.presence.allSatisfy({ $0 == .certain }) else { throw unknown("a barrier that not all invocations get to", operation) }
    touched = [:]
    atomicKinds = [:]
    noteBarrier(semantics: 2, operation)
    if ordersBuffers { barriers += 1 }
    ordersBuffers = false
  }

  /// Notes whether a barrier is one of buffers: 'barrier()' itself is one of shared memory alone.
  private func noteBarrier(semantics position: Int, _ operation: IntervalOperation) {
    lane = 0
    let uniformMemory: UInt32 = 0x40
    if let semantics = value(operation, position, 0).word, semantics & uniformMemory != 0 { ordersBuffers = true }
  }

  /// One operation of one invocation.
  private func runAlone(_ operation: IntervalOperation) throws(Stop) {
    switch operation.opcode {
    case .OpLoad: write(operation, try load(pointer(operation, 0), operation))
    case .OpStore: try store(values(operation, 1), to: pointer(operation, 0), operation)
    case .OpCopyMemory: try store(load(pointer(operation, 1), operation), to: pointer(operation, 0), operation)
    case .OpAccessChain, .OpInBoundsAccessChain:
      pointers[lane * program.pointerCount + base.pointers + operation.result.offset] = try accessChain(operation)
    case .OpArrayLength: write(operation, 0, try arrayLength(operation))
    case .OpExtInst: try extended(operation)
    default:
      if isComponentwise(operation) { return }
      if try compose(operation) { return }
      if try readTexture(operation) { return }
      throw unknown("'\(operation.opcode)'", operation)
    }
  }

  // MARK: Component by component

  private func isComponentwise(_ operation: IntervalOperation) -> Bool {
    guard operation.operands.count > 0 else { return false }
    for part in 0..<max(operation.result.count, 1) {
      let a = value(operation, 0, part)
      let result: Interval?
      if operation.operands.count > 1 {
        result = Self.binary(operation, a, operation.operands[1].count > part ? value(operation, 1, part) : Interval(0))
      } else {
        result = Self.unary(operation, a)
      }
      guard let result else { return false }
      write(operation, part, result)
    }
    return true
  }

  private static func unary(_ operation: IntervalOperation, _ a: Interval) -> Interval? {
    let width = operation.width
    switch operation.opcode {
    case .OpFNegate: return a.flushed(width).negated
    case .OpSNegate: return Interval(0).integerMinus(a, isSigned: operation.isSigned)
    case .OpLogicalNot: return a.not
    case .OpNot: return a.bitNot(isSigned: operation.isSigned)
    case .OpIsNan: return a.isNaN
    case .OpIsInf: return a.isInfinite
    case .OpBitReverse: return a.bits(a, isSigned: operation.isSigned) { a, _ in a.reversedBits }
    case .OpBitCount: return a.bits(a, isSigned: operation.isSigned) { a, _ in UInt32(a.nonzeroBitCount) }
    case .OpConvertFToS: return a.converted(toSigned: true)
    case .OpConvertFToU: return a.converted(toSigned: false)
    case .OpConvertSToF: return a.convertedToFloat(isSigned: true, width)
    case .OpConvertUToF: return a.convertedToFloat(isSigned: false, width)
    case .OpFConvert: return a.rounded(width)
    case .OpQuantizeToF16: return a.rounded(.half)
    case .OpCopyObject, .OpCopyLogical: return a
    default: return nil
    }
  }

  private static func binary(_ operation: IntervalOperation, _ a: Interval, _ b: Interval) -> Interval? {
    let width = operation.width, isSigned = operation.isSigned
    switch operation.opcode {
    case .OpFAdd: return a.plus(b, width)
    case .OpFSub: return a.minus(b, width)
    case .OpFMul: return a.times(b, width)
    case .OpFDiv: return a.divided(by: b, width)
    case .OpFMod: return a.remainder(b, isFloored: true, width)
    case .OpFRem: return a.remainder(b, isFloored: false, width)
    case .OpIAdd: return a.integerPlus(b, isSigned: isSigned)
    case .OpISub: return a.integerMinus(b, isSigned: isSigned)
    case .OpIMul: return a.integerTimes(b, isSigned: isSigned)
    case .OpUDiv: return a.integerQuotient(b, isSigned: false)
    case .OpSDiv: return a.integerQuotient(b, isSigned: true)
    case .OpUMod: return a.integerRemainder(b, isSigned: false)
    case .OpSRem: return a.integerRemainder(b, isSigned: true)
    case .OpSMod: return a.integerRemainder(b, isSigned: true)
    case .OpBitwiseAnd: return a.bitAnd(b, isSigned: isSigned)
    case .OpBitwiseOr: return a.bitOr(b, isSigned: isSigned)
    case .OpBitwiseXor: return a.bitXor(b, isSigned: isSigned)
    case .OpShiftLeftLogical: return a.shiftedLeft(b, isSigned: isSigned)
    case .OpShiftRightLogical: return a.shiftedRight(b, movesSign: false, isSigned: isSigned)
    case .OpShiftRightArithmetic: return a.shiftedRight(b, movesSign: true, isSigned: isSigned)
    default: return comparison(operation.opcode, a, b, width)
    }
  }

  private static func comparison(_ opcode: Opcode, _ a: Interval, _ b: Interval, _ width: FloatWidth) -> Interval? {
    switch opcode {
    case .OpLogicalAnd: return a.and(b)
    case .OpLogicalOr: return a.or(b)
    case .OpLogicalEqual: return a.isSame(b)
    case .OpLogicalNotEqual: return a.isSame(b).not
    case .OpIEqual: return a.reading(isSigned: false).isEqual(to: b.reading(isSigned: false))
    case .OpINotEqual: return a.reading(isSigned: false).isEqual(to: b.reading(isSigned: false)).not
    case .OpULessThan: return a.reading(isSigned: false).isLess(than: b.reading(isSigned: false))
    case .OpSLessThan: return a.reading(isSigned: true).isLess(than: b.reading(isSigned: true))
    case .OpUGreaterThan: return b.reading(isSigned: false).isLess(than: a.reading(isSigned: false))
    case .OpSGreaterThan: return b.reading(isSigned: true).isLess(than: a.reading(isSigned: true))
    case .OpULessThanEqual: return a.reading(isSigned: false).isAtMost(b.reading(isSigned: false))
    case .OpSLessThanEqual: return a.reading(isSigned: true).isAtMost(b.reading(isSigned: true))
    case .OpUGreaterThanEqual: return b.reading(isSigned: false).isAtMost(a.reading(isSigned: false))
    case .OpSGreaterThanEqual: return b.reading(isSigned: true).isAtMost(a.reading(isSigned: true))
    case .OpFOrdEqual, .OpFUnordEqual, .OpFOrdNotEqual, .OpFUnordNotEqual, .OpFOrdLessThan, .OpFUnordLessThan, .OpFOrdGreaterThan,
      .OpFUnordGreaterThan, .OpFOrdLessThanEqual, .OpFUnordLessThanEqual, .OpFOrdGreaterThanEqual, .OpFUnordGreaterThanEqual, .OpUnordered:
      return floatComparison(opcode, a.flushed(width), b.flushed(width))
    default: return nil
    }
  }

  private static func floatComparison(_ opcode: Opcode, _ a: Interval, _ b: Interval) -> Interval {
    switch opcode {
    case .OpFOrdEqual, .OpFUnordEqual: a.isEqual(to: b)
    case .OpFOrdNotEqual, .OpFUnordNotEqual: a.isEqual(to: b).not
    case .OpFOrdLessThan, .OpFUnordLessThan: a.isLess(than: b)
    case .OpFOrdGreaterThan, .OpFUnordGreaterThan: b.isLess(than: a)
    case .OpFOrdLessThanEqual, .OpFUnordLessThanEqual: a.isAtMost(b)
    case .OpFOrdGreaterThanEqual, .OpFUnordGreaterThanEqual: b.isAtMost(a)
    default: a.isNaN.or(b.isNaN)
    }
  }
}

extension UInt32 {
  var reversedBits: UInt32 { (0..<32).reduce(0) { $0 | (self >> UInt32($1) & 1) << UInt32(31 - $1) } }
}

// MARK: - Composites

/// Operations that put values together, take them apart, or use several of their parts.
extension IntervalEvaluator {
  private func compose(_ operation: IntervalOperation) throws(Stop) -> Bool {
    let width = operation.width
    switch operation.opcode {
    case .OpUndef: write(operation, program.globals.unwritten(operation.resultType))
    case .OpCompositeConstruct: write(operation, operation.operands.indices.flatMap { values(operation, $0) })
    case .OpCompositeExtract: write(operation, extracted(operation))
    case .OpCompositeInsert: write(operation, inserted(operation))
    case .OpVectorShuffle: write(operation, shuffled(operation))
    case .OpVectorExtractDynamic: write(operation, 0, element(of: values(operation, 0), at: value(operation, 1, 0)))
    case .OpVectorInsertDynamic: write(operation, vectorInserting(operation))
    case .OpSelect: write(operation, selected(operation))
    case .OpAny: write(operation, 0, values(operation, 0).reduce(.falseValue) { $0.or($1) })
    case .OpAll: write(operation, 0, values(operation, 0).reduce(.trueValue) { $0.and($1) })
    case .OpBitcast: write(operation, bitcast(operation))
    case .OpUConvert, .OpSConvert: write(operation, values(operation, 0))
    case .OpCopyObject, .OpCopyLogical: write(operation, values(operation, 0))
    case .OpSampledImage, .OpImage: write(operation, 0, value(operation, 0, 0))
    case .OpDot:
      // Two vectors whose ranges are equal need not be equal.
      let vector = values(operation, 0)
      let isSquare = operation.operands[0] == operation.operands[1]
      write(operation, 0, isSquare ? vector.squaredLength(width) : vector.dot(values(operation, 1), width))
    case .OpVectorTimesScalar, .OpMatrixTimesScalar:
      let scalar = value(operation, 1, 0)
      write(operation, values(operation, 0).map { $0.times(scalar, width) })
    case .OpMatrixTimesVector: write(operation, values(operation, 0).matrixTimes(vector: values(operation, 1), width))
    case .OpVectorTimesMatrix: write(operation, values(operation, 0).vectorTimes(matrix: values(operation, 1), width))
    case .OpMatrixTimesMatrix:
      write(operation, values(operation, 0).matrixTimes(matrix: values(operation, 1), rows: rows(operation, 0), width))
    case .OpOuterProduct:
      let (column, row) = (values(operation, 0), values(operation, 1))
      write(operation, row.flatMap { factor in column.map { $0.times(factor, width) } })
    case .OpTranspose: write(operation, values(operation, 0).transposed(rows: rows(operation, 0)))
    default: return try composeIntegers(operation)
    }
    return true
  }

  /// The rows of a matrix.
  func rows(_ operation: IntervalOperation, _ position: Int) -> Int {
    guard let type = program.module.typeOfValue(operation.id(position)), case .matrix(let column, _) = program.module.type(type) else {
      return 1
    }
    return program.module.scalarCount(column)
  }

  // MARK: Parts

  /// Where a part of a composite begins among its scalars, and how many it has.
  private func part(of type: Id, _ indices: ArraySlice<UInt32>) -> (start: Int, count: Int) {
    let module = program.module
    var (start, type) = (0, type)
    for index in indices {
      let kind = module.type(type)
      if case .structure(let members) = kind {
        start += members.prefix(Int(index)).reduce(0) { $0 + module.scalarCount($1) }
      } else {
        start += Int(index) * (kind.part(0).map { module.scalarCount($0) } ?? 0)
      }
      type = kind.part(Int(index)) ?? type
    }
    return (start, module.scalarCount(type))
  }

  private func extracted(_ operation: IntervalOperation) -> [Interval] {
    guard let type = program.module.typeOfValue(operation.id(0)) else { return [] }
    let (start, count) = part(of: type, operation.words[1...])
    return (start..<start + count).map { value(operation, 0, $0) }
  }

  private func inserted(_ operation: IntervalOperation) -> [Interval] {
    guard let type = operation.resultType else { return [] }
    let (start, count) = part(of: type, operation.words[2...])
    var all = values(operation, 1)
    for part in 0..<count { all[start + part] = value(operation, 0, part) }
    return all
  }

  private func shuffled(_ operation: IntervalOperation) -> [Interval] {
    let all = values(operation, 0) + values(operation, 1)
    return operation.words[2...].map { $0 == .max ? .anything(.undefined) : all[Int($0)] }
  }

  private func element(of vector: [Interval], at index: Interval) -> Interval {
    let index = index.reading(isSigned: true), last = Double(vector.count - 1)
    if let exact = index.isExact ? Int(index.low) : nil, vector.indices.contains(exact) { return vector[exact] }
    guard index.low >= 0, index.high <= last else { return .anything(.undefined, like: index) }
    let cause = index.cause ?? Cause(.index)
    return vector[Int(index.low)...Int(index.high)].dropFirst().reduce(vector[Int(index.low)]) { $0.joined($1, because: cause) }
  }

  private func vectorInserting(_ operation: IntervalOperation) -> [Interval] {
    var vector = values(operation, 0)
    let index = value(operation, 2, 0).reading(isSigned: true), new = value(operation, 1, 0)
    guard index.low >= 0, index.high < Double(vector.count) else { return vector.map { .anything(.undefined, like: $0, index) } }
    for part in vector.indices where index.contains(Double(part)) {
      vector[part] = index.isExact ? new : vector[part].joined(new, because: index.cause ?? Cause(.index))
    }
    return vector
  }

  private func selected(_ operation: IntervalOperation) -> [Interval] {
    let isWhole = operation.operands[0].count == 1
    return (0..<operation.result.count).map { part in
      value(operation, 0, isWhole ? 0 : part).select(value(operation, 1, part), value(operation, 2, part))
    }
  }

  private func bitcast(_ operation: IntervalOperation) -> [Interval] {
    let module = program.module
    let from = module.typeOfValue(operation.id(0)).flatMap { program.globals.scalarType($0) }
    let to = operation.resultType.flatMap { program.globals.scalarType($0) }
    let scalars = values(operation, 0)
    switch (from, to) {
    case (.float(32), .int): return scalars.map(\.asFloatBits)
    case (.int, .float(32)): return scalars.map(\.asFloat)
    case (.int, .int): return scalars.map { $0.traits.contains(.holdsFloatBits) ? $0 : $0.reading(isSigned: operation.isSigned) }
    case (.float(16), .int), (.int, .float(16)):
      return (0..<operation.result.count).map { _ in .anything(.bits) }
    default: return scalars
    }
  }
}

// MARK: - Integers and atomics

/// Operations on integers with more than two operands or one result, and atomics.
extension IntervalEvaluator {
  private func composeIntegers(_ operation: IntervalOperation) throws(Stop) -> Bool {
    let isSigned = operation.isSigned
    switch operation.opcode {
    case .OpBitFieldInsert:
      let (offset, count) = (value(operation, 2, 0).word, value(operation, 3, 0).word)
      for part in 0..<operation.result.count {
        let (base, insert) = (value(operation, 0, part), value(operation, 1, part))
        guard let mask = Self.mask(offset, count), let offset, offset < 32 else {
          write(operation, part, base.bits(insert, isSigned: isSigned) { base, _ in count == 0 && offset == 32 ? base : nil })
          continue
        }
        let moved = insert.shiftedLeft(Interval(Double(offset)), isSigned: false).bitAnd(Interval(Double(mask)), isSigned: false)
        write(operation, part, base.bitAnd(Interval(Double(~mask)), isSigned: false).bitOr(moved, isSigned: isSigned))
      }
    case .OpBitFieldSExtract, .OpBitFieldUExtract:
      let (offset, count) = (value(operation, 1, 0).word, value(operation, 2, 0).word)
      for part in 0..<operation.result.count {
        let whole = value(operation, 0, part)
        if operation.opcode == .OpBitFieldUExtract, let mask = Self.mask(offset, count), let offset, offset < 32 {
          let field = whole.shiftedRight(Interval(Double(offset)), movesSign: false, isSigned: false)
          write(operation, part, field.bitAnd(Interval(Double(mask >> offset)), isSigned: isSigned))
          continue
        }
        let known = Self.mask(offset, count).flatMap { whole.certain($0) }
        let base = known.map { whole.exact($0, whole, isSigned: false) } ?? whole
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

  private func twoWords(_ operation: IntervalOperation) -> [Interval] {
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

  private func packedDot(_ operation: IntervalOperation) throws(Stop) -> Interval {
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
  private func atomic(_ operation: IntervalOperation) throws(Stop) -> Bool {
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
    case .OpAtomicOr: new = { [value = operand(3)] in $0.bitOr(value, isSigned: isSigned) }
    case .OpAtomicXor: new = { [value = operand(3)] in $0.bitXor(value, isSigned: isSigned) }
    default: return false
    }
    let old = try load(pointer, operation)
    guard let first = old.first else { return false }
    // Invocations come one after the other in an unknown order; in a buffer those of other workgroups come between.
    let isAlone = laneCount == 1 && pointer.space == .shared
    try noteKind(operation, pointer)
    if operation.opcode != .OpAtomicLoad {
      let isLast = [.OpAtomicStore, .OpAtomicExchange].contains(operation.opcode)
      try store([isLast && !isAlone ? first.joined(new(first), because: Cause(.order)) : new(first)], to: pointer, operation)
    }
    if !isStore { write(operation, 0, isAlone ? first : .anyWord(.order, like: first).reading(isSigned: isSigned)) }
    return true
  }

  /// Atomic functions of one kind give the same in any order, as sums do; for functions of several kinds the order matters.
  private func noteKind(_ operation: IntervalOperation, _ pointer: IntervalPointer) throws(Stop) {
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
  let space: IntervalPointer.Space
  let offset: Int
}
