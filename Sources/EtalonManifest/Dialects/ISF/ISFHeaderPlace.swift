internal import EtalonDiagnostics

/// Finds the JSON in the first comment of an ISF file.
struct ISFHeaderPlace {
  /// From the opening brace to the end of the comment.
  let json: Range<Int>
  /// The comment with its marks.
  let comment: Range<Int>

  /// The place of the header, with what is odd about it.
  static func find(in source: SourceText) -> Result<(place: ISFHeaderPlace, warnings: [Diagnostic]), DiagnosticsError> {
    let tokens = Lexer.tokens(of: source)
    guard let index = tokens.firstIndex(where: { $0.kind == .comment && brace(in: $0) != nil }),
      let comment = tokens[index].origin?.range, let open = brace(in: tokens[index])
    else { return .failure(DiagnosticsError(missing(tokens, source))) }
    guard source.bytes[comment].suffix(2).elementsEqual("*/".utf8) else {
      return .failure(DiagnosticsError(UnterminatedComment.diagnostics(in: [tokens[index]])))
    }
    var warnings: [Diagnostic] = []
    if let first = tokens[..<index].first(where: \.isSignificant), let place = first.origin?.range {
      warnings.append(
        Diagnostic(
          "isf.header-not-first", "the header is not the first thing in the file", severity: .warning,
          labels: [.init(source, place, "stands before it")], help: ["move the header to the top"],
          notes: ["most hosts read a header only at the top of a file"]))
    }
    return .success((ISFHeaderPlace(json: open..<comment.upperBound - 2, comment: comment), warnings))
  }

  /// Where the JSON begins in a comment; nil when the comment holds something else.
  private static func brace(in comment: Token) -> Int? {
    guard let origin = comment.origin, origin.source.bytes[origin.range].starts(with: "/*".utf8) else { return nil }
    let content = origin.source.bytes[origin.range.dropFirst(2)]
    // Some headers begin with further stars, as documentation comments do.
    guard let start = content.firstIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: "*") }) else { return nil }
    return content[start] == UInt8(ascii: "{") ? start : nil
  }

  private static func missing(_ tokens: [Token], _ source: SourceText) -> Diagnostic {
    let example = "begin the file with '/*{ \"ISFVSN\": \"2\", \"INPUTS\": [] }*/'"
    let first = tokens.first { $0.kind == .comment || $0.isSignificant }?.origin?.range
    let start = first?.lowerBound ?? 0
    return Diagnostic(
      "isf.no-header", "the file has no ISF header", labels: [.init(source, start..<start, "expected a comment with JSON")], help: [example]
    )
  }
}
