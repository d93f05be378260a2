/// An exact fraction in lowest terms, for times and frame rates.
///
/// Frame 1001 at 24000/1001 frames a second has a time that no binary floating-point number holds; kept as a fraction, frame 10,000,000 of a
/// shot is as exact as frame 1.
public struct Rational: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The part above the line; carries the sign.
  public let numerator: Int
  /// The part below the line, at least 1.
  public let denominator: Int

  /// Zero.
  public static let zero = Rational(0)

  /// Reduces a fraction; `denominator` must not be zero.
  public init(_ numerator: Int, _ denominator: Int = 1) {
    precondition(denominator != 0, "a fraction with denominator zero")
    let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let isNegative = (numerator < 0) != (denominator < 0)
    self.init(isNegative: isNegative, numerator.magnitude / divisor, denominator.magnitude / divisor)
  }

  /// Reduces a fraction that may be too long for exact arithmetic.
  ///
  /// Numerator and denominator lose binary digits until both fit into 63 bits, or the fraction becomes a whole number; one beyond those becomes
  /// the largest.
  private init(_ numerator: Int128, _ denominator: Int128) {
    let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    var top = numerator.magnitude / divisor
    var bottom = denominator.magnitude / divisor
    let most = UInt128(Int.max)
    while bottom >> 32 > 0, top > most || bottom > most { (top, bottom) = (top >> 1, bottom >> 1) }
    if top > most { (top, bottom) = (min(top / bottom, most), 1) }
    let further = Self.greatestCommonDivisor(UInt(top), UInt(bottom))
    self.init(isNegative: (numerator < 0) != (denominator < 0), UInt(top) / further, UInt(bottom) / further)
  }

  /// A fraction in lowest terms; parts that do not fit into 63 bits become the largest that do.
  private init(isNegative: Bool, _ numerator: UInt, _ denominator: UInt) {
    self.numerator = isNegative ? -Int(clamping: numerator) : Int(clamping: numerator)
    self.denominator = Int(clamping: denominator)
  }

  /// Reads `12`, `-1.5`, `24000/1001`; nil when the text is none of these or too large for exact arithmetic (above 10¹²).
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let top = Self.decimal(first) else { return nil }
    guard parts.count == 2 else {
      self = top
      return
    }
    guard let bottom = Self.decimal(parts[1]), bottom.numerator != 0 else { return nil }
    self = top / bottom
  }

  /// Reads a time in seconds: `1.5`, `1.5s`, `250ms`, `1001/24s`, minutes and seconds `1:30`, hours `1:02:03.5`; nil when the text is none of these.
  public init?(seconds text: some StringProtocol) {
    if text.hasSuffix("ms") {
      guard let thousandths = Rational(text.dropLast(2)) else { return nil }
      self = thousandths / Rational(1000)
    } else if text.contains(":") {
      guard let seconds = Self.clockTime(text) else { return nil }
      self = seconds
    } else {
      self.init(text.hasSuffix("s") ? text.dropLast() : text[...])
    }
  }

  /// `1:30` and `1:02:03.5`; a minus in front counts for all of it.
  private static func clockTime(_ text: some StringProtocol) -> Rational? {
    let isNegative = text.hasPrefix("-")
    let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let seconds = Rational(parts[parts.count - 1]), seconds >= .zero, seconds < Rational(60) else {
      return nil
    }
    var minutes = 0
    for (index, part) in parts.dropLast().enumerated() {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part), number < 1_000_000 else { return nil }
      guard index == 0 || number < 60 else { return nil }
      minutes = minutes * 60 + number
    }
    let total = Rational(minutes * 60) + seconds
    return isNegative ? .zero - total : total
  }

  private static func decimal(_ text: some StringProtocol) -> Rational? {
    var digits = Substring(text)
    let negative = digits.hasPrefix("-")
    if negative || digits.hasPrefix("+") { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, digits.utf8.contains(where: { $0 != 0x2E }) else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    let all = parts[0] + fraction
    guard all.utf8.allSatisfy({ (0x30...0x39).contains($0) }), fraction.count <= 9, let value = Int(all), value <= 1_000_000_000_000 else {
      return nil
    }
    var scale = 1
    for _ in fraction { scale *= 10 }
    return Rational(negative ? -value : value, scale)
  }

  /// The nearest double.
  public var double: Double { Double(numerator) / Double(denominator) }

  /// The largest integer that is not above the fraction.
  public var floor: Int {
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }

  /// `24` or `24000/1001`.
  public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

  /// The sum: exact where both of its parts fit into 63 bits, which those of times and rates do.
  public static func + (a: Rational, b: Rational) -> Rational {
    Rational(
      Int128(a.numerator) * Int128(b.denominator) + Int128(b.numerator) * Int128(a.denominator),
      Int128(a.denominator) * Int128(b.denominator))
  }

  /// The difference, as exact as the sum.
  public static func - (a: Rational, b: Rational) -> Rational {
    Rational(
      Int128(a.numerator) * Int128(b.denominator) - Int128(b.numerator) * Int128(a.denominator),
      Int128(a.denominator) * Int128(b.denominator))
  }

  /// The product, as exact as the sum.
  public static func * (a: Rational, b: Rational) -> Rational {
    Rational(Int128(a.numerator) * Int128(b.numerator), Int128(a.denominator) * Int128(b.denominator))
  }

  /// The quotient, as exact as the sum; `b` must not be zero.
  public static func / (a: Rational, b: Rational) -> Rational {
    precondition(b.numerator != 0, "division of a fraction by zero")
    return a * Rational(b.denominator, b.numerator)
  }

  /// Orders by value.
  public static func < (a: Rational, b: Rational) -> Bool {
    a.numerator.multipliedFullWidth(by: b.denominator) < b.numerator.multipliedFullWidth(by: a.denominator)
  }

  private static func greatestCommonDivisor<Number: UnsignedInteger>(_ a: Number, _ b: Number) -> Number {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
  }
}

extension Rational: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }

  /// The decimal fraction that was written: `0.1` is one tenth; at most nine digits behind the point count.
  public init(floatLiteral value: Double) {
    self = Rational("\(value)") ?? Rational(Int(saturating: value * 1e9), 1_000_000_000)
  }
}

// MARK: Whole numbers

extension Int {
  /// So many of something: `1 pixel`, `12 pixels`.
  ///
  /// - Parameter plural: what several are called, where an `s` is not enough.
  package func of(_ singular: String, _ plural: String? = nil) -> String { "\(self) \(self == 1 ? singular : plural ?? singular + "s")" }
}

extension Int {
  /// The nearest whole number: the largest or the smallest where the number lies beyond those, and zero where it is no number.
  package init(saturating value: Double) {
    let rounded = value.rounded()
    self = Int(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
  }
}
