internal import EtalonDiagnostics
internal import EtalonManifest

/// One error or warning as the compiler wrote it.
///
/// The compiler writes `name:12: error: 'colr' : undeclared identifier`; errors of linking have no line, and lists follow on lines that only
/// have the name in front.
struct CompilerMessage: Hashable {
  let severity: Diagnostic.Severity
  /// 1-based; nil when the compiler gave none.
  let line: Int?
  /// What stands in quotes in front of the text: a name of the author's, an operator, or a word of the compiler's; may be empty.
  let subject: String
  /// The text without white space at its ends.
  let text: String
  /// The lines that follow and belong to it.
  var details: [String] = []

  /// Takes a log apart; lines that follow no message are dropped.
  static func parse(_ log: String, fileName: String) -> [CompilerMessage] {
    var messages: [CompilerMessage] = []
    for line in log.split(separator: "\n") {
      guard line.hasPrefix(fileName + ":") else { continue }
      let rest = line.dropFirst(fileName.utf8.count + 1)
      if let message = CompilerMessage(afterName: rest) {
        messages.append(message)
      } else if !messages.isEmpty {
        messages[messages.count - 1].details.append(trimmed(rest))
      }
    }
    return messages
  }

  private init?(afterName rest: Substring) {
    var rest = rest
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    line = Int(digits)
    if line != nil { rest = rest.dropFirst(digits.count + 1) }
    if rest.hasPrefix(" error: ") {
      severity = .error
    } else if rest.hasPrefix(" warning: ") {
      severity = .warning
    } else {
      return nil
    }
    // With the blank behind the colon, which is missing where no text follows.
    let body = rest.dropFirst(severity == .error ? " error: ".count : " warning: ".count) + " "
    if body.hasPrefix("'"), let end = body.dropFirst().firstRange(of: "' : ") {
      subject = String(body.dropFirst()[..<end.lowerBound])
      text = Self.trimmed(body[end.upperBound...])
    } else {
      subject = ""
      text = Self.trimmed(body)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var part = text.drop(while: isBlank)
    while let last = part.last, isBlank(last) { part.removeLast() }
    return String(part)
  }
}

/// A syntax error taken apart: what the grammar met and what it would have taken.
struct SyntaxMessage {
  /// The spelling of the token, or `name`, `number`, `type name`, `end of file`.
  let unexpected: String
  /// Likewise; empty when there were too many to list.
  let expecting: [String]

  /// Nil when a text is no syntax error.
  init?(_ text: String) {
    guard text.hasPrefix("syntax error") else { return nil }
    var parts = text.split(separator: ", ", maxSplits: 2).dropFirst()
    unexpected = parts.popFirst().map { Self.spelling($0.replacing("unexpected ", with: "")) } ?? ""
    expecting = parts.popFirst()?.replacing("expecting ", with: "").split(separator: " or ").map { Self.spelling($0) } ?? []
  }

  /// What to call a terminal of the grammar.
  private static func spelling(_ terminal: some StringProtocol) -> String {
    let name = String(terminal)
    if let known = spellings[name] { return known }
    if name.hasSuffix("CONSTANT") { return "number" }
    // The rest are keywords, whose terminals are their spellings in capitals, but for the capitals inside a few.
    let lower = name.lowercased()
    return lower.hasPrefix("sampler") || lower.hasPrefix("isampler") || lower.hasPrefix("usampler")
      ? lower.replacing("2d", with: "2D").replacing("3d", with: "3D").replacing("cube", with: "Cube") : lower
  }

  private static let spellings: [String: String] = [
    "$end": "end of file", "end of file": "end of file", "IDENTIFIER": "name", "TYPE_NAME": "type name", "LEFT_OP": "<<", "RIGHT_OP": ">>",
    "INC_OP": "++", "DEC_OP": "--", "LE_OP": "<=", "GE_OP": ">=", "EQ_OP": "==", "NE_OP": "!=", "AND_OP": "&&", "OR_OP": "||",
    "XOR_OP": "^^", "MUL_ASSIGN": "*=", "DIV_ASSIGN": "/=", "ADD_ASSIGN": "+=", "MOD_ASSIGN": "%=", "LEFT_ASSIGN": "<<=",
    "RIGHT_ASSIGN": ">>=", "AND_ASSIGN": "&=", "XOR_ASSIGN": "^=", "OR_ASSIGN": "|=", "SUB_ASSIGN": "-=", "LEFT_PAREN": "(",
    "RIGHT_PAREN": ")", "LEFT_BRACKET": "[", "RIGHT_BRACKET": "]", "LEFT_BRACE": "{", "RIGHT_BRACE": "}", "DOT": ".", "COMMA": ",",
    "COLON": ":", "EQUAL": "=", "SEMICOLON": ";", "BANG": "!", "DASH": "-", "TILDE": "~", "PLUS": "+", "STAR": "*", "SLASH": "/",
    "PERCENT": "%", "LEFT_ANGLE": "<", "RIGHT_ANGLE": ">", "VERTICAL_BAR": "|", "CARET": "^", "AMPERSAND": "&", "QUESTION": "?",
    "STRING_LITERAL": "text in quotes", "BOOLCONSTANT": "bool", "HIGH_PRECISION": "highp", "MEDIUM_PRECISION": "mediump",
    "LOW_PRECISION": "lowp",
  ]
}

// MARK: Where and what it is about

/// Finds what a message is about: a token, a directive, or the use of a macro whose expansion has the error.
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
      // The compiler has read the end of the line when it refuses a directive.
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

/// One message together with everything that a rule may want to look at.
struct MessageContext {
  let message: CompilerMessage
  let tokens: TokenListing
  let macros: MacroTable
  let names: NameListing
  /// The token that the compiler points at; the use of the macro when the error is inside an expansion; nil when it points nowhere.
  let token: Int?
  /// The part of a directive that it points at.
  let directive: SourceRange?
  /// The macro whose expansion has the error.
  let expansion: MacroTable.Macro?

  /// The text of the token that the compiler points at.
  var tokenText: String { token.flatMap { tokens.text($0) } ?? "" }

  /// A name as the author wrote it: generated texts may rename.
  func spelled(_ index: Int) -> String {
    guard tokens.tokens.indices.contains(index) else { return "" }
    guard let origin = tokens.tokens[index].origin, tokens.tokens[index].isName else { return tokens.tokens[index].text }
    return String(decoding: origin.source.bytes[origin.range], as: UTF8.self)
  }

  /// The subject of the message as the author wrote it, if a token has that name.
  func spelledSubject(near index: Int?) -> String {
    guard let index, tokens.text(index) == message.subject else { return message.subject }
    return spelled(index)
  }

  /// The call whose closing bracket the compiler points at.
  var call: Call? {
    guard expansion == nil, let close = token, tokenText == ")", let open = tokens.partner(of: close), open > 0 else { return nil }
    return Call(name: open - 1, open: open, close: close)
  }

  struct Call {
    let name: Int
    let open: Int
    let close: Int
  }
}
