/// The numbers of the frames to render, in the order in which they are rendered.
///
/// ```
/// FrameRange(1...100, step: 2).description   // 1-99x2
/// ```
///
/// Every frame occurs once.
public struct FrameRange: Sendable, Hashable, CustomStringConvertible {
  /// The largest number of frames in a range.
  public static let mostFrames = 1_000_000
  /// Frame numbers lie between minus this and this.
  public static let largestFrame = 999_999_999

  /// The frame numbers in order, at least one.
  public let frames: [Int]
  /// From the smallest frame number to the largest.
  package let bounds: ClosedRange<Int>

  /// Takes frame numbers in order; a number that was there before is left out.
  ///
  /// Nil when there are none, too many, or too large ones.
  public init?(_ frames: some Sequence<Int>) {
    var seen: Set<Int> = []
    let unique = frames.filter { seen.insert($0).inserted }
    guard let least = unique.min(), let largest = unique.max(), unique.count <= Self.mostFrames else { return nil }
    guard least >= -Self.largestFrame, largest <= Self.largestFrame else { return nil }
    self.frames = unique
    bounds = least...largest
  }

  /// The frames of a closed range, or every `step`th of them; nil when there are too many or too large ones.
  public init?(_ range: ClosedRange<Int>, step: Int = 1) {
    guard step >= 1, range.lowerBound >= -Self.largestFrame, range.upperBound <= Self.largestFrame else { return nil }
    guard (range.upperBound - range.lowerBound) / step < Self.mostFrames else { return nil }
    frames = Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
    bounds = range.lowerBound...frames[frames.count - 1]
  }

  /// One frame.
  public init?(frame: Int) {
    self.init(frame...frame)
  }

  /// The number of frames.
  public var count: Int { frames.count }
  /// The first frame that is rendered.
  public var first: Int { frames[0] }
  /// The last frame that is rendered.
  public var last: Int { frames[frames.count - 1] }

  /// The shortest usual text that means these frames in this order: `7,9,20-30`, `1-99x2`, `10-1x-1`.
  public var description: String {
    var parts: [String] = []
    var start = 0
    while start < frames.count {
      let end = endOfRun(from: start)
      parts.append(text(of: start...end))
      start = end + 1
    }
    return parts.joined(separator: ",")
  }

  /// The last index of the frames from `start` on that go up or down in equal steps; two frames are a run only as neighbours.
  private func endOfRun(from start: Int) -> Int {
    guard start + 1 < frames.count else { return start }
    let step = frames[start + 1] - frames[start]
    var end = start + 1
    while end + 1 < frames.count, frames[end + 1] - frames[end] == step { end += 1 }
    return end - start == 1 && step != 1 ? start : end
  }

  private func text(of run: ClosedRange<Int>) -> String {
    let first = frames[run.lowerBound]
    guard run.count > 1 else { return "\(first)" }
    let step = frames[run.lowerBound + 1] - first
    return "\(first)-\(frames[run.upperBound])" + (step == 1 ? "" : "x\(step)")
  }
}

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
