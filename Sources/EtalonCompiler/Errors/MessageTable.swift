internal import EtalonDiagnostics

/// The messages that need no look at the text around them, and the order in which the rules are asked.
enum MessageTable {
  typealias Rule = @Sendable (MessageContext) -> Explanation?

  /// The first rule that knows a message decides; the last one knows every message.
  static let rules: [Rule] = [
    DirectiveRules.expansion, DirectiveRules.directive, LinkRules.undefinedFunction, LinkRules.recursion,
    NameRules.undeclaredIdentifier, NameRules.functionAsValue, NameRules.noSuchFunction, NameRules.calledVariable, NameRules.redefinition,
    CallRules.noMatchingOverload, CallRules.constructor,
    TypeRules.cannotConvert, TypeRules.wrongOperands, TypeRules.notBoolean, TypeRules.wrongReturn, TypeRules.switchValue,
    AccessRules.notAssignable, AccessRules.swizzle, AccessRules.index, AccessRules.member,
    BraceRule.nestedFunction, SyntaxRules.syntaxError, SyntaxRules.unknownCharacter, plain, other,
  ]

  /// How the compiler's text starts, our id, sentence and label, and what to type.
  ///
  /// `$` stands for what the message is about.
  private struct Row {
    let start: String
    let id: String
    let message: String
    let label: String
    var help: [String] = []
    var damage = Explanation.Damage.nothing
  }

  private static let rows: [Row] = [
    Row(
      start: "global const initializers must be constant", id: "glsl.global-const-initializer",
      message: "the value of a 'const' outside functions has to be known before the shader runs", label: "not known before",
      help: ["remove 'const', or set it inside a function"]),
    Row(
      start: "variables with qualifier 'const' must be initialized", id: "glsl.const-without-value",
      message: "constant '$' has no value", label: "value missing", help: ["write '= …' behind it"]),
    Row(
      start: "array size must be a constant integer expression", id: "glsl.not-constant",
      message: "expected an array size that is a constant of type 'int'", label: "not constant",
      help: ["use a number, a '#define' or a 'const int'"], damage: .statement),
    Row(
      start: "array size must be a positive integer", id: "glsl.not-constant", message: "expected an array size of at least 1",
      label: "not positive", damage: .statement),
    Row(
      start: "argument must be compile-time constant", id: "glsl.not-constant", message: "an argument of '$' has to be a constant",
      label: "not constant", damage: .statement),
    Row(
      start: "Reserved word", id: "glsl.reserved-word", message: "'$' is reserved", label: "reserved", help: ["use another name"],
      damage: .rest),
    Row(
      start: "identifiers starting with \"gl_\" are reserved", id: "glsl.reserved-word",
      message: "names that start with 'gl_' are reserved",
      label: "reserved", help: ["use another name"]),
    Row(
      start: "break statement only allowed", id: "glsl.misplaced-statement", message: "'break' outside a loop or 'switch'",
      label: "no loop here"),
    Row(
      start: "continue statement only allowed", id: "glsl.misplaced-statement", message: "'continue' outside a loop", label: "no loop here"),
    Row(
      start: "cannot appear outside switch statement", id: "glsl.misplaced-statement", message: "'$' outside a 'switch'",
      label: "no 'switch' here"),
    Row(start: "duplicated value", id: "glsl.duplicate-case", message: "this value already has a 'case'", label: "second 'case'"),
    Row(
      start: "scalar integer expression required", id: "glsl.not-an-integer", message: "expected a value of type 'int'",
      label: "not an 'int'",
      help: ["write 'int(…)'"]),
    Row(start: "illegal use of type 'void'", id: "glsl.void-variable", message: "'$' cannot be of type 'void'", label: "has no type"),
    Row(
      start: "float literal needs a decimal point", id: "glsl.number", message: "a number with 'f' needs a decimal point",
      label: "no decimal point",
      help: ["write '1.0' for '1f'"]),
    Row(
      start: "octal literal digit too large", id: "glsl.number", message: "a number that starts with 0 is octal", label: "octal",
      help: ["remove the leading 0"]),
    Row(start: "numeric literal too big", id: "glsl.number", message: "the number does not fit into 32 bits", label: "too big"),
    Row(start: "hexadecimal literal too big", id: "glsl.number", message: "the number does not fit into 32 bits", label: "too big"),
    Row(
      start: "bad character in float exponent", id: "glsl.number", message: "the exponent of the number has no digits",
      label: "no exponent", damage: .rest),
    Row(
      start: "bad digit in hexadecimal literal", id: "glsl.number", message: "the hexadecimal number has no digits", label: "no digits",
      damage: .rest),
    Row(
      start: "character literals not supported", id: "glsl.character", message: "GLSL has no characters or texts", label: "not in GLSL",
      damage: .rest),
    Row(
      start: "memory exhausted", id: "limit.nesting", message: "operators or statements are nested too deep for the GLSL compiler",
      label: "too deep here", help: ["write a loop, or several statements that keep what is computed in variables"], damage: .rest),
    Row(
      start: "illegal use of escape character", id: "glsl.character", message: "'\\' can only end a line", label: "not at line's end",
      damage: .rest),
    Row(
      start: "End of input in comment", id: "glsl.syntax", message: "the comment is never closed", label: "no '*/' for this", damage: .rest),
    Row(start: "duplicate member name", id: "glsl.redefinition", message: "a struct has two members of one name", label: "second one"),
    Row(
      start: "sampler/image types can only be used in uniform variables", id: "glsl.sampler-variable",
      message: "a sampler cannot be put into a variable", label: "a sampler",
      help: ["use the sampler itself, or pass it to a function"], damage: .statement),
    Row(start: "extraneous semicolon", id: "glsl.syntax", message: "';' outside a function", label: "not needed", help: ["remove it"]),
    Row(start: "not supported for this version", id: "glsl.unsupported", message: "'$' is not part of GLSL 4.50", label: "not supported"),
    Row(start: "not allowed in nested scope", id: "glsl.misplaced-statement", message: "'$' inside a function", label: "inside a function"),
    Row(start: "using future", id: "glsl.reserved-word", message: "'$' is a keyword in later versions of GLSL", label: "keyword later"),
    Row(
      start: "identifiers containing consecutive underscores", id: "glsl.reserved-name", message: "names with '__' are reserved",
      label: "reserved"),
  ]

