internal import EtalonDiagnostics

extension GeneratedSource {
  /// Joins tokens to pieces: white space with its neighbours, and directives as a whole.
  init(_ tokens: [Token]) {
    var pieces: [Piece] = []
    pieces.reserveCapacity(tokens.count)
    var index = 0
    while index < tokens.count {
      let kind = Self.kind(of: tokens[index])
      var end = index + 1
      if kind == .directive {
        while end < tokens.count, tokens[end - 1].kind != .lineEnd, tokens[end].isInDirective { end += 1 }
      } else if kind == .space {
        while end < tokens.count, Self.kind(of: tokens[end]) == .space { end += 1 }
      }
      pieces.append(Self.piece(kind, tokens, index..<end))
      index = end
    }
    self.init(pieces)
  }

  /// What a compiler is shown: it may stumble over characters that GLSL does not know, even where it reads past them.
  private static func shownText(of token: Token) -> String {
    switch token.kind {
    case .other: "@"
    case .string: String(String.UnicodeScalarView(token.text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
    default: token.text
    }
  }

  private static func kind(of token: Token) -> Piece.Kind {
    token.isInDirective ? .directive : token.isSignificant ? .token : .space
  }

  private static func piece(_ kind: Piece.Kind, _ tokens: [Token], _ range: Range<Int>) -> Piece {
    let text = range.map { shownText(of: tokens[$0]) }.joined()
    let visible = range.filter { tokens[$0].isSignificant }
    return Piece(kind, text, origin: tokens.origin(of: visible.isEmpty ? Array(range) : visible))
  }
}
