/// The smallest piece of GLSL that a rewrite looks at, with the place it comes from.
///
/// Nothing of the author's text is lost: white space, comments and line ends are tokens too.
package struct Token: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Names, keywords and types alike.
    case identifier
    case integer
    case float
    case punctuator
    /// A text in double quotes; only directives have them.
    case string
    /// Blanks, tabs and continued line ends.
    case space
    case comment
    /// Always `\n`, whatever the author's file has.
    case lineEnd
    /// A character that GLSL does not know.
    case other
  }

  package let kind: Kind
  package var text: String
  /// Where the author wrote it; nil for what Etalon added.
  package let origin: SourceRange?
  /// Whether the token belongs to a preprocessor directive; its line end does too.
  package let isInDirective: Bool

  package init(_ kind: Kind, _ text: String, origin: SourceRange? = nil, isInDirective: Bool = false) {
    self.kind = kind
    self.text = text
    self.origin = origin
    self.isInDirective = isInDirective
  }

  /// Whether the compiler sees it: neither white space, nor a comment, nor a line end.
  package var isSignificant: Bool {
    switch kind {
    case .space, .comment, .lineEnd: false
    case .identifier, .integer, .float, .punctuator, .string, .other: true
    }
  }

  /// Whether it is the given name.
  package func isName(_ name: String) -> Bool { kind == .identifier && text == name }

  /// Whether it is the given operator or bracket.
  package func isMark(_ mark: String) -> Bool { kind == .punctuator && text == mark }

  /// The same token with another text.
  package func replaced(by text: String, kind: Kind? = nil) -> Token {
    Token(kind ?? self.kind, text, origin: origin, isInDirective: isInDirective)
  }
}
