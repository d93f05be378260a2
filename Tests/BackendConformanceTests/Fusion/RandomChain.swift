import EtalonTestSupport
import EtalonTypes

/// Chains of filters made by chance: each node takes the results of any earlier ones.
struct RandomChain {
  private var random: SeededNumbers

  init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  /// - Parameter formats: what results may be stored in; the last one is the output.
  mutating func nodes(_ count: Int, formats: [PixelFormat]) -> [FilterChain.Node] {
    (0..<count).map { index in
      let kernel = Self.kernels[pick(Self.kernels.count)]
      let arguments = (0..<kernel.colors).filter { _ in index > 0 && pick(8) > 0 }
      return FilterChain.Node(
        text: Self.header(kernel.colors) + kernel.text, links: Dictionary(uniqueKeysWithValues: arguments.map { ($0, pick(index)) }),
        values: ["amount": [number()], "tint": [number(), number(), number(), number()], "count": [Double(pick(5))]],
        format: index == count - 1 ? .rgba32f : formats[pick(formats.count)])
    }
  }

  private mutating func pick(_ count: Int) -> Int { Int(random.next() >> 33) % count }

  private mutating func number() -> Double { Double(pick(1 << 16)) / Double(1 << 15) - 0.5 }

  private static func header(_ colors: Int) -> String {
    let images = (0..<colors).map { #"{ "NAME": "image\#($0)", "TYPE": "image" }"# }.joined(separator: ", ")
    return """
      /*{ "ETALON": 1, "INPUTS": [\(images), { "NAME": "amount", "TYPE": "float", "DEFAULT": 1 },
        { "NAME": "tint", "TYPE": "vec4", "DEFAULT": [1, 1, 1, 1] }, { "NAME": "count", "TYPE": "int", "DEFAULT": 1 }] }*/

      """
  }

  /// Their functions, variables and structures have the same names on purpose.
  private static let kernels: [(colors: Int, text: String)] = [
    (
      1,
      """
      vec4 shade(vec4 color) { return color * tint; }
      vec4 colorKernel(vec4 color) { return mix(color, shade(color), amount); }
      """
    ),
    (
      1,
      """
      vec2 middle = RENDERSIZE / 2.0;
      float state = length(POSITION - middle) * amount;
      vec4 shade(vec4 color) { return color / (1.0 + state * state); }
      vec4 colorKernel(vec4 color) { return shade(color) + tint * state; }
      """
    ),
    (
      1,
      """
      const float weights[4] = float[4](0.5, 0.25, 0.125, 2.0);
      float state = 1.0;
      float shade() { state += 1.0; return weights[int(POSITION.x) & 3] / state; }
      vec4 colorKernel(vec4 color) {
        vec4 sum = vec4(0.0);
        for (int i = 0; i < count; i++) sum += color * shade();
        return sum + state;
      }
      """
    ),
    (
      1,
      """
      struct Light { vec3 color; float power; };
      Light light = Light(tint.rgb, amount * 2.0);
      Light lights[2] = Light[2](light, Light(vec3(0.5), 0.25));
      vec4 shade(vec4 color, Light light) { return vec4(color.rgb * light.color * light.power, color.a); }
      vec4 colorKernel(vec4 color) { return shade(shade(color, lights[0]), lights[count & 1]); }
      """
    ),
    (
      1,
      """
      struct Light { float power; vec3 color; mat2 turn; };
      Light light = Light(amount, tint.gba, mat2(0.8, 0.6, -0.6, 0.8));
      vec4 shade(inout vec4 color) { color.xy = light.turn * color.xy; return color; }
      vec4 colorKernel(vec4 color) {
        if (color.g > 0.5) return shade(color) * light.power;
        switch (count) { case 0: return color.bgra; case 1: case 2: color.r = light.color.r; default: break; }
        return color;
      }
      """
    ),
    (
      1,
      """
      uvec2 state = uvec2(POSITION) * 747796405u + uint(count);
      float shade() { state = (state ^ state.yx >> 5u) * 277803737u; return float(state.x >> 8u) / 16777216.0; }
      vec4 colorKernel(vec4 color) { return color + vec4(shade(), shade(), shade(), 0.0) * amount; }
      """
    ),
    (
      2,
      """
      vec4 shade(vec4 front, vec4 back) { return front + back * (1.0 - front.a); }
      vec4 colorKernel(vec4 front, vec4 back) { return mix(shade(front, back), max(front, back), amount); }
      """
    ),
    (
      3,
      """
      float state = amount;
      mat4 weights = mat4(tint, tint.yzwx, tint.zwxy, vec4(amount));
      vec4 shade(vec4 color) { state *= 0.5; return weights * color * state; }
      vec4 colorKernel(vec4 a, vec4 b, vec4 c) { return count > 2 ? a + shade(b) - shade(c) : a * b + c; }
      """
    ),
  ]
}
