/// Integers of 32 bits: exact as long as their operands are; else a range that holds all results, or all integers.
extension Interval {
  private static let wordRange = Double(Int32.min)...Double(UInt32.max)

  /// Any integer, signed or unsigned: `reading(isSigned:)` decides that.
  static func anyWord(_ reason: Cause.Reason, like operands: Interval...) -> Interval {
    var result = Interval(wordRange.lowerBound, wordRange.upperBound)
    for operand in operands { result.inherit(operand) }
    return result.because(reason)
  }

  init(word: UInt32, isSigned: Bool) { self.init(isSigned ? Double(Int32(bitPattern: word)) : Double(word)) }

  /// The bits of an integer that is certain; of a float as well.
  var word: UInt32? {
    guard isExact else { return nil }
    if traits.contains(.holdsFloatBits) { return low == 0 && low.sign == .minus ? 0x8000_0000 : Float(low).bitPattern }
    guard Self.wordRange.contains(low) else { return nil }
    return low < 0 ? UInt32(bitPattern: Int32(low)) : UInt32(low)
  }

  /// The bits of the lower end, of an integer that stands for itself.
  var lowWord: UInt32 { low < 0 ? UInt32(bitPattern: Int32(low)) : UInt32(low) }

  /// The bits of a mask, where they are the same in all words that it may be.
  func certain(_ mask: UInt32) -> UInt32? {
    let known = knownBits
    return mask & ~known.mask == 0 ? known.value & mask : nil
  }

  /// An integer that stands for bits as an integer that stands for itself.
  var asWord: Interval {
    guard traits.contains(.holdsFloatBits) else { return self }
    if let word { return Interval(word: word, isSigned: false) }
    // Bits of floats of the same sign are in the same order as their sizes.
    guard !mayBeNaN, low > 0 else { return .anyWord(.bits, like: self) }
    var word = Interval(Double(Float(low).bitPattern), Double(Float(high).bitPattern), like: self)
    word.cause = cause ?? Cause(.bits)
    return word
  }

  /// The same bits, read with or without a sign.
  func reading(isSigned: Bool) -> Interval {
    let number = asWord
    if isSigned ? number.high <= Double(Int32.max) : number.low >= 0 { return number }
    if let word = number.word {
      var exact = Interval(word: word, isSigned: isSigned)
      exact.inherit(number)
      return exact
    }
    let isBelow = !isSigned && number.high < 0
    if isBelow || isSigned && number.low > Double(Int32.max) {
      let step = isBelow ? 0x1p32 : -0x1p32
      var moved = Interval(number.low + step, number.high + step, like: number)
      moved.certainBits = number.certainBits
      return moved
    }
    return number.straddling(isSigned: isSigned)
  }

  /// Whether a word of memory is one of those that it may be.
  package func contains(word: UInt32) -> Bool {
    if mayBeNaN { return true }
    guard traits.contains(.holdsFloatBits) else {
      return contains(Double(word)) || contains(Double(Int32(bitPattern: word)))
    }
    return contains(Double(Float(bitPattern: word)))
  }

  /// A result that may be too large for 32 bits.
  private func wrapped(_ low: Double, _ high: Double, _ other: Interval, isSigned: Bool) -> Interval {
    let least = isSigned ? Double(Int32.min) : 0, most = isSigned ? Double(Int32.max) : Double(UInt32.max)
    let result = Interval(low, high, like: self, other)
    if low >= least, high <= most { return result }
    if low == high {
      let word = UInt32(truncatingIfNeeded: Int64(low))
      var exact = Interval(word: word, isSigned: isSigned)
      exact.inherit(result)
      return exact
    }
    return Interval(least, most, like: self, other).because(.bits)
  }

  func integerPlus(_ other: Interval, isSigned: Bool) -> Interval {
    // Numbers that share no bits are put together without a carry.
    if word == nil || other.word == nil, knownBits.possible & other.knownBits.possible == 0 { return bitOr(other, isSigned: isSigned) }
    let (a, b) = (reading(isSigned: isSigned), other.reading(isSigned: isSigned))
    return a.wrapped(a.low + b.low, a.high + b.high, b, isSigned: isSigned)
  }

