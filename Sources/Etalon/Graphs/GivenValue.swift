internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonExpressions
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// A value that somebody gave to a parameter of a graph.
struct GivenValue: Sendable, Hashable {
  let value: AnimatedValue
  /// What it has to keep to on every frame, where that is less than what the filter allows.
  var declaration: FilterParameter?

  init(_ value: AnimatedValue, declaration: FilterParameter? = nil) {
    self.value = value
    self.declaration = declaration
  }
}

extension GraphInterface {
  /// The clocks under names that no parameter hides.
  private static let clocks = [
    "time": "TIME", "frame": "FRAMEINDEX", "progress": "PROGRESS", "duration": "DURATION", "width": "RENDERSIZE.x",
    "height": "RENDERSIZE.y",
  ]

  /// Compiles the expressions among some values, with the names that they may mention: clocks, and other parameters of the graph.
  func check(_ values: [String: GivenValue]) throws {
    let animated = values.mapValues(\.value).filter { if case .expression = $0.value { true } else { false } }
    guard !animated.isEmpty else { return }
    _ = try Animation(
      animated, of: manifest, over: ParameterValues(defaultsOf: manifest), clock: ShotClock(), size: Size(1, 1),
      evaluator: GLSLExpressionEvaluator(cache: .user))
  }

  /// What parameters of nodes become when somebody sets parameters of the graph.
  func changes(_ values: [String: GivenValue]) throws -> [Int: [String: GivenValue]] {
    try check(values)
    var changes: [Int: [String: GivenValue]] = [:]
    for (name, given) in values.sorted(by: { $0.key < $1.key }) {
      guard let declared = manifest.parameters.first(where: { $0.name == name }) else { continue }
      for target in targets[name] ?? [] {
        let isNarrowed = declared.minimum != target.parameter.minimum || declared.maximum != target.parameter.maximum
        let value = try self.value(given.value, of: name, for: target, values)
        changes[target.node, default: [:]][target.parameter.name] = GivenValue(
          value, declaration: given.declaration ?? (isNarrowed ? declared : nil))
      }
    }
    return changes
  }

  /// The value in words that mean the same among the parameters of the node.
  private func value(
    _ value: AnimatedValue, of name: String, for target: Target, _ all: [String: GivenValue]
  ) throws(DiagnosticsError) -> AnimatedValue {
    guard case .expression(let expression) = value else { return value }
    let text = try text(expression, of: name, for: target, all)
    return text == expression.text ? value : .expression(AnimatedExpression(text, origin: expression.origin))
  }

  private func text(
    _ expression: AnimatedExpression, of name: String, for target: Target, _ all: [String: GivenValue]
  ) throws(DiagnosticsError) -> String {
    let own = Set(manifest.parameters.map(\.name)).subtracting(Self.clocks.keys.filter { $0 == name })
    let mentioned = ExpressionText(expression.text, place: nil).names(among: own.union(Self.clocks.keys))
    var replacements: [String: String] = [:]
    for word in mentioned.sorted() {
      if own.contains(word) {
        replacements[word] = try self.text(ofParameter: word, in: expression, of: name, for: target, all)
      } else if word != target.parameter.name {
        replacements[word] = Self.clocks[word]
      }
    }
    return replacements.isEmpty ? expression.text : ExpressionText(expression.text, place: nil).replacing(replacements)
  }

  /// The value of another parameter as GLSL.
  private func text(
    ofParameter other: String, in expression: AnimatedExpression, of name: String, for target: Target, _ all: [String: GivenValue]
  ) throws(DiagnosticsError) -> String {
    let declared = manifest.parameters.first { $0.name == other }
    switch all[other]?.value {
    case .literal(let value): return ValueConversion.text(of: value)
    case .expression(let inner): return "(\(try text(inner, of: other, for: target, all)))"
    case nil where declared?.followsClock == false: return ValueConversion.text(of: declared?.defaultValue ?? Value(.float, [0]))
    case .keyframes, .track, nil:
      throw DiagnosticsError(
        Diagnostic(
          "value.graph-parameter", "the value of '\(name)' mentions '\(other)' of '\(manifest.name)', which changes by itself",
          labels: expression.origin.labels("mentions '\(other)'"), help: ["give '\(other)' a number or an expression, or do not mention it"]
        ))
    }
  }
}
