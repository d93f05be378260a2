internal import EtalonDiagnostics
internal import EtalonManifest

/// Names that mean nothing, or two things.
enum NameRules {
  static func undeclaredIdentifier(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "undeclared identifier" else { return nil }
    let name = context.spelledSubject(near: context.token)
    if let token = context.token, context.expansion == nil {
      if context.tokens.tokens.indices.contains(token + 1), context.tokens.tokens[token + 1].isName {
        return unknownType(name, token, context)
      }
      if isFunctionWithoutCall(token, name, context) {
        return functionWithoutCall(token, name, damage: .name(context.message.subject))
      }
    }
    var explanation = Explanation(
      id: "glsl.undeclared-identifier", message: "undeclared identifier '\(name)'", mark: context.token.map { .tokens($0...$0) },
      label: "not declared", damage: .name(context.message.subject))
    suggest(name, in: context, for: &explanation, among: context.names.visible(at: context.token ?? 0) + context.macros.names)
    return explanation
  }

  /// The name of a function where a value is expected: glslang 15 tells of it as of a value of an unknown type.
  static func functionAsValue(_ context: MessageContext) -> Explanation? {
    guard let near = context.token, context.expansion == nil, context.message.text.contains("unknown type") else { return nil }
    let variables = Set(context.names.declarations.filter { !$0.isFunction }.map(\.name) + context.names.outside + context.macros.names)
    var token = context.tokens.startOfStatement(near)
    while context.tokens.tokens.indices.contains(token), ![";", "{", "}"].contains(context.tokens.tokens[token].text) {
      let name = context.spelled(token)
      if context.tokens.tokens[token].isName, !variables.contains(context.tokens.tokens[token].text), !variables.contains(name),
        isFunctionWithoutCall(token, name, context)
      {
        return functionWithoutCall(token, name, damage: .statement)
      }
      token += 1
    }
    return nil
  }

  private static func isFunctionWithoutCall(_ token: Int, _ name: String, _ context: MessageContext) -> Bool {
    guard context.tokens.text(token + 1) != "(", context.tokens.text(token - 1) != "." else { return false }
    return !(context.names.functions(named: context.tokens.tokens[token].text).isEmpty && context.names.forms(of: name).isEmpty)
  }

  private static func functionWithoutCall(_ token: Int, _ name: String, damage: Explanation.Damage) -> Explanation {
    Explanation(
      id: "glsl.function-without-call", message: "'\(name)' is a function, and this does not call it", mark: .tokens(token...token),
      label: "not called", help: ["write '\(name)(…)' with its arguments"], damage: damage)
  }

  /// A name with another name behind it was meant to be a type.
  static func unknownType(_ name: String, _ token: Int, _ context: MessageContext) -> Explanation {
    var explanation = Explanation(
      id: "glsl.unknown-type", message: "unknown type '\(name)'", mark: .tokens(token...token), label: "not a type", damage: .rest)
    suggest(name, in: context, for: &explanation, among: Array(BuiltIns.types))
    return explanation
  }

  static func noSuchFunction(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "no matching overloaded function found" else { return nil }
    let subject = context.message.subject
    let callee = context.call?.name ?? context.token ?? 0
    let name = context.spelledSubject(near: callee)
    guard context.names.functions(named: subject).isEmpty, context.names.forms(of: name).isEmpty else { return nil }
    guard context.expansion != nil || context.tokens.tokens.indices.contains(callee), !BuiltIns.isType(name) else { return nil }
    var explanation = Explanation(
      id: "glsl.undeclared-function", message: "no function '\(name)'", mark: .tokens(callee...callee), label: "not a function",
      role: .consequence, damage: .statement)
    suggest(
      name, in: context, for: &explanation,
      among: context.names.declarations.filter(\.isFunction).map(\.name) + context.names.givenFunctions + BuiltIns.functionNames
        + Array(BuiltIns.types))
    return explanation
  }

