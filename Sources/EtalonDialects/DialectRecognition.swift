package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest

/// Tells from the content of a filter file which dialect it is written in.
///
/// ```swift
/// let form = try DialectRecognition().form(of: source)
/// ```
/// A text that fits two dialects, or none, is an error whose message lists the evidence for each and says how to choose one.
package struct DialectRecognition: Sendable {
  /// The evidence for one form of a text.
  struct Evidence {
    let form: FilterForm
    /// The place, and what is seen there.
    let labels: [Diagnostic.Label]
  }

  package init() {}

  /// The form of a text, or of the dialect that a user chose for it.
  package func form(of source: SourceText, chosen: FilterManifest.Dialect? = nil) throws(DiagnosticsError) -> FilterForm {
    let start = Self.start(of: source)
    let isJSON = start.map { [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(source.bytes[$0]) } ?? false
    if let start, isWebPage(source) {
      throw DiagnosticsError(JSONReader.webPage(source, start..<source.bytes.count, insteadOf: isNamedJSON(source) ? "JSON" : "a shader"))
    }
    if let chosen { return Self.form(chosen, isJSON: isJSON) }
    if isJSON {
      if let start, let bare = Self.bareHeader(source, start) { throw DiagnosticsError(bare) }
      return .shaderToyProject
    }
    let evidence = DialectEvidence(source).all
    let forms = Set(evidence.map(\.form))
    if let form = forms.first, forms.count == 1 { return form }
    guard evidence.isEmpty else { throw DiagnosticsError(Self.ambiguity(evidence)) }
    let diagnostics = isNamedJSON(source) ? JSONReader().read(source).diagnostics : []
    throw DiagnosticsError(diagnostics.isEmpty ? [DialectEvidence.nothing(in: source)] : diagnostics)
  }

  /// The diagnostic for JSON with the keys of a header, which belongs into a comment; nil for any other JSON.
  private static func bareHeader(_ source: SourceText, _ start: Int) -> Diagnostic? {
    let text = String(decoding: source.bytes[start...].prefix(1 << 16), as: UTF8.self)
    guard !text.contains("\"renderpass\""), ["ISFVSN", "ETALON", "INPUTS"].contains(where: { text.contains("\"\($0)\"") }) else {
      return nil
    }
    return Diagnostic(
      "dialect.bare-header", "the header of a filter stands in a comment, and this one does not",
      labels: [.init(source, start..<start + 1, "expected '/*' before it")], help: ["write '/*' before its '{', and '*/' behind its '}'"])
  }

  /// Whether a text has evidence for a form; there may be evidence for others too.
  package func mayBe(_ form: FilterForm, _ source: SourceText) -> Bool { DialectEvidence(source).all.contains { $0.form == form } }

  /// Whether a text begins with markup.
  package func isWebPage(_ source: SourceText) -> Bool { Self.start(of: source).map { source.bytes[$0] == UInt8(ascii: "<") } ?? false }

  /// The first byte that is neither blank nor a byte order mark.
  private static func start(of source: SourceText) -> Int? {
    source.bytes.firstIndex { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
  }

  private func isNamedJSON(_ source: SourceText) -> Bool { source.path.lowercased().hasSuffix(".json") }

  private static func form(_ dialect: FilterManifest.Dialect, isJSON: Bool) -> FilterForm {
    switch dialect {
    case .shaderToy: isJSON ? .shaderToyProject : .shaderToy
    case .isf: .isf
    case .glTransition: .glTransition
    case .native: .native
    case .fragment: .fragment
    case .compute: .compute
    case .graph: preconditionFailure("a graph document is no text of a shader")
    }
  }

  private static func ambiguity(_ evidence: [Evidence]) -> Diagnostic {
    var seen: Set<FilterForm> = []
    let each = evidence.filter { seen.insert($0.form).inserted }
    let titles = each.map(\.form.title)
    let list = titles.dropLast().joined(separator: ", ") + " or " + (titles.last ?? "")
    let flags = each.map { "'--dialect \($0.form.dialect.rawValue)'" }.joined(separator: " or ")
    return Diagnostic(
      "dialect.ambiguous", "the file could be \(list)", labels: each.flatMap(\.labels),
      help: ["say which with \(flags)", "or remove what belongs to the other dialect"])
  }
}

/// What kind of text a filter file holds, and so which reader reads it.
package enum FilterForm: String, Sendable, Hashable, CaseIterable {
  /// GLSL with a `mainImage`.
  case shaderToy
  /// The JSON of a ShaderToy with all its passes.
  case shaderToyProject
  case isf
  case glTransition
  case native
  /// A fragment shader with a `main`.
  case fragment
  case compute

  /// The dialect that a user knows it as.
  package var dialect: FilterManifest.Dialect {
    switch self {
    case .shaderToy, .shaderToyProject: .shaderToy
    case .isf: .isf
    case .glTransition: .glTransition
    case .native: .native
    case .fragment: .fragment
    case .compute: .compute
    }
  }

  /// The name for people.
  package var title: String {
    switch self {
    case .shaderToy: "a ShaderToy"
    case .shaderToyProject: "a ShaderToy project"
    case .isf: "an ISF file"
    case .glTransition: "a gl-transition"
    case .native: "a native filter"
    case .fragment: "a fragment shader"
    case .compute: "a plain compute shader"
    }
  }
}

// MARK: - evidence

/// Collects the evidence for each dialect in a text.
private struct DialectEvidence {
  private(set) var all: [DialectRecognition.Evidence] = []
  private let tokens: [Token]
  private let functions: [FileScope.Function]

  init(_ source: SourceText) {
    tokens = Lexer.tokens(of: source)
    functions = FileScope(tokens).functions.filter { $0.body != nil }
    addHeader(source)
    addFunctions()
    addWorkgroups()
    if all.isEmpty { addHeader(source, mustComeFirst: false) }
    if all.isEmpty { addMentions() }
    if all.isEmpty { addFragment(source) }
    if all.isEmpty { addBrokenFragment() }
  }

  private mutating func add(_ form: FilterForm, _ label: String, _ labels: [Diagnostic.Label]) {
    all.append(.init(form: form, labels: labels.map { $0.worded(label) }))
  }

  // MARK: headers

  /// A header with `ETALON` is native; without it, it is one of ISF.
  private mutating func addHeader(_ source: SourceText, mustComeFirst: Bool = true) {
    guard let header = HeaderComment(in: source, mustComeFirst: mustComeFirst) else { return }
    let reading = JSONReader(tolerating: Set(JSONSlip.allCases)).read(source, within: header.json)
    let start = header.json.lowerBound
    let label = { (range: Range<Int>) in [Diagnostic.Label(source, range, "")] }
    if let key = reading.value?.members?.first(where: { $0.key.uppercased() == "ETALON" }) {
      add(.native, "a header with \"ETALON\"", label(key.keyPlace.range))
    } else if mentionsKey("ETALON", in: source.bytes[header.json]) {
      add(.native, "a header with \"ETALON\"", label(start..<start + 1))
    } else if let members = reading.value?.members, !members.isEmpty, isOfAnotherHost(members.map(\.key)) {
      return
    } else {
      add(.isf, "an ISF header", label(start..<start + 1))
    }
  }

  /// Whether a header has not a single key of ISF, and stands above the `main` of a fragment shader: other hosts keep their settings there.
  private func isOfAnotherHost(_ keys: [String]) -> Bool {
    let known: Set = [
      "ISFVSN", "VSN", "DESCRIPTION", "CREDIT", "CATEGORIES", "INPUTS", "PASSES", "IMPORTED", "PERSISTENT_BUFFERS", "KEYWORDS", "LABEL",
    ]
    return known.isDisjoint(with: keys.map { $0.uppercased() }) && functions.contains { $0.name == "main" }
      && !tokens.contains(where: Self.isForeign)
  }

  /// Whether a header that cannot be read as a whole has a key at all.
  private func mentionsKey(_ key: String, in bytes: ArraySlice<UInt8>) -> Bool {
    String(decoding: bytes.prefix(1 << 20), as: UTF8.self).contains("\"\(key)\"")
  }

  // MARK: functions

  /// A function that starts a dialect counts unless the text has a `main` of its own and a header: then it is a helper.
  private mutating func addFunctions() {
    let hasMain = functions.contains { $0.name == "main" }
    let isISF = all.contains { $0.form == .isf } && hasMain
    let isNative = all.contains { $0.form == .native } && functions.contains { NativeKernel.entryPoints[$0.name] != nil }
    guard !isISF, !isNative else { return }
    let image = functions.filter { $0.name == "mainImage" }
    if let main = functions.first(where: { $0.name == "main" }), !image.isEmpty, isFragment(main, beside: image) {
      return add(.fragment, main)
    }
    let transition = functions.first { $0.name == "transition" && isTransition($0, beside: image) }
    // Beside a transition, a function of that name with another form is a helper.
    if let start = image.first(where: isMainImage) ?? (transition == nil ? image.first : nil) { add(.shaderToy, start) }
    if let transition { add(.glTransition, transition) }
    guard all.isEmpty else { return }
    if let sound = functions.first(where: { $0.name == ShaderToySound.function && $0.body != nil }) { add(.shaderToy, sound) }
    for function in functions where NativeKernel.entryPoints[function.name] != nil {
      add(.native, "a native kernel, though without a header", tokens.labels(at: [function.nameIndex], ""))
    }
  }

  private mutating func add(_ form: FilterForm, _ function: FileScope.Function) {
    add(form, "where \(form.title) starts", tokens.labels(at: [function.nameIndex], ""))
  }

  /// Whether a text with both functions is a fragment shader.
  ///
  /// Previewers put a `main` around a ShaderToy that calls `mainImage` as a player does. Any other `main` is what the author wants to see, and so is one
  /// beside the uniforms of other hosts, which a ShaderToy's player does not set.
  private func isFragment(_ main: FileScope.Function, beside image: [FileScope.Function]) -> Bool {
    guard !tokens.contains(where: Self.isForeign) else { return false }
    let inactive = InactiveBranches(tokens, predefined: PredefinedMacros.numbers)
    guard !inactive.contains(main.nameIndex) else { return false }
    let isPlayed = image.contains { isMainImage($0) && !inactive.contains($0.nameIndex) }
    return !isPlayed || !callsAsAPlayer(main) || declaresOtherHost
  }

  /// Whether a function calls `mainImage(…, gl_FragCoord.xy)`.
  private func callsAsAPlayer(_ main: FileScope.Function) -> Bool {
    guard let body = main.body else { return false }
    return body.contains { place in
      guard tokens[place].isName("mainImage"), let open = tokens.next(after: place), let arguments = tokens.arguments(openedAt: open) else {
        return false
      }
      return arguments.count == 2 && arguments[1].map { tokens[$0].text } == ["gl_FragCoord", ".", "xy"]
    }
  }

  /// Whether the text declares what hosts of fragment shaders set, and a ShaderToy's player does not.
  private var declaresOtherHost: Bool {
    FileScope(tokens).declarations.contains { declaration in
      let words = Set(declaration.tokens.map { tokens[$0].text })
      return !words.isDisjoint(with: ["uniform", "varying"]) && !words.isDisjoint(with: FragmentHosts.ownNames)
    }
  }

  private func isMainImage(_ function: FileScope.Function) -> Bool {
    let signature = FunctionSignature(function, in: tokens)
    return signature.result == "void" && signature.parameters.map(\.type) == ["vec4", "vec2"]
  }

  /// Other texts may have a function of that name too; one that reads neither picture is a helper of a ShaderToy.
  private func isTransition(_ function: FileScope.Function, beside image: [FileScope.Function]) -> Bool {
    let readsPictures = tokens.contains { $0.isName("getFromColor") || $0.isName("getToColor") }
    return readsPictures || (image.isEmpty && FunctionSignature(function, in: tokens).takes(["vec2"], returns: "vec4"))
  }

  private mutating func addWorkgroups() {
    guard functions.contains(where: { $0.name == "main" }),
      let place = tokens.indices.first(where: { tokens[$0].text.hasPrefix("local_size_") && !tokens[$0].isInDirective })
    else { return }
    add(.compute, "the size of workgroups", tokens.labels(at: [place], ""))
  }

  /// A macro may hold the head of the function, or a bracket that is not closed hides it.
  private mutating func addMentions() {
    let starts: [(name: String, form: FilterForm)] = [("mainImage", .shaderToy), ("getFromColor", .glTransition)]
    for (name, form) in starts {
      guard let place = tokens.firstIndex(where: { $0.isName(name) }) else { continue }
      add(form, "a name of \(form.title)", tokens.labels(at: [place], ""))
    }
  }

  // MARK: fragment shaders

  /// A `main` that writes a color and no corner: the text of a fragment shader, or a file that is named as one.
  private mutating func addFragment(_ source: SourceText) {
    guard let main = functions.first(where: { $0.name == "main" }), !tokens.contains(where: Self.isForeign) else { return }
    let writesColor = tokens.contains { ["gl_FragColor", "gl_FragData", "gl_FragCoord"].contains($0.text) }
    guard writesColor || declaresResult || source.path.lowercased().hasSuffix(".frag") else { return }
    add(.fragment, main)
  }

  /// A bracket that is not closed hides `main`.
  private mutating func addBrokenFragment() {
    guard functions.isEmpty || !functions.contains(where: { $0.name == "main" }), !tokens.contains(where: Self.isForeign),
      tokens.contains(where: { $0.isName("main") }), let color = tokens.firstIndex(where: { $0.isName("gl_FragColor") })
    else { return }
    add(.fragment, "a name of \(FilterForm.fragment.title)", tokens.labels(at: [color], ""))
  }

  /// Whether a name belongs to vertex shaders, or to ISF.
  private static func isForeign(_ token: Token) -> Bool {
    token.kind == .identifier && (["gl_Position", "isf_FragNormCoord"].contains(token.text) || token.text.hasPrefix("IMG_"))
  }

  /// Whether the text declares `out vec4 color;`.
  private var declaresResult: Bool {
    FileScope(tokens).declarations.contains { declaration in
      let words = declaration.tokens.map { tokens[$0].text }
      return words.contains("out") && words.contains("vec4") && !words.contains("{")
    }
  }

  // MARK: nothing

  /// The diagnostic for a text without evidence for any dialect.
  static func nothing(in source: SourceText) -> Diagnostic {
    if [".yaml", ".yml"].contains(where: source.path.lowercased().hasSuffix) { return noDocument(source) }
    let tokens = Lexer.tokens(of: source)
    let functions = FileScope(tokens).functions
    let starts = ["mainImage", "transition"] + NativeKernel.entryPoints.keys.sorted()
    let near = functions.lazy.compactMap { function in NearestName.find(function.name, in: starts).map { (function, $0) } }.first
    let main = functions.first { $0.name == "main" }
    let isVertex = tokens.contains { $0.isName("gl_Position") }
    let place =
      near.map { tokens.labels(at: [$0.0.nameIndex], "perhaps this one") }
      ?? main.map { tokens.labels(at: [$0.nameIndex], isVertex ? "of a vertex shader" : "a shader of its own") }
    let dialects = FilterManifest.Dialect.ofTexts.map(\.rawValue).joined(separator: ", ")
    let ported =
      main == nil || isVertex ? [] : ["a fragment shader writes 'gl_FragColor', or declares 'out vec4 fragColor;' and writes that"]
    let isISF = tokens.contains { $0.kind == .identifier && ($0.text.hasPrefix("IMG_") || $0.text == "isf_FragNormCoord") }
    let header =
      isISF
      ? ["an ISF file begins with a header: /*{ \"ISFVSN\": \"2\", \"INPUTS\": [{ \"NAME\": \"inputImage\", \"TYPE\": \"image\" }] }*/"]
      : nil
    return Diagnostic(
      "dialect.unknown", "nothing in the file says which dialect it is written in", labels: place ?? [.init(source, 0..<0)],
      help: near.map { ["did you mean '\($0.1)'?"] } ?? (header ?? ported) + ["say which with '--dialect', one of \(dialects)"],
      notes: [
        "a ShaderToy has a function 'mainImage', a gl-transition 'transition', an ISF file a header in its first comment",
        "a native filter has a header with \"ETALON\": 1, a compute shader 'layout(local_size_x = …) in;' and a 'main'",
        "a fragment shader has a 'main' that writes 'gl_FragColor' or an 'out vec4'",
      ])
  }

  /// The diagnostic for YAML that is no graph document; shaders are never written in YAML.
  private static func noDocument(_ source: SourceText) -> Diagnostic {
    Diagnostic(
      "dialect.unknown", "the file is YAML, and no graph document: those have 'etalon: 1' and 'outputs'",
      labels: [.init(source, 0..<0)], help: ["begin a graph document with a line 'etalon: 1'"],
      notes: ["cases of tests are YAML, too: 'etalon test' runs those in the folder 'tests' beside a filter"])
  }
}

// MARK: - headers

/// The first comment of a file when it holds JSON: `/*{ "ETALON": 1 }*/`.
struct HeaderComment {
  /// From the opening brace to the end of the comment's content.
  let json: Range<Int>
  /// The comment with its marks.
  let comment: Range<Int>

  /// The first comment with JSON; nil when there is none, or when other text than comments stands before it and must not.
  init?(in source: SourceText, mustComeFirst: Bool = true) {
    let tokens = Lexer.tokens(of: source)
    for token in tokens {
      guard token.kind == .comment, let origin = token.origin?.range else {
        if mustComeFirst, token.isSignificant { return nil }
        continue
      }
      if let open = Self.brace(in: origin, of: source) {
        let isClosed = source.bytes[origin].suffix(2).elementsEqual("*/".utf8)
        json = open..<max(open, isClosed ? origin.upperBound - 2 : origin.upperBound)
        comment = origin
        return
      }
    }
    return nil
  }

  /// Where the JSON begins in a comment; nil when the comment holds something else.
  private static func brace(in comment: Range<Int>, of source: SourceText) -> Int? {
    guard source.bytes[comment].starts(with: "/*".utf8) else { return nil }
    // Documentation comments begin with further stars.
    let start = source.bytes[comment.dropFirst(2)].firstIndex { $0 > 0x20 && $0 != UInt8(ascii: "*") }
    return start.flatMap { source.bytes[$0] == UInt8(ascii: "{") ? $0 : nil }
  }
}
