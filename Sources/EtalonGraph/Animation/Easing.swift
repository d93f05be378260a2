/// How a value gets from one key to the next.
///
/// `linear`, `hold`, a curve with its direction such as `cubic-in-out`, or `cubic-bezier(x1, y1, x2, y2)`.
package enum Easing: Sendable, Hashable, CustomStringConvertible {
  case linear
  /// Keeps the value of the key before.
  case hold
  case curve(Curve, Direction)
  /// The curve from (0, 0) to (1, 1) that CSS draws with two handles.
  case bezier(CubicBezier)

  /// The usual curves.
  package enum Curve: String, Sendable, Hashable, CaseIterable {
    case sine, quad, cubic, quart, quint, expo, circ, back, elastic, bounce
  }

  /// Where a curve is slow: at its start, at its end, or at both.
  package enum Direction: String, Sendable, Hashable, CaseIterable {
    case start = "in"
    case end = "out"
    case both = "in-out"
  }

  /// The names that can be typed, without the one that has numbers.
  package static let names: [String] =
    ["linear", "hold"] + Curve.allCases.flatMap { curve in Direction.allCases.map { "\(curve.rawValue)-\($0.rawValue)" } }

  /// Reads an easing; nil when the text is none.
  package init?(_ text: String) {
    switch text {
    case "linear": self = .linear
    case "hold": self = .hold
    default:
      if let bezier = CubicBezier(text) {
        self = .bezier(bezier)
        return
      }
      let parts = text.split(separator: "-", maxSplits: 1)
      guard parts.count == 2, let curve = Curve(rawValue: String(parts[0])), let direction = Direction(rawValue: String(parts[1])) else {
        return nil
      }
      self = .curve(curve, direction)
    }
  }

  package var description: String {
    switch self {
    case .linear: "linear"
    case .hold: "hold"
    case .curve(let curve, let direction): "\(curve.rawValue)-\(direction.rawValue)"
    case .bezier(let bezier): "\"\(bezier)\""
    }
  }

  /// How much of the way is done at a part of the time; both run from 0 to 1, and some curves swing beyond.
  package func progress(at time: Double) -> Double {
    if time <= 0 { return 0 }
    if time >= 1 { return 1 }
    switch self {
    case .linear: return time
    case .hold: return 0
    case .curve(let curve, .start): return curve.begun(time)
    case .curve(let curve, .end): return 1 - curve.begun(1 - time)
    case .curve(let curve, .both): return curve.begunAndEnded(time)
    case .bezier(let bezier): return bezier.y(at: time)
    }
  }
}
