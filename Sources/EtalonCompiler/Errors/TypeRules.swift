internal import EtalonDiagnostics
internal import EtalonManifest

/// Values of the wrong type.
enum TypeRules {
  static func cannotConvert(_ context: MessageContext) -> Explanation? {
    guard context.message.text.hasPrefix("cannot convert from") else { return nil }
    let types = quoted(context.message.text)
    guard types.count == 2 else { return nil }
    let (from, to) = (TypeSpelling.glsl(types[0]), TypeSpelling.glsl(types[1]))
    var explanation = Explanation(
      id: "glsl.cannot-convert", message: "expected '\(to)', found '\(from)'", mark: assigned(context), label: "this is '\(from)'",
      role: .consequence)
    explanation.help = conversion(from: from, to: to)
    return explanation
  }

  static func wrongOperands(_ context: MessageContext) -> Explanation? {
    guard context.message.text.hasPrefix("wrong operand type") else { return nil }
    let symbol = context.message.subject
    let mark: Explanation.Mark? = context.token.map { .tokens($0...$0) }
    let types = quoted(context.message.text).dropFirst()
    guard symbol != ":" else {
      let spelled = types.map { "'\(TypeSpelling.glsl($0))'" }.joined(separator: " and ")
      return Explanation(
        id: "glsl.wrong-operand-types", message: "the two results of '?:' have different types, \(spelled)", mark: mark,
        label: "different types", role: .consequence, damage: .statement)
    }
    var explanation: Explanation
    if types.count >= 2 {
      let (left, right) = (TypeSpelling.glsl(types[types.startIndex]), TypeSpelling.glsl(types[types.startIndex + 1]))
      explanation = Explanation(
        id: "glsl.wrong-operand-types", message: "cannot apply '\(symbol)' to '\(left)' and '\(right)'", mark: mark,
        label: "'\(left)' \(symbol) '\(right)'", role: .consequence, damage: .statement)
      explanation.help = operatorHelp(symbol, left, right)
    } else {
      let type = TypeSpelling.glsl(operand(context.message.text))
      explanation = Explanation(
        id: "glsl.wrong-operand-types", message: "cannot apply '\(symbol)' to '\(type)'", mark: mark, label: "on '\(type)'",
        role: .consequence, damage: .statement)
      explanation.help = operatorHelp(symbol, type, type)
    }
    return explanation
  }

  static func notBoolean(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "boolean expression expected" else { return nil }
    var explanation = Explanation(
      id: "glsl.not-boolean", message: "expected a condition of type 'bool'", mark: condition(context), label: "not a 'bool'",
      role: .consequence, damage: .statement)
    explanation.help = ["compare it, as in 'x > 0.0' or 'n != 0'"]
    if let range = conditionTokens(context), range.contains(where: { context.tokens.text($0) == "=" }) {
      explanation.help = ["write '==' to compare; '=' assigns"]
    }
    return explanation
  }

  static func switchValue(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "condition must be a scalar integer expression" else { return nil }
    return Explanation(
      id: "glsl.not-an-integer", message: "expected a value of type 'int' to switch on", mark: condition(context), label: "not an 'int'",
      help: ["write 'int(…)'"], role: .consequence)
  }

