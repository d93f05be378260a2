import EtalonCPU
import EtalonDiagnostics
import EtalonSPIRV
import EtalonTypes
import Testing

/// Shaders that never end or want too much are refused with a reason.
@Suite struct LimitTests {
  private func message(_ text: String, options: CPUBackend.Options = .init(threadCount: 2, stepLimit: 5000)) throws -> RenderError {
    let kernel = try GLSL.kernel("limit", text)
    return try #require(throws: RenderError.self) { _ = try GLSL.run(kernel, options: options) }
  }

  @Test func endlessLoopIsReportedAtItsPixels() throws {
    let error = try message(
      "uint result(uint x, uint y) { uint n = 1u; while (n != 0u || y < 100u) { if (x < 16u) break; n |= x; } return n; }")
    #expect(error.message == "frame 0 in pass 'image' ('limit') ran more than 5000 rounds of loops at the pixels from (16, 0)")
  }

  @Test(arguments: [1, 1000, 1024, 3000]) func stepLimitIsExact(_ limit: Int) throws {
    let text = "uint result(uint x, uint y) { uint n = x; for (uint i = 0u; i < \(limit)u; i++) n = n * 5u + 1u; return n; }"
    _ = try GLSL.run(try GLSL.kernel("loop", text), size: Size(16, 16), options: .init(threadCount: 1, stepLimit: limit))
    #expect(try message(text, options: .init(threadCount: 1, stepLimit: limit - 1)).message.contains("ran more than \(limit - 1) rounds"))
  }

  @Test func endlessLoopEndsAtTheDeadline() throws {
    let error = try message(
      "uint result(uint x, uint y) { uint n = 1u; while (n != 0u) n |= x; return n; }",
      options: .init(threadCount: 2, timeout: .milliseconds(200), stepLimit: .max / 2))
    #expect(error.code == .timedOut)
    #expect(error.message == "frame 0 in pass 'image' ('limit') took longer than 0.2 s")
  }

  @Test func longLoopThatEndsIsFine() throws {
    let kernel = try GLSL.kernel(
      "long", "uint result(uint x, uint y) { uint n = x; for (uint i = 0u; i < 70000u; i++) n = n * 5u + 1u; return n; }")
    let words = try GLSL.run(kernel, size: Size(16, 1))
    var n: UInt32 = 3
    for _ in 0..<70000 { n = n &* 5 &+ 1 }
    #expect(words[3] == n)
  }

  @Test func hugeLocalArrayIsRefused() throws {
    let error = try message("uint result(uint x, uint y) { uint a[16777216]; a[x] = y; return a[y]; }")
    #expect(error.message == "the CPU device cannot execute local arrays of more than 65536 numbers in all (kernel 'limit')")
  }

  @Test func doubleIsRefused() throws {
    let error = try message("uint result(uint x, uint y) { double d = double(x) / 3.0; return uint(d * 100.0); }")
    #expect(error.message.hasPrefix("the CPU device cannot execute 64-bit floats"))
    #expect(error.help == ["render on another device: --device vulkan"])
  }

  @Test(arguments: [5, 20, 21, 22, 40, 60]) func loopsNestedDeeplyRun(_ depth: Int) throws {
    let open = (0..<depth).map { "for (uint i\($0) = 0u; i\($0) < 1u + y / 1000u; i\($0)++) {" }.joined()
    let kernel = try GLSL.kernel(
      "loops", "uint result(uint x, uint y) { uint n = 0u; \(open) n += x; \(String(repeating: "}", count: depth)) return n; }")
    #expect(try GLSL.run(kernel, size: Size(16, 1))[3] == 3)
  }

  /// Functions that call the one before twice; where both results are one value, what is left is short, and took as long.
  @Test(arguments: [(22, "x + 1u"), (40, "x")]) func compilingEndsInTime(_ levels: Int, _ second: String) throws {
    let functions = (1...levels).map { "uint f\($0)(uint x) { return f\($0 - 1)(x) * 3u + f\($0 - 1)(\(second)); }" }
    let text =
      "uint f0(uint x) { return x * 5u + 7u; } \(functions.joined(separator: "\n")) uint result(uint x, uint y) { return f\(levels)(x); }"
    let start = ContinuousClock.now
    let error = try message(text, options: .init(threadCount: 1, timeout: .milliseconds(300)))
    #expect(error.code == .timedOut)
    #expect(error.message == "compiling kernel 'limit' took longer than 0.3 s")
    // Without a look at the clock it takes minutes; other tests may hold up what is begun.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func longSumsAndDeepNestingAreCompiled() throws {
    let sums = stride(from: 0, to: 20_000, by: 100).map { start in
      "n += " + (start..<start + 100).map { "x*\($0)u" }.joined(separator: "+") + ";"
    }
    let depth = 300
    let nested = (0..<depth).map { "if (y != \($0 + 1000)u) {" }.joined() + "n++;" + String(repeating: "}", count: depth)
    let kernel = try GLSL.kernel("long", "uint result(uint x, uint y) { uint n = 0u; \(sums.joined()) \(nested) return n; }")
    let words = try GLSL.run(kernel, size: Size(16, 1))
    #expect(words[2] == 2 * (19_999 * 20_000 / 2) + 1)
  }
}
