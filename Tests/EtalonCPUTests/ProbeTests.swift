import EtalonCPU
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// What a probed pixel says that it assigned: in order, in the parts that were meant, and nothing of other pixels.
@Suite struct ProbeTests {
  /// What a pixel of a picture of 33 by 18 pixels assigns, as `name = words`.
  private func assignments(_ text: String, x: Int = 3, y: Int = 17) throws -> [String] {
    let kernel = try GLSL.kernel("probed", text)
    let log = ProbeLog(x: x, y: y) { _, _ in true }
    let probed = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 2), probe: log))
    let plain = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 1)))
    #expect(probed[(17 - y) * 33 + x] == plain[(17 - y) * 33 + x])
    let trace = try #require(log.trace)
    #expect(trace.count == trace.assignments.count && trace.frame == 0)
    // What the frame around the text does comes before and after.
    return trace.assignments.map(Self.text).filter { !$0.hasPrefix("p = ") && !$0.hasPrefix("value = ") && !$0.hasPrefix("words") }
  }

  private static func text(_ assignment: ProbeLog.Assignment) -> String {
    let numbers = assignment.words.map { bits in
      switch assignment.site.scalar {
      case .float: "\(Float(bitPattern: bits))"
      case .signed: "\(Int32(bitPattern: bits))"
      case .unsigned: "\(bits)"
      case .boolean: bits == 0 ? "no" : "yes"
      }
    }
    return "\(assignment.name) = \(numbers.joined(separator: " "))"
  }

  @Test(arguments: [
    ("float v = float(x) * 0.5; v += 1.0; return uint(v);", ["v = 1.5", "v = 2.5"]),
    ("vec3 c = vec3(x, y, 1.0); c.y = 0.25; return uint(c.x);", ["c = 3.0 17.0 1.0", "c.y = 0.25"]),
    ("bool b = x == 3u; int i = -int(y); return b ? uint(i) : 0u;", ["b = yes", "i = -17"]),
    ("mat2 m = mat2(1.0, 2.0, 3.0, 4.0); return uint(m[1].x);", ["m[0] = 1.0 2.0", "m[1] = 3.0 4.0"]),
    ("float w[12]; w[x] = 2.0; w[11] = 5.0; return uint(w[y % 12u]);", ["w[3] = 2.0", "w[11] = 5.0"]),
    ("vec4 c = vec4(0.0); c[x & 3u] = 1.0; return uint(c.w);", ["c = 0.0 0.0 0.0 0.0", "c.w = 1.0"]),
    (
      "uint s = 0u; for (uint k = 0u; k < x; k++) s += k; return s;",
      ["s = 0", "k = 0", "s = 0", "k = 1", "s = 1", "k = 2", "s = 3", "k = 3"]
    ),
    ("uint s = 1u; if (x != 3u) s = 2u; else s = 7u; return s;", ["s = 1", "s = 7"]),
    ("uint s = 1u; if (y < 4u) s = 2u; return s;", ["s = 1"]),
  ])
  func whatIsAssigned(_ body: String, _ expected: [String]) throws {
    #expect(try assignments("uint result(uint x, uint y) { \(body) }") == expected)
  }

  @Test func partsOfStructures() throws {
    let text = """
      struct Hit { float t; vec3 n; };
      Hit find(uint x) { Hit h; h.t = float(x); h.n = vec3(1.0); return h; }
      uint result(uint x, uint y) { Hit hit = find(x); return uint(hit.t); }
      """
    #expect(try assignments(text) == ["h.t = 3.0", "h.n = 1.0 1.0 1.0", "hit.t = 3.0", "hit.n = 1.0 1.0 1.0"])
  }

  @Test func callsAssignWhatTheyGiveBack() throws {
    let text = "void f(float v, out float a) { a = v + 1.0; } uint result(uint x, uint y) { float r; f(float(x), r); return uint(r); }"
    #expect(try assignments(text) == ["a = 4.0", "r = 4.0"])
  }

  @Test(arguments: [(0, 0), (16, 0), (32, 17), (15, 15), (31, 16)])
  func everyPixelIsFound(x: Int, y: Int) throws {
    let found = try assignments("uint result(uint x, uint y) { uint place = y * 33u + x; return place; }", x: x, y: y)
    #expect(found == ["place = \(y * 33 + x)"])
  }

  @Test func onlyTheWorkgroupOfThePixelRuns() throws {
    let kernel = try GLSL.kernel("probed", "uint result(uint x, uint y) { return 7u; }")
    let image = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 2), probe: ProbeLog(x: 20, y: 3) { _, _ in true }))
    #expect(image.count { $0 == 7 } == 256)
  }

  @Test func linesThatNoAuthorWroteAreLeftOut() throws {
    let kernel = try GLSL.kernel("probed", "uint result(uint x, uint y) { uint v = x; return v; }")
    let log = ProbeLog(x: 0, y: 0) { _, _ in false }
    _ = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 1), probe: log))
    #expect(log.trace?.assignments.isEmpty == true)
  }

  @Test func whatIsTooMuchIsCounted() throws {
    let text = "uint result(uint x, uint y) { uint s = 0u; for (uint k = 0u; k < 600000u; k++) s += k; return s; }"
    let kernel = try GLSL.kernel("probed", text)
    let log = ProbeLog(x: 0, y: 0) { _, _ in true }
    _ = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 1), probe: log))
    let trace = try #require(log.trace)
    #expect(trace.assignments.count == ProbeLog.limit && trace.count > 1_200_000)
  }
}
