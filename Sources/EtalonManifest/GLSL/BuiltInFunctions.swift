/// The built-in functions that an author's function may collide with.
enum BuiltInFunctions {
  /// The types of one overload.
  struct Overload: Hashable {
    let result: String
    let parameters: [String]
  }

  /// All names, those without overloads in OpenGL ES 3.00 included.
  static let names: Set<String> = Set(signatures.keys).union(laterNames)

  /// What the function accepts in OpenGL ES 3.00; nothing for functions that came later, because no author of such a text calls them.
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