  func integerMinus(_ other: Interval, isSigned: Bool) -> Interval {
    let (a, b) = (reading(isSigned: isSigned), other.reading(isSigned: isSigned))
    return a.wrapped(a.low - b.high, a.high - b.low, b, isSigned: isSigned)
  }

  func integerTimes(_ other: Interval, isSigned: Bool) -> Interval {
    if let x = word, let y = other.word { return exact(x &* y, other, isSigned: isSigned) }
    if !isSigned || reading(isSigned: true).low >= 0, let count = other.shiftCount {
      return shiftedLeft(Interval(Double(count)), isSigned: isSigned)
    }
    if !isSigned || other.reading(isSigned: true).low >= 0, shiftCount != nil { return other.integerTimes(self, isSigned: isSigned) }
    let (a, b) = (reading(isSigned: isSigned), other.reading(isSigned: isSigned))
    let products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
    let low = products.reduce(.infinity) { min($0, $1) }, high = products.reduce(-.infinity) { max($0, $1) }
    return a.wrapped(low, high, b, isSigned: isSigned)
  }

  /// What two certain words give, as a range of one number.
  func exact(_ word: UInt32, _ other: Interval, isSigned: Bool) -> Interval {
    var exact = Interval(word: word, isSigned: isSigned)
    exact.inherit(self)
    exact.inherit(other)
    return exact
  }

  /// Something done to the bits of both, which have to be certain for more than any integer to come out.
  func bits(_ other: Interval, isSigned: Bool, _ body: (UInt32, UInt32) -> UInt32?) -> Interval {
    guard let a = word, let b = other.word else { return .anyWord(.bits, like: self, other).reading(isSigned: isSigned) }
    guard let result = body(a, b) else { return .anyWord(.undefined, like: self, other).reading(isSigned: isSigned) }
    return exact(result, other, isSigned: isSigned)
  }

  /// A quotient toward zero, or what is left; nil of words that have none.
  func integerQuotient(_ other: Interval, isSigned: Bool) -> Interval {
    let (a, b) = (reading(isSigned: isSigned), other.reading(isSigned: isSigned))
    guard b.isExact, b.low != 0, !a.overflows(dividedBy: b) else {
      return .anyWord(.undefined, like: a, b).reading(isSigned: isSigned)
    }
    if a.low >= 0, b.low > 0, let count = b.shiftCount {
      return a.shiftedRight(Interval(Double(count)), movesSign: false, isSigned: isSigned)
    }
    let ends = [(a.low / b.low).rounded(.towardZero), (a.high / b.low).rounded(.towardZero)]
    return a.wrapped(min(ends[0], ends[1]), max(ends[0], ends[1]), b, isSigned: isSigned)
  }

  /// What is left of a division; GLSL leaves the remainder of negative numbers open, and not only its sign.
  func integerRemainder(_ other: Interval, isSigned: Bool) -> Interval {
    let (a, b) = (reading(isSigned: isSigned), other.reading(isSigned: isSigned))
    guard b.isExact, b.low != 0, !isSigned || a.low >= 0 && b.low > 0 else {
      return .anyWord(.undefined, like: a, b).reading(isSigned: isSigned)
    }
    let quotients = ((a.low / b.low).rounded(.down), (a.high / b.low).rounded(.down))
    if quotients.0 == quotients.1 { return Interval(a.low - quotients.0 * b.low, a.high - quotients.0 * b.low, like: a, b) }
    if b.shiftCount != nil { return a.bitAnd(Interval(b.low - 1), isSigned: isSigned) }
    return Interval(0, b.low - 1, like: a, b).because(.wholeNumber)
  }

  /// Whether a quotient may be 2^31, which no signed integer is.
  private func overflows(dividedBy other: Interval) -> Bool { low == Double(Int32.min) && other.low == -1 }

