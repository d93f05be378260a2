package import EtalonDiagnostics

/// Renames identifiers that OpenGL ES shaders may use and that are keywords in desktop or Vulkan GLSL.
package struct ReservedWords: Rewrite {
  package let name = "reserved words"

  private let words: Set<String>
  private let interpolations: Set<String>

  /// Renames what OpenGL ES allows as a name.
  package init() { (words, interpolations) = (Self.words, Self.interpolations) }

  private init(_ words: Set<String>) { (self.words, interpolations) = (words, []) }

  /// Renames only words that mean nothing in a compute shader of desktop GLSL either.
  package static let withoutMeaning = ReservedWords(reserved.union(["attribute", "noperspective", "patch", "sample", "varying"]))

  /// The name under which the compiler sees an author's name.
  package func replacement(for name: String) -> String { words.contains(name) || interpolations.contains(name) ? "etalon_" + name : name }

  /// The name under which the compiler sees an author's name.
  package static func replacement(for name: String) -> String { ReservedWords().replacement(for: name) }

  /// Keywords and reserved words of GLSL 4.60 with `GL_KHR_vulkan_glsl` that have no meaning in OpenGL ES 3.00.
  package static let words: Set<String> = qualifiers.union(vulkanTypes).union(desktopTypes).union(reserved)

  private static let qualifiers: Set<String> = [
    "attribute", "buffer", "coherent", "noperspective", "patch", "precise", "precision", "readonly", "resource", "restrict", "sample",
    "shared",
    "subroutine", "varying", "volatile", "writeonly", "nonuniformEXT", "demote", "terminateInvocation",
  ]

  private static let vulkanTypes: Set<String> = {
    let textures = [
      "1D", "1DArray", "2D", "2DArray", "2DMS", "2DMSArray", "2DRect", "3D", "Buffer", "Cube", "CubeArray",
    ]
    let families = ["texture", "itexture", "utexture", "image", "iimage", "uimage"]
    let attachments = ["", "MS"].flatMap { ms in ["", "i", "u"].map { $0 + "subpassInput" + ms } }
    return Set(families.flatMap { family in textures.map { family + $0 } } + attachments + ["sampler", "samplerShadow"])
  }()

  private static let desktopTypes: Set<String> = {
    let samplers = [
      "1D", "1DArray", "2DMS", "2DMSArray", "2DRect", "Buffer", "CubeArray", "1DShadow", "1DArrayShadow", "2DRectShadow", "CubeArrayShadow",
    ]
    let families = ["sampler", "isampler", "usampler"]
    let sizes = ["2", "3", "4", "2x2", "2x3", "2x4", "3x2", "3x3", "3x4", "4x2", "4x3", "4x4"]
    let doubles = ["2", "3", "4"].map { "dvec" + $0 } + sizes.map { "dmat" + $0 }
    return Set(families.flatMap { family in samplers.map { family + $0 } } + doubles + ["double", "atomic_uint"])
  }()

  private static let reserved: Set<String> = [
    "active", "asm", "cast", "class", "common", "enum", "extern", "external", "filter", "fixed", "fvec2", "fvec3", "fvec4", "goto", "half",
    "hvec2", "hvec3", "hvec4", "inline", "input", "interface", "long", "namespace", "noinline", "output", "partition", "public",
    "sampler3DRect", "short", "sizeof", "static", "superp", "template", "this", "typedef", "union", "unsigned", "using",
  ]

  /// Keywords of ES 3.00 that older files use as names; they are qualifiers only in front of other qualifiers and types.
  private static let interpolations: Set<String> = ["smooth", "flat", "centroid", "invariant"]
  private static let afterInterpolation: Set<String> = ["in", "out", "varying", "centroid", "smooth", "flat"]

  package func apply(to tokens: inout [Token]) {
    for index in tokens.indices where tokens[index].kind == .identifier {
      let word = tokens[index].text
      if words.contains(word) || (interpolations.contains(word) && !isQualifier(index, in: tokens)) {
        tokens[index].text = "etalon_" + word
      }
    }
  }

  private func isQualifier(_ index: Int, in tokens: [Token]) -> Bool {
    tokens.next(after: index).map { Self.afterInterpolation.contains(tokens[$0].text) } ?? false
  }
}

