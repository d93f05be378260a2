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

  /// A value as it would be typed: the label of a choice, a color such as `#ff8800`, an expression in parentheses.
  public init(_ text: String) { self.init(description: text) }

  /// GLSL over the clocks (`time`, `frame`, `progress`, `duration`), `width`, `height` and the filter's other parameters.
  ///
  /// Whole numbers are read as floats unless the parameter wants a whole number, so that `frame/24` is what it looks like.
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
      let literal = value.description.contains(",") ? "[\(value.description)]" : "\"\(value.description)\""
      return Key(text: "\(time.text): {value: \(literal)\(easing.map { ", ease: \($0)" } ?? "")}")
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
