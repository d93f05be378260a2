package import EtalonTypes

/// When a key of keyframes happens: `1.5s`, `1:30`, `24f`.
package enum KeyTime: Sendable, Hashable, CustomStringConvertible {
  /// Seconds on the shot's clock.
  case seconds(Rational)
  /// The number of a frame, counted as `--frames` counts.
  case frame(Int)

  /// Reads a time; nil when the text is none.
  ///
  /// `1.5s`, `250ms`, `1001/24s`, minutes and seconds `1:30`, hours `1:02:03.5`, and a frame number `24f`.
  package init?(_ text: String) {
    if text.hasSuffix("f") {
      guard let number = Int(text.dropLast()), number.magnitude <= FrameRange.largestFrame.magnitude else { return nil }
      self = .frame(number)
    } else if text.hasSuffix("ms") {
      guard let thousandths = Rational(text.dropLast(2)) else { return nil }
      self = .seconds(thousandths / Rational(1000))
    } else if text.hasSuffix("s") {
      guard let seconds = Rational(text.dropLast()) else { return nil }
      self = .seconds(seconds)
    } else {
      guard let seconds = Self.clockTime(text) else { return nil }
      self = .seconds(seconds)
    }
  }

  /// `1:30` and `1:02:03.5`; a minus in front counts for all of it.
  private static func clockTime(_ text: String) -> Rational? {
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

  /// The exact time on a clock, in seconds.
  package func seconds(on clock: ShotClock) -> Rational {
    switch self {
    case .seconds(let seconds): seconds
    case .frame(let number): clock.time(ofFrame: number)
    }
  }

  package var description: String {
    switch self {
    case .seconds(let seconds): "\(seconds)s"
    case .frame(let number): "\(number)f"
    }
  }
}
