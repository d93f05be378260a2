import EtalonDiagnostics
import EtalonRegression
import Testing

/// Each invariant holds where it should, and fails where it should.
@Suite struct InvariantTests {
  private func verdict(_ expression: String, _ invariant: String, _ further: String = "") throws -> Verdict? {
    let folder = try TestFolder()
    try folder.writeFilter("shown", expression)
    try folder.write("shown/tests/basics.yaml", "\(further.contains("size") ? "" : "size: 32x24\n")invariants: \(invariant)\n\(further)\n")
    return try folder.run().verdicts["basics"]
  }

  private func verdict(ofColorFilter expression: String, _ invariant: String) throws -> Verdict? {
    let folder = try TestFolder()
    try folder.writeColorFilter("shown", expression)
    try folder.writePicture("shown/tests/picture.png")
    try folder.write("shown/tests/basics.yaml", "inputs: { inputImage: picture.png }\ninvariants: \(invariant)\n")
    return try folder.run().verdicts["basics"]
  }

  @Test func identity() throws {
    #expect(try verdict(ofColorFilter: "color", "identity") == .passed)
    #expect(try verdict(ofColorFilter: "color.gbra", "identity") == .failed)
    #expect(try verdict("vec4(uv, level, 1.0)", "identity") == .invalid, "there is no input that could stay as it is")
  }

  @Test func purity() throws {
    #expect(try verdict("vec4(uv, fract(TIME), 1.0)", "purity", "frames: [0, 7]") == .passed)
  }