  static func calledVariable(_ context: MessageContext) -> Explanation? {
    guard context.message.text == "can't use function syntax on variable" else { return nil }
    let callee = context.call?.name ?? context.token ?? 0
    let name = context.spelledSubject(near: callee)
    var explanation = Explanation(
      id: "glsl.not-a-function", message: "'\(name)' is a variable and cannot be called", mark: .tokens(callee...callee),
      label: "a variable", damage: .statement)
    if let declared = context.names.earlier(context.message.subject, before: callee) {
      explanation.others = [(.tokens(declared.token...declared.token), "declared here")]
    }
    if !context.names.forms(of: name).isEmpty { explanation.help = ["give the variable another name than the function '\(name)'"] }
    return explanation
  }

  static func redefinition(_ context: MessageContext) -> Explanation? {
    switch context.message.text {
    case "redefinition": redeclared(context)
    case "function already has a body": secondBody(context)
    case "overloaded functions must have the same return type": secondResult(context)
    default: nil
    }
  }

  private static func redeclared(_ context: MessageContext) -> Explanation? {
    guard let token = context.token else { return nil }
    if let comma = commaInFor(token, context) { return comma }
    let name = context.spelledSubject(near: token)
    var explanation = Explanation(
      id: "glsl.redefinition", message: "'\(name)' is already declared", mark: .tokens(token...token), label: "declared again")
    if let first = context.names.earlier(context.message.subject, before: token) {
      explanation.others = [(.tokens(first.token...first.token), "first declared here")]
    } else if context.names.outside.contains(name) {
      explanation.notes = ["'\(name)' is given to every shader"]
      explanation.help = ["remove this declaration, or use another name"]
    }
    return explanation
  }

  /// `for (int i = 0, i < 3, i++)` reads as a second declaration of `i`.
  private static func commaInFor(_ token: Int, _ context: MessageContext) -> Explanation? {
    guard context.tokens.text(token - 1) == ",", ["<", ">", "<=", ">=", "!="].contains(context.tokens.text(token + 1)),
      context.tokens.text(context.tokens.startOfStatement(token)) == "for"
    else { return nil }
    return Explanation(
      id: "glsl.syntax", message: "the parts of a 'for' are separated by ';'", mark: .tokens(token - 1...token - 1),
      label: "write ';' here",
      damage: .rest)
  }

  private static func secondBody(_ context: MessageContext) -> Explanation? {
    guard let call = context.call else { return nil }
    let name = context.spelled(call.name)
    var explanation = Explanation(
      id: "glsl.redefinition", message: "function '\(name)' has two bodies for the same parameters", mark: .tokens(call.name...call.name),
      label: "defined again", role: .consequence, damage: .nextBody)
    if let first = context.names.functions(named: context.message.subject).first(where: { $0.token < call.name }) {
      explanation.others = [(.tokens(first.token...first.token), "first defined here")]
    }
    return explanation
  }

  private static func secondResult(_ context: MessageContext) -> Explanation? {
    guard let call = context.call else { return nil }
    let name = context.spelled(call.name)
    var explanation = Explanation(
      id: "glsl.redefinition", message: "function '\(name)' is declared with two result types for the same parameters",
      mark: .tokens(max(0, call.name - 1)...call.name), label: "another result type", damage: .nextBody)
    if let first = context.names.functions(named: context.message.subject).first(where: { $0.token < call.name }) {
      explanation.others = [(.tokens(max(0, first.token - 1)...first.token), "first declared here")]
    }
    return explanation
  }

  /// How to make a declaration visible.
  private static func reach(_ declared: NameListing.Declaration, from token: Int?, _ context: MessageContext) -> String {
    guard declared.function != nil else { return "move its declaration above the first use" }
    let isInSameFunction = token.flatMap { context.names.function(around: $0) } == declared.function
    return isInSameFunction
      ? "declare it in front of the block that it is in" : "pass it on as a parameter, or declare it outside the function"
  }

