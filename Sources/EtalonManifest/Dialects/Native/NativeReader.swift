package import EtalonDiagnostics
internal import EtalonTypes

/// Reads a native filter file: a JSON header in a comment, then GLSL with one kernel for each pass.
///
/// ```swift
/// let reading = try NativeReader(files: FolderFiles("Plugins")).read(source, named: "vignette", options: ReadingOptions())
/// ```
package struct NativeReader: Sendable {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a text; everything that is wrong with it is reported together, as far as one mistake does not hide others.
  package func read(_ source: SourceText, named name: String, options: ReadingOptions) throws(DiagnosticsError) -> FilterReading {
    try draft(source, named: name, options: options).reading()
  }

  /// Reads a text as far as it can be understood.
  func draft(_ source: SourceText, named name: String, options: ReadingOptions) throws(DiagnosticsError) -> FilterDraft {
    let text = try ExpandedText(source, files: files, limits: options.limits)
    guard let place = HeaderComment(in: source) else { throw DiagnosticsError(text.faults + [Self.missingHeader(source)]) }
    let reader = NativeHeaderReader(source, place, options: options)
    let header = reader.header
    var diagnostics = reader.diagnostics + text.faults
    guard text.includeFaults.isEmpty else { return FilterDraft(nil, diagnostics) }
    var tokens = text.tokens
    Self.erase(place, of: source, from: &tokens)
    let extensions = Self.takeExtensions(from: &tokens)
    diagnostics += NativeTextRules(header, in: tokens).diagnostics()
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
      diagnostics +=
        PassCycles(passes, targets.targets, help: "add \"PERSISTENT\": true to one of the passes, or change their order").diagnostics
    }
    return FilterDraft(isComplete ? Self.manifest(header, named: name, targets: targets, passes: passes) : nil, diagnostics)
  }

  private static func manifest(
    _ header: NativeHeader, named name: String, targets: NativeTargets, passes: [PassSource]
  ) -> FilterManifest {
    FilterManifest(
      name: name, dialect: .native, kind: header.kind, about: header.about, inputs: header.images.map(\.input),
      parameters: header.parameters, targets: targets.targets, buffers: header.buffers, passes: passes, constraints: header.constraints,
      alpha: header.alpha, extent: header.extent, mainOutput: header.mainOutput,
      furtherOutputs: header.outputs.dropFirst().map(\.name.value))
  }

  /// What each kernel says or is given that its form does not allow, each mistake once.
  private static func ruleDiagnostics(
    _ header: NativeHeader, _ kernels: [NativeKernel], _ targets: NativeTargets, _ tokens: [Token], _ use: FunctionUse
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

  /// Takes the `#extension` directives out of a text, because they have to stand in front of everything.
  private static func takeExtensions(from tokens: inout [Token]) -> [Token] {
    let directives = Directive.all(in: tokens).filter { $0.name == "extension" }
    let taken = directives.flatMap { tokens[$0.range] }
    tokens.eraseDirectives { directive, _ in directive.name == "extension" }
    return taken
  }

  private static func missingHeader(_ source: SourceText) -> Diagnostic {
    Diagnostic(
      "native.no-header", "the file has no native header", labels: [.init(source, 0..<0, "expected a comment with JSON")],
      help: ["begin the file with '/*{ \"ETALON\": 1, \"INPUTS\": [] }*/'"])
  }
}
