package import EtalonDiagnostics

/// A place in one of the author's files.
package struct SourceRange: Sendable, Hashable {
  package let source: SourceText
  /// UTF-8 byte offsets into `source`.
  package let range: Range<Int>

  package init(_ source: SourceText, _ range: Range<Int>) {
    self.source = source
    self.range = range
  }

  /// Hashes the place but not the whole text, which thousands of places share.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(source.path)
    hasher.combine(range)
  }
}

/// Vulkan GLSL made from an author's text, token by token, each with the place it comes from.
///
/// The concatenation of the pieces is what is compiled. Because every piece knows its origin, an error of the compiler (which gives lines only)
/// is located by compiling the failed text once more with one token per line.
package struct GeneratedSource: Sendable, Hashable {
  /// A token, a run of white space and comments, or a whole preprocessor directive.
  package struct Piece: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
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

  package init(_ pieces: [Piece]) { self.pieces = pieces }

  /// The GLSL text.
  package var text: String { pieces.map(\.text).joined() }
}
