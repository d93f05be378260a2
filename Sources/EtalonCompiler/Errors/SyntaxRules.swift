internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// Text that the grammar cannot follow; nothing after it is looked at.
enum SyntaxRules {
  static func syntaxError(_ context: MessageContext) -> Explanation? {
    if context.message.text == "compilation terminated" { return endOfText(context) }
    guard let syntax = SyntaxMessage(context.message.text) else { return nil }
    guard let token = context.token else { return endOfText(context) }
    let explanation =
      macroEndsStatement(syntax, token, context) ?? misplacedBrace(token, context) ?? wordForType(syntax, token, context)
      ?? unclosedBracket(syntax, token, context) ?? missingSemicolon(syntax, token, context) ?? special(syntax, token, context)
    return explanation ?? expectation(syntax, token, context)
  }

  /// A character that GLSL does not know; the compiler is shown another in its place.
  static func unknownCharacter(_ context: MessageContext) -> Explanation? {
    guard context.message.text.hasPrefix("unexpected token") else { return nil }
    let place = context.expansion?.origin ?? context.token.flatMap { context.tokens.tokens[$0].origin } ?? context.directive
    let first = place.flatMap { UnknownCharacters.first(in: $0) }
    var explanation = Explanation(
      id: "glsl.character", message: "character \(first?.name ?? "'\(context.message.subject)'") means nothing in GLSL",
      mark: context.token.map { .tokens($0...$0) } ?? context.directive.map { .source($0) }, label: "not in GLSL", damage: .rest)
    // The place of what the compiler saw is found in the macro anyway.
    if context.expansion != nil, let first, first.name != "'\(context.message.subject)'" {
      explanation.others = [(.source(first.place), "this one")]
    }
    return explanation
  }

  /// The text ends in the middle of something.
  private static func endOfText(_ context: MessageContext) -> Explanation {
    if let comment = UnclosedComment.explanation(context) { return comment }
    if let brace = BraceRule.unclosed(before: context.tokens.tokens.count, context) { return brace }
    let last = context.tokens.tokens.lastIndex { $0.origin != nil }
    return Explanation(
      id: "glsl.syntax", message: "unexpected end of file", mark: last.map { .after($0) }, label: "ends here", role: .consequence,
      damage: .rest)
  }

  /// `#define SPEED 2.0;` puts the semicolon into the middle of expressions.
  private static func macroEndsStatement(_ syntax: SyntaxMessage, _ token: Int, _ context: MessageContext) -> Explanation? {
    for index in [token, token - 1] {
      guard let name = context.tokens.text(index), let macro = context.macros[name], let origin = macro.origin else { continue }
      let body = macro.body.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
      guard body.last(where: { !$0.isWhitespace }) == ";", index == token ? syntax.unexpected == ";" : true else { continue }
      let place = macro.place(of: ";").map { Explanation.Mark.source($0) } ?? .source(origin)
      return Explanation(
        id: "glsl.syntax", message: "macro '\(name)' ends with ';', which ends the statement here", mark: .tokens(index...index),
        label: "ends the statement", others: [(place, "this one")], help: ["remove the ';' from the '#define'"], damage: .rest)
    }
    return nil
  }

  private static func misplacedBrace(_ token: Int, _ context: MessageContext) -> Explanation? {
    if context.tokenText == "}", context.tokens.partner(of: token) == nil, BraceRule.depth(at: token, context) == 0 {
      return Explanation(
        id: "glsl.syntax", message: "'}' closes nothing", mark: .tokens(token...token), label: "nothing to close", damage: .rest)
    }
    guard startsFunction(token, context) || context.tokens.tokens[token].origin == nil else { return nil }
    return BraceRule.unclosed(before: token, context)
  }

