internal import EtalonDiagnostics

/// The tokens of a file with those of everything it includes.
enum ExpandedText {
  /// Reads a file; one that is too large, nests too deeply or grows too much under its macros is refused before anything else looks at it.
  static func tokens(of source: SourceText, files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) -> [Token] {
    let check = LimitCheck(limits)
    let sizeFaults = check.faults(of: source)
    guard sizeFaults.isEmpty else { throw DiagnosticsError(sizeFaults) }
    var expander = IncludeExpander(path: source.path, files: files, limits: limits)
    let (tokens, includeFaults) = expander.expand(source)
    let faults = includeFaults + check.faults(of: tokens)
    guard faults.isEmpty else { throw DiagnosticsError(faults) }
    return tokens
  }
}
