internal import EtalonDiagnostics
internal import EtalonManifest

/// Calls and constructors with the wrong arguments.
enum CallRules {
  static func noMatchingOverload(_ context: MessageContext) -> Finding? {
    guard context.message.text == "no matching overloaded function found" else { return nil }
    guard let call = context.call else {
      return Finding(
        id: "glsl.no-matching-overload", message: "no '\(context.message.subject)' takes these arguments",
        mark: context.token.map { .tokens($0...$0) }, label: "arguments do not fit", notes: notes(context.message.subject, context),
        role: .consequence, damage: .statement)
    }
    let name = context.spelled(call.name)
    let found = writtenArguments(of: call, named: name, context)
    var finding = Finding(
      id: "glsl.no-matching-overload", message: "no '\(name)' takes these arguments", mark: .tokens(call.name...call.close),
      label: "arguments do not fit", role: .consequence, damage: .statement)
    let own = context.names.functions(named: context.message.subject)
    let counts = own.isEmpty ? context.names.forms(of: name).map(\.count) : own.map { parameterCount($0, context) }
    if !counts.isEmpty, !counts.contains(found) {
      finding = Finding(
        id: "glsl.wrong-argument-count", message: "'\(name)' takes \(list(counts)), found \(found)", mark: .tokens(call.name...call.close),
        label: found < counts.min() ?? 0 ? "too few arguments" : found > counts.max() ?? 0 ? "too many arguments" : "wrong number",
        role: .consequence, damage: .statement)
    }
    if let first = own.first {
      guard first.token < call.name else { return declaredBelow(name, first, call, context) }
      let bodies = own.filter { context.names.isDefinition($0) }
      finding.others = (bodies.isEmpty ? own : bodies).prefix(3).map { (.tokens($0.token...closing($0, context)), "declared here") }
    } else {
      finding.notes = notes(name, context)
      if counts.contains(found), let help = context.names.given(name)?.help { finding.help = [help] }
    }
    return finding
  }

  /// How many arguments the author gave: rewrites may add some to a call and take some away.
  private static func writtenArguments(of call: MessageContext.Call, named name: String, _ context: MessageContext) -> Int {
    let arguments = context.tokens.arguments(ofCallAt: call.open) ?? []
    guard let given = context.names.given(name) else { return arguments.count }
    return arguments.count { $0.contains { context.tokens.tokens[$0].origin != nil } } + given.dropped
  }

  private static func declaredBelow(
    _ name: String, _ function: NameListing.Declaration, _ call: MessageContext.Call, _ context: MessageContext
  ) -> Finding {
    let head = context.tokens.origin(max(0, function.token - 1)...closing(function, context)).map {
      String(decoding: $0.source.bytes[$0.range], as: UTF8.self)
    }
    return Finding(
      id: "glsl.undeclared-function", message: "function '\(name)' is declared below its first use", mark: .tokens(call.name...call.name),
      label: "not declared yet", others: [(.tokens(function.token...function.token), "declared here")],
      help: [head.map { "move it up, or write '\($0);' above" } ?? "move it up"], role: .consequence, damage: .statement)
  }

  static func constructor(_ context: MessageContext) -> Finding? {
    guard context.message.subject == "constructor" || context.message.subject == "sampler/image" else { return nil }
    let name = context.call.map { context.spelled($0.name) } ?? context.tokenText
    let mark: Finding.Mark? = context.call.map { .tokens($0.name...$0.close) } ?? context.token.map { .tokens($0...$0) }
    let (id, message, label): (String, String, String) =
      switch context.message.text {
      case "not enough data provided for construction":
        ("glsl.constructor", "'\(name)' needs more components than these", "too few components")
      case "too many arguments": ("glsl.constructor", "'\(name)' has fewer components than these arguments", "too many components")
      case "Number of constructor parameters does not match the number of structure fields":
        ("glsl.constructor", "'\(name)' needs one argument for each of its members", "wrong number")
      case "array constructor needs one argument per array element":
        ("glsl.constructor", "an array of this length needs one argument for each element", "wrong number")
      case "matrix constructed from matrix can only have one argument":
        ("glsl.constructor", "a matrix made from a matrix takes that one argument only", "more arguments")
      case "cannot construct this type": ("glsl.constructor", "a value of type '\(name)' cannot be made", "cannot be made")
      default: ("glsl.constructor", "'\(name)' cannot be made from these arguments: \(context.message.text)", "cannot be made")
      }
    return Finding(id: id, message: message, mark: mark, label: label, role: .consequence, damage: .statement)
  }

  /// What follows the name of a declared function: its parameters, up to the closing bracket.
  private static func closing(_ function: NameListing.Declaration, _ context: MessageContext) -> Int {
    context.tokens.partner(of: function.token + 1) ?? function.token
  }

  private static func parameterCount(_ function: NameListing.Declaration, _ context: MessageContext) -> Int {
    let arguments = context.tokens.arguments(ofCallAt: function.token + 1) ?? []
    return arguments.count == 1 && context.tokens.text(arguments[0].lowerBound) == "void" ? 0 : arguments.count
  }

  private static func notes(_ name: String, _ context: MessageContext) -> [String] {
    let forms = context.names.forms(of: name)
    guard !forms.isEmpty else { return [] }
    let lines = forms.map { "'\(name)(\($0.joined(separator: ", ")))'" }
    let usesGeneric = forms.contains { $0.contains { $0.contains("genType") } }
    return ["it is declared as \(lines.joined(separator: ", "))"]
      + (usesGeneric ? ["genType is float, vec2, vec3 or vec4, and the same one everywhere"] : [])
  }

  /// `2 arguments`, `1 or 2 arguments`.
  private static func list(_ counts: [Int]) -> String {
    let sorted = Set(counts).sorted()
    return sorted.map(String.init).joined(separator: " or ") + (sorted == [1] ? " argument" : " arguments")
  }
}
