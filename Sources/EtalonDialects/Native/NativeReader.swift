package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Reads a native filter file: a JSON header in a comment, then GLSL with one kernel for each pass.
///
/// ```swift
/// let reading = try NativeReader(files: FolderFiles("Plugins")).read(source, named: "vignette", options: FilterReader.Options())
/// ```
package struct NativeReader: DialectReader {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  package func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    let text = try ExpandedText(source, files: files, limits: options.limits)
    guard let place = HeaderComment(in: source) else { throw DiagnosticsError(text.diagnostics + [Self.missingHeader(source)]) }
    let reader = HeaderReader(source, place, policy: .native, options: options)
    let header = reader.header
    var diagnostics = reader.diagnostics + text.diagnostics
    guard text.includeDiagnostics.isEmpty else { return FilterDraft(nil, diagnostics) }
    var tokens = text.tokens
    Self.erase(place, of: source, from: &tokens)
    let extensions = tokens.takeExtensions()
    diagnostics += NativeTextRules(header, in: tokens).diagnostics() + NativeMoments(header).diagnostics(in: tokens)
    let found = NativeKernels(header, in: tokens, source)
    diagnostics += found.diagnostics
    let targets = NativeTargets(header, forms: found.kernels.map(\.form))
    let use = FunctionUse(tokens)
    var passes: [PassSource] = []
    let isComplete = found.kernels.count == header.passes.count
    if isComplete {
      diagnostics += targets.diagnostics + Self.ruleDiagnostics(header, found.kernels, targets, tokens, use)
      passes = found.kernels.enumerated().map { index, kernel in
        NativeTranslation(header: header, kernel: kernel, index: index, targets: targets, options: options)
          .source(of: tokens, extensions: extensions, use: use)
      }
      diagnostics += Self.tooManyTextures(header, passes)
      diagnostics +=
        PassCycles(passes, targets.targets, help: "add \"PERSISTENT\": true to one of the passes, or change their order").diagnostics
    }
    return FilterDraft(isComplete ? Self.manifest(header, named: name, targets: targets, passes: passes) : nil, diagnostics)
  }

  /// Passes that read more pictures than they may, which frames of inputs count among.
  private static func tooManyTextures(_ header: FilterHeader, _ passes: [PassSource]) -> [Diagnostic] {
    zip(header.passes, passes).filter { $1.textures.count > NativeTranslation.mostTextures }.map { pass, source in
      let place = pass.place ?? header.place
      return Diagnostic(
        "native.too-many-images",
        "'\(source.name)' reads \(source.textures.count) images, at most \(NativeTranslation.mostTextures) are allowed",
        labels: place.map { [$0.label("each frame of an input is one")] } ?? [],
        help: ["read fewer frames, or read some of them in another pass"])
    }
  }

  private static func manifest(
    _ header: FilterHeader, named name: String, targets: NativeTargets, passes: [PassSource]
  ) -> FilterManifest {
    FilterManifest(
      name: name, dialect: .native, kind: header.kind, about: header.about, inputs: header.images.map(\.input),
      parameters: header.parameters, targets: targets.targets, buffers: header.buffers, passes: passes, constraints: header.constraints,
      alpha: header.alpha, extent: header.extent, mainOutput: header.mainOutput,
      furtherOutputs: header.outputs.dropFirst().map(\.name.value))
  }

  /// What each kernel says or is given that its form does not allow, each error once.
  private static func ruleDiagnostics(
    _ header: FilterHeader, _ kernels: [NativeKernel], _ targets: NativeTargets, _ tokens: [Token], _ use: FunctionUse
  ) -> [Diagnostic] {
    var known: Set<Diagnostic> = []
    return kernels.enumerated().flatMap { index, kernel in
      let rules = NativePassRules(header: header, kernel: kernel, pass: header.passes[index], writes: targets.writes[index])
      let places = Set(use.places(of: use.names(neededBy: kernel.name)))
      return rules.headerDiagnostics() + rules.textDiagnostics(tokens, at: places)
    }.filter { known.insert($0).inserted }
  }

  private static func erase(_ header: HeaderComment, of source: SourceText, from tokens: inout [Token]) {
    guard let index = tokens.firstIndex(where: { $0.origin?.range == header.comment && $0.origin?.source == source }) else { return }
    tokens.erase(index...index)
  }

  private static func missingHeader(_ source: SourceText) -> Diagnostic {
    Diagnostic(
      "native.no-header", "the file has no native header", labels: [.init(source, 0..<0, "expected a comment with JSON")],
      help: ["begin the file with '/*{ \"ETALON\": 1, \"INPUTS\": [] }*/'"])
  }
}

// MARK: - what the text must not say

/// Refuses what the text of a native filter must not say because the header says it.
private struct NativeTextRules {
  private let tokens: [Token]
  private let scope: FileScope
  private let header: FilterHeader

  init(_ header: FilterHeader, in tokens: [Token]) {
    self.header = header
    self.tokens = tokens
    scope = FileScope(tokens)
  }

  func diagnostics() -> [Diagnostic] {
    bound() + mains() + redefinitions() + borders() + NativeDataReads(header).diagnostics(in: tokens) + NativeLists.diagnostics(header)
  }

