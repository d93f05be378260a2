internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads elements of `PASSES`, and the sizes, formats and reaches that headers give elsewhere too.
struct NativePassReader {
  private(set) var diagnostics: [Diagnostic] = []
  private var expressions: NativeExpressions

  private static let mostIterations = 65_536
  private static let mostInvocations = 1024

  init(parameters: [FilterParameter]) { expressions = NativeExpressions(parameters: parameters) }

  var allDiagnostics: [Diagnostic] { diagnostics + expressions.diagnostics }

  mutating func pass(_ value: LocatedJSON, index: Int) -> NativeHeader.Pass {
    var members = JSONMembers(value, of: "pass \(index)")
    var pass = NativeHeader.Pass(place: value.place)
    _ = members.value("DESCRIPTION")
    pass.kernel = members.string("KERNEL")
    pass.target = members.string("TARGET")
    pass.isPersistent = members.bool("PERSISTENT")?.value ?? false
    pass.format = format(&members)
    pass.extent = extent(&members)
    pass.iterations = members.whole("ITERATIONS", in: 1...Self.mostIterations)?.value ?? 1
    pass.localSize = localSize(&members)
    pass.dispatch = dispatch(&members)
    pass.writes = members.strings("WRITES")
    pass.reach = reach(&members)
    members.reportUnknownKeys(as: .error)
    if pass.isPersistent, pass.target == nil, pass.writes == nil {
      members.report(
        "native.persistent", "only a target can be persistent", at: members.object["PERSISTENT"]?.place ?? value.place, "without a target",
        help: ["add \"TARGET\": \"name\""])
    }
    diagnostics += members.diagnostics
    return pass
  }

  /// An element of `OUTPUTS`: a name, or an object with a `NAME`.
  mutating func output(_ value: LocatedJSON, index: Int) -> NativeHeader.Output? {
    if case .string(let name) = value.content {
      return NativeHeader.Output(name: Placed(name, at: value.place), format: .rgba16f, extent: .output)
    }
    var members = JSONMembers(value, of: "output \(index)")
    let name = members.string("NAME")
    members.reportMissing("NAME")
    let output = name.map { NativeHeader.Output(name: $0, format: format(&members), extent: extent(&members)) }
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    return output
  }

  /// An element of `BUFFERS`.
  mutating func buffer(_ value: LocatedJSON, index: Int) -> (name: Placed<String>, buffer: FilterBuffer)? {
    var members = JSONMembers(value, of: "buffer \(index)")
    let name = members.string("NAME")
    let type = elementType(&members)
    let count = members.value("COUNT").flatMap { expressions.read($0, of: "'COUNT' of buffer \(index)") }
    for key in ["NAME", "TYPE", "COUNT"] { members.reportMissing(key) }
    if let number = members.object["COUNT"]?.number, number < 1 || number != number.rounded() || number > Double(1 << 28) {
      members.report(
        "native.number", "'COUNT' of buffer \(index) is no whole number from 1 to \(1 << 28)",
        at: members.object["COUNT"]?.place ?? value.place,
        "out of range")
    }
    let isPersistent = members.bool("PERSISTENT")?.value ?? false
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard let name, let type, let count else { return nil }
    return (name, FilterBuffer(name: name.value, type: type, count: count, isPersistent: isPersistent, place: name.place))
  }

  private static let elementTypes: [ValueType] = [.int, .uint, .float, .vec2, .vec4, .ivec2, .ivec4]

  private mutating func elementType(_ members: inout JSONMembers) -> ValueType? {
    guard let written = members.string("TYPE") else { return nil }
    if let type = ValueType(rawValue: written.value), Self.elementTypes.contains(type) { return type }
    members.reportWord(written, "TYPE", Self.elementTypes.map(\.rawValue))
    return nil
  }

  // MARK: sizes

  /// `SCALE`, or `WIDTH` and `HEIGHT`.
  private mutating func extent(_ members: inout JSONMembers) -> FilterTarget.Extent {
    let scale = members.value("SCALE")
    let width = members.value("WIDTH").flatMap { expressions.read($0, of: "'WIDTH'") }
    let height = members.value("HEIGHT").flatMap { expressions.read($0, of: "'HEIGHT'") }
    if let scale {
      for key in ["WIDTH", "HEIGHT"] {
        guard let place = members.object[key]?.place else { continue }
        members.report(
          "native.two-sizes", "'SCALE' and '\(key)' both say how large the target is", at: place, "the second", help: ["remove one"])
      }
      return self.scale(scale, &members)
    }
    guard width != nil || height != nil else { return .output }
    if let x = width.flatMap({ Int($0.text) }), let y = height.flatMap({ Int($0.text) }),
      [x, y].allSatisfy(FilterTarget.Extent.sides.contains)
    {
      return .pixels(Size(x, y))
    }
    return .expressions(width: width, height: height)
  }