  private static func suggest(_ name: String, in context: MessageContext, for explanation: inout Explanation, among candidates: [String]) {
    if let replacement = ElsewhereNames.replacement(for: name) {
      explanation.help = ["GLSL has \(replacement) instead"]
    } else if let other = context.names.elsewhere[name] {
      explanation.help = ["here it is called '\(other)'"]
    } else if explanation.id == "glsl.undeclared-identifier", let declared = context.names.outOfReach(name) {
      explanation.others = [(.tokens(declared.token...declared.token), "not visible outside")]
      explanation.help = [reach(declared, from: context.token, context)]
    } else if let near = NearestName.find(name, in: candidates) {
      explanation.help = ["did you mean '\(near)'?"]
    }
  }
}

// MARK: Names that a text declares

/// The names that a text declares and where, for `did you mean` and for pointing at an earlier declaration.
///
/// It goes by the look of the tokens, because there is no syntax tree of a text that does not compile.
struct NameListing {
  struct Declaration {
    let name: String
    let token: Int
    /// The function that it is inside of, by the index of the body's opening brace; nil at file scope.
    let function: Int?
    let isFunction: Bool
  }

  let declarations: [Declaration]
  /// Names that the pass gets from outside.
  let outside: [String]
  /// For names that other players use, the name here.
  let elsewhere: [String: String]
  /// The functions of the dialect.
  private let given: [String: NameHints.Function]
  private let tokens: TokenListing

  /// The functions of the dialect, by their names in the author's text.
  var givenFunctions: [String] { given.keys.sorted() }

  /// Words that can stand in front of a name without declaring it.
  private static let notTypes: Set<String> = ["return", "else", "case", "do", "in", "out", "inout", "const", "if", "while", "for"]

  init(_ tokens: TokenListing, pass: PassSource) {
    self.tokens = tokens
    outside = pass.uniforms.map(\.name) + pass.textures.map(\.name) + pass.hints.offered
    elsewhere = pass.hints.here
    given = pass.hints.functions
    var declarations: [Declaration] = []
    for (index, function) in Self.functions(tokens) {
      let isDeclared = Self.declares(tokens, index)
      guard isDeclared, tokens.tokens[index].origin != nil else { continue }
      let isFunction = function == nil && tokens.text(index + 1) == "("
      declarations.append(Declaration(name: tokens.tokens[index].text, token: index, function: function, isFunction: isFunction))
    }
    self.declarations = declarations
  }

  /// Every name token with the function that it is in; parameters belong to the function whose body follows.
  private static func functions(_ tokens: TokenListing) -> [(index: Int, function: Int?)] {
    var out: [(Int, Int?)] = []
    var body: (start: Int, end: Int)?
    for (index, token) in tokens.tokens.enumerated() {
      if let current = body, index > current.end { body = nil }
      if body == nil, token.text == "(", let close = tokens.partner(of: index), tokens.text(close + 1) == "{" {
        body = (close + 1, tokens.partner(of: close + 1) ?? tokens.tokens.count)
      }
      if token.isName { out.append((index, body?.start)) }
    }
    return out
  }

  /// Whether the token looks like the name in a declaration: behind a type, or behind the comma of one.
  private static func declares(_ tokens: TokenListing, _ index: Int) -> Bool {
    guard index > 0 else { return false }
    let before = tokens.tokens[index - 1]
    if before.isName { return !notTypes.contains(before.text) && !BuiltIns.qualifiers.contains(before.text) }
    if before.text == "]" { return tokens.partner(of: index - 1).map { $0 > 0 && BuiltIns.isType(tokens.tokens[$0 - 1].text) } ?? false }
    guard before.text == ",", let next = tokens.text(index + 1), ["=", ",", ";", "["].contains(next) else { return false }
    let start = tokens.startOfStatement(index)
    guard start + 1 < index, tokens.tokens[start].isName, tokens.tokens[start].text != "return", tokens.tokens[start + 1].isName else {
      return false
    }
    // Arguments of a call within the statement declare nothing.
    let brackets = tokens.tokens[start..<index].map(\.text)
    return brackets.count { $0 == "(" } == brackets.count { $0 == ")" }
  }

  /// The function around a token: its opening brace.
  func function(around token: Int) -> Int? {
    declarations.last { $0.token <= token && $0.function != nil }.flatMap { last in
      guard let open = last.function, token <= tokens.partner(of: open) ?? tokens.tokens.count else { return nil }
      return open
    }
  }

