package import EtalonDiagnostics
internal import EtalonGLSL
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

/// Where a value is written, for diagnostics.
///
/// All origins are equal: a value is the same wherever it was written, so that recipes with equal values are equal.
package struct ValueOrigin: Sendable, Hashable {
  /// Nil for a value that a program made.
  package let place: SourceRange?

  package init(_ place: SourceRange?) { self.place = place }

  /// A label at the place; none for a value that a program made.
  package func labels(_ message: String) -> [Diagnostic.Label] { place.map { [$0.label(message)] } ?? [] }

  package static func == (a: ValueOrigin, b: ValueOrigin) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

// MARK: reading

extension AnimatedValue {
  /// Why a text is no value.
  package enum ReadingError: Error, Sendable, Hashable {
    /// The text is wrong, or the table of a track.
    case diagnostics(DiagnosticsError)
    /// A file cannot be read.
    case failure(RenderError)
  }

  /// Reads what a person typed for a parameter; every error is told at its place.
  ///
  /// - Parameter place: where the text stands, with its quotes if it has any.
  package static func parse(
    text: String, at place: SourceRange, for parameter: FilterParameter, tracks: any TrackFiles
  ) throws(ReadingError) -> AnimatedValue {
    try AnimatedValueReader(parameter, tracks: tracks).read(text, at: place)
  }

  /// Reads a value of a document.
  package static func parse(_ node: LocatedNode, for parameter: FilterParameter, tracks: any TrackFiles) throws(ReadingError)
    -> AnimatedValue
  {
    try AnimatedValueReader(parameter, tracks: tracks).read(node)
  }

  /// Whether a text is more than a literal: an expression, keyframes or a track; for a parameter that is a text itself only keyframes.
  package static func isAnimated(_ text: String, forText: Bool = false) -> Bool {
    if forText { return text.hasPrefix("{") }
    return text.first { $0 != " " && $0 != "\t" }.map { "({[@".contains($0) } ?? false
  }
}

/// Reads values of one parameter.
struct AnimatedValueReader {
  let parameter: FilterParameter
  let tracks: any TrackFiles

  init(_ parameter: FilterParameter, tracks: any TrackFiles) {
    self.parameter = parameter
    self.tracks = tracks
  }

  func read(_ node: LocatedNode) throws(AnimatedValue.ReadingError) -> AnimatedValue {
    if case .scalar(let text) = node.content { return try read(text, at: node.place) }
    do throws(DiagnosticsError) {
      if let members = node.members {
        guard parameter.kind != .text, members.contains(where: { $0.key == "track" }) else {
          return .keyframes(try KeyframesReader(parameter).read(members, node.place))
        }
      } else {
        return .literal(try literal(node))
      }
    } catch {
      throw .diagnostics(error)
    }
    return .track(try track(node.members ?? [], node.place))
  }

  /// Several numbers in brackets.
  private func literal(_ node: LocatedNode) throws(DiagnosticsError) -> Value {
    if parameter.kind == .text {
      throw error("value.form", "'\(parameter.name)' is one text", node.place, "a list", help: ["put it in quotes"])
    }
    guard let list = node.list else { throw error("value.form", "a list of values has only numbers in it", node.place, "not numbers") }
    return try ParameterCheck(parameter).read(list, at: node.place)
  }

  func read(_ text: String, at place: SourceRange) throws(AnimatedValue.ReadingError) -> AnimatedValue {
    if parameter.kind == .text { return try readText(text, at: place) }
    let trimmed = text.drop { $0 == " " || $0 == "\t" }
    if trimmed.first == "@" { return .track(try track(String(trimmed.dropFirst()), place)) }
    let node: LocatedNode
    do throws(DiagnosticsError) {
      switch trimmed.first {
      case nil:
        throw error(
          "value.empty", "'\(parameter.name)' has no value", place, "empty", help: ["put a value that begins with '#' in quotes"])
      case "(": return .expression(try expression(text, place))
      case "{", "[": node = try FlowText.read(place.verbatim(text) ?? SourceRange(of: text))
      default: return .literal(try ParameterCheck(parameter).read(text, at: place))
      }
    } catch {
      throw .diagnostics(error)
    }
    return try read(node)
  }

  /// A text is what it is, unless it begins with a brace.
  private func readText(_ text: String, at place: SourceRange) throws(AnimatedValue.ReadingError) -> AnimatedValue {
    let node: LocatedNode
    do throws(DiagnosticsError) {
      guard AnimatedValue.isAnimated(text, forText: true) else { return .literal(try ParameterCheck(parameter).read(text, at: place)) }
      node = try FlowText.read(place.verbatim(text) ?? SourceRange(of: text))
    } catch {
      throw .diagnostics(
        DiagnosticsError(
          error.diagnostics.map { found in
            guard AnimatedValue.isAnimated(text, forText: true) else { return found }
            return Diagnostic(
              found.id, found.message, severity: found.severity, labels: found.labels,
              help: found.help + ["a text that begins with a brace stands in keyframes: '\(CharacterRules.typed(text))'"],
              notes: found.notes)
          }))
    }
    return try read(node)
  }

  private func expression(_ text: String, _ place: SourceRange) throws(DiagnosticsError) -> AnimatedExpression {
    guard parameter.list == nil else {
      throw error(
        "value.expression", "an expression cannot give a \(parameter.kind)", place, "an expression",
        help: ["give keyframes: '{0s: \"…\", 1s: \"…\"}'"])
    }
    guard !parameter.kind.valueType.isMatrix else {
      throw error(
        "value.expression", "an expression cannot give a matrix", place, "a \(parameter.kind.valueType)", help: ["give keyframes"])
    }
    let bytes = Array(text.utf8)
    let start = bytes.firstIndex { $0 > 0x20 } ?? 0
    let end = (bytes.lastIndex { $0 > 0x20 } ?? start) + 1
    guard closing(of: start, in: bytes) != nil else {
      throw error(
        "value.expression", "a parenthesis is never closed", place, "expected ')' at its end", help: ["write '\(text))'"])
    }
    guard closing(of: start, in: bytes) == end - 1 else {
      throw error(
        "value.expression", "the parentheses do not enclose the whole expression", place, "expected one pair around it",
        help: ["write '\(ValueText.expression(text, of: parameter.kind.valueType))'"])
    }
    let written = place.verbatim(text)
    let inner = written.map { SourceRange($0.source, $0.range.lowerBound + start + 1..<$0.range.lowerBound + end - 1) }
    return AnimatedExpression(String(decoding: bytes[start + 1..<end - 1], as: UTF8.self), origin: ValueOrigin(inner ?? place))
  }

  /// The place of the bracket that closes another one; nil when none does.
  private func closing(of start: Int, in bytes: [UInt8]) -> Int? {
    var depth = 0
    for index in start..<bytes.count {
      if bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  func error(
    _ id: String, _ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []
  ) -> DiagnosticsError {
    DiagnosticsError(Diagnostic(id, message, labels: [place.label(label)], help: help, notes: notes))
  }
}

extension SourceRange {
  /// A text that stands nowhere else.
  init(of text: String) {
    let source = SourceText(path: "<value>", text: text)
    self.init(source, 0..<source.bytes.count)
  }

  /// Where a text stands unchanged in its place, which may have quotes around it; nil when it was written with escapes.
  func verbatim(_ text: String) -> SourceRange? {
    if source.bytes[range].elementsEqual(text.utf8) { return self }
    guard range.count == text.utf8.count + 2 else { return nil }
    let inner = range.lowerBound + 1..<range.upperBound - 1
    return source.bytes[inner].elementsEqual(text.utf8) ? SourceRange(source, inner) : nil
  }
}