  /// `0.5`, or `"1/3"`.
  private mutating func scale(_ value: LocatedJSON, _ members: inout JSONMembers) -> FilterTarget.Extent {
    var factor: Rational?
    switch value.content {
    case .number(let text), .string(let text): factor = Rational(text)
    default: break
    }
    guard let factor, factor > .zero, factor <= FilterTarget.Extent.largestFactor else {
      members.report(
        "native.scale", "'SCALE' is no number above 0 and up to 16", at: value.place, value.kind, help: ["write 0.5 or \"1/3\""])
      return .output
    }
    return factor == Rational(1) ? .output : .scaled(factor)
  }

  /// `FORMAT`, or ISF's `FLOAT`.
  private mutating func format(_ members: inout JSONMembers) -> PixelFormat {
    let format = members.word("FORMAT", PixelFormat.self)
    let isFloat = members.bool("FLOAT")
    if format != nil, let isFloat {
      members.report("native.two-formats", "'FORMAT' and 'FLOAT' both say what the target holds", at: isFloat.place, "remove this")
    }
    return format ?? (isFloat?.value == true ? .rgba32f : .rgba16f)
  }

  // MARK: kernels

  private mutating func localSize(_ members: inout JSONMembers) -> Placed<[Int]>? {
    guard let numbers = members.numbers("LOCAL_SIZE") else { return nil }
    let isFitting =
      (1...3).contains(numbers.value.count)
      && numbers.value.allSatisfy { $0 == $0.rounded() && $0 >= 1 && $0 <= Double(Self.mostInvocations) }
    guard isFitting, numbers.value.reduce(1, *) <= Double(Self.mostInvocations) else {
      members.report(
        "native.local-size", "'LOCAL_SIZE' is not one to three whole numbers whose product is at most \(Self.mostInvocations)",
        at: numbers.place, "these sizes", help: ["write [16, 16]"])
      return nil
    }
    let sizes = numbers.value.map { Int($0) }
    return Placed(sizes + Array(repeating: 1, count: 3 - sizes.count), at: numbers.place)
  }

  private mutating func dispatch(_ members: inout JSONMembers) -> Placed<[ExpressionText]>? {
    guard let counts = members.array("DISPATCH") else { return nil }
    guard (1...3).contains(counts.value.count) else {
      members.report("native.dispatch", "'DISPATCH' is not one to three numbers of workgroups", at: counts.place, "these numbers")
      return nil
    }
    let read = counts.value.compactMap { expressions.read($0, of: "'DISPATCH'") }
    guard read.count == counts.value.count else { return nil }
    return Placed(read + Array(repeating: ExpressionText("1", place: nil), count: 3 - read.count), at: counts.place)
  }

  /// `REACH`: a number, two of them, an expression, or `all`.
  mutating func reach(_ members: inout JSONMembers) -> KernelReach? {
    guard let value = members.value("REACH") else { return nil }
    if case .string("all") = value.content { return .everywhere }
    let parts = value.elements ?? [value]
    guard (1...2).contains(parts.count) else {
      members.report(
        "native.reach", "'REACH' is neither a number of pixels, nor two of them, nor 'all'", at: value.place, "\(parts.count) numbers")
      return nil
    }
    if let negative = parts.first(where: { ($0.number ?? 0) < 0 }) {
      members.report("native.reach", "'REACH' is a distance, which is not negative", at: negative.place, "below 0")
      return nil
    }
    let read = parts.compactMap { expressions.read($0, of: "'REACH'") }
    return read.count == parts.count ? .pixels(x: read[0], y: read[read.count - 1]) : nil
  }