  /// Whether a brace follows `type name(…)`.
  private static func startsFunction(_ token: Int, _ context: MessageContext) -> Bool {
    guard context.tokenText == "{", context.tokens.text(token - 1) == ")", let open = context.tokens.partner(of: token - 1), open > 1 else {
      return false
    }
    return context.tokens.tokens[open - 1].isName && context.tokens.tokens[open - 2].isName && context.tokens.text(open - 2) != "else"
  }

  /// `let x`, `function f()`, `float3 x` as a parameter: a word in the place of a type.
  private static func wordForType(_ syntax: SyntaxMessage, _ token: Int, _ context: MessageContext) -> Explanation? {
    guard syntax.unexpected == "name", context.expansion == nil, context.tokens.tokens[token].isName,
      context.tokens.tokens.indices.contains(token + 1)
    else { return nil }
    let before = context.tokens.text(token - 1) ?? ";"
    let name = context.spelled(token)
    if context.tokens.tokens[token + 1].isName, [";", "}", "{", "(", ",", ")"].contains(before) || BuiltIns.qualifiers.contains(before) {
      return NameRules.unknownType(name, token, context)
    }
    guard BraceRule.depth(at: token, context) == 0 else { return nil }
    if ["(", ","].contains(before) {
      return Explanation(
        id: "glsl.syntax", message: "parameter '\(name)' has no type", mark: .tokens(token...token), label: "type missing",
        help: ["write a type in front of it, as in 'float \(name)'"], damage: .rest)
    }
    guard [";", "}"].contains(before) else { return nil }
    var explanation = Explanation(
      id: "glsl.syntax", message: "expected a declaration, found '\(name)'", mark: .tokens(token...token), label: "outside a function",
      help: ["statements belong into a function"], damage: .rest)
    let closesTooMuch = context.tokens.tokens.indices.dropFirst(token).contains {
      context.tokens.text($0) == "}" && context.tokens.partner(of: $0) == nil
    }
    if closesTooMuch, before == "}" {
      explanation.others = [(.tokens(token - 1...token - 1), "the function ends here")]
      explanation.help = ["is there a '}' too many?"]
    }
    return explanation
  }

  private static func unclosedBracket(_ syntax: SyntaxMessage, _ token: Int, _ context: MessageContext) -> Explanation? {
    guard syntax.expecting.contains(")") || syntax.expecting.contains("]"), [";", "{", "}"].contains(context.tokenText) else { return nil }
    let missing = syntax.expecting.contains(")") ? ")" : "]"
    guard token > 0, let open = openBracket(missing == ")" ? "(" : "[", before: token, context) else { return nil }
    return Explanation(
      id: "glsl.syntax", message: "expected '\(missing)' before '\(context.tokenText)'", mark: .after(token - 1),
      label: "add '\(missing)' here",
      others: [(.tokens(open...open), "opened here")], damage: .rest)
  }

  /// The nearest bracket that is still open in front of a token.
  private static func openBracket(_ bracket: String, before token: Int, _ context: MessageContext) -> Int? {
    var index = token - 1
    let start = context.tokens.startOfStatement(token - 1)
    while index >= start {
      if context.tokens.text(index) == bracket, context.tokens.partner(of: index).map({ $0 > token }) ?? true { return index }
      index -= 1
    }
    return nil
  }

  private static func missingSemicolon(_ syntax: SyntaxMessage, _ token: Int, _ context: MessageContext) -> Explanation? {
    guard syntax.expecting.contains(";"), token > 0, context.expansion == nil else { return nil }
    guard context.tokenText == "}" || startsNewLine(token, context) else { return nil }
    return Explanation(
      id: "glsl.syntax", message: "expected ';' before '\(context.spelled(token))'", mark: .after(token - 1), label: "add ';' here",
      damage: .rest)
  }

  private static func startsNewLine(_ token: Int, _ context: MessageContext) -> Bool {
    guard let here = context.tokens.tokens[token].origin else { return true }
    guard let before = context.tokens.tokens[token - 1].origin, before.source == here.source else { return true }
    return before.source.position(at: before.range.lowerBound).line < here.source.position(at: here.range.lowerBound).line
  }

