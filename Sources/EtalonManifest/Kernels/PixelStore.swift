/// GLSL that stores the colour of a pixel as the macros of `StoreVariant` say.
enum PixelStore {
  static let binding = 8

  static let declaration = """
    #if ETALON_STORE == 0
    layout(set = 0, binding = \(binding)) uniform writeonly image2D etalonTarget;
    #elif ETALON_STORE == 1
    layout(set = 0, binding = \(binding), std430) writeonly buffer EtalonOutput { uint etalonOutput[]; };
    #elif ETALON_STORE == 2
    layout(set = 0, binding = \(binding), std430) writeonly buffer EtalonOutput { uvec2 etalonOutput[]; };
    #elif ETALON_STORE == 3
    layout(set = 0, binding = \(binding), std430) writeonly buffer EtalonOutput { vec4 etalonOutput[]; };
    #else
    vec4 \(StageVariables.result);
    #endif

    """

  /// Not-a-number becomes 0, told by its bits because comparisons may be compiled away; halves round to even.
  ///
  /// Where a channel of an output is not a number, the element behind the last pixel says so; each is looked at by itself, because what compilers
  /// make of a channel without a defined value may spoil what is computed from several.
  static let function = """
    uvec4 etalonQuantized(vec4 color, float largest) {
      uvec4 magnitude = floatBitsToUint(color) & 0x7FFFFFFFu;
      vec4 number = mix(color, vec4(0.0), greaterThan(magnitude, uvec4(0x7F800000u)));
      return uvec4(roundEven(clamp(number, 0.0, 1.0) * largest));
    }
    bool etalonHoldsNaN(vec4 color) {
      return any(greaterThan(floatBitsToUint(color) & 0x7FFFFFFFu, uvec4(0x7F800000u)));
    }
    void etalonStore(vec4 color) {
    #if ETALON_ALPHA == 1
      color.a = 1.0;
    #elif ETALON_ALPHA == 2
      color.rgb *= color.a;
    #elif ETALON_ALPHA == 3
      color.rgb = color.a == 0.0 ? vec3(0.0) : color.rgb / color.a;
    #endif
    #if ETALON_STORE == 4
      \(StageVariables.result) = color;
    #else
      if (etalonPixel.x >= etalonEnd.x || etalonPixel.y >= etalonEnd.y) return;
    #if ETALON_STORE == 0
      imageStore(etalonTarget, etalonPixel, color);
    #else
      int row = etalonEnd.y - 1 - etalonPixel.y;
      int index = row * (etalonEnd.x - etalonOrigin.x) + (etalonPixel.x - etalonOrigin.x);
      int count = (etalonEnd.y - etalonOrigin.y) * (etalonEnd.x - etalonOrigin.x);
    #if ETALON_STORE == 1
      uvec4 bytes = etalonQuantized(color, 255.0);
      etalonOutput[index] = bytes.r | bytes.g << 8 | bytes.b << 16 | bytes.a << 24;
      if (etalonHoldsNaN(color)) etalonOutput[count] = 1u;
    #elif ETALON_STORE == 2
      uvec4 words = etalonQuantized(color, 65535.0);
      etalonOutput[index] = uvec2(words.r | words.g << 16, words.b | words.a << 16);
      if (etalonHoldsNaN(color)) etalonOutput[count] = uvec2(1u);
    #else
      etalonOutput[index] = color;
      if (etalonHoldsNaN(color)) etalonOutput[count] = vec4(1.0);
    #endif
    #endif
    #endif
    }

    """
}
