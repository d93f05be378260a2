/// How a value gets from one key to the next.
///
/// ```swift
/// .keyframes([.key(.seconds(0), 0), .key(.seconds(2), 1, .easeInOut(.cubic))])
/// ```
///
/// **Concurrency**: an immutable value.
public struct Easing: Sendable, Hashable, CustomStringConvertible {
  /// The usual curves, from gentle to wild.
  public enum Curve: String, Sendable, Hashable, CaseIterable {
    case sine, quad, cubic, quart, quint, expo, circ, back, elastic, bounce
  }

  /// What can be typed for it in a graph or on the command line: `cubic-in-out`.
  public let description: String

  /// Evenly.
  public static let linear = Easing(description: "linear")
  /// Not at all: the value of the key before stays until the next key.
  public static let hold = Easing(description: "hold")

  /// Slow at the start.
  public static func easeIn(_ curve: Curve) -> Easing { Easing(description: "\(curve.rawValue)-in") }

  /// Slow at the end.
  public static func easeOut(_ curve: Curve) -> Easing { Easing(description: "\(curve.rawValue)-out") }

  /// Slow at both ends.
  public static func easeInOut(_ curve: Curve) -> Easing { Easing(description: "\(curve.rawValue)-in-out") }

  /// The curve from (0, 0) to (1, 1) that CSS draws with two handles; `x1` and `x2` lie from 0 to 1.
  public static func cubicBezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Easing {
    precondition((0...1).contains(x1) && (0...1).contains(x2), "handles at \(x1) and \(x2) of the way")
    return Easing(description: "\"cubic-bezier(\(x1), \(y1), \(x2), \(y2))\"")
  }
}
