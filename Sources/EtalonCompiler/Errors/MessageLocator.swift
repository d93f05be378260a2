internal import EtalonManifest

/// Finds what a message is about: a token, a directive, or the use of a macro whose expansion has the mistake.
struct MessageLocator {
  let tokens: TokenListing
  let macros: MacroTable

  struct Place {
    var token: Int?
    var directive: SourceRange?
    var expansion: MacroTable.Macro?
  }

  func place(of message: CompilerMessage) -> Place {
    guard let line = message.line else { return Place() }
    switch tokens.spot(ofLine: line) {
    case nil: return Place(token: nil)
    case .directive(let index, let lineInside): return Place(directive: directive(of: message, at: index, lineInside))
    case .token(let index):
      // The compiler has read the end of the line when it finds fault with a directive.
      if isAboutDirective(message), let last = directiveBefore(index) { return Place(directive: last) }
      return place(of: message, at: index)
    }
  }

  private func isAboutDirective(_ message: CompilerMessage) -> Bool {
    message.subject.hasPrefix("#") || message.subject == "preprocessor evaluation"
  }

  private func directiveBefore(_ token: Int) -> SourceRange? {
    let count = tokens.tokens[token].directivesBefore
    guard count > 0, tokens.directives[count - 1].tokensBefore == token else { return nil }
    return tokens.directives[count - 1].origin?.line(0)
  }

  private func directive(of message: CompilerMessage, at index: Int, _ lineInside: Int) -> SourceRange? {
    let directive = tokens.directives[index]
    let isAnother = message.subject.hasPrefix("#") && !directive.text.filter { $0 != " " }.hasPrefix(message.subject)
    let isPastEnd = isAnother || (message.subject == "preprocessor evaluation" && !directive.text.contains("if"))
    if isPastEnd, index > 0 { return tokens.directives[index - 1].origin?.line(0) }
    return directive.origin?.line(lineInside)
  }

  /// The compiler gives everything in an expansion the place of the macro's name or, with arguments, of the closing bracket.
  private func place(of message: CompilerMessage, at index: Int) -> Place {
    let token = tokens.tokens[index]
    if let macro = macros[token.text], !macro.takesArguments, !names(message, token.text) {
      return Place(token: index, expansion: macro)
    }
    guard token.text == ")", let open = tokens.partner(of: index), open > 0,
      let macro = macros[tokens.tokens[open - 1].text], macro.takesArguments, !names(message, ")")
    else { return Place(token: index) }
    // What the author wrote as an argument is the author's place.
    if let argument = (open + 1..<index).first(where: { tokens.tokens[$0].text == message.subject && tokens.tokens[$0].isName }) {
      return callEnd(from: argument, message) ?? Place(token: argument)
    }
    return Place(token: open - 1, expansion: macro)
  }

  /// Errors of calls are reported at the closing bracket; so they are here for calls inside the arguments of a macro.
  private func callEnd(from name: Int, _ message: CompilerMessage) -> Place? {
    guard message.text.contains("overloaded function"), tokens.text(name + 1) == "(", let close = tokens.partner(of: name + 1) else {
      return nil
    }
    return Place(token: close)
  }

  /// Whether a message is about this very token rather than about what a macro of that name stands for.
  private func names(_ message: CompilerMessage, _ text: String) -> Bool {
    if message.subject == text { return true }
    if message.subject == "macro expansion" { return true }
    guard message.subject.isEmpty, let unexpected = SyntaxMessage(message.text)?.unexpected else { return false }
    return unexpected == text
  }
}
