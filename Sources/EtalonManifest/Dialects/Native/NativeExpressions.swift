internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads sizes, counts, constraints and reaches: GLSL expressions over parameters and clocks, or plain numbers.
struct NativeExpressions {
  private let names: Set<String>
  private let parameters: [FilterParameter]
  private(set) var diagnostics: [Diagnostic] = []

  /// What expressions may mention beside parameters.
  private static let clocks = [
    "time", "frame", "progress", "duration", "width", "height", "TIME", "FRAMEINDEX", "PROGRESS", "DURATION", "RENDERSIZE",
  ]

  init(parameters: [FilterParameter]) {
    names = Set(Self.clocks + parameters.map(\.name))
    self.parameters = parameters
  }

  /// The expression of a JSON value; nil when it is none, which is reported.
  mutating func read(_ value: LocatedJSON, of what: String) -> ExpressionText? {
    switch value.content {
    case .number(let text): return ExpressionText(text, place: value.place)
    case .string(let text): return read(text, value.place, what)
    default:
      report("json.type", "\(what) is \(value.kind), expected a number or an expression", value.place, value.kind)
      return nil
    }
  }

  private mutating func read(_ text: String, _ place: SourceRange, _ what: String) -> ExpressionText? {
    // ISF writes the size of the picture as $WIDTH and $HEIGHT, and parameters with the same mark.
    let plain = text.replacing("$WIDTH", with: "width").replacing("$HEIGHT", with: "height").replacing("$", with: "")
    let inner = SourceRange(place.source, place.range.lowerBound + 1..<max(place.range.lowerBound + 1, place.range.upperBound - 1))
    let isVerbatim = place.source.bytes[inner.range].elementsEqual(plain.utf8)
    let tokens = Lexer.tokens(ofAddedText: plain)
    guard tokens.contains(where: \.isSignificant) else {
      report("native.expression", "\(what) is empty", place, "expected a number or an expression")
      return nil
    }
    for index in tokens.indices where tokens[index].kind == .identifier && !isKnown(index, in: tokens) {
      reportUnknown(tokens[index].text, place, what)
      return nil
    }
    return ExpressionText(plain, place: isVerbatim ? inner : place)
  }

  /// Whether a name is a value, a function of GLSL, or a member of something before it.
  private func isKnown(_ index: Int, in tokens: [Token]) -> Bool {
    let name = tokens[index].text
    if tokens.previous(before: index).map({ tokens[$0].isMark(".") }) ?? false { return true }
    if tokens.isCalled(at: index) { return BuiltInFunctions.names.contains(name) || Self.constructors.contains(name) }
    return names.contains(name) || name == "true" || name == "false"
  }

  private static let constructors: Set<String> = {
    Set(ValueType.allCases.map(\.rawValue) + ["uvec2", "uvec3", "uvec4", "bvec2", "bvec3", "bvec4"])
  }()

  private mutating func reportUnknown(_ name: String, _ place: SourceRange, _ what: String) {
    let near = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
    diagnostics.append(
      Diagnostic(
        "native.expression-name", "\(what) mentions '\(name)', which is neither a parameter nor a clock",
        labels: [.init(place.source, place.range, "in this expression")], help: [labelled(name) ?? near].compactMap(\.self),
        notes: ["names: \(names.sorted().joined(separator: ", "))"]))
  }

  /// Labels are for people: expressions have names and numbers.
  private func labelled(_ text: String) -> String? {
    if let parameter = parameters.first(where: { $0.label?.lowercased() == text.lowercased() }), parameter.name != text {
      return "write '\(parameter.name)', the name of what is labelled '\(parameter.label ?? "")'"
    }
    let choices = parameters.flatMap { parameter in parameter.choices.map { (parameter, $0) } }
    return choices.first { $0.1.label.lowercased() == text.lowercased() }.map { parameter, choice in
      "write \(choice.value), the value of '\(choice.label)' of '\(parameter.name)'"
    }
  }

  private mutating func report(_ id: String, _ message: String, _ place: SourceRange, _ label: String) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(place.source, place.range, label)]))
  }
}
