/// Bits of integers: those that are certain stay so, whatever becomes of the others.
extension Interval {
  /// Bits that are the same in all words that an integer may be.
  struct KnownBits: Equatable {
    /// Which ones these are.
    var mask: UInt32
    /// What they are; all others are 0.
    var value: UInt32

    /// The bits that may be 1.
    var possible: UInt32 { value | ~mask }

    init(mask: UInt32, value: UInt32) { (self.mask, self.value) = (mask, value & mask) }

    static func & (a: Self, b: Self) -> Self {
      let ones = a.value & b.value
      return Self(mask: ones | ~a.possible | ~b.possible, value: ones)
    }

    static func | (a: Self, b: Self) -> Self {
      let ones = a.value | b.value
      return Self(mask: ones | ~(a.possible | b.possible), value: ones)
    }

    static func ^ (a: Self, b: Self) -> Self { Self(mask: a.mask & b.mask, value: a.value ^ b.value) }

    func shiftedLeft(_ count: UInt32) -> Self { Self(mask: mask << count | ~(.max << count), value: value << count) }
  }

  /// What is certain of the bits: those that the ends have in common from the top on, and those that are known beside the ends.
  var knownBits: KnownBits {
    let number = asWord
    if let word = number.word { return KnownBits(mask: .max, value: word) }
    let ends = number.reading(isSigned: false)
    guard ends.low >= 0, ends.high <= Double(UInt32.max) else { return KnownBits(mask: 0, value: 0) }
    let low = UInt32(ends.low), high = UInt32(ends.high)
    let top = ~(UInt32.max >> UInt32((low ^ high).leadingZeroBitCount))
    return KnownBits(mask: top | ends.certainBits, value: low)
  }

  /// All words with some bits, in which these are certain.
  private init(_ bits: KnownBits, like a: Interval, _ b: Interval) {
    self.init(Double(bits.value), Double(bits.possible), like: a, b)
    certainBits = bits.mask
  }

  /// A result that is open because bits are, with the ends that are known beside them.
  private static func open(_ bits: KnownBits, from low: Double, to high: Double, _ a: Interval, _ b: Interval, isSigned: Bool) -> Interval {
    var result = Interval(bits, like: a, b)
    // The lower end has to have the bits that are certain.
    if low > result.low, UInt32(low) & bits.mask == bits.value { result.low = low }
    result.high = Swift.max(result.low, Swift.min(result.high, high))
    return result.because(.bits).reading(isSigned: isSigned)
  }

  private static let most = Double(UInt32.max)

  func bitOr(_ other: Interval, isSigned: Bool) -> Interval {
    if let a = word, let b = other.word { return exact(a | b, other, isSigned: isSigned) }
    let (a, b) = (knownBits, other.knownBits), (x, y) = (reading(isSigned: false), other.reading(isSigned: false))
    let sum = x.low + y.low
    let low = a.possible & b.possible == 0 ? sum : Swift.max(x.low, y.low)
    return .open(a | b, from: low, to: Swift.min(x.high + y.high, Self.most), self, other, isSigned: isSigned)
  }

  func bitXor(_ other: Interval, isSigned: Bool) -> Interval {
    let (a, b) = (knownBits, other.knownBits)
    if a.possible & b.possible == 0 { return bitOr(other, isSigned: isSigned) }
    if let a = word, let b = other.word { return exact(a ^ b, other, isSigned: isSigned) }
    return .open(a ^ b, from: 0, to: Self.most, self, other, isSigned: isSigned)
  }

  func bitNot(isSigned: Bool) -> Interval { bitXor(Interval(Self.most), isSigned: isSigned) }

  /// a & b: where only one is certain, at most its bits.
  func bitAnd(_ other: Interval, isSigned: Bool) -> Interval {
    if let a = word, let b = other.word { return exact(a & b, other, isSigned: isSigned) }
    let (value, mask) = other.word.map { (self, $0) } ?? (other, word ?? .max)
    if word != nil || other.word != nil, let known = value.certain(mask) { return exact(known, other, isSigned: isSigned) }
    let number = value.reading(isSigned: false)
    // Bits from the lowest on, and a number that has no others, or stays within one stretch of them.
    if mask & (mask &+ 1) == 0, mask != .max {
      let size = Double(mask) + 1
      let first = (number.low / size).rounded(.down), last = (number.high / size).rounded(.down)
      if first == last {
        var part = Interval(number.low - first * size, number.high - first * size, like: value)
        part.certainBits = number.certainBits
        return part
      }
    }
    if mask == .max, word != nil || other.word != nil { return number.reading(isSigned: isSigned) }
    let most = Swift.min(reading(isSigned: false).high, other.reading(isSigned: false).high)
    return .open(knownBits & other.knownBits, from: 0, to: most, self, other, isSigned: isSigned)
  }

  /// a << b.
  func shiftedLeft(_ other: Interval, isSigned: Bool) -> Interval {
    guard let count = other.word, count < 32 else { return .anyWord(.undefined, like: self, other).reading(isSigned: isSigned) }
    if let word { return exact(word << count, other, isSigned: isSigned) }
    let number = reading(isSigned: false), size = Double(UInt32(1) << count)
    let fits = number.high * size <= Self.most
    return .open(
      knownBits.shiftedLeft(count), from: fits ? number.low * size : 0, to: fits ? number.high * size : Self.most, self, other,
      isSigned: isSigned)
  }

  /// a >> b, where the sign moves in or zeros do.
  func shiftedRight(_ other: Interval, movesSign: Bool, isSigned: Bool) -> Interval {
    guard word == nil, let count = other.word, count < 32 else {
      return bits(other, isSigned: isSigned) { word, count in
        guard count < 32 else { return nil }
        return movesSign ? UInt32(bitPattern: Int32(bitPattern: word) >> Int32(count)) : word >> count
      }
    }
    let number = reading(isSigned: movesSign), size = Double(UInt32(1) << count)
    var shifted = Interval((number.low / size).rounded(.down), (number.high / size).rounded(.down), like: number, other)
    if !shifted.isExact, number.certainBits != 0 {
      let bits = number.certainBits
      shifted.certainBits = movesSign ? UInt32(bitPattern: Int32(bitPattern: bits) >> Int32(count)) : bits >> count | ~(.max >> count)
    }
    return shifted.because(.bits).reading(isSigned: isSigned)
  }

  /// The same bits where the ends lie on both sides of the step between signed and unsigned integers.
  func straddling(isSigned: Bool) -> Interval {
    let sign: UInt32 = 1 << 31
    let least = certainBits == 0 ? 0 : lowWord & certainBits, most = certainBits == 0 ? .max : least | ~certainBits
    guard isSigned else {
      var moved = Interval(Double(least & ~sign), Double(most | sign), like: self)
      moved.certainBits = certainBits & ~sign
      return moved
    }
    var moved = Interval(Double(Int32(bitPattern: least | sign)), Double(Int32(bitPattern: most & ~sign)), like: self)
    moved.certainBits = certainBits & ~sign
    return moved
  }

  /// How far a factor or a divisor moves bits; nil for what is no power of two.
  var shiftCount: UInt32? { word.flatMap { $0.nonzeroBitCount == 1 ? UInt32($0.trailingZeroBitCount) : nil } }
}