/// Gives a compute shader what only fragment shaders have: `gl_FragCoord` and similar names as variables, and `discard`.
///
/// `discard` sets a flag and returns from the function it is in; a pixel with the flag becomes transparent black.
package struct FragmentNames: Rewrite {
  package let name = "fragment names"

  package init() {}

  package static let discardFlag = PixelDiscard.flag

  fileprivate static let names = [
    "gl_FragCoord": "etalon_FragCoord", "gl_FragColor": "etalon_FragColor", "gl_FragData": "etalon_FragData",
    "gl_FragDepth": "etalon_FragDepth", "gl_FrontFacing": "etalon_FrontFacing", "gl_PointCoord": "etalon_PointCoord",
  ]

  /// The declarations of the variables, by name; `etalonPixel` is the pixel of the invocation.
  package static let declarations = [
    "etalon_FragCoord": "vec4 etalon_FragCoord = vec4(vec2(etalonPixel) + 0.5, 0.0, 1.0);",
    "etalon_FragColor": "vec4 etalon_FragColor = vec4(0.0);",
    "etalon_FragData": "vec4 etalon_FragData[4];",
    "etalon_FragDepth": "float etalon_FragDepth = 0.0;",
    "etalon_FrontFacing": "const bool etalon_FrontFacing = true;",
    "etalon_PointCoord": "const vec2 etalon_PointCoord = vec2(0.0);",
    discardFlag: "bool \(discardFlag) = false;",
  ]

  package func apply(to tokens: inout [Token]) {
    tokens.rename(Self.names)
    let places = tokens.indices.filter { tokens[$0].isName("discard") }
    guard !places.isEmpty else { return }
    let scope = FileScope(tokens)
    tokens.apply(places.map { edit(ofDiscardAt: $0, in: scope.function(containing: $0), tokens) })
  }

  private func edit(ofDiscardAt place: Int, in function: FileScope.Function?, _ tokens: [Token]) -> (range: Range<Int>, tokens: [Token]) {
    let flag = tokens[place].replaced(by: Self.discardFlag)
    func added(_ text: String) -> [Token] { Lexer.tokens(ofAddedText: text) }
    guard let function, !tokens[place].isInDirective, let end = tokens.next(after: place), tokens[end].isMark(";") else {
      // In a macro the function is unknown, so there only the flag is set.
      return (place..<place + 1, [flag] + inDirective(added(" = true"), like: tokens[place]))
    }
    let type = function.returnType.map { tokens[$0].text }.joined(separator: " ")
    let isVoid = function.returnType.contains { tokens[$0].text == "void" }
    let leaving = isVoid ? " = true; return; }" : " = true; \(type) etalonNothing; return etalonNothing; }"
    return (place..<end + 1, added("{ ") + [flag] + added(leaving))
  }

  private func inDirective(_ added: [Token], like token: Token) -> [Token] {
    added.map { Token($0.kind, $0.text, isInDirective: token.isInDirective) }
  }
}

/// The names in an author's text, for those that rewrites put in their place.
package enum AuthorNames {
  /// `gl_FragColor.x` for `etalon_FragColor.x`, and a word that desktop GLSL reserves without the prefix that it got.
  package static func original(of name: String) -> String {
    let root = String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    guard root.hasPrefix("etalon_") else { return name }
    return (FragmentNames.names.first { $0.value == root }?.key ?? String(root.dropFirst("etalon_".count))) + name.dropFirst(root.count)
  }
}

/// How a translation drops pixels.
package enum PixelDiscard {
  /// The global variable that says whether a pixel is discarded.
  package static let flag = "etalonIsDiscarded"
}

/// Renames a `main` that the text has beside its entry point, because the program has one already.
package struct OwnMain: Rewrite {
  package let name = "own main"

  package init() {}

  package func apply(to tokens: inout [Token]) {
    let scope = FileScope(tokens)
    if scope.functions.contains(where: { $0.name == "main" && $0.body != nil }) {
      for declaration in scope.declarations { dropOut(of: declaration, &tokens) }
    }
    tokens.rename(["main": "etalon_main"])
  }

  /// Makes what a `main` writes for the window a variable: `layout(location = 0) out vec4 o;`, as previewers of editors put it around a ShaderToy.
  private func dropOut(of declaration: FileScope.Declaration, _ tokens: inout [Token]) {
    guard let out = declaration.tokens.firstIndex(where: { tokens[$0].isName("out") }),
      let first = declaration.tokens.first,
      tokens[first].isName("layout") || ["out", "highp", "mediump", "lowp"].contains(tokens[first].text),
      !declaration.tokens.contains(where: { tokens[$0].isMark("{") })
    else { return }
    for place in declaration.tokens[...out] { tokens.erase(place...place) }
  }
}

