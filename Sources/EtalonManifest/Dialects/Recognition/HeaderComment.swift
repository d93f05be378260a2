internal import EtalonDiagnostics

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
