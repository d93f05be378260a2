package import EtalonDiagnostics
package import EtalonTypes

/// Vulkan GLSL made from an author's text, token by token, each with the place it comes from.
///
/// The concatenation of the pieces is what is compiled. Because every piece knows its origin, an error of the compiler (which gives lines only)
/// is located by compiling the failed text once more with one token per line.
package struct GeneratedSource: Sendable, Hashable {
  /// A token, a run of white space and comments, or a whole preprocessor directive.
  package struct Piece: Sendable, Hashable {
    package enum Kind: Int, Sendable, Hashable {
      case token
      /// White space, comments and line ends; may be replaced by any other white space.
      case space
      /// A preprocessor directive with its line end; must stay on a line of its own.
      case directive
    }
    package let kind: Kind
    package let text: String
    /// Where the author wrote it; nil for text that Etalon added.
    package let origin: SourceRange?

    package init(_ kind: Kind, _ text: String, origin: SourceRange? = nil) {
      self.kind = kind
      self.text = text
      self.origin = origin
    }
  }

  package let pieces: [Piece]
  /// Covers the pieces, the places that they come from, and the texts that these lie in.
  package let digest: ContentHash

  package init(_ pieces: [Piece]) {
    self.pieces = pieces
    digest = SourceDigest(pieces).digest
  }

  package static func == (one: GeneratedSource, other: GeneratedSource) -> Bool { one.digest == other.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// The GLSL text.
  package var text: String { pieces.map(\.text).joined() }
}

/// Hashes the pieces of a text once, so that texts of thousands of pieces are compared at once.
private struct SourceDigest {
  private var bytes: [UInt8] = []
  /// The texts that pieces come from; their bytes are added when they are met first.
  private var sources: [SourceText] = []

  init(_ pieces: [GeneratedSource.Piece]) {
    bytes.reserveCapacity(pieces.count * 32)
    for piece in pieces {
      let source = piece.origin.map { number(of: $0.source) }
      add([piece.kind.rawValue, source ?? -1, piece.origin?.range.lowerBound ?? 0, piece.origin?.range.upperBound ?? 0])
      add(piece.text.utf8)
    }
  }

  var digest: ContentHash { ContentHash(of: bytes) }

  private mutating func number(of source: SourceText) -> Int {
    if let known = sources.lastIndex(of: source) { return known }
    sources.append(source)
    add(source.path.utf8)
    add(source.bytes)
    return sources.count - 1
  }

  private mutating func add(_ part: some Collection<UInt8>) {
    add([part.count])
    bytes.append(contentsOf: part)
  }

  private mutating func add(_ numbers: [Int]) {
    for number in numbers {
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
  }
}

// MARK: - from tokens to pieces

extension GeneratedSource {
  /// Joins tokens to pieces: white space with its neighbours, and directives as a whole.
  package init(_ tokens: [Token]) {
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

  /// The text that the compiler gets: it may refuse characters that GLSL does not know even in parts that it skips.
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

// MARK: - names of the author

extension GeneratedSource {
  /// What the author wrote for the names that a rewrite changed, for messages of the compiler: `etalon_half` was `half`.
  package var authorNames: [String: String] {
    var names: [String: String] = [:]
    for piece in pieces where piece.kind == .token && piece.text.hasPrefix("etalon") {
      guard let origin = piece.origin, names[piece.text] == nil else { continue }
      names[piece.text] = String(decoding: origin.source.bytes[origin.range], as: UTF8.self)
    }
    return names
  }
}
