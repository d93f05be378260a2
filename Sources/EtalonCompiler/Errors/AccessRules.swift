/// Components, members, indices and things that cannot be assigned to.
enum AccessRules {
  static func swizzle(_ context: MessageContext) -> Explanation? {
    let name = context.message.subject
    let mark: Explanation.Mark? = context.token.map { .tokens($0...$0) }
    let (message, label, help): (String, String, [String])
    switch context.message.text {
    case "vector swizzle selection out of range":
      (message, label, help) = ("this value has too few components for '.\(name)'", "no such component", [])
    case "unknown swizzle selection":
      (message, label, help) = ("vectors have no component '\(name)'", "no such component", ["components are 'xyzw', 'rgba' or 'stpq'"])
    case "vector swizzle selectors not from the same set":
      (message, label, help) = (
        "'.\(name)' mixes two names of components", "mixed names", ["use letters of one set: 'xyzw', 'rgba' or 'stpq'"]
      )
    case "vector swizzle too long":
      (message, label, help) = ("'.\(name)' selects more than four components", "too long", [])
    default: return nil
    }
    return Explanation(
      id: "glsl.bad-swizzle", message: message, mark: mark, label: label, help: help, role: .consequence, damage: .statement)
  }

  static func member(_ context: MessageContext) -> Explanation? {
    let mark: Explanation.Mark? = context.token.map { .tokens($0...$0) }
    let name = context.spelledSubject(near: context.token)
    if context.message.text.hasPrefix("no such field in structure") {
      return Explanation(
        id: "glsl.no-such-member", message: "the struct has no member '\(name)'", mark: mark, label: "no such member", role: .consequence,
        damage: .statement)
    }
    if context.message.text == "incomplete method syntax" {
      return Explanation(
        id: "glsl.no-such-member", message: "'\(name)' needs brackets behind it", mark: mark, label: "brackets missing",
        help: ["write '.\(name)()'"], role: .consequence, damage: .statement)
    }
    if context.message.subject == "." || context.message.text.hasPrefix("does not operate on this type") {
      return Explanation(
        id: "glsl.no-such-member", message: "'\(context.tokenText)' does not exist for a value of this type", mark: mark,
        label: "no such member", role: .consequence, damage: .statement)
    }
    return nil
  }

  static func index(_ context: MessageContext) -> Explanation? {
    let text = context.message.text
    let mark: Explanation.Mark? = context.token.map { open in
      .tokens(open...(context.tokenText == "[" ? context.tokens.partner(of: open) ?? open : open))
    }
    if let range = text.firstRange(of: "index out of range '") {
      let index = text[range.upperBound...].prefix { $0 != "'" }
      return Explanation(
        id: "glsl.index-out-of-range", message: "index \(index) is past the end", mark: mark, label: "out of range", role: .consequence)
    }
    if text.contains("left of '[' is not of type array") {
      return Explanation(
        id: "glsl.not-indexable", message: "'\(context.message.subject)' is no array, vector or matrix", mark: mark, label: "no index here",
        role: .consequence, damage: .statement)
    }
    if text == "scalar integer expression required", context.message.subject == "[]" {
      return Explanation(
        id: "glsl.not-an-integer", message: "expected an index of type 'int'", mark: mark, label: "not an 'int'", help: ["write 'int(…)'"],
        role: .consequence, damage: .statement)
    }
    return nil
  }

  static func notAssignable(_ context: MessageContext) -> Explanation? {
    let text = context.message.text
    if text.hasPrefix("Non-L-value cannot be passed") {
      return Explanation(
        id: "glsl.not-assignable", message: "an 'out' or 'inout' parameter needs a variable to write to", mark: argument(context),
        label: "not a variable", help: ["put it into a variable first"], role: .consequence, damage: .statement)
    }
    if text.hasPrefix("l-value of swizzle cannot have duplicate") {
      return Explanation(
        id: "glsl.not-assignable", message: "a component is assigned twice", mark: target(context), label: "a component twice",
        role: .consequence)
    }
    guard text.hasPrefix("l-value required") else { return nil }
    let name = targetName(context)
    let quotedName = name.map { "'\($0)'" } ?? "this"
    var explanation = Explanation(
      id: "glsl.not-assignable", message: "cannot assign to \(quotedName)", mark: target(context), label: "not assignable",
      role: .consequence, damage: .statement)
    if let name, let macro = context.macros[name] {
      explanation.message = "cannot assign to '\(name)', which is a macro"
      explanation.label = "a macro"
      explanation.others = macro.origin.map { [(.source($0.line(0)), "defined here")] } ?? []
      explanation.help = ["make it a variable, as in 'float \(name) = …;'"]
    } else if text.contains("can't modify a uniform") {
      explanation.label = "given from outside"
      explanation.help = name.map { ["copy it into a variable first and change that, in place of '\($0)'"] } ?? []
    } else if text.contains("can't modify a const"), name != nil {
      explanation.label = "a constant"
      if let token = context.token, let declared = name.flatMap({ context.names.earlier($0, before: token) }) {
        explanation.others = [(.tokens(declared.token...declared.token), "declared here")]
      }
      explanation.help = ["declare it without 'const'"]
    }
    return explanation
  }

  /// The argument that the compiler points into.
  private static func argument(_ context: MessageContext) -> Explanation.Mark? {
    guard let token = context.token, context.expansion == nil else { return context.token.map { .tokens($0...$0) } }
    var start = token
    while start > 0, !["(", ",", ";", "{"].contains(context.tokens.tokens[start - 1].text) {
      start -= 1
      if let open = context.tokens.partner(of: start), open < start { start = open }
    }
    return .tokens(start...max(token, context.tokens.endOfExpression(from: start)))
  }

  /// What stands left of the sign that the compiler points at.
  private static func target(_ context: MessageContext) -> Explanation.Mark? {
    guard let token = context.token, context.expansion == nil, context.tokenText.hasSuffix("="), token > 0 else {
      return context.token.map { .tokens($0...$0) }
    }
    let start = context.tokens.startOfStatement(token)
    return .tokens(min(start, token - 1)...token - 1)
  }

  /// The variable at the root of the assigned expression.
  private static func targetName(_ context: MessageContext) -> String? {
    guard case .tokens(let range)? = target(context), context.tokens.tokens[range.lowerBound].isName else { return nil }
    return context.spelled(range.lowerBound)
  }
}
