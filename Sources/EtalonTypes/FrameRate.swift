/// Frames a second, as an exact fraction.
public struct FrameRate: Sendable, Hashable, CustomStringConvertible {
  /// Frames a second, above 0 and at most 1000.
  public let framesPerSecond: Rational

  /// 60 frames a second, what a ShaderToy player shows.
  public static let sixty = FrameRate(unchecked: Rational(60))

  private init(unchecked rate: Rational) { framesPerSecond = rate }

  /// Accepts rates above 0 and up to 1000 frames a second; nil otherwise.
  public init?(_ rate: Rational) {
    guard rate > .zero, rate <= Rational(1000) else { return nil }
    framesPerSecond = rate
  }

  /// Reads a rate from text.
  ///
  /// `24`, `12.5`, `24000/1001`; `23.976`, `23.98`, `29.97`, `59.94` and `119.88` mean the NTSC fractions. Nil for anything else.
  public init?(_ text: some StringProtocol) {
    let ntsc = ["23.976": 24, "23.98": 24, "29.97": 30, "59.94": 60, "119.88": 120]
    if let nominal = ntsc[String(text)] {
      self.init(Rational(nominal * 1000, 1001))
    } else if let rate = Rational(text) {
      self.init(rate)
    } else {
      return nil
    }
  }

  /// Seconds from one frame to the next.
  public var frameDuration: Rational { Rational(1) / framesPerSecond }

  /// `24` or `24000/1001`.
  public var description: String { framesPerSecond.description }
}

extension FrameRate: ExpressibleByIntegerLiteral {
  /// A whole number of frames a second, from 1 to 1000.
  public init(integerLiteral value: Int) {
    precondition((1...1000).contains(value), "a rate of \(value) frames a second")
    self.init(unchecked: Rational(value))
  }
}
