internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// A graph as a filter: its open inputs, and the parameters to which it gives names.
struct GraphInterface: Sendable {
  /// A parameter of a node.
  struct Target: Sendable, Hashable {
    let node: Int
    let parameter: FilterParameter
  }

  let manifest: FilterManifest
  /// What a parameter of the graph sets, by its name.
  let targets: [String: [Target]]

  /// Refuses names of parameters that no node has, and those that cannot have one value together; all of them are told.
  ///
  /// - Parameter loaded: the nodes of the text, in its order.
  /// - Parameter checksDefaults: whether the values of the nodes have to be defaults of the parameters; false where some of them were set from outside.
  init(_ text: GraphText, _ loaded: [LoadedNode], checksDefaults: Bool = true) throws(DiagnosticsError) {
    var reader = GraphParameterReader(text, loaded, checksDefaults: checksDefaults)
    let parameters = text.parameters.compactMap { reader.parameter($0) }
    guard reader.diagnostics.isEmpty else { throw DiagnosticsError(reader.diagnostics) }
    targets = Dictionary(parameters.map { ($0.parameter.name, $0.targets) }) { first, _ in first }
    let inputs = text.openInputs.map { input in
      let readers = loaded.flatMap { $0.inputs(showing: input.text) }
      let shape = readers.map(\.shape).first { $0 != .flat } ?? .flat
      return FilterInput(
        name: input.text, origin: readers.lazy.compactMap(\.data).first.map { .data($0) } ?? .user, shape: shape, sampler: Sampler(),
        place: input.place)
    }
    manifest = FilterManifest(
      name: Self.name(text), dialect: .graph, kind: .init(ofInputs: inputs.filter { $0.origin == .user }.map(\.name)), about: text.about,
      inputs: inputs,
      parameters: parameters.map(\.parameter), passes: [], alpha: Self.alpha(text, loaded),
      mainOutput: text.outputs.first?.name.text ?? "main"
    )
  }

  /// What a library calls the document.
  private static func name(_ text: GraphText) -> String {
    let file = text.documents.first?.split(separator: "/").last.map(String.init) ?? "graph"
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    return FilterName.kebabCase(stem) ?? stem
  }

  private static func alpha(_ text: GraphText, _ loaded: [LoadedNode]) -> AlphaMode {
    guard case .node(let word)? = text.outputs.first?.origin else { return .straight }
    return loaded.first { $0.node.name.text == word.text }?.manifest.alpha ?? .straight
  }
}

/// Reads the parameters of a document, which are what parameters of its nodes are.
struct GraphParameterReader {
  private let text: GraphText
  private let loaded: [LoadedNode]
  private let checksDefaults: Bool
  private(set) var diagnostics: [Diagnostic] = []

  init(_ text: GraphText, _ loaded: [LoadedNode], checksDefaults: Bool) {
    self.text = text
    self.checksDefaults = checksDefaults
    self.loaded = loaded
  }

  /// A parameter with what it sets; nil for one with errors.
  mutating func parameter(_ entry: GraphText.Parameter) -> (parameter: FilterParameter, targets: [GraphInterface.Target])? {
    let targets = entry.targets.compactMap { target($0) }
    guard targets.count == entry.targets.count, let first = targets.first, agree(targets, entry), agreeInValue(targets, entry) else {
      return nil
    }
    let value =
      loaded[first.node].filter.animated[first.parameter.name] == nil ? loaded[first.node].filter.values[first.parameter.name] : nil
    var parameter = FilterParameter(
      name: entry.name.text, kind: first.parameter.kind, defaultValue: value ?? first.parameter.defaultValue, place: entry.name.place)
    parameter.followsClock = value == nil
    (parameter.identity, parameter.step, parameter.unit) = (first.parameter.identity, first.parameter.step, first.parameter.unit)
    (parameter.help, parameter.group, parameter.choices) = (first.parameter.help, first.parameter.group, first.parameter.choices)
    parameter.label = entry.label?.text ?? first.parameter.label
    parameter.list = targets.dropFirst().reduce(first.parameter.list) { list, target in
      target.parameter.list.flatMap { list?.intersection($0) }
    }
    parameter.minimum = strictest(targets.map(\.parameter.minimum) + [bound(entry.minimum, parameter.kind)], max)
    parameter.maximum = strictest(targets.map(\.parameter.maximum) + [bound(entry.maximum, parameter.kind)], min)
    if let empty = emptyRange(parameter, entry, targets) {
      diagnostics.append(empty)
    } else if let value, checksDefaults {
      diagnostics += diagnostics(of: value, parameter, entry)
    }
    return (parameter, targets)
  }

  // MARK: what is set

  private mutating func target(_ word: GraphText.Word) -> GraphInterface.Target? {
    for (index, node) in loaded.enumerated() {
      let prefix = node.node.name.text + "."
      guard word.text.hasPrefix(prefix) else { continue }
      let name = word.text.dropFirst(prefix.count)
      guard let parameter = node.manifest.parameters.first(where: { $0.name == name }) else { continue }
      return GraphInterface.Target(node: index, parameter: parameter)
    }
    let all = loaded.flatMap { node in node.manifest.parameters.map { "\(node.node.name.text).\($0.name)" } }
    let nearest = NearestName.find(word.text, in: all).map { "did you mean '\($0)'?" }
    diagnostics.append(
      Diagnostic(
        "graph.unknown-target", "no node has a parameter '\(word.text)'", labels: [word.label("not found")],
        help: [nearest ?? parameters(ofNodeIn: word.text) ?? "write 'node.parameter'"]))
    return nil
  }

