package import EtalonDiagnostics
internal import EtalonTypes

/// Reads a plain compute shader: its images become inputs and outputs, its uniforms parameters; bindings are given anew.
///
/// ```swift
/// let reading = try ComputeReader(files: NoFiles()).read(source, named: "edges", options: ReadingOptions())
/// ```
/// The first image that the text writes is the result. A uniform with the name of a clock of the native dialect (`TIME`) is that clock; the
/// comment `// = 0.5` behind any other uniform is its default.
package struct ComputeReader: Sendable {
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
    guard text.includeFaults.isEmpty else { return FilterDraft(nil, text.faults) }
    var tokens = text.tokens
    let declarations = ComputeDeclarations(tokens)
    var diagnostics = text.faults + declarations.diagnostics
    diagnostics += Self.mistakes(declarations, tokens, source)
    let translation = ComputeTranslation(declarations: declarations, options: options)
    let pass = translation.pass(&tokens)
    let inputs = translation.inputs
    let manifest = FilterManifest(
      name: name, dialect: .compute, kind: FilterManifest.Kind(ofInputs: inputs.map(\.name)), inputs: inputs,
      parameters: translation.parameters, targets: translation.targets, buffers: translation.buffers, passes: [pass], alpha: .straight,
      mainOutput: translation.mainOutput, furtherOutputs: translation.targets.map(\.name))
    return FilterDraft(manifest, diagnostics)
  }

  private static func mistakes(_ declarations: ComputeDeclarations, _ tokens: [Token], _ source: SourceText) -> [Diagnostic] {
    var found: [Diagnostic] = []
    func report(_ id: String, _ message: String, _ help: String, at places: [SourceRange?] = []) {
      let labels = places.compactMap { $0 }.map { Diagnostic.Label($0.source, $0.range, "declared here") }
      found.append(
        Diagnostic("compute.\(id)", message, labels: labels.isEmpty ? [.init(source, 0..<0)] : labels, help: [help]))
    }
    if !FileScope(tokens).functions.contains(where: { $0.name == "main" && $0.body != nil }) {
      report("no-main", "the text has no function 'main'", "write 'void main()'")
    }
    if declarations.localSize == nil, !declarations.diagnostics.contains(where: { $0.id == "compute.local-size" }) {
      report("no-local-size", "nothing says how large a workgroup is", "write 'layout(local_size_x = 16, local_size_y = 16) in;'")
    }
    let written = declarations.resources.filter { if case .writtenImage = $0.kind { true } else { false } }
    if written.isEmpty, !declarations.diagnostics.contains(where: { $0.severity == .error }) {
      report("no-output", "the text writes no image", "write 'uniform writeonly image2D outputImage;' and 'imageStore(outputImage, …)'")
    }
    let blocks = declarations.resources.filter { if case .block = $0.kind { true } else { false } }
    let values = declarations.resources.filter { if case .value = $0.kind { true } else { false } }
    if blocks.count > 1 {
      report("two-blocks", "the text has several uniform blocks; one is possible", "put all members into one", at: blocks.map(\.place))
    } else if !blocks.isEmpty, !values.isEmpty {
      report(
        "two-blocks", "the text has a uniform block and further uniforms", "put all of them into the block",
        at: [values[0].place, blocks[0].place])
    }
    var scopes = [declarations.resources.map { ($0.name, $0.place) }]
    for case .block(let members) in declarations.resources.map(\.kind) { scopes.append(members.map { ($0.name, $0.place) }) }
    for scope in scopes {
      var names: Set<String> = []
      for (name, place) in scope where !names.insert(name).inserted {
        report("declared-twice", "'\(name)' is declared twice", "give one of them another name", at: [place])
      }
    }
    return found
  }
}
