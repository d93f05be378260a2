internal import EtalonDiagnostics

/// Finds the header of an ISF file, with what is odd about its place.
struct ISFHeaderSearch {
  let comment: HeaderComment
  let warnings: [Diagnostic]

  init(_ source: SourceText) throws(DiagnosticsError) {
    guard let comment = HeaderComment(in: source, mustComeFirst: false) else { throw DiagnosticsError(Self.missing(source)) }
    let tokens = Lexer.tokens(of: source)
    let header = tokens.filter { $0.origin?.range == comment.comment }
    let faults = UnterminatedComment.diagnostics(in: header)
    guard faults.isEmpty else { throw DiagnosticsError(faults) }
    self.comment = comment
    let first = tokens.first(where: \.isSignificant)?.origin?.range
    warnings = first.flatMap { $0.lowerBound < comment.comment.lowerBound ? [Self.late(source, $0)] : nil } ?? []
  }

  private static func late(_ source: SourceText, _ place: Range<Int>) -> Diagnostic {
    Diagnostic(
      "isf.header-not-first", "the header is not the first thing in the file", severity: .warning,
      labels: [.init(source, place, "stands before it")], help: ["move the header to the top"],
      notes: ["most hosts read a header only at the top of a file"])
  }

  private static func missing(_ source: SourceText) -> Diagnostic {
    let tokens = Lexer.tokens(of: source)
    let start = tokens.first { $0.kind == .comment || $0.isSignificant }?.origin?.range.lowerBound ?? 0
    return Diagnostic(
      "isf.no-header", "the file has no ISF header", labels: [.init(source, start..<start, "expected a comment with JSON")],
      help: ["begin the file with '/*{ \"ISFVSN\": \"2\", \"INPUTS\": [] }*/'"])
  }
}