  private static func plain(_ context: MessageContext) -> Explanation? {
    let text = context.message.text.isEmpty ? context.message.subject : context.message.text
    guard let row = rows.first(where: { text.hasPrefix($0.start) || context.message.subject == $0.start }) else {
      return requiresExtension(context)
    }
    let subject = context.spelledSubject(near: context.token)
    return Explanation(
      id: row.id, message: row.message.replacing("$", with: subject), mark: here(context), label: row.label, help: row.help,
      damage: row.damage)
  }

  private static func requiresExtension(_ context: MessageContext) -> Explanation? {
    guard context.message.text.hasPrefix("required extension not requested") else { return nil }
    if context.message.subject == "string literal" {
      return Explanation(
        id: "glsl.character", message: "GLSL has no texts in quotes", mark: here(context), label: "not in GLSL", damage: .rest)
    }
    return Explanation(
      id: "glsl.unsupported", message: "'\(context.spelledSubject(near: context.token))' is not part of GLSL 4.50", mark: here(context),
      label: "not supported", damage: .statement)
  }

  /// A message without a row is passed on in the compiler's words.
  private static func other(_ context: MessageContext) -> Explanation? {
    let subject = context.spelledSubject(near: context.token)
    let text = ([context.message.text] + context.message.details).joined(separator: " ")
    return Explanation(
      id: context.message.severity == .error ? "glsl.error" : "glsl.warning", message: subject.isEmpty ? text : "'\(subject)': \(text)",
      mark: here(context), role: .consequence, damage: .statement)
  }

  private static func here(_ context: MessageContext) -> Explanation.Mark? {
    context.token.map { .tokens($0...$0) } ?? context.directive.map { .source($0) }
  }
}

// MARK: Errors without a line

/// Errors that show only when the whole text is known; the compiler gives no line for them, only names such as `f(vf3;`.
private enum LinkRules {
  static func undefinedFunction(_ context: MessageContext) -> Explanation? {
    guard context.message.text.contains("No function definition (body) found") else { return nil }
    let name = functionName(context.message.details.first)
    let declared = context.names.functions(named: name).first
    return Explanation(
      id: "glsl.undefined-function", message: "function '\(spelled(name, declared, context))' is declared and called but never defined",
      mark: declared.map { .tokens($0.token...$0.token) }, label: "has no body",
      help: ["write its body, with exactly these parameters"])
  }

  static func recursion(_ context: MessageContext) -> Explanation? {
    guard context.message.text.contains("Recursion detected") else { return nil }
    let parts = context.message.details.first?.split(separator: " calling ") ?? []
    let caller = functionName(parts.first.map(String.init))
    let callee = functionName(parts.last.map(String.init))
    let declared = context.names.functions(named: caller).last
    var mark: Explanation.Mark? = declared.map { .tokens($0.token...$0.token) }
    if let body = declared.flatMap({ context.tokens.partner(of: $0.token + 1) }).map({ $0 + 1 }),
      let end = context.tokens.partner(of: body),
      let call = (body..<end).first(where: { context.tokens.text($0) == callee && context.tokens.text($0 + 1) == "(" })
    {
      mark = .tokens(call...call)
    }
    let spelledCaller = spelled(caller, declared, context)
    return Explanation(
      id: "glsl.recursion", message: "function '\(spelledCaller)' calls itself" + (caller == callee ? "" : " through '\(callee)'"),
      mark: mark,
      label: "recursion", help: ["GLSL has no recursion: write a loop"])
  }

  private static func functionName(_ mangled: String?) -> String {
    mangled.map { String($0.prefix { $0 != "(" }) } ?? ""
  }

  private static func spelled(_ name: String, _ declared: NameListing.Declaration?, _ context: MessageContext) -> String {
    declared.map { context.spelled($0.token) } ?? name
  }
}
