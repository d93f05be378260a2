/// Names that people bring along from other languages, each with what GLSL has instead.
enum ElsewhereNames {
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
