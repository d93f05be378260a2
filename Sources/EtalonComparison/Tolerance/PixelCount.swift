/// A number of pixels, or a share of all pixels: `12`, `0.1%`.
public enum PixelCount: Hashable, Sendable, CustomStringConvertible {
  case pixels(Int)
  case percent(Double)

  /// Reads `12` or `0.1%`; nil for anything else.
  public init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let number = Double(text.dropLast()), number.isFinite else { return nil }
      self = .percent(number)
    } else {
      guard let number = Int(text) else { return nil }
      self = .pixels(number)
    }
  }

  /// `12` or `0.1%`.
  public var description: String {
    switch self {
    case .pixels(let count): "\(count)"
    case .percent(let share): "\(PlainNumber.text(share))%"
    }
  }

  /// How many pixels of a picture that is, as a number that need not be whole.
  public func count(of pixels: Int) -> Double {
    switch self {
    case .pixels(let count): Double(count)
    case .percent(let share): share / 100 * Double(pixels)
    }
  }
}

extension PixelCount: Codable {
  /// Reads a number or a text with a percent sign.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let count = try? container.decode(Int.self) {
      self = .pixels(count)
      return
    }
    let text = try container.decode(String.self)
    guard let count = PixelCount(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a number of pixels or a percentage, found '\(text)'")
    }
    self = count
  }

  /// Writes a number or a text with a percent sign.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .pixels(let count): try container.encode(count)
    case .percent: try container.encode(description)
    }
  }
}

/// How many pixels may lie beyond another limit.
///
/// **Concurrency**: an immutable value.
public struct CountLimit: Hashable, Sendable {
  /// Beyond this the comparison warns; nil when it never does.
  public var warn: PixelCount?
  /// Beyond this the comparison fails.
  public var fail: PixelCount?

  /// Makes a limit.
  public init(warn: PixelCount? = nil, fail: PixelCount? = nil) {
    self.warn = warn
    self.fail = fail
  }
}

extension CountLimit: ExpressibleByIntegerLiteral {
  /// A limit that only fails.
  public init(integerLiteral value: Int) { self.init(fail: .pixels(value)) }
}

extension CountLimit: Codable {
  private enum CodingKeys: String, CodingKey { case warn, fail }

  /// Reads a count or both levels.
  public init(from decoder: any Decoder) throws {
    if let count = try? PixelCount(from: decoder) {
      self.init(fail: count)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      warn: try container.decodeIfPresent(PixelCount.self, forKey: .warn),
      fail: try container.decodeIfPresent(PixelCount.self, forKey: .fail))
  }

  /// Writes a count when there is no level to warn at, else both.
  public func encode(to encoder: any Encoder) throws {
    if warn == nil, let fail { return try fail.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(warn, forKey: .warn)
    try container.encodeIfPresent(fail, forKey: .fail)
  }
}
