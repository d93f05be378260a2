import EtalonRegression
import Testing

/// Each invariant holds where it should, and fails where it should.
@Suite struct InvariantTests {
  private func verdict(_ expression: String, _ invariant: String, _ further: String = "") throws -> Verdict? {
    let folder = try TestFolder()
    try folder.writeFilter("shown", expression)
    try folder.write("shown/tests/basics.yaml", "size: 32x24\ninvariants: \(invariant)\n\(further)\n")
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

  @Test func cropAndFusion() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "[crop, fusion]") == .passed)
    #expect(try verdict(ofColorFilter: "vec4(color.rgb * color.rgb, color.a)", "[crop, fusion]") == .passed)
  }

  @Test func defaults() throws {
    #expect(try verdict("vec4(uv, level, 1.0)", "defaults") == .passed)
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
    #expect(try folder.run().verdicts == ["basics": verdict])
  }
}
