internal import EtalonDiagnostics

/// Names that mean nothing, or two things.
enum NameRules {
  static func undeclaredIdentifier(_ context: MessageContext) -> Finding? {
    guard context.message.text == "undeclared identifier" else { return nil }
    let name = context.spelledSubject(near: context.token)
    if let token = context.token, context.expansion == nil {
      if context.tokens.tokens.indices.contains(token + 1), context.tokens.tokens[token + 1].isName {
        return unknownType(name, token, context)
      }
      if context.tokens.text(token + 1) != "(", !context.names.functions(named: name).isEmpty || !context.names.forms(of: name).isEmpty {
        return Finding(
          id: "glsl.function-without-call", message: "'\(name)' is a function, and this does not call it", mark: .tokens(token...token),
          label: "not called", help: ["write '\(name)(…)' with its arguments"], damage: .name(context.message.subject))
      }
    }
    var finding = Finding(
      id: "glsl.undeclared-identifier", message: "undeclared identifier '\(name)'", mark: context.token.map { .tokens($0...$0) },
      label: "not declared", damage: .name(context.message.subject))
    suggest(name, in: context, for: &finding, among: context.names.visible(at: context.token ?? 0) + context.macros.names)
    return finding
  }

  /// A name with another name behind it was meant to be a type.
  static func unknownType(_ name: String, _ token: Int, _ context: MessageContext) -> Finding {
    var finding = Finding(
      id: "glsl.unknown-type", message: "unknown type '\(name)'", mark: .tokens(token...token), label: "not a type", damage: .rest)
    suggest(name, in: context, for: &finding, among: Array(BuiltIns.types))
    return finding
  }

  static func noSuchFunction(_ context: MessageContext) -> Finding? {
    guard context.message.text == "no matching overloaded function found" else { return nil }
    let subject = context.message.subject
    let callee = context.call?.name ?? context.token ?? 0
    let name = context.spelledSubject(near: callee)
    guard context.names.functions(named: subject).isEmpty, context.names.forms(of: name).isEmpty else { return nil }
    guard context.expansion != nil || context.tokens.tokens.indices.contains(callee), !BuiltIns.isType(name) else { return nil }
    var finding = Finding(
      id: "glsl.undeclared-function", message: "no function '\(name)'", mark: .tokens(callee...callee), label: "not a function",
      role: .consequence, damage: .statement)
    suggest(
      name, in: context, for: &finding,
      among: context.names.declarations.filter(\.isFunction).map(\.name) + BuiltIns.functionNames + Array(BuiltIns.types))
    return finding
  }

  static func calledVariable(_ context: MessageContext) -> Finding? {
    guard context.message.text == "can't use function syntax on variable" else { return nil }
    let callee = context.call?.name ?? context.token ?? 0
    let name = context.spelledSubject(near: callee)
    var finding = Finding(
      id: "glsl.not-a-function", message: "'\(name)' is a variable and cannot be called", mark: .tokens(callee...callee),
      label: "a variable", damage: .statement)
    if let declared = context.names.earlier(context.message.subject, before: callee) {
      finding.others = [(.tokens(declared.token...declared.token), "declared here")]
    }
    if !context.names.forms(of: name).isEmpty { finding.help = ["give the variable another name than the function '\(name)'"] }
    return finding
  }

  static func redefinition(_ context: MessageContext) -> Finding? {
    switch context.message.text {
    case "redefinition": redeclared(context)
    case "function already has a body": secondBody(context)
    case "overloaded functions must have the same return type": secondResult(context)
    default: nil
    }
  }

  private static func redeclared(_ context: MessageContext) -> Finding? {
    guard let token = context.token else { return nil }
    if let comma = commaInFor(token, context) { return comma }
    let name = context.spelledSubject(near: token)
    var finding = Finding(
      id: "glsl.redefinition", message: "'\(name)' is already declared", mark: .tokens(token...token), label: "declared again")
    if let first = context.names.earlier(context.message.subject, before: token) {
      finding.others = [(.tokens(first.token...first.token), "first declared here")]
    } else if context.names.outside.contains(name) {
      finding.notes = ["'\(name)' is given to every shader"]
      finding.help = ["remove this declaration, or use another name"]
    }
    return finding
  }

  /// `for (int i = 0, i < 3, i++)` reads as a second declaration of `i`.
  private static func commaInFor(_ token: Int, _ context: MessageContext) -> Finding? {
    guard context.tokens.text(token - 1) == ",", ["<", ">", "<=", ">=", "!="].contains(context.tokens.text(token + 1)),
      context.tokens.text(context.tokens.startOfStatement(token)) == "for"
    else { return nil }
    return Finding(
      id: "glsl.syntax", message: "the parts of a 'for' are separated by ';'", mark: .tokens(token - 1...token - 1),
      label: "write ';' here",
      damage: .rest)
  }

  private static func secondBody(_ context: MessageContext) -> Finding? {
    guard let call = context.call else { return nil }
    let name = context.spelled(call.name)
    var finding = Finding(
      id: "glsl.redefinition", message: "function '\(name)' has two bodies for the same parameters", mark: .tokens(call.name...call.name),
      label: "defined again", role: .consequence, damage: .nextBody)
    if let first = context.names.functions(named: context.message.subject).first(where: { $0.token < call.name }) {
      finding.others = [(.tokens(first.token...first.token), "first defined here")]
    }
    return finding
  }

  private static func secondResult(_ context: MessageContext) -> Finding? {
    guard let call = context.call else { return nil }
    let name = context.spelled(call.name)
    var finding = Finding(
      id: "glsl.redefinition", message: "function '\(name)' is declared with two result types for the same parameters",
      mark: .tokens(max(0, call.name - 1)...call.name), label: "another result type", damage: .nextBody)
    if let first = context.names.functions(named: context.message.subject).first(where: { $0.token < call.name }) {
      finding.others = [(.tokens(max(0, first.token - 1)...first.token), "first declared here")]
    }
    return finding
  }

  /// How to make a declaration visible.
  private static func reach(_ declared: NameListing.Declaration, from token: Int?, _ context: MessageContext) -> String {
    guard declared.function != nil else { return "move its declaration above the first use" }
    let isInSameFunction = token.flatMap { context.names.function(around: $0) } == declared.function
    return isInSameFunction
      ? "declare it in front of the block that it is in" : "pass it on as a parameter, or declare it outside the function"
  }

  private static func suggest(_ name: String, in context: MessageContext, for finding: inout Finding, among candidates: [String]) {
    if let replacement = ElsewhereNames.replacement(for: name) {
      finding.help = ["GLSL has \(replacement) instead"]
    } else if let other = context.names.elsewhere[name] {
      finding.help = ["here it is called '\(other)'"]
    } else if finding.id == "glsl.undeclared-identifier", let declared = context.names.outOfReach(name) {
      finding.others = [(.tokens(declared.token...declared.token), "not visible outside")]
      finding.help = [reach(declared, from: context.token, context)]
    } else if let near = NearestName.find(name, in: candidates) {
      finding.help = ["did you mean '\(near)'?"]
    }
  }
}
