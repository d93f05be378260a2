internal import EtalonManifest

/// What is assigned to a parameter: a literal, or a value that changes over time.
///
/// ```swift
/// ["sigma": 24, "mode": "screen", "center": [0.5, 0.5], "color": "#ff8800"]
/// ["angle": .expression("30 * time"), "level": .keyframes([.key(.seconds(0), 0), .key(.seconds(2), 1)])]
/// ```
///
/// A value is checked where it is applied to a filter: type, range, step and choices of the parameter, and the words of expressions. What changes
/// over time is data, so that images that contain it can be compared.
///
/// **Concurrency**: an immutable value.
public struct ParameterValue: Sendable, Hashable, CustomStringConvertible {
  /// What would be typed for the value in a graph or on the command line.
  public let description: String

  private init(description: String) { self.description = description }

  /// A number, for parameters of one component; vectors get it in all of them.
  public init(_ number: Double) { self.init(description: Self.text(number)) }

  /// A whole number.
  public init(_ number: Int) { self.init(description: "\(number)") }

  /// A truth value.
  public init(_ truth: Bool) { self.init(description: "\(truth)") }

  /// The components of a vector, a color (red, green, blue, alpha; straight and sRGB-encoded) or a matrix (column by column).
  public init(_ components: [Double]) { self.init(description: components.map(Self.text).joined(separator: ",")) }

  /// A value as it would be typed: the label of a choice, a color such as `#ff8800`, an expression in parentheses, the text of a parameter that is one.
  public init(_ text: String) { self.init(description: text) }

  /// GLSL over the clocks (`time`, `frame`, `progress`, `duration`), `width`, `height` and the filter's other parameters.
  ///
  /// Whole numbers are read as floats unless the parameter wants a whole number, so that `frame/24` is a fraction.
  public static func expression(_ text: String) -> ParameterValue { ParameterValue(description: "(\(text))") }

  /// Values at times, in order of time; before the first key and after the last one the value stays.
  public static func keyframes(_ keys: [Key]) -> ParameterValue {
    ParameterValue(description: "{\(keys.map(\.text).joined(separator: ", "))}")
  }

  /// A column of a CSV file, one row for each time or frame.
  public static func track(_ path: String, column: String) -> ParameterValue { ParameterValue(description: "@\(path):\(column)") }

  /// As people write numbers: whole ones without a fraction.
  private static func text(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension ParameterValue {
  /// A value at a time, and how it is reached from the key before.
  public struct Key: Sendable, Hashable {
    let text: String

    /// A key; without an easing numbers move evenly, and everything else holds.
    ///
    /// - Parameter value: a literal.
    public static func key(_ time: ShotTime, _ value: ParameterValue, _ easing: Easing? = nil) -> Key {
      return Key(text: "\(time.text): {value: \(value.description.quotedAsJSON)\(easing.map { ", ease: \($0)" } ?? "")}")
    }
  }
}

extension ParameterValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral
{
  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self.init(value) }
  /// A value as it would be typed.
  public init(stringLiteral value: String) { self.init(value) }
  /// The components of a vector, a color or a matrix.
  public init(arrayLiteral elements: Double...) { self.init(elements) }
}

// MARK: values over time

/// How a value gets from one key to the next.
///
/// ```swift
/// .keyframes([.key(.seconds(0), 0), .key(.seconds(2), 1, .easeInOut(.cubic))])
/// ```
///
/// **Concurrency**: an immutable value.
public struct Easing: Sendable, Hashable, CustomStringConvertible {
  /// The usual curves, the gentlest first.
  public enum Curve: String, Sendable, Hashable, CaseIterable {
    case sine, quad, cubic, quart, quint, expo, circ, back, elastic, bounce
  }

  /// What can be typed for it in a graph or on the command line: `cubic-in-out`.
  public let description: String

  /// Evenly.
  public static let linear = Easing(description: "linear")
  /// The value of the key before stays until the next key.
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

/// A time of a shot: seconds on its clock, or the number of a frame.
///
/// ```swift
/// try await context.render(image, at: .seconds(1.5))
/// try await context.render(image, at: .frame(36))
/// ```
///
/// **Concurrency**: an immutable value.
public enum ShotTime: Sendable, Hashable {
  /// Seconds on the shot's clock.
  case seconds(Rational)
  /// The number of a frame, counted as the shot counts them.
  case frame(Int)

  /// As values spell it: `3/2s`, `36f`.
  var text: String {
    switch self {
    case .seconds(let seconds): "\(seconds)s"
    case .frame(let number): "\(number)f"
    }
  }
}
