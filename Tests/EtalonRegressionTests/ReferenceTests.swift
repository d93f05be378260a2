import EtalonDiagnostics
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// What references do: missing, wrong, recorded.
@Suite struct ReferenceTests {
  private static let ramp = "vec4(uv, level, 1.0)"

  private func folder(_ cases: String = "size: 16x12", _ expression: String = ramp) throws -> TestFolder {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", expression)
    try folder.write("ramp/tests/basics.yaml", cases + "\n")
    return folder
  }

  @Test func aMissingReferenceFailsAndLeavesThePicture() throws {
    let folder = try folder()
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .missingReference])
    #expect(results.exitCode() == .picturesDiffer)
    let candidate = try #require(results.cases[0].candidates.first?.candidate)
    #expect(FileManager.default.fileExists(atPath: folder.place.path(of: candidate)))
    #expect(!folder.exists("ramp/tests/basics.png"), "references are recorded only with the option for it")
  }

  @Test func recordingFailsTheRunAndTheNextOnePasses() throws {
    let folder = try folder()
    let recording = try folder.run(record: .missing)
    #expect(recording.exitCode() == .picturesDiffer)
    #expect(recording.recorded == ["\(folder.path)/ramp/tests/basics.png"])
    #expect(try folder.run().exitCode() == .success)
  }

  @Test func aChangeFailsAndSaysWhere() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.75 }\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].reason.contains("192 pixels differ"))
    #expect(results.cases[0].frames.last?.pictures.keys.sorted().contains("reference") ?? false)
    let recording = try folder.run(record: .missing)
    #expect(recording.recorded.isEmpty, "a reference that differs is not missing")
    #expect(try folder.run(record: .failed).recorded.count == 1)
    #expect(try folder.run().exitCode() == .success)
  }

  @Test func allRecordsWhatTheToleranceBears() throws {
    let folder = try folder("size: 16x12\ntolerance: { channel: 254 }")
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.75 }\ntolerance: { channel: 254 }\n")
    #expect(try folder.run(record: .failed).recorded.isEmpty)
    let recording = try folder.run(record: .all)
    #expect(recording.recorded.count == 1)
    #expect(recording.exitCode() == .picturesDiffer)
    #expect(try folder.run(record: .all).recorded.isEmpty, "what is equal is not written again")
  }

  @Test func anotherSizeFails() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 12x16\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .sizeMismatch])
    #expect(results.cases[0].reason.contains("16x12") && results.cases[0].reason.contains("12x16"))
  }

  @Test func aPointerOfLargeFileStorageIsNoPicture() throws {
    let folder = try folder()
    try folder.write("ramp/tests/basics.png", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .invalid])
    #expect(results.cases[0].reason.contains("git lfs pull"))
    #expect(results.exitCode() == .invalidInput)
  }

  @Test func aDeviceIsFoundByItsNameHoweverThatIsSpelled() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    try folder.writePicture("ramp/tests/basics@CPU (Executor).png")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].candidates.first?.target == "\(folder.path)/ramp/tests/basics@CPU (Executor).png")
  }

  @Test(arguments: [".git", "ramp/.git"])
  func nothingIsWrittenOutsideOfTheRepository(_ repository: String) throws {
    let folder = try folder("size: 16x12\nreference: ../../references/basics.png")
    try folder.write("\(repository)/config", "")
    let isInside = repository == ".git"
    let results = try folder.run(record: .missing)
    #expect(results.recorded.isEmpty != isInside)
    #expect(folder.exists("references/basics.png") == isInside)
    guard !isInside else { return }
    #expect(results.cases[0].notes.contains { $0.contains("lies outside of '\(folder.path)/ramp'") })
    #expect(throws: DiagnosticsError.self) { try folder.approve() }
    #expect(!folder.exists("references/basics.png"))
  }

  @Test func recordingAllLeavesPointersOfLargeFileStorage() throws {
    let folder = try folder()
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123\n"
    try folder.write("ramp/tests/basics.png", pointer)
    #expect(try folder.run(record: .all).recorded.isEmpty)
    #expect(try String(contentsOfFile: "\(folder.path)/ramp/tests/basics.png", encoding: .utf8) == pointer)
  }

  /// Two levels are two parts of 255 for numbers, not two.
  @Test func numbersAreBorneLikeLevelsOnOtherDevices() throws {
    let folder = try folder("size: 16x12\nreference: basics.exr")
    _ = try folder.run(record: .missing)
    #expect(try folder.run(device: "cpu:last-place=1").verdicts == ["basics": .passed])
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: basics.exr\nvalues: { level: 0.51 }\n")
    #expect(try folder.run(device: "cpu:last-place=1").verdicts == ["basics": .failed])
  }

  @Test func aNameSaysWhetherAReferenceHasLevels() throws {
    let folder = try folder("size: 16x12\nreference: basics.exr")
    _ = try folder.run(record: .missing)
    try FileManager.default.moveItem(atPath: "\(folder.path)/ramp/tests/basics.exr", toPath: "\(folder.path)/ramp/tests/basics.png")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\ntolerance: { channel: 3 }\n")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .invalid])
    #expect(results.cases[0].reason.contains("an OpenEXR file by another name"))
  }

  @Test func resultsTakeThePlaceOfResultsOnly() throws {
    let folder = try folder()
    _ = try folder.run()
    try folder.place.refuseForeignFile()
    try folder.write("out/results.json", #"{ "size": "64x64", "cases": { "a": {} } }"#)
    #expect(throws: RenderError.self) { try folder.place.refuseForeignFile() }
  }

  @Test func aHashTellsAnotherFile() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    let file = "reference: { file: basics.png, sha256: \(String(repeating: "0", count: 64)) }"
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\n\(file)\n")
    #expect(try folder.run().verdicts == ["basics": .invalid])
    let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/ramp/tests/basics.png"))
    let hash = ContentHash(of: [UInt8](bytes)).description
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: { file: basics.png, sha256: \(hash) }\n")
    #expect(try folder.run().verdicts == ["basics": .passed])
  }

  @Test func anyApprovedPictureWillDo() throws {
    let folder = try folder("size: 16x12\nreference: other.png")
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.75 }\nreference: basics.png\n")
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.75 }\nreference: other.png\nalso: [basics.png]\n")
    #expect(try folder.run().verdicts == ["basics": .passed])
  }

  @Test func aPictureForTheBackendComesBeforeTheOneForAll() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    try folder.writePicture("ramp/tests/basics@cpu.png")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].frames.last?.reference?.hasSuffix("basics@cpu.png") ?? false)
    try FileManager.default.removeItem(atPath: "\(folder.path)/ramp/tests/basics@cpu.png")
    try folder.writePicture("ramp/tests/basics@vulkan.png")
    #expect(try folder.run().verdicts == ["basics": .passed])
    #expect(try folder.selection("").diagnostics == [], "a picture for another device is no orphan")
  }

  @Test func deepReferencesKeepSixteenBits() throws {
    let folder = try folder("size: 16x12\nbits: 16", "vec4(uv * 0.01, level * 0.001, 1.0)")
    _ = try folder.run(record: .missing)
    #expect(try folder.run().verdicts == ["basics": .passed])
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nbits: 16\nvalues: { level: 0.52 }\n")
    #expect(try folder.run().verdicts == ["basics": .failed], "eight bits would not show the difference")
  }

  @Test func severalFramesHaveSeveralReferences() throws {
    let folder = try folder("size: 16x12\nframes: [0, 30]", "vec4(uv, fract(TIME), 1.0)")
    #expect(try folder.run(record: .missing).recorded.count == 2)
    #expect(folder.exists("ramp/tests/basics.0030.png"))
    #expect(try folder.run().verdicts == ["basics": .passed])
  }

  @Test func flickerFailsWhereEachFrameIsFine() throws {
    let cases = "size: 8x8\nframes: 0-3\nallow: flat\ntolerance: { channel: 9, flicker: 3 }"
    let folder = try folder(cases, "vec4(vec3(level), 1.0)")
    _ = try folder.run(record: .missing)
    #expect(try folder.run().exitCode() == .success)
    try folder.writeFilter("ramp", "vec4(vec3(level + (FRAMEINDEX == 2 ? 8.0 / 255.0 : 0.0)), 1.0)")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].frames.filter { $0.check == "reference" }.map(\.verdict) == [.passed, .passed, .failed, .failed])
    #expect(results.cases[0].reason.contains("flicker is 8 levels, and may be 3"))
    #expect(results.cases[0].notes.contains { $0.contains("frame 2 is the first") && $0.contains("changes most to frame 2") })
  }

  @Test func numbersBeyondOneAreKept() throws {
    let folder = try folder("size: 8x8\nreference: basics.exr\ntolerance: { relative: 0.001 }", "vec4(vec3(20.0 + uv.x, -1.0, level), 0.5)")
    #expect(try folder.run(record: .missing).recorded == ["\(folder.path)/ramp/tests/basics.exr"])
    #expect(try folder.run().exitCode() == .success)
    try folder.writeFilter("ramp", "vec4(vec3(20.1 + uv.x, -1.0, level), 0.5)")
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .failed])
    #expect(results.cases[0].reason.contains("relative is 0.0"))
    #expect(try folder.approve().count == 1)
    #expect(try folder.run().exitCode() == .success)
  }

  @Test func aPictureOfSeveralMustBeThere() throws {
    let folder = try folder("size: 16x12\nreference: basics.png\nalso: other.png")
    _ = try folder.run(record: .missing)
    let results = try folder.run()
    #expect(results.verdicts == ["basics": .missingReference])
    #expect(results.cases[0].reason.contains("other.png"))
    try folder.writePicture("ramp/tests/other.png", size: Size(8, 8))
    #expect(try folder.run().verdicts == ["basics": .sizeMismatch])
    try folder.writePicture("ramp/tests/other.png")
    #expect(try folder.run().verdicts == ["basics": .passed])
  }

  @Test func sixteenBitsAreNotJudgedByEight() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nbits: 16\n")
    #expect(try folder.run().verdicts == ["basics": .invalid])
  }

  @Test func casesOfLikeNamesKeepTheirPicturesApart() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", Self.ramp)
    for name in ["a-b", "a b"] { try folder.write("ramp/tests/\(name).yaml", "size: 4x4\n") }
    let results = try folder.run()
    let candidates = results.cases.flatMap(\.candidates).compactMap(\.candidate)
    #expect(candidates.count == 2 && Set(candidates).count == 2)
  }

  @Test(arguments: ["soon", "2000000000"]) func aStartThatIsNoTimeIsToldWithItsPlace(_ start: String) throws {
    let folder = try folder()
    try folder.write("whole.yaml", "etalon: 1\nsize: 8x8\nstart: \(start)\nnodes:\n  a: { filter: ./ramp/ramp.glsl }\noutputs: a\n")
    try folder.write("ramp/tests/basics.yaml", "graph: ../../whole.yaml\n")
    let result = try folder.run().cases.first { $0.name == "basics" }
    #expect(result?.verdict == .invalid)
    #expect(
      result?.diagnostics.contains("whole.yaml:3:8: error: expected seconds up to 1000000000, found '\(start)' [graph.start]") ?? false)
  }

  // MARK: devices

  @Test(arguments: [("cpuu", "did you mean 'cpu'?"), ("soft", "a picture is named with its ending: 'reference: soft.png'")])
  func aDeviceThatIsNoneIsToldWithItsPlace(_ name: String, _ help: String) throws {
    let folder = try folder("size: 16x12\nreference: \(name)")
    let result = try folder.run().cases[0]
    #expect(result.verdict == .invalid)
    #expect(result.diagnostics.contains("basics.yaml:2:12: error: "))
    #expect(
      result.diagnostics.contains("2 | reference: \(name)\n   |            \(String(repeating: "^", count: name.count)) not a device here"))
    #expect(result.diagnostics.contains(help))
  }

  @Test(arguments: [
    ("cpu", "cpu", Verdict.skipped), ("cpu:threads=1", "cpu", .skipped), ("cpu:last-place=1", "cpu", .passed),
    ("cpu", "'cpu:last-place=1'", .passed),
    ("cpu:last-place=1", "'cpu:last-place=1'", .skipped), ("cpu:last-place=1", "'cpu:last-place=2'", .passed),
  ]) func errorsOnPurposeMakeAnotherDevice(_ device: String, _ reference: String, _ verdict: Verdict) throws {
    let folder = try folder("size: 16x12\nreference: \(reference)", "vec4(uv, 0.5 + 0.5 * sin(level), 1.0)")
    #expect(try folder.run(device: device).verdicts == ["basics": verdict])
  }
}
