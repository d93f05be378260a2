internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// The targets that the passes of a header write, and what is wrong about them.
struct NativeTargets {
  private(set) var targets: [FilterTarget] = []
  /// What each pass writes; the result has the name of the main output.
  private(set) var writes: [[String]] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let header: FilterHeader

  /// - Parameter forms: one for each pass.
  init(_ header: FilterHeader, forms: [KernelForm]) {
    self.header = header
    for output in header.outputs.dropFirst() {
      targets.append(
        FilterTarget(
          name: output.name.value, extent: output.extent, format: output.format, isPersistent: false, place: output.name.place))
    }
    for (pass, form) in zip(header.passes, forms) { add(pass, form) }
    checkResult(forms)
    checkOutputs()
  }

  /// The target of a name; nil for the result.
  func target(_ name: String) -> FilterTarget? { targets.first { $0.name == name } }

  private mutating func add(_ pass: FilterHeader.Pass, _ form: KernelForm) {
    let own = [pass.target].compactMap(\.self)
    let further = form == .compute ? pass.writes ?? [] : []
    for name in own + further where name.value != header.mainOutput {
      if let known = target(name.value) {
        check(name, pass, against: known)
      } else {
        targets.append(
          FilterTarget(name: name.value, extent: pass.extent, format: pass.format, isPersistent: pass.isPersistent, place: name.place))
      }
    }
    if form == .compute, pass.dispatch == nil { checkCoverage(own + further, of: pass) }
    let names = (own + further).map(\.value)
    writes.append(names.isEmpty && pass.writes == nil ? [header.mainOutput] : names)
  }

  /// A pass that says something about a target has to say the same as the one before.
  private mutating func check(_ name: Placed<String>, _ pass: FilterHeader.Pass, against known: FilterTarget) {
    let saysNothing = pass.extent == .output && pass.format == .rgba16f && !pass.isPersistent
    let isSame = pass.extent == known.extent && pass.format == known.format && pass.isPersistent == known.isPersistent
    guard !saysNothing, !isSame else { return }
    let first = known.place.map { [$0.label("declared here")] } ?? []
    diagnostics.report(
      "native.target-twice", "the target '\(name.value)' has another size, format or persistence before", at: name.place, "declared again",
      further: first, help: ["say it once, and give later passes only the 'TARGET'"])
  }

  /// The workgroups of a pass cover the first of its targets, which may be too few for the others.
  private mutating func checkCoverage(_ written: [Placed<String>], of pass: FilterHeader.Pass) {
    guard let first = written.first else { return }
    for other in written.dropFirst() where extent(other.value, pass).isLarger(than: extent(first.value, pass)) {
      diagnostics.report(
        "native.partly-covered", "the workgroups cover '\(first.value)', and '\(other.value)' is larger", severity: .warning,
        at: other.place, "not covered as a whole",
        help: ["name '\(other.value)' first, or say with 'DISPATCH' how many workgroups run"])
    }
  }

  private func extent(_ name: String, _ pass: FilterHeader.Pass) -> FilterTarget.Extent {
    name == header.mainOutput ? header.outputs.first?.extent ?? .output : target(name)?.extent ?? pass.extent
  }

  private mutating func checkResult(_ forms: [KernelForm]) {
    guard forms.count == header.passes.count, let last = header.passes.last else { return }
    for (index, pass) in header.passes.dropLast().enumerated() where pass.target == nil && forms[index] != .compute {
      diagnostics.report(
        "native.pass-without-target", "pass \(index) writes no target, so its picture is lost", at: pass.place, "no 'TARGET'",
        help: ["add \"TARGET\": \"name\""])
    }
    if !writes.contains(where: { $0.contains(header.mainOutput) }) {
      let place = last.target?.place ?? last.place ?? header.place
      diagnostics.report(
        "native.no-result", "no pass writes the result", at: place, "writes something else", help: ["add a last pass without 'TARGET'"])
    }
  }

