/// Names that people bring along from other shading languages and other players, each with what GLSL or ShaderToy has instead.
enum ElsewhereNames {
  /// What to type instead of a name, nil for a name that is not known from anywhere.
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

  /// The name in ShaderToy of what other players give a shader; nil for a name that is not known from anywhere.
  static func shaderToyName(for name: String) -> String? { players[name] }

  private static let players: [String: String] = [
    "iGlobalTime": "iTime", "u_time": "iTime", "uTime": "iTime", "time": "iTime", "TIME": "iTime", "u_resolution": "iResolution",
    "uResolution": "iResolution", "resolution": "iResolution", "RENDERSIZE": "iResolution", "u_mouse": "iMouse", "mouse": "iMouse",
    "frame": "iFrame", "FRAMEINDEX": "iFrame", "DATE": "iDate", "TIMEDELTA": "iTimeDelta", "backbuffer": "iChannel0", "u_tex0": "iChannel0",
    "u_texture": "iChannel0", "inputImage": "iChannel0",
  ]
}