  static func wrongReturn(_ context: MessageContext) -> Explanation? {
    guard let token = context.token else { return nil }
    let end = context.tokens.endOfExpression(from: token)
    let value = Explanation.Mark.tokens(min(token + 1, end)...end)
    switch context.message.text {
    case "void function cannot return a value":
      return Explanation(
        id: "glsl.wrong-return", message: "a function declared as 'void' returns a value", mark: value, label: "returns a value",
        role: .consequence)
    case "non-void function must return a value":
      return Explanation(
        id: "glsl.wrong-return", message: "this function has to return a value", mark: .tokens(token...token), label: "value missing",
        damage: .nothing)
    case "cannot convert return value to function return type", "type does not match, or is not convertible to, the function's return type":
      if let type = writtenType(around: token, context) {
        return Explanation(
          id: "glsl.wrong-return", message: "expected a value of type '\(type)' to return", mark: value, label: "not a '\(type)'",
          role: .consequence)
      }
      let type = givenType(around: token, context)
      return Explanation(
        id: "glsl.wrong-value", message: "expected a value of type '\(type)'", mark: value, label: "not a '\(type)'",
        help: type.hasPrefix("vec") ? ["write '\(type)(…)' with \(type.dropFirst(3)) numbers"] : [], role: .consequence)
    default:
      guard context.message.text.hasPrefix("function does not return a value"), let call = context.call else { return nil }
      let name = context.spelled(call.name), type = context.spelled(call.name - 1)
      // Etalon calls these, and needs what they return.
      let isEntry = ["transition", "colorKernel", "warpKernel", "imageKernel"].contains(name)
      return Explanation(
        id: "glsl.wrong-return", message: "function '\(name)' has a result type but no 'return'",
        mark: .tokens(call.name...call.name), label: "never returns",
        help: [isEntry ? "end it with 'return' and a '\(type)'" : "declare it as 'void', or return a value"])
    }
  }

  /// The type of the author's function around a token; nil within a function that the author did not write.
  private static func writtenType(around token: Int, _ context: MessageContext) -> String? {
    guard let body = context.names.function(around: token), body > 0, let open = context.tokens.partner(of: body - 1), open > 1 else {
      return context.names.declarations.contains { $0.isFunction && $0.token < token } ? "void" : nil
    }
    return context.spelled(open - 2)
  }

  /// The type of the function around a token, whether the author wrote it or not.
  private static func givenType(around token: Int, _ context: MessageContext) -> String {
    let bodies = (0..<token).reversed().lazy.filter { context.tokens.text($0) == "{" && context.tokens.text($0 - 1) == ")" }
    guard let body = bodies.first, let open = context.tokens.partner(of: body - 1), open > 1 else { return "void" }
    return context.tokens.text(open - 2) ?? "void"
  }

  /// What stands right of the sign, for declarations and assignments alike.
  private static func assigned(_ context: MessageContext) -> Explanation.Mark? {
    guard let token = context.token, context.expansion == nil else { return context.token.map { .tokens($0...$0) } }
    var sign = token
    while let text = context.tokens.text(sign), !text.hasSuffix("=") {
      if text == ";" || text == "{" || text == "}" { return .tokens(token...token) }
      sign += 1
    }
    guard context.tokens.text(sign) != nil, context.tokens.text(sign + 1) != nil else { return .tokens(token...token) }
    return .tokens(sign + 1...context.tokens.endOfExpression(from: sign + 1))
  }

  private static func condition(_ context: MessageContext) -> Explanation.Mark? {
    conditionTokens(context).map { .tokens($0) } ?? context.token.map { .tokens($0...$0) }
  }

  private static func conditionTokens(_ context: MessageContext) -> ClosedRange<Int>? {
    guard let token = context.token, context.expansion == nil else { return nil }
    if ["if", "switch"].contains(context.tokenText), let close = context.tokens.partner(of: token + 1), close > token + 2 {
      return token + 2...close - 1
    }
    if context.tokenText == ";", let open = context.tokens.partner(of: token - 1), open + 1 < token - 1 { return open + 1...token - 2 }
    guard context.tokenText != "?" else { return nil }
    return token...context.tokens.endOfExpression(from: token)
  }

  /// The parts of a text that stand in single quotes.
  private static func quoted(_ text: String) -> [Substring] {
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
  }

  private static func operand(_ text: String) -> Substring {
    guard let start = text.firstRange(of: "operand of type "), let end = text.firstRange(of: " (or there") else { return "" }
    return text[start.upperBound..<max(start.upperBound, end.lowerBound)]
  }

