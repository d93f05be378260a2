internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// Preprocessor directives and macros.
enum DirectiveRules {
  static func directive(_ context: MessageContext) -> Explanation? {
    let text = context.message.text
    let subject = context.message.subject
    if text == "missing #endif" { return missingEndif(context) }
    guard subject.hasPrefix("#") || subject == "preprocessor evaluation" else { return nil }
    let mark = context.directive.map { Explanation.Mark.source($0) } ?? context.token.map { .tokens($0...$0) }
    func explanation(_ message: String, _ label: String, _ help: String...) -> Explanation {
      Explanation(id: "glsl.directive", message: message, mark: mark, label: label, help: help)
    }
    switch true {
    case subject == "#error":
      let reason = (context.directive.flatMap { writtenReason($0) } ?? text).withoutControls
      return Explanation(
        id: "glsl.error-directive", message: "'#error' was reached" + (reason.isEmpty ? "" : ": \(reason)"), mark: mark, label: "reached")
    case subject == "#include": return explanation("'#include' was not resolved", "not resolved")
    case text == "mismatched statements": return explanation("'\(subject)' without an '#if' in front of it", "no '#if' before")
    case text.hasPrefix("invalid directive"): return unknownDirective(text, mark)
    case text == "must be followed by macro name": return explanation("'\(subject)' needs the name of a macro", "name missing")
    case text.hasPrefix("Macro redefined"):
      let name = PredefinedMacros.authoredName(text.split(separator: " ").last.map(String.init) ?? "")
      return explanation("macro '\(name)' is already defined as something else", "defined again", "write '#undef \(name)' in front of it")
    case text == "missing parenthesis": return explanation("the parameters of this macro are not closed", "')' missing")
    case text.contains("can't be (un)defined"):
      let name = text.split(separator: " ").last.map(String.init) ?? ""
      return explanation("'\(name)' cannot be defined", "reserved name")
    case text == "#else after #else", text == "#elif after #else": return explanation("a second '#else' for one '#if'", "second '#else'")
    case subject == "preprocessor evaluation", text.contains("unexpected tokens"), text.contains("expression"):
      return explanation(
        "the condition cannot be evaluated", "not a condition",
        "conditions are made of integers, 'defined(X)' and macros that stand for integers")
    default: return explanation("'\(subject)' is malformed: \(text)", "malformed")
    }
  }

  /// What the author wrote behind `#error`, of which the compiler sees tokens only; nil for a line that does not end there.
  private static func writtenReason(_ directive: SourceRange) -> String? {
    let line = String(decoding: directive.source.bytes[directive.range], as: UTF8.self)
    return line.wholeMatch(of: /[ \t]*#[ \t]*error\b(.*[^\\])?/).map { ($0.1 ?? "").drop { $0 == " " || $0 == "\t" } }.map(String.init)
  }

  static func expansion(_ context: MessageContext) -> Explanation? {
    guard context.message.subject == "macro expansion", let name = context.message.text.split(separator: " ").last.map(String.init) else {
      return nil
    }
    let text = context.message.text.lowercased()
    let mark = useOfMacro(name, context)
    let (message, label) =
      text.hasPrefix("too few")
      ? ("macro '\(name)' is used with too few arguments", "too few arguments")
      : text.hasPrefix("too many")
        ? ("macro '\(name)' is used with too many arguments", "too many arguments")
        : ("the arguments of macro '\(name)' are not closed", "')' missing")
    var explanation = Explanation(id: "glsl.macro-arguments", message: message, mark: mark, label: label, damage: .rest)
    if let origin = context.macros[name]?.origin { explanation.others = [(.source(origin.line(0)), "defined here")] }
    return explanation
  }

  private static func useOfMacro(_ name: String, _ context: MessageContext) -> Explanation.Mark? {
    guard let token = context.token else { return context.directive.map { .source($0) } }
    guard context.tokens.text(token) != name else {
      guard context.tokens.text(token + 1) == "(", let close = context.tokens.partner(of: token + 1) else { return .tokens(token...token) }
      return .tokens(token...close)
    }
    let use = context.tokens.tokens[..<token].lastIndex { $0.text == name }
    return use.map { .tokens($0...$0) } ?? .tokens(token...token)
  }

  private static func unknownDirective(_ text: String, _ mark: Explanation.Mark?) -> Explanation {
    let name = text.split(separator: " ").last.map(String.init) ?? ""
    var explanation = Explanation(id: "glsl.directive", message: "unknown directive '#\(name)'", mark: mark, label: "unknown")
    let known = ["define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif", "error", "pragma", "line", "include"]
    if let near = name == "elseif" ? "elif" : NearestName.find(name, in: known) { explanation.help = ["did you mean '#\(near)'?"] }
    return explanation
  }

  private static func missingEndif(_ context: MessageContext) -> Explanation {
    var open: [Int] = []
    for (index, directive) in context.tokens.directives.enumerated() {
      let word = directive.text.drop { $0 == "#" || $0 == " " || $0 == "\t" }.prefix { $0.isLetter }
      if word.hasPrefix("if") { open.append(index) } else if word == "endif" { _ = open.popLast() }
    }
    let place = open.last.flatMap { context.tokens.directives[$0].origin?.line(0) }
    return Explanation(
      id: "glsl.directive", message: "this '#if' is never closed", mark: place.map { .source($0) }, label: "no '#endif' for this",
      help: ["add '#endif' where it ends"], damage: .rest)
  }
}

// MARK: Macros

/// The macros that a text defines, for saying where the tokens of an expansion come from.
struct MacroTable {
  struct Macro {
    let name: String
    let takesArguments: Bool
    /// What it is replaced by.
    let body: String
    /// Where the author wrote the directive.
    let origin: SourceRange?

