internal import EtalonDiagnostics
internal import EtalonTypes

/// What the passes of a header write, and which pass writes what.
struct ISFTargets {
  private(set) var targets: [FilterTarget] = []
  /// The passes that run, with their number and the target they write; nil for the result.
  private(set) var passes: [(index: Int, target: String?)] = []
  /// The target that is copied to the result after the last pass.
  private(set) var copied: String?

  /// - Parameter mentioned: the names in the text.
  init(_ header: ISFHeader, mentioned: Set<String>) {
    let last = header.passes.count - 1
    for (index, pass) in header.passes.enumerated() {
      guard let target = pass.target?.value else {
        if index == last { passes.append((index, nil)) }
        continue
      }
      // The last pass gives the result, whatever it writes beside it.
      let isOnlyResult =
        index == last && !pass.isPersistent && !mentioned.contains(target) && pass.width == nil && pass.height == nil
        && !header.passes.dropLast().contains { $0.target?.value == target }
      passes.append((index, isOnlyResult ? nil : target))
      guard !isOnlyResult else { continue }
      add(pass, header)
      if index == last { copied = target }
    }
  }

  private mutating func add(_ pass: ISFHeader.Pass, _ header: ISFHeader) {
    guard let name = pass.target, !targets.contains(where: { $0.name == name.value }) else { return }
    let all = header.passes.filter { $0.target?.value == name.value }
    let buffer = header.persistentBuffers.first { $0.name.value == name.value }
    let isFloat = pass.isFloat || buffer?.isFloat ?? false
    targets.append(
      FilterTarget(
        name: name.value, extent: ISFSizeExpression.extent(width: pass.width ?? buffer?.width, height: pass.height ?? buffer?.height),
        format: isFloat ? .rgba32f : .rgba8, isPersistent: buffer != nil || all.contains(where: \.isPersistent), place: name.place))
  }
}

// MARK: - sizes

/// The width or height of a target: `"floor($WIDTH/4.0)"`, `"$trailCount"`, `512`.
struct ISFSizeExpression {
  /// GLSL over `width`, `height` and the names of parameters.
  let expression: ExpressionText

  private static let functions: Set<String> = [
    "floor", "ceil", "round", "trunc", "min", "max", "abs", "sign", "sqrt", "pow", "mod", "clamp", "exp", "log", "sin", "cos", "tan",
  ]

  /// Reads an expression; nil and a diagnostic when there is something in it that is no part of a size.
  static func read(_ value: LocatedJSON, key: String, parameters: [String]) -> Result<ISFSizeExpression, DiagnosticsError> {
    switch value.content {
    case .number(let text): return .success(ISFSizeExpression(expression: ExpressionText(text, place: value.place)))
    case .string(let text): return read(text, key, value.place, parameters)
    default:
      return .failure(
        DiagnosticsError(fault("json.type", "'\(key)' is \(value.kind), expected a size", value.place, value.kind, [])))
    }
  }

  private static func read(
    _ text: String, _ key: String, _ place: SourceRange, _ parameters: [String]
  ) -> Result<ISFSizeExpression, DiagnosticsError> {
    let tokens = Lexer.tokens(ofAddedText: text).filter(\.isSignificant)
    guard !tokens.isEmpty else {
      return .failure(DiagnosticsError(fault("isf.size", "'\(key)' is empty", place, "expected a size", ["remove it, or write '$WIDTH'"])))
    }
    var words: [String] = []
    for token in tokens where token.text != "$" {
      switch token.kind {
      case .integer, .float: words.append(token.text)
      case .punctuator where ["+", "-", "*", "/", "(", ")", ","].contains(token.text): words.append(token.text)
      case .identifier:
        guard let word = word(token.text, parameters) else {
          return .failure(DiagnosticsError(unknown(token.text, key, place, parameters)))
        }
        words.append(word)
      default:
        return .failure(
          DiagnosticsError(fault("isf.size", "'\(token.text)' has no meaning in a size", place, "in this expression", [])))
      }
    }
    return .success(ISFSizeExpression(expression: ExpressionText(words.joined(), place: place)))
  }

  /// What a name is called in GLSL; nil when nothing has it.
  private static func word(_ name: String, _ parameters: [String]) -> String? {
    switch name {
    case "WIDTH": "width"
    case "HEIGHT": "height"
    case _ where parameters.contains(name) || functions.contains(name): name
    default: nil
    }
  }

  private static func unknown(_ name: String, _ key: String, _ place: SourceRange, _ parameters: [String]) -> Diagnostic {
    let names = ["WIDTH", "HEIGHT"] + parameters
    let help = NearestName.find(name, in: names + functions).map { "did you mean '\(functions.contains($0) ? "" : "$")\($0)'?" }
    return Diagnostic(
      "isf.size-name", "'\(name)' in '\(key)' is not known", labels: [.init(place.source, place.range, "in this expression")],
      help: help.map { [$0] } ?? [], notes: ["names: \(names.map { "$" + $0 }.joined(separator: ", "))"])
  }

  private static func fault(_ id: String, _ message: String, _ place: SourceRange, _ label: String, _ help: [String]) -> Diagnostic {
    Diagnostic(id, message, labels: [.init(place.source, place.range, label)], help: help)
  }
}

// MARK: sizes that need no evaluation

extension ISFSizeExpression {
  /// The extent of a target; as large as the result where an expression is missing.
  static func extent(width: ISFSizeExpression?, height: ISFSizeExpression?) -> FilterTarget.Extent {
    guard width != nil || height != nil else { return .output }
    if let x = width?.pixels, let y = height?.pixels { return .pixels(Size(x, y)) }
    if let x = width?.factor(of: "width"), let y = height?.factor(of: "height"), x == y { return x == Rational(1) ? .output : .scaled(x) }
    return .expressions(width: width?.expression, height: height?.expression)
  }

  /// The number that the expression is, where it is the side of a target; others are refused where sizes are evaluated.
  private var pixels: Int? { Rational(expression.text).flatMap { FilterTarget.Extent.sides.contains($0.floor) ? $0.floor : nil } }

  /// The factor in `width`, `width/4.0`, `width*0.5`, `floor(width/4.0)` and `max(floor(width*0.25),1.0)`, all of which round down to at least 1.
  private func factor(of side: String) -> Rational? {
    var text = expression.text[...]
    if text.hasPrefix("max("), text.hasSuffix(",1.0)") { text = text.dropFirst(4).dropLast(5) }
    if text.hasPrefix("floor("), text.hasSuffix(")") { text = text.dropFirst(6).dropLast() }
    guard text.hasPrefix(side) else { return nil }
    let rest = text.dropFirst(side.count)
    guard let mark = rest.first else { return Rational(1) }
    guard let number = Rational(rest.dropFirst()), number > Rational(0) else { return nil }
    let factor = mark == "*" ? number : mark == "/" ? Rational(1) / number : nil
    return factor.flatMap { $0 <= FilterTarget.Extent.largestFactor ? $0 : nil }
  }
}
