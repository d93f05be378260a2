package import EtalonManifest
package import EtalonTypes

/// What a parameter is over time, as data: a recipe that holds it can be compared, hashed and printed.
///
/// ```
/// 2                                             a literal
/// {0s: 0, 24f: {value: 1, ease: cubic-in-out}}  keyframes
/// (4 + 2*sin(time))                             an expression
/// {track: path.csv, column: x}                  a track, also @path.csv:x
/// ```
///
/// The text of a value, read for the same parameter, gives an equal value.
///
/// **Concurrency**: an immutable value.
package enum AnimatedValue: Sendable, Hashable, CustomStringConvertible {
  case literal(Value)
  case keyframes(Keyframes)
  case expression(AnimatedExpression)
  case track(Track)

  package var description: String {
    switch self {
    case .literal(let value): ValueConversion.plainText(value)
    case .keyframes(let keyframes): keyframes.description
    case .expression(let expression): expression.description
    case .track(let track): track.description
    }
  }

  /// Where it was written; of keyframes where the first key was.
  package var origin: ValueOrigin {
    switch self {
    case .literal: ValueOrigin(nil)
    case .keyframes(let keyframes): keyframes.allKeys.first?.origin ?? ValueOrigin(nil)
    case .expression(let expression): expression.origin
    case .track(let track): track.origin
    }
  }

  /// Whether the value on a frame depends on the range of frames that is rendered.
  ///
  /// - Parameter name: the parameter that has the value.
  package func dependsOnRange(as name: String, of manifest: FilterManifest) -> Bool {
    guard case .expression(let expression) = self else { return false }
    let hiding = manifest.parameters.filter { $0.name != name && !$0.followsClock }.map(\.name)
    return !expression.located.names(among: Set(["progress", "duration", "PROGRESS", "DURATION"]).subtracting(hiding)).isEmpty
  }

  /// What pixels depend on: the text of the value, and the digest of a track instead of its name.
  package var recipeText: String {
    if case .track(let track) = self { track.recipeText } else { description }
  }
}

/// A GLSL expression over the clocks and the other parameters of a filter.
package struct AnimatedExpression: Sendable, Hashable, CustomStringConvertible {
  /// GLSL without the enclosing parentheses.
  package let text: String
  /// Where the text stands, without the parentheses.
  package let origin: ValueOrigin

  package init(_ text: String, origin: ValueOrigin = ValueOrigin(nil)) {
    self.text = text
    self.origin = origin
  }

  package var description: String { "(\(text))" }

  /// The expression as the manifest module knows expressions.
  var located: ExpressionText { ExpressionText(text, place: origin.place) }
}