  /// Every name that the header declares, with its place there.
  private var declared: [String: SourceRange?] {
    var names: [String: SourceRange?] = [:]
    for image in header.images { names[image.input.name] = image.input.place }
    for parameter in header.parameters { names[parameter.name] = parameter.place }
    for buffer in header.buffers { names[buffer.name] = buffer.place }
    for output in header.outputs { names[output.name.value] = output.name.place }
    for pass in header.passes { if let target = pass.target { names[target.value] = target.place } }
    return names
  }

  // MARK: what is bound

  private func bound() -> [Diagnostic] {
    scope.declarations.compactMap { declaration in
      let words = declaration.tokens.map { tokens[$0].text }
      guard let keyword = words.firstIndex(where: { ["uniform", "buffer", "in", "out"].contains($0) }), !words.contains("shared") else {
        return nil
      }
      if words[keyword] == "in", words.contains(where: { $0.hasPrefix("local_size") }) {
        return report(
          declaration, "native.local-size", "the size of workgroups is not said here", "a layout", "write \"LOCAL_SIZE\" in the header")
      }
      if words.contains("{") {
        return report(
          declaration, "native.block", "blocks are made from the header", "a block", "declare parameters in INPUTS and arrays in BUFFERS")
      }
      return uniform(declaration, keyword)
    }
  }

  private func uniform(_ declaration: FileScope.Declaration, _ keyword: Int) -> Diagnostic? {
    let qualifiers: Set<String> = ["highp", "mediump", "lowp", "writeonly", "readonly", "restrict", "coherent"]
    let rest = declaration.tokens[(keyword + 1)...].drop { qualifiers.contains(tokens[$0].text) }
    guard let name = DeclaratorList(rest.dropFirst(), in: tokens).declarators.first?.name else { return nil }
    let isDeclared = declared[tokens[name].text] != nil || NativeScope.names.contains(tokens[name].text)
    return Diagnostic(
      "native.uniform", isDeclared ? "'\(tokens[name].text)' is there already" : "'\(tokens[name].text)' is not declared in the header",
      labels: tokens.labels(at: [name], isDeclared ? "made from the header" : "not in INPUTS"),
      help: [isDeclared ? "remove this line" : "remove this line and add an input: { \"NAME\": \"\(tokens[name].text)\", \"TYPE\": … }"])
  }

  private func report(_ declaration: FileScope.Declaration, _ id: String, _ message: String, _ label: String, _ help: String) -> Diagnostic
  {
    Diagnostic(id, message, labels: tokens.labels(at: declaration.tokens.prefix(2), label), help: [help])
  }

  // MARK: names

  private func mains() -> [Diagnostic] {
    scope.functions.filter { $0.name == "main" }.map { function in
      Diagnostic(
        "native.main", "a native filter has no 'main'", labels: tokens.labels(at: [function.nameIndex], "declared here"),
        help: ["write a kernel, such as '\(NativeKernel.example(.image, "imageKernel", colors: 1))'"],
        notes: ["a plain compute shader has no header with \"ETALON\""])
    }
  }

  /// Variables, functions and macros of the text with a name of the header or of the scope.
  private func redefinitions() -> [Diagnostic] {
    let declared = declared
    return namesOfText().compactMap { place in
      let name = tokens[place].text
      let isOfScope = NativeScope.names.contains(name)
      guard isOfScope || declared[name] != nil else { return nil }
      let first = declared[name].flatMap { $0 }.map { [$0.label("declared here")] } ?? []
      return Diagnostic(
        "native.redefined", isOfScope ? "'\(name)' is the name of something every kernel has" : "'\(name)' is declared in the header",
        labels: tokens.labels(at: [place], "declared again") + first, help: ["rename it"])
    }
  }

  private func namesOfText() -> [Int] {
    let macros = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.nameIndex }
    let variables = scope.declarations.flatMap { declaration -> [Int] in
      let words = declaration.tokens.drop { ["const", "shared", "highp", "mediump", "lowp", "precise"].contains(tokens[$0].text) }
      let isVariable = !declaration.tokens.contains { ["uniform", "buffer", "struct", "layout"].contains(tokens[$0].text) }
      return isVariable ? DeclaratorList(words.dropFirst(), in: tokens).declarators.map(\.name) : []
    }
    return (macros + variables + scope.functions.map(\.nameIndex)).sorted()
  }

  /// A picture with a colored border is recognized by its name, so it cannot be an argument of the author's functions.
  private func borders() -> [Diagnostic] {
    let names = Set(header.images.filter { $0.border != nil }.map(\.input.name))
    guard !names.isEmpty else { return [] }
    return tokens.indices.filter { names.contains(tokens[$0].text) && tokens[$0].kind == .identifier && !isReadByName($0) }.map { place in
      Diagnostic(
        "native.border", "'\(tokens[place].text)' has a colored border, which only functions called with its name know",
        labels: tokens.labels(at: [place], "handed on"),
        help: ["read it with IMG_PIXEL, IMG_NORM_PIXEL, IMG_THIS_PIXEL or IMG_LOAD, or choose another 'ADDRESS'"])
    }
  }

  private func isReadByName(_ place: Int) -> Bool {
    guard let open = tokens.previous(before: place), tokens[open].isMark("("), let function = tokens.previous(before: open) else {
      return false
    }
    return NativeScope.functions[tokens[function].text] != nil || tokens[function].text == "textureSize"
  }
}
