import EtalonCPU
import EtalonTypes
import Testing

/// The same bits from every instruction set and every number of threads.
@Suite struct DeterminismTests {
  private static let text = """
    float noise(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
    vec3 shade(vec2 p) {
      vec3 c = vec3(noise(p), noise(p.yx * 3.1), atan(p.y, p.x + 0.1));
      for (int i = 0; i < 12; i++) {
        c = abs(c) / dot(c, c) - vec3(0.8, 0.5, 0.3);
        if (length(c) > 3.0) break;
        if (c.x < -0.4) continue;
        c += 0.1 * cos(c.zxy * 4.0) + pow(abs(c), vec3(1.7)) * exp2(-float(i)) + inversesqrt(1.0 + c.y * c.y) * tanh(c.x);
      }
      mat3 m = mat3(c, c.yzx, c.zxy);
      return inverse(m) * c + smoothstep(0.2, 0.9, mod(c, 1.3)) + log2(2.0 + abs(c)) + asin(clamp(c, -1.0, 1.0));
    }
    uint result(uint x, uint y) {
      vec3 c = shade(vec2(x, y) * 0.37);
      return packUnorm4x8(vec4(fract(c), 0.5)) ^ floatBitsToUint(c.x + c.y) ^ packHalf2x16(c.zx) ^ uint(int(c.y * 1000.0));
    }
    """

  @Test func instructionSetsAndThreadsAgree() throws {
    let kernel = try GLSL.kernel("determinism", Self.text)
    let size = Size(70, 50)
    let reference = try GLSL.run(kernel, size: size, options: .init(threadCount: 1, instructionSet: .baseline))
    #expect(Set(reference).count > 3000, "a picture that says little proves little")
    for set in InstructionSet.allCases where set.isSupported {
      for threads in [1, 2, 5] {
        let words = try GLSL.run(kernel, size: size, options: .init(threadCount: threads, instructionSet: set))
        let differing = zip(words, reference).filter { $0 != $1 }.count
        #expect(differing == 0, "\(differing) pixels differ with \(set) and \(threads) threads")
      }
    }
  }
}
