internal import EtalonSPIRV

/// One operation, for all invocations that are here.
extension Evaluator {
  func run(_ operation: Operation) throws(Stop) {
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

  /// A barrier: what others wrote before is there for all behind it.
  private func meet(_ operation: Operation) throws(Stop) {
    guard path.presence.allSatisfy({ $0 == .certain }) else { throw unknown("a barrier that not all invocations get to", operation) }
    touched = [:]
    atomicKinds = [:]
    noteBarrier(semantics: 2, operation)
    if ordersBuffers { barriers += 1 }
    ordersBuffers = false
  }

  /// Notes whether a barrier is one of buffers: 'barrier()' itself is one of shared memory alone.
  private func noteBarrier(semantics position: Int, _ operation: Operation) {
    lane = 0
    let uniformMemory: UInt32 = 0x40
    if let semantics = value(operation, position, 0).word, semantics & uniformMemory != 0 { ordersBuffers = true }
  }

  /// One operation of one invocation.
  private func runAlone(_ operation: Operation) throws(Stop) {
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

  private func isComponentwise(_ operation: Operation) -> Bool {
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

  private static func unary(_ operation: Operation, _ a: Interval) -> Interval? {
    let width = operation.width
    switch operation.opcode {
    case .OpFNegate: return a.flushed(width).negated
    case .OpSNegate: return Interval(0).integerMinus(a, isSigned: operation.isSigned)
    case .OpLogicalNot: return a.not
    case .OpNot: return a.bits(a, isSigned: operation.isSigned) { a, _ in ~a }
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

  private static func binary(_ operation: Operation, _ a: Interval, _ b: Interval) -> Interval? {
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
    case .OpBitwiseOr: return a.bits(b, isSigned: isSigned) { $0 | $1 }
    case .OpBitwiseXor: return a.bits(b, isSigned: isSigned) { $0 ^ $1 }
    case .OpShiftLeftLogical: return a.bits(b, isSigned: isSigned) { $1 < 32 ? $0 << $1 : nil }
    case .OpShiftRightLogical: return a.bits(b, isSigned: isSigned) { $1 < 32 ? $0 >> $1 : nil }
    case .OpShiftRightArithmetic:
      return a.bits(b, isSigned: isSigned) { $1 < 32 ? UInt32(bitPattern: Int32(bitPattern: $0) >> Int32($1)) : nil }
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
