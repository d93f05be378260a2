package import EtalonDiagnostics
internal import EtalonTypes

/// Reads a transition of gl-transitions: what it needs from outside, and its text as a Vulkan compute shader.
///
/// ```swift
/// let reading = try GLTransitionReader(files: NoFiles()).read(source, named: "wipe", options: ReadingOptions())
/// ```
package struct GLTransitionReader: Sendable {
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
    var diagnostics = text.faults
    let credits = TransitionCredits(tokens, source)
    let declared = TransitionUniforms(takenFrom: &tokens)
    let interface = TransitionInterface(declared.uniforms, tokens: tokens, options: options)
    let entry = TransitionEntry(in: tokens, source)
    diagnostics += declared.diagnostics + interface.diagnostics + entry.diagnostics + credits.diagnostics
    let pass = TransitionTranslation(interface: interface, prototype: entry.prototype, options: options).pass(&tokens)
    let manifest = FilterManifest(
      name: name, dialect: .glTransition, kind: .transition, about: credits.about, inputs: interface.inputs,
      parameters: interface.parameters, passes: [pass], alpha: .straight)
    return FilterDraft(manifest, diagnostics)
  }
}
