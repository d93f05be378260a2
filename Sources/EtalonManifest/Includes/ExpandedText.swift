internal import EtalonDiagnostics

/// The tokens of some texts with those of everything they include.
struct ExpandedText {
  let tokens: [Token]
  /// What is wrong with the includes; without what they hold, nobody knows which names a text has.
  let includeFaults: [Diagnostic]

  /// Reads a file; one that is too large, nests too deeply or grows too much under its macros is refused before anything else looks at it.
  init(_ source: SourceText, files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) {
    try self.init([source], files: files, limits: limits)
  }

  /// Reads texts that follow each other.
  init(_ sources: [SourceText], files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) {
    let check = LimitCheck(limits)
    let sizeFaults = sources.flatMap(check.faults)
    guard sizeFaults.isEmpty else { throw DiagnosticsError(sizeFaults) }
    var tokens: [Token] = []
    var includeFaults: [Diagnostic] = []
    for source in sources {
      var expander = IncludeExpander(path: source.path, files: files, limits: limits)
      let expanded = expander.expand(source)
      tokens += (tokens.isEmpty ? [] : [Token(.lineEnd, "\n")]) + expanded.tokens
      includeFaults += expanded.diagnostics
    }
    let growth = check.faults(of: tokens)
    guard growth.isEmpty else { throw DiagnosticsError((includeFaults + growth).inOrderOfPlaces) }
    self.tokens = tokens
    self.includeFaults = includeFaults
  }

  /// What is wrong with the texts whatever they mean: their includes, comments without an end, and characters that GLSL does not have.
  var faults: [Diagnostic] {
    includeFaults + UnterminatedComment.diagnostics(in: tokens) + UnknownCharacters.diagnostics(in: tokens)
  }
}