  private static func special(_ syntax: SyntaxMessage, _ token: Int, _ context: MessageContext) -> Explanation? {
    let text = context.tokenText
    let before = context.tokens.text(token - 1) ?? ""
    let here = Explanation.Mark.tokens(token...token)
    func explanation(_ message: String, _ label: String, _ help: String...) -> Explanation {
      Explanation(id: "glsl.syntax", message: message, mark: here, label: label, help: help, damage: .rest)
    }
    if text == "else" {
      return explanation("'else' without an 'if' in front of it", "no 'if' before", "an 'if' governs one statement, or several in braces")
    }
    if let first = text.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first, BuiltIns.isType(before) {
      return Explanation(
        id: "glsl.syntax", message: "a name cannot start with a digit", mark: .tokens(token...wordEnd(token, context)),
        label: "starts with a digit", damage: .rest)
    }
    if text == ")", context.tokens.partner(of: token) == nil { return explanation("')' closes nothing", "nothing to close") }
    if syntax.expecting.contains(":"), token > 0, let question = questionMark(before: token, context) {
      return Explanation(
        id: "glsl.syntax", message: "'?' without a ':'", mark: .after(token - 1), label: "add ': …' here",
        others: [(.tokens(question...question), "belongs to this '?'")], damage: .rest)
    }
    if text == "=", before == "=" { return explanation("unexpected '='", "one '=' too many", "write '==' to compare") }
    if text == "*", before == "*" { return explanation("GLSL has no operator '**'", "no such operator", "write 'pow(a, b)'") }
    if text.first == ".", before.first.map(\.isNumber) ?? false, before.contains(".") {
      return explanation("a number has two decimal points", "second decimal point")
    }
    if text == "=", BraceRule.depth(at: token, context) == 0, syntax.expecting.contains(")") {
      return explanation("a parameter cannot have a default value", "default value", "write a second function without the parameter")
    }
    return nil
  }

  /// The last token of a word that was cut into several: those that stand right behind each other.
  private static func wordEnd(_ token: Int, _ context: MessageContext) -> Int {
    var end = token
    while let here = context.tokens.tokens[end].origin, context.tokens.tokens.indices.contains(end + 1),
      context.tokens.tokens[end + 1].isName, context.tokens.tokens[end + 1].origin?.range.lowerBound == here.range.upperBound
    {
      end += 1
    }
    return end
  }

  private static func questionMark(before token: Int, _ context: MessageContext) -> Int? {
    (context.tokens.startOfStatement(token)..<token).last { context.tokens.text($0) == "?" }
  }

  private static let operators: Set<String> = [
    "+", "-", "*", "/", "%", "=", "+=", "-=", "*=", "/=", "(", ",", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "?", ":", "return", "[",
  ]

  private static func expectation(_ syntax: SyntaxMessage, _ token: Int, _ context: MessageContext) -> Explanation {
    let found = context.expansion == nil ? "'\(context.spelled(token))'" : "'\(syntax.unexpected)' from macro '\(context.tokenText)'"
    let before = context.tokens.text(token - 1) ?? ""
    var explanation = Explanation(
      id: "glsl.syntax", message: "unexpected \(found)", mark: .tokens(token...token), label: "not expected here", role: .consequence,
      damage: .rest)
    if !syntax.expecting.isEmpty {
      let wanted = syntax.expecting.map { $0.utf8.count < 3 ? "'\($0)'" : "a \($0)" }.joined(separator: " or ")
      let behind = ["if", "for", "while", "switch"].contains(before) ? " after '\(before)'" : ""
      explanation = Explanation(
        id: "glsl.syntax", message: "expected \(wanted)\(behind), found \(found)", mark: .tokens(token...token), label: "not expected here",
        role: .consequence, damage: .rest)
    } else if operators.contains(before), [";", ")", "]", "}", ","].contains(context.tokenText) || operators.contains(context.tokenText) {
      explanation = Explanation(
        id: "glsl.syntax", message: "expected a value after '\(before)', found \(found)", mark: .tokens(token...token),
        label: "value missing",
        role: .consequence, damage: .rest)
    }
    return explanation
  }
}

