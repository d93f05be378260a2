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

  static var functionNames: [String] { Array(parameters.keys) }

  /// The forms of a function, each as the list of its parameters; empty for a name that is none.
  static func forms(of name: String) -> [[String]] {
    guard let text = parameters[name] else { return [] }
    return text.split(separator: " | ").map { form in form.split(separator: ", ").map(String.init) }
  }
}