  /// The values that the author can refer to at a token.
  func visible(at token: Int) -> [String] {
    let here = function(around: token)
    let declared = declarations.filter { ($0.function == nil || $0.function == here) && $0.token < token && !$0.isFunction }.map(\.name)
    return declared + outside
  }

  /// The latest declaration of a name in front of a token, in the same function or at file scope.
  func earlier(_ name: String, before token: Int) -> Declaration? {
    let here = function(around: token)
    return declarations.last { $0.name == name && $0.token < token && ($0.function == here || $0.function == nil) }
  }

  /// The author's functions of a name, in their order.
  func functions(named name: String) -> [Declaration] { declarations.filter { $0.isFunction && $0.name == name } }

  /// The forms of a function that the dialect or the language gives, each as the list of its parameters; empty for a name that is none.
  func forms(of name: String) -> [[String]] { given[name]?.forms ?? BuiltIns.forms(of: name) }

  /// A function that the dialect gives.
  func given(_ name: String) -> NameHints.Function? { given[name] }

  /// Whether a function's body stands behind its head.
  func isDefinition(_ function: Declaration) -> Bool {
    guard let close = tokens.partner(of: function.token + 1) else { return false }
    return tokens.text(close + 1) == "{"
  }

  /// A declaration that is out of reach: in another function or further down.
  fileprivate func outOfReach(_ name: String) -> Declaration? { declarations.first { $0.name == name } }
}

// MARK: Names from elsewhere

/// What GLSL itself declares, as far as messages speak of it.
enum BuiltIns {
  static let types: Set<String> = [
    "void", "bool", "int", "uint", "float", "double", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4", "uvec2", "uvec3", "uvec4", "bvec2",
    "bvec3", "bvec4", "mat2", "mat3", "mat4", "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4",
    "sampler2D", "sampler3D", "samplerCube",
  ]

  static let qualifiers: Set<String> = [
    "const", "in", "out", "inout", "highp", "mediump", "lowp", "uniform", "buffer", "shared", "flat", "smooth", "precise", "layout",
    "struct",
    "precision",
  ]

  static func isType(_ name: String) -> Bool { types.contains(name) }

  /// Parameters of the functions people call, in the notation of the language's specification; several forms are separated by bars.
  private static let parameters: [String: String] = [
    "radians": "genType", "degrees": "genType", "sin": "genType", "cos": "genType", "tan": "genType", "asin": "genType", "acos": "genType",
    "atan": "genType y, genType x | genType", "sinh": "genType", "cosh": "genType", "tanh": "genType", "asinh": "genType",
    "acosh": "genType",
    "atanh": "genType", "pow": "genType, genType", "exp": "genType", "log": "genType", "exp2": "genType", "log2": "genType",
    "sqrt": "genType",
    "inversesqrt": "genType", "abs": "genType", "sign": "genType", "floor": "genType", "trunc": "genType", "round": "genType",
    "roundEven": "genType", "ceil": "genType", "fract": "genType", "mod": "genType, genType | genType, float",
    "modf": "genType, out genType", "min": "genType, genType | genType, float", "max": "genType, genType | genType, float",
    "clamp": "genType x, genType low, genType high | genType x, float low, float high",
    "mix": "genType, genType, genType | genType, genType, float | genType, genType, bool vector",
    "step": "genType edge, genType x | float edge, genType x",
    "smoothstep": "genType edge0, genType edge1, genType x | float edge0, float edge1, genType x", "isnan": "genType", "isinf": "genType",
    "floatBitsToInt": "genType", "floatBitsToUint": "genType", "intBitsToFloat": "int vector", "uintBitsToFloat": "uint vector",
    "length": "genType", "distance": "genType, genType", "dot": "genType, genType", "cross": "vec3, vec3", "normalize": "genType",
    "faceforward": "genType n, genType i, genType reference", "reflect": "genType i, genType n",
    "refract": "genType i, genType n, float eta",
    "matrixCompMult": "mat, mat", "outerProduct": "vec, vec", "transpose": "mat", "determinant": "mat", "inverse": "mat",
    "lessThan": "vector, vector", "lessThanEqual": "vector, vector", "greaterThan": "vector, vector", "greaterThanEqual": "vector, vector",
    "equal": "vector, vector", "notEqual": "vector, vector", "any": "bool vector", "all": "bool vector", "not": "bool vector",
    "texture": "sampler2D, vec2 | sampler2D, vec2, float bias | samplerCube, vec3 | sampler3D, vec3",
    "textureLod": "sampler2D, vec2, float level | samplerCube, vec3, float level | sampler3D, vec3, float level",
    "texelFetch": "sampler2D, ivec2, int level", "textureSize": "sampler2D, int level",
    "textureGrad": "sampler2D, vec2, vec2 dx, vec2 dy", "textureProj": "sampler2D, vec3 | sampler2D, vec4",
    "textureOffset": "sampler2D, vec2, const ivec2", "textureGather": "sampler2D, vec2 | sampler2D, vec2, const int component",
    "dFdx": "genType", "dFdy": "genType", "fwidth": "genType",
  ]