  /// What the node has that a name begins with; nil where there is none.
  private func parameters(ofNodeIn name: String) -> String? {
    guard let node = loaded.first(where: { name.hasPrefix($0.node.name.text + ".") }) else { return nil }
    let names = node.manifest.parameters.map { "'\(node.node.name.text).\($0.name)'" }
    return names.isEmpty ? "'\(node.manifest.name)' has no parameters" : "there are \(names.joined(separator: ", "))"
  }

  /// Whether one value can stand for all of them.
  private mutating func agree(_ targets: [GraphInterface.Target], _ entry: GraphText.Parameter) -> Bool {
    let first = targets[0].parameter
    for (target, word) in zip(targets, entry.targets).dropFirst() {
      let agreeInList = target.parameter.list.map { first.list?.intersection($0) != nil } ?? (first.list == nil)
      guard target.parameter.kind != first.kind || target.parameter.choices != first.choices || !agreeInList else { continue }
      diagnostics.append(
        Diagnostic(
          "graph.parameter-type", "'\(entry.name.text)' sets parameters of several types",
          labels: [word.label("a \(target.parameter.kind.rawValue)"), entry.targets[0].label("a \(first.kind.rawValue)")],
          help: ["set parameters of one type, or give each a name of its own"]))
      return false
    }
    return true
  }

  /// Whether all of them have the same value in the document, so that it is that of the parameter.
  private mutating func agreeInValue(_ targets: [GraphInterface.Target], _ entry: GraphText.Parameter) -> Bool {
    let values = targets.map { target in
      loaded[target.node].filter.animated[target.parameter.name]
        ?? loaded[target.node].filter.values[target.parameter.name].map(AnimatedValue.literal)
    }
    guard checksDefaults, let other = values.firstIndex(where: { $0 != values[0] }) else { return true }
    diagnostics.append(
      Diagnostic(
        "graph.parameter-default", "'\(entry.name.text)' sets parameters that have several values",
        labels: [
          entry.targets[other].label("is \(values[other]?.description ?? "the clock's")"),
          entry.targets[0].label("is \(values[0]?.description ?? "the clock's")"),
        ], help: ["say which it has while it is not set: 'default: \(values[0]?.description ?? "0")'"]))
    return false
  }

  // MARK: ranges

  private mutating func bound(_ word: GraphText.Word?, _ kind: ParameterKind) -> Value? {
    guard let word else { return nil }
    if [.curve, .matrix, .text].contains(kind) {
      diagnostics.append(
        Diagnostic("graph.bound", "a \(kind.rawValue) has no range", labels: [word.label("has no meaning here")], help: ["remove it"]))
      return nil
    }
    if let value = ValueText.value(word.text, for: kind) { return value }
    diagnostics.append(
      Diagnostic(
        "graph.bound", "'\(word.text)' is no value of the parameter",
        labels: [word.label("not a \(kind == .color ? "color" : kind.valueType.rawValue)")],
        help: ["expected \(ValueText.example(for: kind))"]))
    return nil
  }

  private func strictest(_ bounds: [Value?], _ choose: (Double, Double) -> Double) -> Value? {
    let given = bounds.compactMap(\.self)
    return given.dropFirst().reduce(given.first) { strictest, bound in
      strictest.map { Value($0.type, zip($0.components, bound.components).map(choose)) }
    }
  }

  /// A minimum above the maximum, which no value can keep to.
  private func emptyRange(_ parameter: FilterParameter, _ entry: GraphText.Parameter, _ targets: [GraphInterface.Target]) -> Diagnostic? {
    guard let minimum = parameter.minimum, let maximum = parameter.maximum,
      zip(minimum.components, maximum.components).contains(where: { $0 > $1 })
    else { return nil }
    let (low, high) = (ValueConversion.plainText(minimum), ValueConversion.plainText(maximum))
    let words = [entry.minimum, entry.maximum].compactMap(\.self)
    let ranges = targets.compactMap { target -> String? in
      guard let low = target.parameter.minimum, let high = target.parameter.maximum else { return nil }
      return
        "'\(loaded[target.node].node.name.text).\(target.parameter.name)' runs from \(ValueConversion.plainText(low)) to \(ValueConversion.plainText(high))"
    }
    return Diagnostic(
      "graph.empty-range", "no value of '\(entry.name.text)' is from \(low) to \(high)",
      labels: (words.isEmpty ? [entry.name] : words).map { $0.label("leaves nothing") },
      help: [words.count == 2 && ranges.isEmpty ? "let 'min' be at most 'max'" : "let 'min' be at most 'max', within what the nodes take"],
      notes: ranges)
  }

  private func diagnostics(of value: Value, _ parameter: FilterParameter, _ entry: GraphText.Parameter) -> [Diagnostic] {
    ParameterCheck(parameter).violations(of: value).map {
      Diagnostic(
        $0.id, "\(ValueConversion.plainText(value)), which the document gives to '\(entry.targets[0].text)', \($0.complaint)",
        labels: [(entry.minimum ?? entry.maximum ?? entry.name).label($0.label)], help: $0.help, notes: $0.notes)
    }
  }
}

// MARK: values from outside

/// A value that a parameter of a graph is given.
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

  /// What parameters of nodes become when parameters of the graph are set.
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