  private static func conversion(from: String, to: String) -> [String] {
    let scalars: Set = ["float", "int", "uint", "bool"]
    if scalars.contains(to), scalars.contains(from) {
      return to == "bool" ? ["write 'bool(…)', or compare it with zero"] : ["write '\(to)(…)' to convert it"]
    }
    if let wanted = components(to), let given = components(from) {
      let letters = "xyzw"
      if given > wanted { return ["take some of its components, as in '.\(letters.prefix(wanted))'"] }
      if given == 1 { return ["write '\(to)(…)' to repeat it"] }
      return ["write '\(to)(…, 0.0)' with the missing components"]
    }
    return []
  }

  /// The number of components of a scalar or vector of floats.
  private static func components(_ type: String) -> Int? { ["float": 1, "vec2": 2, "vec3": 3, "vec4": 4][type] }

  private static func operatorHelp(_ symbol: String, _ left: String, _ right: String) -> [String] {
    let isFloat = [left, right].contains { $0 == "float" || $0.hasPrefix("vec") }
    switch symbol {
    case "%" where isFloat: return ["write 'mod(a, b)' for floats"]
    case "<", ">", "<=", ">=":
      return left.contains("vec") || right.contains("vec") ? ["compare single components, or use 'lessThan' and its kin"] : []
    case "!", "&&", "||", "^^": return ["compare first, as in 'x > 0.0'"]
    case "^" where isFloat: return ["write 'pow(a, b)' for powers"]
    case "&", "|", "<<", ">>", "~", "&=", "|=", "^": return isFloat ? ["convert to 'int' first"] : []
    case "==", "!=": return ["compare values of one type"]
    case "+", "-", "*", "/":
      guard left.contains("vec") || right.contains("vec") else { return [] }
      if left.contains("mat") { return ["the matrix needs as many columns as the vector has components"] }
      return right.contains("mat")
        ? ["the matrix needs as many rows as the vector has components"] : ["both need the same number of components"]
    default: return []
    }
  }
}

/// Reads the compiler's long names of types: `' temp highp 3-component vector of float'` is a `vec3`.
enum TypeSpelling {
  private static let qualifiers: Set<String> = [
    "temp", "const", "global", "in", "out", "inout", "uniform", "buffer", "shared", "highp", "mediump", "lowp", "readonly", "writeonly",
    "coherent", "volatile", "restrict", "flat", "smooth", "precise", "specialization-constant", "nonuniform",
  ]

  /// The GLSL spelling of a type; a structure is called `struct`.
  static func glsl(_ long: Substring) -> String {
    if long.contains("structure{") { return arraySizes(long) + "struct" }
    var words = long.split(separator: " ").map { String($0) }
    // Members of blocks tell where they lie: `layout( column_major std140 offset=16)`.
    if words.first?.hasPrefix("layout(") == true, let end = words.firstIndex(where: { $0.hasSuffix(")") }) { words.removeFirst(end + 1) }
    var sizes = ""
    while let first = words.first {
      if qualifiers.contains(first) {
        words.removeFirst()
      } else if first.hasSuffix("-element"), words.dropFirst().starts(with: ["array", "of"]) {
        sizes += "[\(first.dropLast("-element".count))]"
        words.removeFirst(3)
      } else if first.hasSuffix("-sized"), words.dropFirst().starts(with: ["array", "of"]) {
        sizes += "[]"
        words.removeFirst(3)
      } else {
        break
      }
    }
    return core(words) + sizes
  }

  private static func arraySizes(_ long: Substring) -> String { long.contains("-element array of") ? "array of " : "" }