// MARK: - functions named as built-in ones

/// Renames the author's own functions that have the name of a built-in one: OpenGL ES allows that, desktop GLSL refuses it.
///
/// The other overloads of the built-in function are forwarded under the new name, so that calls of both kinds keep their meaning.
package struct UserBuiltIns: Rewrite {
  package let name = "user built-ins"

  /// The macros that conditions may ask for, such as `__VERSION__`: a function in a branch that they leave out is not the author's own.
  private let predefined: [String: Int]

  package init(predefined: [String: Int] = PredefinedMacros.numbers) { self.predefined = predefined }

  package func apply(to tokens: inout [Token]) {
    let names = Set(functions(in: tokens).map(\.name))
    for index in tokens.indices where tokens[index].kind == .identifier && names.contains(tokens[index].text) {
      // The number of elements of an array is no function of the author's.
      if !LengthMembers.isMethod(index, in: tokens) { tokens[index].text = "etalon_" + tokens[index].text }
    }
  }

  /// The functions with the names of built-in ones that the text defines itself.
  private func functions(in tokens: [Token]) -> [FileScope.Function] {
    let functions = FileScope(tokens).functions.filter { BuiltInFunctions.names.contains($0.name) }
    guard !functions.isEmpty else { return [] }
    let inactive = InactiveBranches(tokens, predefined: predefined)
    return functions.filter { !inactive.contains($0.nameIndex) }
  }

  /// Functions that forward to the built-in overloads that the text does not define.
  package func forwarders(for tokens: [Token]) -> String {
    let functions = functions(in: tokens)
    var text = ""
    for name in Set(functions.map(\.name)).sorted() {
      let own = functions.filter { $0.name == name }.map { $0.parameters.map { Self.type(of: $0, in: tokens) } }
      for overload in BuiltInFunctions.overloads(of: name) where !own.contains(overload.parameters) {
        let parameters = overload.parameters.enumerated().map { "\($1) \(Self.parameterName($0))" }.joined(separator: ", ")
        let arguments = overload.parameters.indices.map(Self.parameterName).joined(separator: ", ")
        text += "\(overload.result) etalon_\(name)(\(parameters)) { return \(name)(\(arguments)); }\n"
      }
    }
    return text
  }

  private static func parameterName(_ index: Int) -> String { "etalon\(index)" }

  /// The type of a parameter without qualifiers and name.
  private static func type(of parameter: [Int], in tokens: [Token]) -> String {
    let qualifiers: Set<String> = ["const", "in", "out", "inout", "highp", "mediump", "lowp"]
    return parameter.first { !qualifiers.contains(tokens[$0].text) }.map { tokens[$0].text } ?? ""
  }
}

