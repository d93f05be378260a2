/// The levels of a measurement: beyond `warn` the comparison warns, beyond `fail` it fails.
///
/// In JSON a limit is its `fail` level alone, `1`, or both, `{"warn": 1, "fail": 3}`.
///
/// **Concurrency**: an immutable value.
public struct Limit: Hashable, Sendable {
  /// Beyond this the comparison warns; nil when it never does.
  public var warn: Double?
  /// Beyond this the comparison fails; nil when it never does.
  public var fail: Double?

  /// Makes a limit.
  public init(warn: Double? = nil, fail: Double? = nil) {
    self.warn = warn
    self.fail = fail
  }
}

extension Limit: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A limit that only fails.
  public init(floatLiteral value: Double) { self.init(fail: value) }

  /// A limit that only fails.
  public init(integerLiteral value: Int) { self.init(fail: Double(value)) }
}

extension Limit: Codable {
  private enum CodingKeys: String, CodingKey { case warn, fail }

  /// Reads a number or both levels.
  public init(from decoder: any Decoder) throws {
    if let number = try? decoder.singleValueContainer().decode(Double.self) {
      self.init(fail: number)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      warn: try container.decodeIfPresent(Double.self, forKey: .warn), fail: try container.decodeIfPresent(Double.self, forKey: .fail))
  }

  /// Writes a number when there is no level to warn at, else both.
  public func encode(to encoder: any Encoder) throws {
    if warn == nil, let fail {
      var container = encoder.singleValueContainer()
      return try container.encode(fail)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(warn, forKey: .warn)
    try container.encodeIfPresent(fail, forKey: .fail)
  }
}

// MARK: - numbers of pixels

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
  package func count(of pixels: Int) -> Double {
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

// MARK: - perceptual limits

/// Limits of FLIP, which tells how visible a difference is to a person who flips between both pictures: 0 to 1.
public struct FLIPLimit: Hashable, Sendable, Codable {
  /// The mean over all pixels.
  public var mean: Limit?
  /// A percentile of the pixels.
  public var percentile: PercentileLimit?
  /// How many pixels a degree of sight covers; 67 without it, a 4K monitor of 0.7 m at 0.7 m.
  public var pixelsPerDegree: Double?

  /// Makes limits.
  public init(mean: Limit? = nil, percentile: PercentileLimit? = nil, pixelsPerDegree: Double? = nil) {
    self.mean = mean
    self.percentile = percentile
    self.pixelsPerDegree = pixelsPerDegree
  }
}

/// What a share of the pixels must stay within.
public struct PercentileLimit: Hashable, Sendable, Codable {
  /// Which share, such as 99.
  public var percent: Double
  /// What that share must stay within.
  public var value: Limit

  /// Makes a limit.
  public init(percent: Double, value: Limit) {
    self.percent = percent
    self.value = value
  }
}

/// A limit of color distances in OKLab (HyAB: lightness apart from hue and chroma).
public struct OKLabLimit: Hashable, Sendable, Codable {
  /// From which distance two colors count as different; black and white are 1 apart.
  public var distance: Double
  /// The side of the window in which pixels are counted; the whole picture without it.
  public var window: Int?
  /// How many pixels may count as different in any window.
  public var pixels: Limit

  /// Makes a limit.
  public init(distance: Double, window: Int? = nil, pixels: Limit) {
    self.distance = distance
    self.window = window
    self.pixels = pixels
  }
}