  /// What is between two limits; undefined where the first may be above the second.
  func integerClamped(_ least: Interval, _ most: Interval, isSigned: Bool) -> Interval {
    let (x, a, b) = (reading(isSigned: isSigned), least.reading(isSigned: isSigned), most.reading(isSigned: isSigned))
    guard a.high <= b.low else { return .anyWord(.undefined, like: x, a, b).reading(isSigned: isSigned) }
    return x.larger(a).smaller(b)
  }

  // MARK: Conversions

  /// To an integer, toward zero; undefined where it does not fit.
  func converted(toSigned isSigned: Bool) -> Interval {
    let least = isSigned ? Double(Int32.min) : -1, most = isSigned ? 0x1p31 : 0x1p32
    guard !mayBeNaN, isSigned ? low >= least : low > least, high < most else {
      return .anyWord(.undefined, like: self).reading(isSigned: isSigned)
    }
    let whole = Interval(low.rounded(.towardZero) + 0, high.rounded(.towardZero) + 0, like: self)
    return whole.isExact ? whole : whole.because(.conversion)
  }

  /// From an integer.
  func convertedToFloat(isSigned: Bool, _ width: FloatWidth) -> Interval { reading(isSigned: isSigned).rounded(width) }
}

// MARK: - Packing

/// Numbers that share a word, and halves.
extension Interval {
  /// A number as one of the levels of a byte or a short, as packing functions round it.
  func level(of most: Double, isSigned: Bool) -> Interval {
    guard !mayBeNaN else { return Interval(isSigned ? -most : 0, most, like: self).because(.undefined) }
    let clipped = clipped(isSigned ? -1 : 0, 1)
    let scaled = clipped.times(Interval(most), .single)
    return scaled.roundedEitherWay.clipped(isSigned ? -most : 0, most)
  }

  /// Levels beside each other in a word, the first in the lowest bits.
  static func packed(_ parts: [Interval], bits: UInt32) -> Interval {
    if parts.allSatisfy(\.isExact) {
      let words = parts.map { UInt32(bitPattern: Int32($0.low)) & ((1 << bits) - 1) }
      var packed = Interval(word: words.enumerated().reduce(0) { $0 | $1.element << (UInt32($1.offset) * bits) }, isSigned: false)
      for part in parts { packed.inherit(part) }
      return packed
    }
    let most: UInt32 = (1 << bits) - 1
    var open = Interval(0)
    for (number, part) in parts.enumerated() {
      let shift = UInt32(number) * bits, unit = Double(UInt32(1) << shift)
      // Numbers on both sides of zero have all their bits open.
      let isOpen = part.low < 0 && part.high >= 0, wrap = part.high < 0 ? Double(most) + 1 : 0
      open.low += isOpen ? 0 : (part.low + wrap) * unit
      open.high += isOpen ? Double(most) * unit : (part.high + wrap) * unit
      if part.isExact { open.certainBits |= most << shift }
      open.inherit(part)
    }
    return open.because(.bits)
  }

  /// One of the numbers in a word that is certain.
  func unpacked(_ part: UInt32, bits: UInt32, isSigned: Bool) -> Interval {
    guard let field = certain(((1 << bits) - 1) << (part * bits)) else {
      return Interval(isSigned ? -1 : 0, 1, like: self).because(.bits)
    }
    let raw = field >> (part * bits)
    let most = Double((UInt32(1) << (isSigned ? bits - 1 : bits)) - 1)
    let number = isSigned && raw >> (bits - 1) == 1 ? Double(raw) - Double(UInt32(1) << bits) : Double(raw)
    return Interval(max(number / most, -1)).widened(ulps: number.magnitude == most || number == 0 ? 0 : 1, .single).inheritingAll(self)
  }

  func unpackedHalf(_ part: UInt32) -> Interval {
    guard let field = certain(0xFFFF << (16 * part)) else { return .anything(.bits, like: self) }
    let half = Float16(bitPattern: UInt16(truncatingIfNeeded: field >> (16 * part)))
    return half.isNaN ? .anything(.undefined, like: self) : Interval(Double(half)).flushed(.half).inheritingAll(self)
  }

  private func inheritingAll(_ operand: Interval) -> Interval {
    var result = self
    result.inherit(operand)
    return result
  }
}