/// The built-in functions that an author's function may collide with.
package enum BuiltInFunctions {
  /// The types of one overload.
  struct Overload: Hashable {
    let result: String
    let parameters: [String]
  }

  /// All names, those without overloads in OpenGL ES 3.00 included.
  package static let names: Set<String> = Set(signatures.keys).union(laterNames)

  /// The overloads of the function in OpenGL ES 3.00; none for later functions, because texts for OpenGL ES do not call them.
  static func overloads(of name: String) -> [Overload] {
    (signatures[name] ?? []).flatMap(expanded)
  }

  /// The types of the result and of the parameters, with letters for families of types.
  ///
  /// `G` is float and its vectors; `I`, `U` and `B` are the other scalars and their vectors; `V`, `W`, `X` and `Y` are the vectors alone; `M` is the
  /// square matrices.
  private static let signatures: [String: [String]] = {
    var table: [String: [String]] = [:]
    func add(_ names: String, _ signatures: String...) {
      for name in names.split(separator: " ") { table[String(name)] = signatures }
    }
    add("radians degrees sin cos tan asin acos sinh cosh tanh asinh acosh atanh exp log exp2 log2 sqrt inversesqrt", "G G")
    add("floor trunc round roundEven ceil fract normalize", "G G")
    add("atan", "G G", "G G G")
    add("pow reflect", "G G G")
    add("abs sign", "G G", "I I")
    add("mod", "G G G", "V V float")
    add("min max", "G G G", "V V float", "I I I", "W W int", "U U U", "X X uint")
    add("clamp", "G G G G", "V V float float", "I I I I", "W W int int", "U U U U", "X X uint uint")
    add("mix", "G G G G", "V V V float", "G G G B")
    add("step", "G G G", "V float V")
    add("smoothstep", "G G G G", "V float float V")
    add("isnan isinf", "B G")
    add("floatBitsToInt", "I G")
    add("floatBitsToUint", "U G")
    add("intBitsToFloat", "G I")
    add("uintBitsToFloat", "G U")
    add("length", "float G")
    add("distance dot", "float G G")
    add("cross", "vec3 vec3 vec3")
    add("faceforward", "G G G G")
    add("refract", "G G G float")
    add("matrixCompMult", "M M M")
    add("transpose inverse", "M M")
    add("determinant", "float M")
    add("outerProduct", "mat2 vec2 vec2", "mat3 vec3 vec3", "mat4 vec4 vec4")
    add("lessThan lessThanEqual greaterThan greaterThanEqual", "Y V V", "Y W W", "Y X X")
    add("equal notEqual", "Y V V", "Y W W", "Y X X", "Y Y Y")
    add("any all", "bool Y")
    add("not", "Y Y")
    add("packHalf2x16 packUnorm2x16 packSnorm2x16", "uint vec2")
    add("unpackHalf2x16 unpackUnorm2x16 unpackSnorm2x16", "vec2 uint")
    add("dFdx dFdy fwidth", "G G")
    add("texture", "vec4 sampler2D vec2", "vec4 sampler2D vec2 float")
    add("texture2D", "vec4 sampler2D vec2", "vec4 sampler2D vec2 float")
    add("textureLod", "vec4 sampler2D vec2 float")
    add("textureGrad", "vec4 sampler2D vec2 vec2 vec2")
    add("textureProj", "vec4 sampler2D vec3", "vec4 sampler2D vec4")
    add("texelFetch", "vec4 sampler2D ivec2 int")
    add("textureSize", "ivec2 sampler2D int")
    return table
  }()

  /// Functions of desktop GLSL 4.60 that OpenGL ES 3.00 does not have.
  private static let laterNames: Set<String> = [
    "fma", "frexp", "ldexp", "modf", "bitfieldExtract", "bitfieldInsert", "bitfieldReverse", "bitCount", "findLSB", "findMSB", "uaddCarry",
    "usubBorrow", "umulExtended", "imulExtended", "packUnorm4x8", "packSnorm4x8", "unpackUnorm4x8", "unpackSnorm4x8", "packDouble2x32",
    "unpackDouble2x32", "noise1", "noise2", "noise3", "noise4", "ftransform", "barrier", "memoryBarrier", "groupMemoryBarrier", "atomicAdd",
    "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicExchange", "atomicCompSwap", "imageLoad", "imageStore",
    "imageSize", "textureGather", "textureGatherOffset", "textureGatherOffsets", "textureQueryLod", "textureQueryLevels",
    "textureSamples", "interpolateAtCentroid", "interpolateAtSample", "interpolateAtOffset", "anyInvocation", "allInvocations",
    "dFdxFine", "dFdyFine", "fwidthFine", "dFdxCoarse", "dFdyCoarse", "fwidthCoarse", "textureOffset", "textureLodOffset",
    "textureGradOffset", "texelFetchOffset", "textureProjOffset", "textureProjLod", "textureProjGrad", "texture1D", "texture3D",
    "textureCube", "texture2DLod", "texture2DProj", "texture2DLodEXT", "texture2DGradEXT", "textureCubeLod", "shadow1D", "shadow2D", "min3",
    "max3", "mid3",
  ]

  private static func expanded(_ signature: String) -> [Overload] {
    let words = signature.split(separator: " ").map(String.init)
    let sizes = words.contains { families[$0] != nil } ? (words.contains { "VWXYM".contains($0) } ? 1..<4 : 0..<4) : 0..<1
    return sizes.map { size in
      let types = words.map { word in families[word].map { $0[size] } ?? word }
      return Overload(result: types[0], parameters: Array(types.dropFirst()))
    }
  }

  private static let families: [String: [String]] = {
    func family(_ scalar: String, _ vector: String) -> [String] { [scalar, vector + "2", vector + "3", vector + "4"] }
    return [
      "G": family("float", "vec"), "I": family("int", "ivec"), "U": family("uint", "uvec"), "B": family("bool", "bvec"),
      "V": family("float", "vec"), "W": family("int", "ivec"), "X": family("uint", "uvec"), "Y": family("bool", "bvec"),
      "M": family("float", "mat"),
    ]
  }()
}

