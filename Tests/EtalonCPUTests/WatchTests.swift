import EtalonCPU
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// What a watched kernel says that it did: every kind of finding, in the lanes where it happens and in no others.
@Suite struct WatchTests {
  /// What happens in a picture of 33 by 18 pixels, as `kind count at x,y: operands`.
  private func findings(_ text: String, isAdded: @escaping @Sendable (Int) -> Bool = { _ in false }) throws -> [String] {
    let kernel = try GLSL.kernel("watched", text)
    let log = WatchLog { _, line in isAdded(line) }
    let watched = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 2), watch: log))
    #expect(watched == (try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 2)))))
    return log.entries.map(Self.text)
  }

  private static func text(_ entry: WatchLog.Entry) -> String {
    var text = "\(entry.site.kind.rawValue) \(entry.count)"
    if case .pixel(let x, let y, _) = entry.place { text += " at \(x),\(y)" }
    if let variable = entry.site.variable { text += " \(variable)" }
    for (operand, bits) in zip(entry.site.operands, entry.operands) {
      switch operand.scalar {
      case .float: text += " \(operand.name)=\(Float(bitPattern: bits))"
      case .signed: text += " \(operand.name)=\(Int32(bitPattern: bits))"
      case .unsigned, .boolean: text += " \(operand.name)=\(bits)"
      }
    }
    return text
  }

  private func inResult(_ expression: String) throws -> [String] {
    try findings("uint result(uint x, uint y) { float v = float(x) - 5.0; int i = int(x) - 3; return floatBitsToUint(\(expression)); }")
  }

  @Test(arguments: [
    ("sqrt(v)", ["sqrt-domain 90 at 0,0 x=-5.0", "not-finite 90 at 0,0 a=-5.0"]),
    ("inversesqrt(abs(v))", ["inversesqrt-domain 18 at 5,0 x=0.0", "not-finite 18 at 5,0 a=0.0"]),
    ("log(abs(v))", ["log-domain 18 at 5,0 x=0.0", "not-finite 18 at 5,0 a=0.0"]),
    ("pow(v - 20.0, 2.0)", ["pow-domain 450 at 0,0 x=-25.0 y=2.0"]),
    ("pow(max(v, 0.0), 0.0)", ["pow-domain 108 at 0,0 x=0.0 y=0.0"]),
    ("asin(clamp(v, -1.0, 2.0))", ["asin-acos-domain 468 at 7,0 x=2.0", "not-finite 468 at 7,0 a=2.0"]),
    ("atan(v, 0.0 * v)", ["atan-of-zero 18 at 5,0 y=0.0 x=0.0"]),
    ("1.0 / v", ["division-by-zero 18 at 5,0 dividend=1.0 divisor=0.0", "not-finite 18 at 5,0 a=1.0 b=0.0"]),
    ("mod(3.0, v)", ["mod-by-zero 18 at 5,0 x=3.0 y=0.0", "not-finite 18 at 5,0 a=3.0 b=0.0"]),
    (
      "smoothstep(0.0, v, 0.5)",
      ["smoothstep-edges 18 at 5,0 edge0=0.0 edge1=0.0 x=0.5", "smoothstep-reversed 90 at 0,0 edge0=0.0 edge1=-5.0 x=0.5"]
    ),
    ("acosh(v + 2.0)", ["acosh-atanh-domain 72 at 0,0 x=-3.0", "not-finite 72 at 0,0 a=-3.0"]),
    ("float(clamp(5, 0, i))", ["clamp-limits 54 at 0,0 x=5 minimum=0 maximum=-3"]),
    ("float(bitfieldExtract(7, 4, i))", ["bitfield-range 72 at 0,0 offset=4 bits=-3"]),
    ("ldexp(1e-30, 128 + i)", ["ldexp-range 522 at 4,0 exp=129"]),
    ("float(packHalf2x16(vec2(v + 65504.0, 0.0)) & 1u)", ["conversion-range 486 at 6,0 x=65505.0"]),
    ("cos(32768.0 + v)", ["sine-range 486 at 6,0 x=32769.0"]),
    // Beyond the angle of total reflection the root of a negative number is not taken.
    ("refract(vec3(0.8, 0.0, -0.6), vec3(0.0, 0.0, 1.0), 2.0 + 0.0 * v).x", []),
    ("faceforward(vec3(1.0, 0.0, 0.0), vec3(v), vec3(1.0)).x + reflect(vec3(v), vec3(1.0)).y + sign(v) + step(v, 0.0)", []),
    ("clamp(0.5, 0.0, v)", ["clamp-limits 90 at 0,0 x=0.5 minimum=0.0 maximum=-5.0"]),
    ("normalize(vec2(v, 0.0)).x", ["normalize-of-zero 18 at 5,0 dot(v, v)=0.0", "not-finite 18 at 5,0 a=0.0"]),
    ("float(7 / i)", ["integer-division-by-zero 18 at 3,0 dividend=7 divisor=0"]),
    ("float(i % 4)", ["negative-remainder 54 at 0,0 dividend=-3 divisor=4"]),
    ("float(1 << i)", ["shift-range 54 at 0,0 value=1 amount=-3"]),
    ("float(int(v * 1e9))", ["conversion-range 504 at 0,0 x=-5e+09"]),
    ("exp(v * 10.0)", ["not-finite 342 at 14,0 a=90.0"]),
    ("v * 2.0 + cos(v)", []),
    ("length(vec2(v, v)) + mix(v, 2.0, 0.5)", []),
  ])
  func operations(_ expression: String, _ expected: [String]) throws { #expect(try inResult(expression) == expected) }

  @Test func productsThatAreTooLargeAreUndefined() throws {
    #expect(try inResult("ldexp(1.0 + v * 0.0, 123 + i)").contains("ldexp-range 450 at 8,0 exp=128"))
  }

  @Test func onlyLanesThatGetThereCount() throws {
    let found = try findings(
      "uint result(uint x, uint y) { float v = float(x) - 5.0; if (x > 3u) v = sqrt(v); return floatBitsToUint(v); }")
    #expect(found == ["sqrt-domain 18 at 4,0 x=-1.0", "not-finite 18 at 4,0 a=-1.0"])
  }

  @Test func pixelsBeyondTheTargetDoNotCount() throws {
    #expect(try inResult("1.0 / (v - 35.0)") == [])
  }

  @Test(arguments: [
    ("float r; if (x > 3u) r = 1.0; return uint(r);", ["uninitialized-read 72 at 0,0 r"]),
    ("vec3 c; c.xy = vec2(1.0); return uint(dot(c, vec3(1.0)));", ["uninitialized-read 594 at 0,0 c.z"]),
    ("vec3 c; c.xy = vec2(1.0); c *= 2.0; return uint(c.x + c.y);", []),
    ("vec3 c; c.xy = vec2(1.0); vec3 d = c; return uint(d.z);", ["uninitialized-read 594 at 0,0 c.z"]),
    ("float s; for (int k = 0; k < 3; k++) s += 1.0; return uint(s);", ["uninitialized-read 594 at 0,0 s"]),
    ("bool b; if (x == 1u) b = true; return b ? 1u : 2u;", ["uninitialized-read 576 at 0,0 b"]),
    ("float w[12]; w[x % 12u] = 1.0; return uint(w[5]);", ["uninitialized-read 540 at 0,0 w[5]"]),
    ("float w[12]; w[2] = 1.0; return uint(w[x % 12u]);", ["uninitialized-read 540 at 0,0 w[…]"]),
    ("vec3 c; c.x = 1.0; return uint(c[x % 3u]);", ["uninitialized-read 396 at 1,0 c"]),
    ("float w[12]; for (int k = 0; k < 12; k++) w[k] = 1.0; return uint(w[x % 12u]);", []),
    ("float whole; float part = modf(float(x) * 0.3, whole); int e; part += frexp(part, e); return uint(part + whole) + uint(e);", []),
    ("uint r = x; if (x > 4u) r = y; return r;", []),
  ])
  func variablesThatNothingWasWrittenTo(_ body: String, _ expected: [String]) throws {
    #expect(try findings("uint result(uint x, uint y) { \(body) }") == expected)
  }

  @Test func aStructureMayBeCopiedBeforeItIsWhole() throws {
    let text = """
      struct Hit { float t; vec3 n; };
      Hit find(uint x) { Hit h; h.t = x > 3u ? 1.0 : -1.0; if (x > 3u) h.n = vec3(1.0); return h; }
      uint result(uint x, uint y) { Hit h = find(x); return h.t > 0.0 ? uint(h.n.x) : 7u; }
      """
    #expect(try findings(text) == [])
    #expect(try findings(text.replacing("h.t > 0.0 ?", with: "h.t > -2.0 ?")) == ["uninitialized-read 72 at 0,0 find().n.x"])
  }

  @Test func theMemberOfAnElementThatIsChosen() throws {
    let text = """
      struct Hit { float t; vec3 n; };
      uint result(uint x, uint y) { Hit h[8]; h[x % 8u].t = 1.0; return uint(h[x % 8u].t + h[x % 8u].n.y); }
      """
    #expect(try findings(text) == ["uninitialized-read 594 at 0,0 h[…].n.y"])
  }

  @Test func whatACallLeavesUnwrittenHasTheNameOfItsArgument() throws {
    let text = """
      void find(uint x, out float t) { if (x > 3u) t = 1.0; }
      uint result(uint x, uint y) { float near; find(x, near); return uint(near + 1.0); }
      """
    #expect(try findings(text) == ["uninitialized-read 72 at 0,0 near"])
  }

  @Test func anOutParameterThatIsReadFirst() throws {
    let text = "void f(out float a) { a += 1.0; } uint result(uint x, uint y) { float r = 3.0; f(r); return uint(r); }"
    #expect(try findings(text) == ["uninitialized-read 594 at 0,0 a"])
  }

  @Test func indicesBeyondTheEnds() throws {
    let text = "uint result(uint x, uint y) { float w[3] = float[3](1.0, 2.0, 3.0); return uint(w[int(x) - 1]); }"
    #expect(try findings(text) == ["index-range 540 at 0,0 index=-1 length=3"])
  }

  @Test func quadsThatAreNotWhole() throws {
    let text = """
      uint result(uint x, uint y) {
        float v = float(x * x);
        if (x % 3u == 0u) v = subgroupQuadSwapHorizontal(v);
        return uint(subgroupQuadSwapVertical(v));
      }
      """
    let found = try findings(text)
    #expect(found.count == 1 && found[0].hasPrefix("divergent-derivative"))
  }

  @Test func aFindingHasTheLinesOfItsCalls() throws {
    let text = "float f(float v) {\n  return sqrt(v);\n}\nuint result(uint x, uint y) {\n  return uint(f(float(x) - 5.0));\n}"
    let kernel = try GLSL.kernel("watched", text)
    let log = WatchLog { _, _ in false }
    _ = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 1), watch: log))
    let lines = try #require(log.entries.first?.site.lines)
    #expect(lines.count == 3 && lines[1] - lines[0] == 3)
  }

  // MARK: Pictures

  @Test func theMapSaysWhereEachKindHappens() throws {
    let kernel = try GLSL.kernel(
      "watched", "uint result(uint x, uint y) { float v = float(x) - 5.0; return uint(1.0 / v + sqrt(float(y) - 2.0)); }")
    let log = WatchLog(marksUnless: { _, site in site.kind == .conversion }) { _, _ in false }
    _ = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 2), watch: log))
    let map = try #require(log.map)
    #expect(map.pass == "image" && map.frame == 0 && map.size == Size(33, 18))
    #expect(map.pixelCounts == [.divisionByZero: 18, .squareRoot: 66, .notFinite: 18 + 64])
    // The top row is 17.
    #expect(map.has(.divisionByZero, at: 5) && !map.has(.divisionByZero, at: 6))
    #expect(map.has(.squareRoot, at: 16 * 33) && map.has(.squareRoot, at: 17 * 33 + 32) && !map.has(.squareRoot, at: 15 * 33))
  }

  @Test func nothingIsMarkedUnlessAskedFor() throws {
    let log = WatchLog { _, _ in false }
    let kernel = try GLSL.kernel("watched", "uint result(uint x, uint y) { return uint(1.0 / (float(x) - 5.0)); }")
    _ = try GLSL.run(kernel, on: CPUBackend(.init(threadCount: 1), watch: log))
    #expect(log.map == nil && !log.entries.isEmpty)
  }

  @Test func aQuickLookRunsEdgesMiddleAndGrid() throws {
    let text = "uint result(uint x, uint y) { return floatBitsToUint(1.0 / float(x % 16u + y % 16u)); }"
    let log = WatchLog(isQuick: true) { _, _ in false }
    let kernel = try GLSL.kernel("watched", text)
    let size = Size(20 * 16, 12 * 16)
    let image = try GLSL.run(kernel, size: size, on: CPUBackend(.init(threadCount: 2), watch: log))
    let ran = (0..<12).map { row in
      String((0..<20).map { image[((11 - row) * 16 + 15) * size.width + $0 * 16] == 0 ? "." : "#" })
    }
    #expect(
      ran == [
        "#.#.#.#.#.#.#.#.#.##",
        "...................#",
        "#.#...#...#...#...#.",
        "...................#",
        "#...................",
        ".........##........#",
        "#.#...#..##...#...#.",
        "...................#",
        "#...................",
        "...................#",
        "#.#...#...#...#...#.",
        "##.#.#.#.#.#.#.#.#.#",
      ])
    #expect(log.entries.first?.count == ran.joined().count { $0 == "#" })
    #expect(ran.joined().count { $0 == "#" } * 4 < 240)
  }

  @Test(arguments: [false, true]) func invocationsAndPixelsBelongTogether(isInQuads: Bool) {
    let order = InvocationOrder(invocations: 256, columns: 3, rows: 2, isInQuads: isInQuads)
    for number in 0..<order.count {
      let (x, y) = order.pixel(of: number)
      #expect(order.number(ofPixelAtX: x, y: y) == number && x < 48 && y < 32)
    }
  }
}