  /// A scalar, vector, matrix or sampler, of which the qualifiers are gone.
  private static func core(_ words: [String]) -> String {
    let scalarPrefixes = ["float": "", "int": "i", "uint": "u", "bool": "b", "double": "d"]
    guard words.count == 4, words[2] == "of", let prefix = scalarPrefixes[words[3]] else { return words.joined(separator: " ") }
    if words[1] == "vector", let count = words[0].first { return "\(prefix)vec\(count)" }
    let sides = words[0].split(separator: "X")
    guard words[1] == "matrix", sides.count == 2 else { return words.joined(separator: " ") }
    return "\(prefix)mat\(sides[0])" + (sides[0] == sides[1] ? "" : "x\(sides[1])")
  }
}

// MARK: Calls

/// Calls and constructors with the wrong arguments.
enum CallRules {
  static func noMatchingOverload(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "no matching overloaded function found" else { return nil }
    guard let call = context.call else {
      return Explanation(
        id: "glsl.no-matching-overload", message: "no '\(context.message.subject)' takes these arguments",
        mark: context.token.map { .tokens($0...$0) }, label: "arguments do not fit", notes: notes(context.message.subject, context),
        role: .consequence, damage: .statement)
    }
    let name = context.spelled(call.name)
    let found = writtenArguments(of: call, named: name, context)
    var explanation = Explanation(
      id: "glsl.no-matching-overload", message: "no '\(name)' takes these arguments", mark: .tokens(call.name...call.close),
      label: "arguments do not fit", role: .consequence, damage: .statement)
    let own = context.names.functions(named: context.message.subject)
    let counts = own.isEmpty ? context.names.forms(of: name).map(\.count) : own.map { parameterCount($0, context) }
    if !counts.isEmpty, !counts.contains(found) {
      explanation = Explanation(
        id: "glsl.wrong-argument-count", message: "'\(name)' takes \(list(counts)), found \(found)", mark: .tokens(call.name...call.close),
        label: found < counts.min() ?? 0 ? "too few arguments" : found > counts.max() ?? 0 ? "too many arguments" : "wrong number",
        role: .consequence, damage: .statement)
    }
    if let first = own.first {
      guard first.token < call.name else { return declaredBelow(name, first, call, context) }
      let bodies = own.filter { context.names.isDefinition($0) }
      explanation.others = (bodies.isEmpty ? own : bodies).prefix(3).map { (.tokens($0.token...closing($0, context)), "declared here") }
    } else {
      explanation.notes = notes(name, context)
      if counts.contains(found), let help = context.names.given(name)?.help { explanation.help = [help] }
    }
    return explanation
  }

  /// How many arguments the author gave: rewrites may add some to a call and take some away.
  private static func writtenArguments(of call: MessageContext.Call, named name: String, _ context: MessageContext) -> Int {
    let arguments = context.tokens.arguments(ofCallAt: call.open) ?? []
    guard let given = context.names.given(name) else { return arguments.count }
    return arguments.count { $0.contains { context.tokens.tokens[$0].origin != nil } } + given.dropped
  }

  private static func declaredBelow(
    _ name: String, _ function: NameListing.Declaration, _ call: MessageContext.Call, _ context: MessageContext
  ) -> Explanation {
    let head = context.tokens.origin(max(0, function.token - 1)...closing(function, context)).map {
      String(decoding: $0.source.bytes[$0.range], as: UTF8.self)
    }
    return Explanation(
      id: "glsl.undeclared-function", message: "function '\(name)' is declared below its first use", mark: .tokens(call.name...call.name),
      label: "not declared yet", others: [(.tokens(function.token...function.token), "declared here")],
      help: [head.map { "move it up, or write '\($0);' above" } ?? "move it up"], role: .consequence, damage: .statement)
  }

  static func constructor(_ context: MessageContext) -> Explanation? {
    guard context.message.subject == "constructor" || context.message.subject == "sampler/image" else { return nil }
    let name = context.call.map { context.spelled($0.name) } ?? context.tokenText
    let mark: Explanation.Mark? = context.call.map { .tokens($0.name...$0.close) } ?? context.token.map { .tokens($0...$0) }
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
    return Explanation(id: id, message: message, mark: mark, label: label, role: .consequence, damage: .statement)
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
