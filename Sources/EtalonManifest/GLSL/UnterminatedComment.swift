internal import EtalonDiagnostics

/// Finds a comment that never ends and so swallows the rest of its file.
enum UnterminatedComment {
  static func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    tokens.compactMap { token in
      guard token.kind == .comment, let origin = token.origin else { return nil }
      let text = origin.source.bytes[origin.range]
      let isOpen = text.starts(with: Array("/*".utf8)) && (text.count < 4 || Array(text.suffix(2)) != Array("*/".utf8))
      guard isOpen else { return nil }
      let start = origin.range.lowerBound
      return Diagnostic(
        "glsl.unterminated-comment", "a comment has no end", labels: [.init(origin.source, start..<start + 2, "starts here")],
        help: ["write '*/' where it ends"])
    }
  }
}
