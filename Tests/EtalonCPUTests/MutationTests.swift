import EtalonCPU
import EtalonDiagnostics
import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes
import Testing

/// Damaged modules are refused or run; nothing crashes, hangs or touches memory that is not its own.
@Suite struct MutationTests {
  private static let rounds = 10_000
  private static let texts = [
    "uint result(uint x, uint y) { uint n = 0u; for (uint i = 0u; i < x; i++) { if (i > y) break; n += i * y; } return n; }",
    """
    shared uint cells[64];
    struct S { float a[12]; mat3 m; };
    uint f(inout S s, uint i) { s.a[i] += 1.0; if (i > 5u) return i; s.m[i % 3u].y = s.a[i + 1u]; return 3u; }
    uint result(uint x, uint y) {
      S s; uint n = 0u;
      for (uint i = 0u; i < 6u; i++) { switch (i + x) { case 0u: n++; case 2u: n += f(s, y); break; default: n ^= f(s, i); } }
      atomicAdd(cells[x % 64u], n);
      barrier();
      return cells[y % 64u] + uint(length(s.m[1])) + subgroupAdd(x) + packUnorm4x8(vec4(s.a[0], sin(float(x)), pow(float(y), 0.3), 1.0));
    }
    """,
  ]

  @Test(arguments: texts.indices) func damagedModules(_ index: Int) throws {
    let words = try GLSL.kernel("mutated", Self.texts[index]).words
    var generator = SeededNumbers(seed: UInt64(index + 1))
    var refused = 0, ran = 0
    for _ in 0..<Self.rounds / Self.texts.count {
      var damaged = words
      for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&damaged, &generator) }
      let kernel = Kernel(name: "mutated", words: damaged, interface: GLSL.interface)
      do throws(any Error) {
        _ = try GLSL.run(kernel, size: Size(16, 2), options: .init(threadCount: 1, stepLimit: 2000))
        ran += 1
      } catch is RenderError {
        refused += 1
      }
    }
    #expect(refused > 1000 && ran > 100, "\(refused) refused, \(ran) ran: damage without effect, or none that is accepted, tests nothing")
  }

  private func damage(_ words: inout [UInt32], _ generator: inout SeededNumbers) {
    let at = Int.random(in: 5..<words.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: words[at] ^= 1 << UInt32.random(in: 0..<32, using: &generator)
    case 1: words[at] = UInt32.random(in: 0..<words[3], using: &generator)
    case 2: words[at] = [0, 1, .max, 0x7FFF_FFFF, 0x8000_0000].randomElement(using: &generator) ?? 0
    case 3: words[at] = words[Int.random(in: 5..<words.count, using: &generator)]
    case 4: words[at] = words[at] & 0xFFFF_0000 | UInt32.random(in: 0..<410, using: &generator)
    default: words.swapAt(at, Int.random(in: 5..<words.count, using: &generator))
    }
  }
}