  fileprivate static var functionNames: [String] { Array(parameters.keys) }

  /// The forms of a function, each as the list of its parameters; empty for a name that is none.
  static func forms(of name: String) -> [[String]] {
    guard let text = parameters[name] else { return [] }
    return text.split(separator: " | ").map { form in form.split(separator: ", ").map(String.init) }
  }
}

/// Names that people bring along from other languages, each with what GLSL has instead.
private enum ElsewhereNames {
  /// What GLSL has in place of a name, nil for a name that is not known from anywhere.
  static func replacement(for name: String) -> String? { replacements[name] }

  private static let replacements: [String: String] = [
    // HLSL and Cg.
    "float2": "'vec2'", "float3": "'vec3'", "float4": "'vec4'", "half2": "'vec2'", "half3": "'vec3'", "half4": "'vec4'", "fixed": "'float'",
    "fixed2": "'vec2'", "fixed3": "'vec3'", "fixed4": "'vec4'", "half": "'float'", "int2": "'ivec2'", "int3": "'ivec3'", "int4": "'ivec4'",
    "uint2": "'uvec2'", "uint3": "'uvec3'", "uint4": "'uvec4'", "bool2": "'bvec2'", "bool3": "'bvec3'", "bool4": "'bvec4'",
    "float2x2": "'mat2'", "float3x3": "'mat3'", "float4x4": "'mat4'", "matrix": "'mat4'", "lerp": "'mix'", "frac": "'fract'",
    "fmod": "'mod' (it differs for negative numbers)", "atan2": "'atan(y, x)'", "rsqrt": "'inversesqrt'", "ddx": "'dFdx'", "ddy": "'dFdy'",
    "saturate": "'clamp(x, 0.0, 1.0)'", "mul": "the operator '*'", "tex2D": "'texture'", "tex2Dlod": "'textureLod'", "clip": "'discard'",
    "log10": "'log(x) / log(10.0)'", "asfloat": "'intBitsToFloat'", "asuint": "'floatBitsToUint'", "asint": "'floatBitsToInt'",
    "sincos": "'sin' and 'cos'", "static": "nothing in its place",
    // Metal, WGSL, C and JavaScript.
    "vec2f": "'vec2'", "vec3f": "'vec3'", "vec4f": "'vec4'", "f32": "'float'", "i32": "'int'", "u32": "'uint'", "fabs": "'abs'",
    "fminf": "'min'", "fmaxf": "'max'", "fmin": "'min'", "fmax": "'max'", "sqrtf": "'sqrt'", "powf": "'pow'", "floorf": "'floor'",
    "select": "'mix'", "var": "a type such as 'float'", "let": "a type such as 'float'", "auto": "a type such as 'float'",
    "function": "the type of its result", "fn": "the type of its result", "elseif": "'else if'", "elif": "'else if'", "unsigned": "'uint'",
    "char": "'int'", "size_t": "'int'", "null": "a value", "M_PI": "'acos(-1.0)', or declare it", "PI": "'acos(-1.0)', or declare it",
  ]
}