/// Renames members of structures that are called `length`, which this compiler takes for the number of elements: `ray.length`.
package struct LengthMembers: Rewrite {
  package let name = "length members"

  package init() {}

  private static let word = "length"

  package func apply(to tokens: inout [Token]) {
    let declared = Self.declarations(in: tokens)
    guard !declared.isEmpty else { return }
    for index in tokens.indices where tokens[index].isName(Self.word) {
      let isRead = tokens.previous(before: index).map { tokens[$0].isMark(".") } ?? false
      if declared.contains(index) || (isRead && !Self.isMethod(index, in: tokens)) { tokens[index].text = "etalon_length" }
    }
  }

  /// Whether a name is that of the call in `values.length()`.
  static func isMethod(_ place: Int, in tokens: [Token]) -> Bool {
    guard tokens[place].isName(word), let before = tokens.previous(before: place), tokens[before].isMark(".") else { return false }
    return tokens.isCalled(at: place)
  }

  /// The places within the braces of `struct` where the word is a declared name.
  private static func declarations(in tokens: [Token]) -> Set<Int> {
    var found: Set<Int> = []
    for start in tokens.indices where tokens[start].isName("struct") {
      let name = tokens.next(after: start)
      guard let open = [name, name.flatMap { tokens.next(after: $0) }].compactMap({ $0 }).first(where: { tokens[$0].isMark("{") }),
        let close = tokens.closing(of: open)
      else { continue }
      found.formUnion((open..<close).filter { tokens[$0].isName(word) && !tokens.isCalled(at: $0) })
    }
    return found
  }
}

// MARK: - keywords

/// The words that no GLSL text can declare as a name.
package enum GLSLKeywords {
  /// Keywords and types of OpenGL ES 3.00, and `main`.
  package static let all: Set<String> = {
    var words: Set<String> = [
      "const", "uniform", "in", "out", "inout", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
      "return", "discard", "struct", "void", "bool", "int", "uint", "float", "true", "false", "layout", "highp", "mediump", "lowp",
      "precision", "main", "sampler2DShadow", "samplerCubeShadow", "sampler2DArrayShadow",
    ]
    for family in ["sampler", "isampler", "usampler"] { for shape in ["2D", "3D", "Cube", "2DArray"] { words.insert(family + shape) } }
    for size in ["2", "3", "4"] {
      for family in ["vec", "ivec", "uvec", "bvec", "mat"] { words.insert(family + size) }
      for rows in ["2", "3", "4"] { words.insert("mat\(size)x\(rows)") }
    }
    return words
  }()

  /// Words that also plain compute shaders, which are desktop GLSL, cannot declare.
  package static let ofCompute = all.union(ReservedWords.words.filter { ReservedWords.withoutMeaning.replacement(for: $0) == $0 })

  /// Refuses a declared name that is a keyword or reserved; the compiler would complain in a declaration that the author did not write.
  package static func diagnostic(of place: Int, in tokens: [Token], keywords: Set<String> = all) -> Diagnostic? {
    let name = tokens[place].text
    guard keywords.contains(name) || name.hasPrefix("gl_") else { return nil }
    return Diagnostic(
      "glsl.keyword", "'\(name)' has a meaning in GLSL and cannot be the name of a variable",
      labels: tokens.labels(at: [place], "declared here"), help: ["rename it, here and where it is read"])
  }
}