    /// The place of a name in the body, as the author wrote it.
    func place(of name: String) -> SourceRange? {
      guard let origin else { return nil }
      let bytes = origin.source.bytes
      let wanted = Array(name.utf8)
      guard !wanted.isEmpty else { return nil }
      var start = origin.range.lowerBound + 1
      // The first occurrence is past the macro's own name, which may contain or equal it.
      if let own = Self.find(Array(self.name.utf8), in: bytes, origin.range) { start = own + self.name.utf8.count }
      return Self.find(wanted, in: bytes, start..<max(start, origin.range.upperBound)).map {
        SourceRange(origin.source, $0..<$0 + wanted.count)
      }
    }

    /// The offset of a word that is not part of a longer one.
    private static func find(_ word: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Int? {
      guard range.count >= word.count else { return nil }
      return (range.lowerBound...range.upperBound - word.count).first { start in
        bytes[start..<start + word.count].elementsEqual(word)
          && !(isNamePart(word[0]) && start > 0 && isNamePart(bytes[start - 1]))
          && !(isNamePart(word[word.count - 1]) && start + word.count < bytes.count && isNamePart(bytes[start + word.count]))
      }
    }
  }

  private let macros: [String: Macro]

  init(_ directives: [TokenListing.Directive]) {
    var macros: [String: Macro] = [:]
    for directive in directives {
      if let macro = Self.parse(directive) { macros[macro.name] = macro }
    }
    self.macros = macros
  }

  subscript(name: String) -> Macro? { macros[name] }

  var names: [String] { Array(macros.keys) }

  /// The macro whose body has a name in it: the given one, or one that it uses.
  func definition(of name: String, startingAt macro: Macro) -> (macro: Macro, place: SourceRange)? {
    var seen: Set<String> = []
    var waiting = [macro]
    while let next = waiting.popLast() {
      guard seen.insert(next.name).inserted else { continue }
      if let place = next.place(of: name) { return (next, place) }
      waiting += Self.words(next.body).compactMap { macros[$0] }
    }
    return nil
  }

  private static func parse(_ directive: TokenListing.Directive) -> Macro? {
    let joined = directive.text.replacing("\\\r\n", with: " ").replacing("\\\n", with: " ")
    var rest = joined.drop { $0 != "#" }.dropFirst().drop { $0 == " " || $0 == "\t" }
    guard rest.hasPrefix("define") else { return nil }
    rest = rest.dropFirst("define".count).drop { $0 == " " || $0 == "\t" }
    let name = rest.prefix { $0.utf8.count == 1 && isNamePart($0.utf8.first ?? 0) }
    guard !name.isEmpty else { return nil }
    rest = rest.dropFirst(name.count)
    let takesArguments = rest.hasPrefix("(")
    if takesArguments { rest = rest.drop { $0 != ")" }.dropFirst() }
    return Macro(name: String(name), takesArguments: takesArguments, body: String(rest), origin: directive.origin)
  }

  private static func words(_ text: String) -> [String] {
    text.split { !($0.utf8.count == 1 && isNamePart($0.utf8.first ?? 0)) }.map(String.init)
  }
}

/// Whether a byte can be inside a name of GLSL.
private func isNamePart(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
}
