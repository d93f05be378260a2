import EtalonDiagnostics
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// What becomes of cases beside their references.
@Suite struct JudgementTests {
  @Test func numbersThatAreNoneFail() throws {
    let folder = try TestFolder()
    try folder.writeFilter("hole", "uv.x < 0.5 ? vec4(uv, 0.0, 1.0) : vec4(0.0 / (level - 0.5), uv, 1.0)")
    try folder.write("hole/tests/strict.yaml", "size: 16x12\n")
    try folder.write("hole/tests/lenient.yaml", "size: 16x12\nallow: not-finite\n")
    let recording = try folder.run(record: .missing)
    #expect(recording.recorded.map { $0.split(separator: "/").last } == ["lenient.png"], "pictures with holes are not recorded by the way")
    let results = try folder.run()
    #expect(results.verdicts == ["strict": .missingReference, "lenient": .passed])
    #expect(
      results.cases.first { $0.name == "strict" }?.frames[0].reason.contains("96 pixels are NaN, the first at column 8, row 0 from the top")
        ?? false)
  }

  @Test func holesAreCountedApartAndToldFirst() throws {
    let folder = try TestFolder()
    try folder.writeFilter("hole", "uv.x < 0.5 ? vec4(uv, 0.0, 1.0) : vec4((uv.y < 0.25 ? 0.0 : 1.0) / (level - 0.5), uv, 1.0)")
    try folder.write("hole/tests/strict.yaml", "size: 16x12\n")
    let result = try folder.run().cases[0]
    #expect(result.verdict == .missingReference)
    #expect(result.reason.hasPrefix("the first frame: 24 pixels are NaN and 72 infinite, the first at column 8, row 0"))
    #expect(result.reason.contains("there is no"))
    #expect(result.frames[0].nan == 24 && result.frames[0].infinite == 72 && result.frames[0].notFinite == 96)
  }

  /// What a case says of its tolerance, of a change, and whether it then fails.
  static let holes: [(tolerance: String, level: String, words: String?)] = [
    ("exact", "0.5", nil), ("exact", "0.25", "96 pixels differ in what is NaN or infinite"),
    (
      "{ channel: 100 }", "0.25",
      "the first at column 8, row 0 from the top (11 from the bottom): 0 channels are NaN and 0 infinite, 96 and 0 were"
    ),
    ("{ channel: 1, nan: ignore }", "0.25", nil), ("{ channel: 1, nan: equal }", "0.25", "96 pixels differ in what"),
  ]

  @Test(arguments: holes) func holesOfFloatsAreCompared(_ example: (tolerance: String, level: String, words: String?)) throws {
    let folder = try TestFolder()
    try folder.writeFilter("hole", "uv.x < 0.5 ? vec4(uv, 0.0, 1.0) : vec4(0.0 / (level - 0.5), uv, 1.0)")
    let rest = "size: 16x12\nallow: not-finite\nreference: hole.exr\ntolerance: \(example.tolerance)\n"
    try folder.write("hole/tests/hole.yaml", rest)
    #expect(try folder.run(record: .missing).recorded.count == 1)
    try folder.write("hole/tests/hole.yaml", rest + "values: { level: \(example.level) }\n")
    let result = try folder.run().cases[0]
    #expect(result.verdict == (example.words == nil ? .passed : .failed), "\(result.reason)")
    if let words = example.words { #expect(result.reason.contains(words), "\(result.reason)") }
  }

  @Test(arguments: ["preserve", "flush"]) func denormalsOfFloatsFollowThePolicy(policy: String) throws {
    let folder = try TestFolder()
    try folder.writeFilter("small", "vec4(level * 1e-38, uv, 1.0)")
    let rest = "size: 16x12\nbits: 16\nreference: small.exr\ntolerance: { channel: 0, denormals: \(policy) }\n"
    try folder.write("small/tests/small.yaml", rest)
    #expect(try folder.run(record: .missing).recorded.count == 1)
    try folder.write("small/tests/small.yaml", rest + "values: { level: 0.25 }\n")
    #expect(try folder.run().verdicts == ["small": policy == "flush" ? .passed : .failed])
  }

  @Test func aPictureWithoutFloatsSaysThatHolesAreLost() throws {
    let folder = try TestFolder()
    try folder.writeFilter("hole", "uv.x < 0.5 ? vec4(uv, 0.0, 1.0) : vec4(0.0 / (level - 0.5), uv, 1.0)")
    try folder.write("hole/tests/hole.yaml", "size: 16x12\nallow: not-finite\n")
    _ = try folder.run(record: .missing)
    let result = try folder.run().cases[0]
    #expect(result.verdict == .passed && result.notes.contains { $0.contains("96 pixels are NaN, which a PNG file has as a color") })
  }

  @Test func holesOfOneDeviceFail() throws {
    let folder = try TestFolder()
    try folder.writeFilter("hole", "vec4(uv, 0.0 / (exp(level + floor(uv.x * 0.0)) - 1.6487212), 1.0)")
    try folder.write("hole/tests/hole.yaml", "size: 16x12\nallow: not-finite\ninvariants: { name: cpu, tolerance: { channel: 254 } }\n")
    let result = try folder.run(device: "cpu:last-place=1").cases[0]
    #expect(result.verdict == .failed && result.reason.contains("in what is NaN or infinite"), "\(result.reason)")
  }

  @Test func filtersWithoutCasesAreRendered() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.writeFilter("flat", "vec4(level)")
    try folder.writeFilter("hole", "vec4(0.0 / (level - 0.5), uv, 1.0)")
    try folder.writeFilter("broken", "vec4(uw, level, 1.0)")
    let results = try folder.run()
    #expect(results.verdicts == ["ramp": .passed, "flat": .failed, "hole": .failed, "broken": .invalid])
    #expect(results.cases.first { $0.name == "ramp" }?.notes.first?.contains("--record missing") ?? false)
  }

  @Test func filtersWithoutCasesSayWhichInvariantsWereTried() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("plain.fs", "/*{}*/ void main() { gl_FragColor = vec4(isf_FragNormCoord, 0.0, 1.0); }\n")
    try folder.write(
      "twice.fs",
      """
      /*{ "PASSES": [{ "TARGET": "first" }, {}] }*/
      void main() { gl_FragColor = PASSINDEX == 0 ? vec4(isf_FragNormCoord, 0.0, 1.0) : IMG_THIS_PIXEL(first); }
      """)
    let results = try folder.run()
    func invariants(_ name: String) -> [String] {
      (results.cases.first { $0.name == name }?.laws ?? []).map { "\($0.law): \($0.outcome.rawValue)\($0.reason.map { ", \($0)" } ?? "")" }
    }
    let single = "fusion: not-tried, a single pass is not joined with others"
    #expect(invariants("ramp") == ["optimization: holds", single, "defaults: holds"])
    #expect(invariants("twice").contains("fusion: not-tried, every pass is a kernel of its own anyway"), "\(invariants("twice"))")
    #expect(invariants("plain") == ["optimization: holds", single, "defaults: not-tried, no parameter"])
  }

  @Test(arguments: [
    ("failed", "2026-12-31", "0.5", Verdict.unexpectedPass), ("failed", "2026-12-31", "0.75", .expectedFailure),
    ("failed", "2026-01-01", "0.75", .failed), ("failed", "2026-01-01", "0.5", .passed), ("crashed", "2026-12-31", "0.75", .failed),
    ("crashed", "2026-12-31", "0.5", .unexpectedPass), ("flaky", "2026-12-31", "0.75", .expectedFailure),
    ("flaky", "2026-12-31", "0.5", .passed),
    ("skipped", "2026-12-31", "0.75", .skipped), ("skipped", "2026-01-01", "0.75", .failed),
    // The day itself is the last one.
    ("failed", "2026-05-01", "0.75", .expectedFailure), ("failed", "2026-04-30", "0.75", .failed),
  ]) func expectationsCountUntilTheyExpire(result: String, expires: String, level: String, verdict: Verdict) throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\n")
    _ = try folder.run(record: .missing)
    let expectation = "expect: { result: \(result), reason: known, link: 'https://example.org/1', expires: \(expires) }"
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: \(level) }\n\(expectation)\n")
    #expect(try folder.run().verdicts == ["basics": verdict])
  }

  @Test func conditionsSkipOtherDevices() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nwhen: { backend: vulkan }\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .skipped])
    #expect(results.cases[0].reason == "only where backend: vulkan")
  }

  @Test func theFirstToleranceForTheDeviceCounts() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\n")
    _ = try folder.run(record: .missing)
    func verdict(_ tolerance: String) throws -> Verdict? {
      try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.51 }\ntolerance:\n\(tolerance)\n")
      return try folder.run().verdicts["basics"]
    }
    #expect(try verdict("  - { when: { backend: vulkan }, channel: 100 }\n  - { channel: 1 }") == .failed)
    #expect(try verdict("  - { when: { backend: cpu }, channel: 100 }\n  - { channel: 1 }") == .passed)
    #expect(try verdict("  - { channel: { warn: 1, fail: 100 } }") == .warning)
  }

  @Test func picturesOfOneColorAreAllowedByName() throws {
    let folder = try TestFolder()
    try folder.writeFilter("plain", "vec4(level)")
    try folder.write("plain/tests/a.yaml", "size: 16x12\n")
    let recording = try folder.run(record: .missing)
    #expect(recording.recorded.isEmpty && recording.verdicts == ["a": .missingReference])
    try folder.write("plain/tests/a.yaml", "size: 16x12\nallow: flat\n")
    #expect(try folder.run(record: .missing).recorded.count == 1)
    #expect(try folder.run().verdicts == ["a": .passed])
    try folder.write("plain/tests/a.yaml", "size: 16x12\n")
    let results = try folder.run()
    #expect(results.verdicts == ["a": .failed], "a reference of one color passes by accident")
    #expect(
      results.cases[0].reason == "the first frame: every pixel has the same color, 255 255 255 128; write 'allow: flat' if that is right")
  }

  @Test(arguments: [
    ("vec4(vec3(level), 1.0)", "frames: 0-2\n", true), ("vec4(vec3(TIME), 1.0)", "frames: 0-2\n", false),
    ("vec4(vec3(uv.x * 0.001), 1.0)", "", true), ("vec4(vec3(uv.x * 0.001), 1.0)", "bits: 16\n", false),
    ("vec4(level)", "size: 1x1\n", false),
  ]) func aColorThatChangesIsNotFlat(expression: String, keys: String, isFlat: Bool) throws {
    let folder = try TestFolder()
    try folder.writeFilter("plain", expression)
    let size = keys.contains("size") ? "" : "size: 16x12\n"
    try folder.write("plain/tests/a.yaml", "\(size)\(keys)invariants: defaults\n")
    #expect(try folder.run().verdicts == ["a": isFlat ? .failed : .passed])
  }

  @Test(arguments: ["there.png", "not-there.png"]) func inputsThatNothingReadsAreErrors(name: String) throws {
    let folder = try TestFolder()
    try folder.write("wave/wave.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0.0, 1.0); }\n")
    try folder.writePicture("wave/tests/there.png")
    try folder.write("wave/tests/a.yaml", "size: 16x12\ninputs: { iChannel0: \(name) }\n")
    let result = try #require(try folder.run().cases.first)
    #expect(result.verdict == .invalid)
    #expect(result.diagnostics.contains("wave/tests/a.yaml:2:11: error: 'wave' does not read 'iChannel0' [input.unread]"))
  }

  @Test func eventsThatNothingReadsAreErrors() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/clicks.csv", "0.5, mouse, down, 320, 180\n")
    try folder.write("ramp/tests/a.yaml", "size: 16x12\nevents: clicks.csv\n")
    let result = try #require(try folder.run().cases.first)
    #expect(result.verdict == .invalid, "\(result.reason)")
    #expect(result.diagnostics.contains("a.yaml:1:1: error"))
  }

  @Test func loopsThatDoNotEndTakeTooLong() throws {
    let folder = try TestFolder()
    try folder.write("loop/loop.glsl", "void mainImage(out vec4 c, in vec2 p) { float x = 0.0; while (true) x += 0.1; c = vec4(x); }\n")
    let results = try folder.run()
    #expect(results.verdicts == ["loop": .timedOut])
    #expect(results.exitCode() == .tryAgain)
    #expect(results.cases[0].reason.contains("ran more than 16777216 rounds of loops"))
    try folder.write("loop/tests/a.yaml", "expect: { result: timed-out, reason: known, link: 'https://example.org/1' }\n")
    #expect(try folder.run().verdicts == ["a": .expectedFailure])
  }

  @Test func theExecutorIsItsOwnReference() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: cpu\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .skipped])
    #expect(results.comparesNothing && results.exitCode() == .noDevice)
    #expect(GitHubAnnotations(results).text.hasPrefix("::error title=nothing compared::"))
    #expect(try folder.run(device: "cpu:last-place=1").verdicts == ["basics": .passed], "errors on purpose make another device")
  }

  @Test func whatCannotBeComparedHereLeavesTheRest() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: cpu\ninvariants: [crop, cpu]\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .passed] && results.exitCode() == .success)
    #expect(results.cases[0].notes.count { $0.hasPrefix("not compared: ") } == 2)
  }

  @Test(arguments: ["when: { backend: vulkan }", "expect: { result: skipped, reason: known, link: 'https://example.org/1' }"])
  func whatIsSkippedOnPurposeIsFine(line: String) throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: cpu\n\(line)\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .skipped] && results.exitCode() == .success)
  }

  @Test func aShardMaySkipAllOfItsCases() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: cpu\n")
    var results = try folder.run()
    results.shards = [.init(index: 1, count: 2)]
    #expect(results.exitCode() == .success)
    results.shards.append(.init(index: 2, count: 2))
    #expect(results.exitCode() == .noDevice)
  }

  @Test func deviceThatDiffersFromTheExecutorIsBlamedByTheInvariant() throws {
    let folder = try TestFolder()
    try folder.writeFilter("hash", "vec4(vec3(fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 437585.453)) * level, 1.0)")
    try folder.write("hash/tests/basics.yaml", "size: 16x12\ninvariants: { name: cpu, tolerance: { channel: 2 } }\n")
    let result = try #require(try folder.run(device: "cpu:last-place=9").cases.first)
    #expect(result.verdict == .failed && result.blame == .shader)
    #expect(result.notes.contains { $0.hasPrefix("blame: the shader: ") })
  }

  @Test func errorsInValuesPointIntoTheCase() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { lever: 1 }\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .invalid])
    #expect(results.cases[0].diagnostics.contains("basics.yaml:2:11: error"))
    #expect(results.cases[0].diagnostics.contains("did you mean 'level'?"))
  }

  @Test func aFusedProductIsTheShaders() throws {
    let folder = try TestFolder()
    // No range follows the size of a level that may be any; whether the color is 0 or 1 hangs on one product that is rounded or is not.
    let text = """
      void mainImage(out vec4 c, in vec2 p) {
        float v = p.x * 0.137 + p.y * 0.0213;
        ivec2 size = textureSize(iChannel0, int(1.5 + sin(p.x * 1e9)));
        c = vec4(vec3(v * v - v * v != 0.0 ? 1.0 : 0.0), size.x > 0 ? 1.0 : 0.0);
      }
      """
    try folder.write("fused.glsl", text)
    try folder.writePicture("tests/fused/picture.png")
    try folder.write("tests/fused/basics.yaml", "size: 16x12\nallow: flat\ninputs: { iChannel0: picture.png }\n")
    _ = try folder.run(record: .missing)
    let results = try folder.run(device: "cpu:contraction=1")
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].blame == .shader)
    #expect(results.cases[0].notes.contains { $0.hasSuffix("hang on whether products are rounded before they are added") })
  }

  @Test func failuresShowHowStableTheirPixelsAre() throws {
    let folder = try TestFolder()
    try folder.writeFilter(
      "hash", "vec4(uv, uv.x < 0.5 ? level : fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 437585.453), 1.0)")
    try folder.write("hash/tests/basics.yaml", "size: 16x12\n")
    _ = try folder.run(record: .missing)
    let frame = try #require(try folder.run().cases.first?.frames.first { $0.check == "reference" })
    #expect(frame.stability == nil && frame.pictures["stability"] == nil, "nothing differs")
    try folder.write("hash/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.7 }\n")
    let failed = try #require(try folder.run().cases.first?.frames.first { $0.check == "reference" })
    #expect(failed.stability?.bands.first?.text == "stays" && failed.stability?.bands.first?.pixels ?? 0 >= 96)
    #expect(failed.stability?.bands.last?.text == "by more than 64 levels" && failed.stability?.bands.last?.pixels ?? 0 > 60)
    #expect(folder.exists("out/\(failed.pictures["stability"] ?? "none")"))
  }

  @Test func whereNothingLooksAtStabilityTheReportSaysWhy() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 8x8\n")
    _ = try folder.run(record: .missing)
    let cases = (0...10).map { "  c\($0): {}\n" }.joined()
    try folder.write("ramp/tests/basics.yaml", "size: 8x8\nreference: basics.png\nvalues: { level: 0.7 }\ncases:\n\(cases)")
    let obstacles = try folder.run().cases.compactMap { $0.frames.first { $0.check == "reference" }?.stabilityObstacle }
    #expect(obstacles == ["left out after 10 cases: run this one alone"])
  }

  @Test(arguments: [("0.5", Blame.shader), ("0.75", .change)]) func aDeviceThatDiffersIsNotAlwaysToBlame(level: String, blame: Blame) throws
  {
    let folder = try TestFolder()
    // The last bit of a sine decides every pixel.
    try folder.writeFilter("hash", "vec4(vec3(fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 437585.453)) * level, 1.0)")
    try folder.write("hash/tests/basics.yaml", "size: 16x12\ntolerance: { channel: 2 }\n")
    _ = try folder.run(record: .missing)
    try folder.write("hash/tests/basics.yaml", "size: 16x12\ntolerance: { channel: 2 }\nvalues: { level: \(level) }\n")
    let results = try folder.run(device: "cpu:last-place=9")
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].blame == blame)
    #expect(results.cases[0].candidates.first?.target?.hasSuffix("basics@etalon.png") ?? false)
  }
}