  private mutating func checkOutputs() {
    let written = Set(writes.flatMap(\.self))
    for output in header.outputs.dropFirst() where !written.contains(output.name.value) {
      diagnostics.report(
        "native.output-unwritten", "no pass writes the output '\(output.name.value)'", at: output.name.place, "never written",
        help: ["name it in 'WRITES' of a compute kernel, or in 'TARGET'"])
    }
  }
}

extension FilterTarget.Extent {
  /// Whether it is certainly wider or higher than another, for every size of the result.
  fileprivate func isLarger(than other: FilterTarget.Extent) -> Bool {
    if case .pixels(let size) = self, case .pixels(let least) = other { return size.width > least.width || size.height > least.height }
    guard let factor, let least = other.factor else { return false }
    return least < factor
  }

  private var factor: Rational? {
    switch self {
    case .output: Rational(1)
    case .scaled(let factor): factor
    case .pixels, .expressions: nil
    }
  }
}

// MARK: - expressions

/// Sizes, counts, constraints and reaches: GLSL expressions over parameters and clocks, or plain numbers.
struct NativeExpressions: HeaderExpressions {
  static let expected = "a number or an expression"

  private let names: Set<String>
  private let parameters: [FilterParameter]

  /// What expressions may mention beside parameters.
  private static let clocks = [
    "time", "frame", "progress", "duration", "width", "height", "TIME", "FRAMEINDEX", "PROGRESS", "DURATION", "RENDERSIZE",
  ]

  init(parameters: [FilterParameter]) {
    names = Set(Self.clocks + parameters.map(\.name))
    self.parameters = parameters
  }

  func read(_ text: String, at place: SourceRange, of what: String, _ members: inout JSONMembers) -> ExpressionText? {
    // ISF writes the size of the picture as $WIDTH and $HEIGHT, and parameters with the same mark.
    let plain = text.replacing("$WIDTH", with: "width").replacing("$HEIGHT", with: "height").replacing("$", with: "")
    let inner = SourceRange(place.source, place.range.lowerBound + 1..<max(place.range.lowerBound + 1, place.range.upperBound - 1))
    let isVerbatim = place.source.bytes[inner.range].elementsEqual(plain.utf8)
    let tokens = Lexer.tokens(ofAddedText: plain)
    guard tokens.contains(where: \.isSignificant) else {
      members.report("native.expression", "\(what) is empty", at: place, "expected \(Self.expected)")
      return nil
    }
    for index in tokens.indices where tokens[index].kind == .identifier && !isKnown(index, in: tokens) {
      reportUnknown(tokens[index].text, at: place, of: what, &members)
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

  private func reportUnknown(_ name: String, at place: SourceRange, of what: String, _ members: inout JSONMembers) {
    let near = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
    members.report(
      "native.expression-name", "\(what) mentions '\(name)', which is neither a parameter nor a clock", at: place, "in this expression",
      help: [labelled(name) ?? near].compactMap(\.self), notes: ["names: \(names.sorted().joined(separator: ", "))"])
  }

  /// The help for a label that stands in the place of a name or a number.
  private func labelled(_ text: String) -> String? {
    if let parameter = parameters.first(where: { $0.label?.lowercased() == text.lowercased() }), parameter.name != text {
      return "write '\(parameter.name)', the name of what is labelled '\(parameter.label ?? "")'"
    }
    let choices = parameters.flatMap { parameter in parameter.choices.map { (parameter, $0) } }
    return choices.first { $0.1.label.lowercased() == text.lowercased() }.map { parameter, choice in
      "write \(choice.value), the value of '\(choice.label)' of '\(parameter.name)'"
    }
  }

  static func extent(width: ExpressionText?, height: ExpressionText?) -> FilterTarget.Extent {
    guard width != nil || height != nil else { return .output }
    if let x = width.flatMap({ Int($0.text) }), let y = height.flatMap({ Int($0.text) }),
      [x, y].allSatisfy(FilterTarget.Extent.sides.contains)
    {
      return .pixels(Size(x, y))
    }
    return .expressions(width: width, height: height)
  }
}
