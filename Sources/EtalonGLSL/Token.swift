package import EtalonDiagnostics

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

// MARK: - navigation

/// Ways from one token to another.
///
/// From a token outside of directives they skip whole directives; inside of a directive they stop at its end.
extension [Token] {
  /// The index of the next token that the compiler sees.
  package func next(after index: Int) -> Int? {
    let isInDirective = index >= 0 && self[index].isInDirective
    var index = index + 1
    while index < count {
      if isInDirective, !self[index].isInDirective || self[index].kind == .lineEnd { return nil }
      if self[index].isSignificant, self[index].isInDirective == isInDirective { return index }
      index += 1
    }
    return nil
  }

  /// The index of the token before that the compiler sees.
  package func previous(before index: Int) -> Int? {
    let isInDirective = index < count && self[index].isInDirective
    var index = index - 1
    while index >= 0 {
      if isInDirective, !self[index].isInDirective || self[index].kind == .lineEnd { return nil }
      if self[index].isSignificant, self[index].isInDirective == isInDirective { return index }
      index -= 1
    }
    return nil
  }

  /// The index of the bracket that closes the one at `index`; nil when it never closes.
  package func closing(of index: Int) -> Int? {
    var depth = 0
    var place: Int? = index
    while let current = place {
      if self[current].kind == .punctuator {
        switch self[current].text {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        default: break
        }
        if depth <= 0 { return current }
      }
      place = next(after: current)
    }
    return nil
  }

  /// The arguments of a call whose opening parenthesis is at `open`, as the indices of their visible tokens.
  ///
  /// `f()` has one empty argument, as the preprocessor sees it. Nil when the parenthesis never closes.
  package func arguments(openedAt open: Int) -> [[Int]]? {
    var arguments: [[Int]] = [[]]
    var depth = 0
    var place: Int? = next(after: open)
    while let current = place {
      let mark = self[current].kind == .punctuator ? self[current].text : ""
      if depth == 0, mark == ")" { return arguments }
      if depth == 0, mark == "," {
        arguments.append([])
      } else {
        arguments[arguments.count - 1].append(current)
      }
      if ["(", "[", "{"].contains(mark) { depth += 1 }
      if [")", "]", "}"].contains(mark) { depth -= 1 }
      place = next(after: current)
    }
    return nil
  }

  /// Whether the token at `index` is called: an opening parenthesis follows.
  package func isCalled(at index: Int) -> Bool {
    next(after: index).map { self[$0].isMark("(") } ?? false
  }
}

// MARK: - origins

extension [Token] {
  /// The place in the author's text from the first to the last of some tokens; nil when it is not one place in one file.
  package func origin(of places: some Collection<Int>) -> SourceRange? {
    let origins = places.compactMap { self[$0].origin }
    guard let first = origins.first, let last = origins.last(where: { $0.source == first.source }) else { return nil }
    guard last.range.upperBound >= first.range.lowerBound else { return nil }
    return SourceRange(first.source, first.range.lowerBound..<last.range.upperBound)
  }

  /// A label at the author's place of some tokens; none when Etalon wrote them.
  package func labels(at places: some Collection<Int>, _ message: String) -> [Diagnostic.Label] {
    origin(of: places).map { [$0.label(message)] } ?? []
  }
}