// MARK: Braces

/// Finds the brace that the author forgot to close.
enum BraceRule {
  /// The number of braces that are open in front of a token.
  static func depth(at token: Int, _ context: MessageContext) -> Int { open(before: token, context).count }

  /// The error of a brace that is still open where the next function or the end of the text comes; nil when none is.
  fileprivate static func unclosed(before token: Int, _ context: MessageContext) -> Explanation? {
    let open = open(before: token, context).filter { context.tokens.tokens[$0].origin != nil }
    guard let innermost = open.last else { return nil }
    let brace = misindented(before: token, in: open, context) ?? innermost
    return Explanation(
      id: "glsl.syntax", message: "this '{' is never closed", mark: .tokens(brace...brace), label: "no '}' for this", damage: .rest)
  }

  /// A forgotten brace shows where a function starts while braces are open.
  static func nestedFunction(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "not allowed in nested scope", let token = context.token else { return nil }
    return unclosed(before: token, context)
  }

  private static func open(before token: Int, _ context: MessageContext) -> [Int] {
    var open: [Int] = []
    for index in 0..<min(token, context.tokens.tokens.count) {
      switch context.tokens.tokens[index].text {
      case "{": open.append(index)
      case "}": _ = open.popLast()
      default: break
      }
    }
    return open
  }

  /// The closing braces pair up from the inside, so the brace without a partner is an outer one; the first pair whose indentation differs
  /// tells which one the author forgot.
  private static func misindented(before token: Int, in stillOpen: [Int], _ context: MessageContext) -> Int? {
    guard let start = stillOpen.first else { return nil }
    var open: [Int] = []
    for index in start..<min(token, context.tokens.tokens.count) {
      switch context.tokens.tokens[index].text {
      case "{": open.append(index)
      case "}":
        guard let partner = open.popLast() else { return nil }
        guard let inner = indentation(partner, context), let outer = indentation(index, context) else { continue }
        if inner.line != outer.line, inner.column > outer.column { return partner }
      default: break
      }
    }
    return nil
  }

  /// The line of a token and the column at which its text starts.
  private static func indentation(_ index: Int, _ context: MessageContext) -> (line: Int, column: Int)? {
    guard let origin = context.tokens.tokens[index].origin else { return nil }
    let line = origin.source.position(at: origin.range.lowerBound).line
    let text = origin.source.bytes[origin.source.byteRange(ofLine: line)]
    return (line, text.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count)
  }
}

// MARK: Comments

/// A `/*` without `*/`, which swallows the rest of the text.
private enum UnclosedComment {
  static func explanation(_ context: MessageContext) -> Explanation? {
    guard let place = context.tokens.lastSpace.flatMap(opening) else { return nil }
    return Explanation(
      id: "glsl.syntax", message: "this comment is never closed", mark: .source(place), label: "no '*/' for this", damage: .rest)
  }

  /// The `/*` in a run of white space and comments that has no end.
  private static func opening(_ space: SourceRange) -> SourceRange? {
    let bytes = space.source.bytes
    var index = space.range.lowerBound
    let end = space.range.upperBound
    func isAt(_ index: Int, _ text: String) -> Bool { bytes[index..<end].starts(with: text.utf8) }
    while index < end {
      if isAt(index, "//") {
        while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if isAt(index, "/*") {
        let start = index
        index += 2
        while index < end, !isAt(index, "*/") { index += 1 }
        if index >= end { return SourceRange(space.source, start..<start + 2) }
        index += 2
      } else {
        index += 1
      }
    }
    return nil
  }
}