  /// `EXTENT`: a word, or a rectangle.
  mutating func resultExtent(_ members: inout JSONMembers) -> ResultExtent? {
    guard let value = members.value("EXTENT") else { return nil }
    let words: [String: ResultExtent] = ["input": .input, "grow": .grown, "infinite": .infinite, "union": .union]
    if case .string(let word) = value.content {
      if let extent = words[word] { return extent }
      members.reportWord(Placed(word, at: value.place), "EXTENT", ["input", "grow", "infinite", "union", "[x, y, width, height]"])
      return nil
    }
    let parts = (value.elements ?? []).compactMap { expressions.read($0, of: "'EXTENT'") }
    guard parts.count == 4, value.elements?.count == 4 else {
      if value.elements?.count != 4 {
        members.report(
          "native.extent", "'EXTENT' is neither a word nor a rectangle", at: value.place, value.kind, help: ["write [x, y, width, height]"])
      }
      return nil
    }
    return .rectangle(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }

  /// `CONSTRAINTS`: what must be true of the parameters together.
  mutating func constraints(_ members: inout JSONMembers) -> [ExpressionText] {
    (members.array("CONSTRAINTS")?.value ?? []).compactMap { value in
      guard case .string = value.content else {
        members.reportType(of: value, named: "an element of 'CONSTRAINTS'", expected: "a string")
        return nil
      }
      return expressions.read(value, of: "a constraint")
    }
  }
}

// MARK: - targets

/// The targets that the passes of a header write, and what is wrong about them.
struct NativeTargets {
  private(set) var targets: [FilterTarget] = []
  /// What each pass writes; the result has the name of the main output.
  private(set) var writes: [[String]] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let header: NativeHeader

  /// - Parameter forms: one for each pass.
  init(_ header: NativeHeader, forms: [KernelForm]) {
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

  private mutating func add(_ pass: NativeHeader.Pass, _ form: KernelForm) {
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
  private mutating func check(_ name: Placed<String>, _ pass: NativeHeader.Pass, against known: FilterTarget) {
    let saysNothing = pass.extent == .output && pass.format == .rgba16f && !pass.isPersistent
    let isSame = pass.extent == known.extent && pass.format == known.format && pass.isPersistent == known.isPersistent
    guard !saysNothing, !isSame else { return }
    let first = known.place.map { [Diagnostic.Label($0.source, $0.range, "declared here")] } ?? []
    diagnostics.append(
      Diagnostic(
        "native.target-twice", "the target '\(name.value)' has another size, format or persistence before",
        labels: [.init(name.place.source, name.place.range, "declared again")] + first,
        help: ["say it once, and give later passes only the 'TARGET'"]))
  }

  /// The workgroups of a pass cover the first of its targets, which may be too few for the others.
  private mutating func checkCoverage(_ written: [Placed<String>], of pass: NativeHeader.Pass) {
    guard let first = written.first else { return }
    for other in written.dropFirst() where extent(other.value, pass).isLarger(than: extent(first.value, pass)) {
      diagnostics.append(
        Diagnostic(
          "native.partly-covered", "the workgroups cover '\(first.value)', and '\(other.value)' is larger", severity: .warning,
          labels: [.init(other.place.source, other.place.range, "not covered as a whole")],
          help: ["name '\(other.value)' first, or say with 'DISPATCH' how many workgroups run"]))
    }
  }

  private func extent(_ name: String, _ pass: NativeHeader.Pass) -> FilterTarget.Extent {
    name == header.mainOutput ? header.outputs.first?.extent ?? .output : target(name)?.extent ?? pass.extent
  }

  private mutating func checkResult(_ forms: [KernelForm]) {
    guard forms.count == header.passes.count, let last = header.passes.last else { return }
    for (index, pass) in header.passes.dropLast().enumerated() where pass.target == nil && forms[index] != .compute {
      report(
        pass.place, "native.pass-without-target", "pass \(index) writes no target, so its picture is lost", "no 'TARGET'",
        "add \"TARGET\": \"name\"")
    }
    if !writes.contains(where: { $0.contains(header.mainOutput) }) {
      let place = last.target?.place ?? last.place ?? header.place
      report(place, "native.no-result", "no pass writes the result", "writes something else", "add a last pass without 'TARGET'")
    }
  }

  private mutating func checkOutputs() {
    let written = Set(writes.flatMap(\.self))
    for output in header.outputs.dropFirst() where !written.contains(output.name.value) {
      report(
        output.name.place, "native.output-unwritten", "no pass writes the output '\(output.name.value)'", "never written",
        "name it in 'WRITES' of a compute kernel, or in 'TARGET'")
    }
  }

  private mutating func report(_ place: SourceRange?, _ id: String, _ message: String, _ label: String, _ help: String) {
    diagnostics.append(
      Diagnostic(id, message, labels: place.map { [.init($0.source, $0.range, label)] } ?? [], help: [help]))
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

/// Reads sizes, counts, constraints and reaches: GLSL expressions over parameters and clocks, or plain numbers.
private struct NativeExpressions {
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

  private mutating func report(_ id: String, _ message: String, _ place: SourceRange, _ label: String) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(place.source, place.range, label)]))
  }
}
