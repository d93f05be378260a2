internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What the passes of a header write, and which pass writes what.
struct ISFTargets {
  private(set) var targets: [FilterTarget] = []
  /// The passes that run, with their number and the target they write; nil for the result.
  private(set) var passes: [(index: Int, target: String?)] = []
  /// The target that is copied to the result after the last pass.
  private(set) var copied: String?

  /// - Parameter mentioned: the names in the text.
  init(_ header: FilterHeader, mentioned: Set<String>) {
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

  private mutating func add(_ pass: FilterHeader.Pass, _ header: FilterHeader) {
    guard let name = pass.target, !targets.contains(where: { $0.name == name.value }) else { return }
    let all = header.passes.filter { $0.target?.value == name.value }
    let buffer = header.persistentBuffers.first { $0.target?.value == name.value }
    targets.append(
      FilterTarget(
        name: name.value, extent: ISFSizes.extent(width: pass.width ?? buffer?.width, height: pass.height ?? buffer?.height),
        format: [pass.format, buffer?.format].contains(.rgba32f) ? .rgba32f : .rgba8,
        isPersistent: buffer != nil || all.contains(where: \.isPersistent), place: name.place))
  }
}

// MARK: - sizes

/// The widths and heights of targets: `"floor($WIDTH/4.0)"`, `"$trailCount"`, `512`.
struct ISFSizes: HeaderExpressions {
  static let expected = "a size"

  private let parameters: [String]

  private static let functions: Set<String> = [
    "floor", "ceil", "round", "trunc", "min", "max", "abs", "sign", "sqrt", "pow", "mod", "clamp", "exp", "log", "sin", "cos", "tan",
  ]

  init(parameters: [FilterParameter]) { self.parameters = parameters.map(\.name) }

  /// The expression as GLSL over `width`, `height` and the names of parameters.
  func read(_ text: String, at place: SourceRange, of what: String, _ members: inout JSONMembers) -> ExpressionText? {
    let tokens = Lexer.tokens(ofAddedText: text).filter(\.isSignificant)
    guard !tokens.isEmpty else {
      members.report("isf.size", "\(what) is empty", at: place, "expected a size", help: ["remove it, or write '$WIDTH'"])
      return nil
    }
    var words: [String] = []
    for token in tokens where token.text != "$" {
      switch token.kind {
      case .integer, .float: words.append(token.text)
      case .punctuator where ["+", "-", "*", "/", "(", ")", ","].contains(token.text): words.append(token.text)
      case .identifier:
        guard let word = word(token.text) else {
          reportUnknown(token.text, at: place, of: what, &members)
          return nil
        }
        words.append(word)
      default:
        members.report("isf.size", "'\(token.text)' has no meaning in a size", at: place, "in this expression")
        return nil
      }
    }
    return ExpressionText(words.joined(), place: place)
  }

  /// What a name is called in GLSL; nil when nothing has it.
  private func word(_ name: String) -> String? {
    switch name {
    case "WIDTH": "width"
    case "HEIGHT": "height"
    case _ where parameters.contains(name) || Self.functions.contains(name): name
    default: nil
    }
  }

  private func reportUnknown(_ name: String, at place: SourceRange, of what: String, _ members: inout JSONMembers) {
    let names = ["WIDTH", "HEIGHT"] + parameters
    let near = NearestName.find(name, in: names + Self.functions)
    members.report(
      "isf.size-name", "'\(name)' in \(what) is not known", at: place, "in this expression",
      help: near.map { ["did you mean '\(Self.functions.contains($0) ? "" : "$")\($0)'?"] } ?? [],
      notes: ["names: \(names.map { "$" + $0 }.joined(separator: ", "))"])
  }

  // MARK: sizes that need no evaluation

  static func extent(width: ExpressionText?, height: ExpressionText?) -> FilterTarget.Extent {
    guard width != nil || height != nil else { return .output }
    if let x = width.flatMap(pixels), let y = height.flatMap(pixels) { return .pixels(Size(x, y)) }
    if let x = width.flatMap({ factor($0, of: "width") }), let y = height.flatMap({ factor($0, of: "height") }), x == y {
      return x == Rational(1) ? .output : .scaled(x)
    }
    return .expressions(width: width, height: height)
  }

  /// The number that an expression is, where it is the side of a target; others are refused where sizes are evaluated.
  private static func pixels(_ expression: ExpressionText) -> Int? {
    Rational(expression.text).flatMap { FilterTarget.Extent.sides.contains($0.floor) ? $0.floor : nil }
  }

  /// The factor in `width`, `width/4.0`, `width*0.5`, `floor(width/4.0)` and `max(floor(width*0.25),1.0)`, all of which round down to at least 1.
  private static func factor(_ expression: ExpressionText, of side: String) -> Rational? {
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