  @Test func resolution() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "resolution") == .passed)
    #expect(try verdict("vec4(fract(position * 0.1), level, 1.0)", "resolution") == .failed)
  }

  @Test func periodicity() throws {
    let turning = "vec4(uv, 0.5 + 0.5 * sin(6.28318531 * TIME), 1.0)"
    #expect(try verdict(turning, "{ name: periodicity, period: 2s, tolerance: { channel: 1 } }", "frames: [3]") == .passed)
    #expect(try verdict(turning, "{ name: periodicity, period: 15f, tolerance: { channel: 1 } }", "frames: [3]") == .failed)
  }

  @Test func crop() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "crop") == .passed)
    #expect(try verdict(ofColorFilter: "vec4(color.rgb * color.rgb, color.a)", "crop") == .passed)
  }

  @Test func fusion() throws {
    let folder = try TestFolder()
    try folder.writeColorFilter("turned", "color.gbra")
    try folder.writeColorFilter("squared", "vec4(color.rgb * color.rgb, color.a)")
    try folder.writePicture("picture.png")
    try folder.write(
      "chain.yaml",
      """
      etalon: 1
      inputs: { photo: picture.png }
      nodes:
        first: { filter: ./turned/turned.glsl, inputs: { inputImage: photo } }
        second: { filter: ./squared/squared.glsl, inputs: { inputImage: first } }
      outputs: second
      """)
    try folder.write("tests/chain/laws.yaml", "invariants: fusion\n")
    let result = try #require(try folder.run().cases.first { $0.name == "laws" })
    #expect(result.verdict == .passed && result.frames.map(\.check) == ["renders", "fusion"], "\(result.diagnostics)")
  }

  @Test func defaults() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "defaults") == .passed)
  }

  @Test func tiles() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "tiles") == .passed)
    // One workgroup for a piece shows only where pieces are narrower than those of the second render.
    #expect(try verdict("vec4(uv, gl_NumWorkGroups.x == 1u && position.x < 24.0 ? 1.0 : 0.0, 1.0)", "tiles", "size: 64x48") == .failed)
  }

  @Test func optimization() throws {
    let hash = "fract(sin(dot(position, vec2(12.9898, 78.233))) * 43758.5453) * level + level * 0.3"
    #expect(try verdict("vec4(uv, \(hash), 1.0)", "optimization") == .passed)
    // Optimizers have taken 'weight' for the constant that it begins with.
    let fading = try TestFolder()
    try fading.write(
      "fading.glsl",
      """
      void mainImage(out vec4 c, in vec2 p) {
        float weight = 1.0, sum = 0.0;
        for (int i = 0; i < 20; i++) { sum += weight * p.x; weight = mix(weight, 0.0, 0.2); }
        c = vec4(p / 64.0, sum / 400.0, 1.0);
      }
      """)
    #expect(try fading.run().verdicts == ["fading": .passed])
    // The optimizer may take either value of what has none, and takes the one that is there.
    let folder = try TestFolder()
    try folder.write(
      "unset.glsl", "void mainImage(out vec4 c, in vec2 p) { float x; if (p.x > 32.0) x = 1.0; c = vec4(p / 64.0, x, 1.0); }\n")
    let results = try folder.run(device: "vulkan")
    #expect(results.verdicts == ["unset": .failed])
    #expect(results.cases[0].reason.hasPrefix("optimization: "), "filters without cases are tried by themselves")
  }

  @Test func cpu() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "cpu") == .skipped)
  }

  @Test(arguments: [("mix(a, b, progress)", Verdict.passed), ("mix(b, a, progress)", .failed)]) func ends(mix: String, verdict: Verdict)
    throws
  {
    let folder = try TestFolder()
    let inputs =
      #"{ "NAME": "startImage", "TYPE": "image" }, { "NAME": "endImage", "TYPE": "image" }, { "NAME": "progress", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 }"#
    try folder.write(
      "fade/fade.glsl", "/*{ \"ETALON\": 1, \"INPUTS\": [\(inputs)] }*/\nvec4 colorKernel(vec4 a, vec4 b) { return \(mix); }\n")
    try folder.writePicture("fade/tests/a.png")
    try folder.writePicture("fade/tests/b.png", light: 90)
    try folder.write("fade/tests/basics.yaml", "inputs: { startImage: a.png, endImage: b.png }\ninvariants: ends\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": verdict])
    let reasons = results.cases[0].frames.filter { $0.verdict == .failed }.map(\.reason)
    #expect(
      reasons.allSatisfy { $0.hasPrefix("ends: progress ") && !$0.contains("the first frame") && $0.hasSuffix("Image'") }, "\(reasons)")
  }

  // MARK: what would compare nothing

  @Test(arguments: [
    ("defaults", "values: { level: 0.3 }", "every parameter has a value in 'values' already"),
    ("purity", "", "a single frame comes after no other"),
    ("purity", "frames: 4", "a single frame comes after no other"), ("fusion", "", "every pass is a kernel of its own anyway"),
    ("crop", "size: 1x1", "a picture of 1x1 has no part"), ("resolution", "size: 1x1", "a picture of 1x1 has no half"),
    ("tiles", "size: 10x6", "a picture of 10x6 is one piece, and pieces have 10x6 pixels"),
    ("ends", "", "the case names no picture for 'startImage'"), ("identity", "", "the case names no picture that could stay as it is"),
  ]) func comparesNothing(invariant: String, keys: String, words: String) throws {
    let folder = try TestFolder()
    try folder.writeFilter("shown", "vec4(uv, level, 1.0)")
    try folder.write(
      "shown/tests/basics.yaml", "\(keys)\nallow: flat\ninvariants: [\(invariant)]\n")
    let selection = try folder.selection("")
    let found =
      try selection.diagnostics.isEmpty
      ? folder.run().cases.map(\.diagnostics) : selection.diagnostics.map { DiagnosticPrinter().text([$0]) }
    #expect(found.count == 1 && found[0].contains("'\(invariant)' compares nothing: \(words)"), "\(found)")
    #expect(found[0].contains("basics.yaml:3:") && found[0].contains("= help: "))
    if selection.diagnostics.isEmpty { #expect(try folder.run().verdicts == ["basics": .invalid]) }
  }

  @Test func filtersWithoutParametersHaveNoDefaults() throws {
    #expect(try verdict(ofColorFilter: "color.gbra", "defaults") == .invalid)
  }
}
