internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// How a value gets from one key to the next.
///
/// `linear`, `hold`, a curve with its direction such as `cubic-in-out`, or `cubic-bezier(x1, y1, x2, y2)`.
package enum KeyframeEasing: Sendable, Hashable, CustomStringConvertible {
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

// MARK: curves

/// The closed forms of the curves, for the direction that is slow at the start.
extension KeyframeEasing.Curve {
  /// How far `back` swings beyond: a tenth of the way.
  private static let overshoot = 1.70158
  /// The same for `back-in-out`, whose halves are half as long.
  private static let halvedOvershoot = overshoot * 1.525

  fileprivate func begun(_ t: Double) -> Double {
    switch self {
    case .sine: 1 - SeriesFunctions.cosine(turns: t / 4)
    case .quad: t * t
    case .cubic: t * t * t
    case .quart: t * t * t * t
    case .quint: t * t * t * t * t
    case .expo: SeriesFunctions.powerOfTwo(10 * t - 10)
    case .circ: 1 - (1 - t * t).squareRoot()
    case .back: t * t * ((Self.overshoot + 1) * t - Self.overshoot)
    case .elastic: -SeriesFunctions.powerOfTwo(10 * t - 10) * SeriesFunctions.sine(turns: (10 * t - 10.75) / 3)
    case .bounce: 1 - Self.fallen(1 - t)
    }
  }

  /// Slow at both ends: two halves, of which the second mirrors the first.
  fileprivate func begunAndEnded(_ t: Double) -> Double { t < 0.5 ? firstHalf(t) : 1 - firstHalf(1 - t) }

  private func firstHalf(_ t: Double) -> Double {
    switch self {
    case .back: 2 * t * t * ((Self.halvedOvershoot + 1) * 2 * t - Self.halvedOvershoot)
    case .elastic: -SeriesFunctions.powerOfTwo(20 * t - 10) * SeriesFunctions.sine(turns: (20 * t - 11.125) / 4.5) / 2
    default: begun(2 * t) / 2
    }
  }

  /// A ball that falls and bounces three times: parabolas between 1/2.75, 2/2.75 and 2.5/2.75 of the time.
  private static func fallen(_ t: Double) -> Double {
    let (center, rest): (Double, Double) =
      switch t * 2.75 {
      case ..<1: (0, 0)
      case ..<2: (1.5, 0.75)
      case ..<2.5: (2.25, 0.9375)
      default: (2.625, 0.984375)
      }
    let distance = t - center / 2.75
    return 7.5625 * distance * distance + rest
  }
}

/// An easing drawn with two handles: the cubic Bézier curve from (0, 0) to (1, 1), time along x, progress along y.
package struct CubicBezier: Sendable, Hashable, CustomStringConvertible {
  package let x1: Double
  package let y1: Double
  package let x2: Double
  package let y2: Double

  /// Handles whose time lies between 0 and 1, so that there is one progress for every time; nil otherwise.
  package init?(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    guard (0...1).contains(x1), (0...1).contains(x2), y1.isFinite, y2.isFinite else { return nil }
    (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
  }

  /// Reads `cubic-bezier(0.2, 0, 0.8, 1)`, or the four numbers alone.
  init?(_ text: String) {
    let isCall = text.hasPrefix("cubic-bezier(") && text.hasSuffix(")")
    let numbers = isCall ? text.dropFirst(13).dropLast() : text[...]
    guard numbers.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3, let four = ValueText.value(String(numbers), as: .vec4) else {
      return nil
    }
    self.init(four.components[0], four.components[1], four.components[2], four.components[3])
  }

  package var description: String { "cubic-bezier(\(ValueConversion.plainText(Value(.vec4, [x1, y1, x2, y2]))))" }

  /// The progress at a time between 0 and 1.
  func y(at x: Double) -> Double {
    var low = 0.0
    var high = 1.0
    // Halving gives one bit a step, and always the same ones.
    for _ in 0..<53 {
      let middle = (low + high) / 2
      if Self.curve(x1, x2, middle) < x { low = middle } else { high = middle }
    }
    return Self.curve(y1, y2, (low + high) / 2)
  }

  private static func curve(_ first: Double, _ second: Double, _ t: Double) -> Double {
    let rest = 1 - t
    return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
  }
}

/// Elementary functions out of sums and products alone, with the same bits on every machine; those of C libraries differ in the last one.
enum SeriesFunctions {
  private static let logarithmOfTwo = 0.693147180559945309417232121458

  /// 2 to a power between -1000 and 1000.
  static func powerOfTwo(_ exponent: Double) -> Double {
    let whole = exponent.rounded()
    let x = (exponent - whole) * logarithmOfTwo
    var term = 1.0
    var sum = 1.0
    for n in 1...18 {
      term = term * x / Double(n)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }

  /// The sine of a part of a full turn.
  static func sine(turns: Double) -> Double {
    let part = turns - turns.rounded()
    // Within a quarter turn of zero the series converges quickly; the rest mirrors it.
    let near = part > 0.25 ? 0.5 - part : part < -0.25 ? -0.5 - part : part
    let x = near * 2 * Double.pi
    var term = x
    var sum = x
    for n in 1...12 {
      let divisor = Double(2 * n * (2 * n + 1))
      term = -term * x * x / divisor
      sum += term
    }
    return sum
  }

  /// The cosine of a part of a full turn.
  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
}
