import EtalonDiagnostics
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// What recording and approving leave alone: pictures that would fail at once, and places of pictures that were not reviewed.
@Suite struct RecordingTests {
  private static let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123\n"
  private static let zeros = String(repeating: "0", count: 64)

  private func folder(_ cases: String = "size: 16x12", _ expression: String = "vec4(uv, level, 1.0)") throws -> TestFolder {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", expression)
    try folder.write("ramp/tests/basics.yaml", cases + "\n")
    return folder
  }

  @Test(arguments: [
    ("vec4(level, 0.0, 0.0, 1.0)", "flat", "every pixel has the same color, 128 0 0 255; write 'allow: flat' if that is right"),
    ("vec4(uv, uv.x < 0.5 ? level / (level - 0.5) : 0.0, 1.0)", "not-finite", "; write 'allow: not-finite' if that is right"),
  ]) func whatWouldFailAtOnceIsNoReference(_ expression: String, _ word: String, _ advice: String) throws {
    let folder = try folder("size: 16x12", expression)
    let recording = try folder.run(record: .all)
    #expect(recording.recorded.isEmpty)
    #expect(recording.cases[0].notes.contains { $0.hasPrefix("not recorded: ") && $0.hasSuffix(advice) })
    #expect(recording.cases[0].approve.isEmpty, "it could not work")
    let error = #expect(throws: DiagnosticsError.self) { try folder.approve() }
    #expect(error?.diagnostics.map(\.id) == ["approve.flaw"])
    #expect(error?.diagnostics[0].message.hasSuffix(advice) ?? false)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nallow: \(word)\n")
    #expect(try folder.run(record: .missing).recorded.count == 1)
    #expect(try folder.run().exitCode() == .success)
  }

  @Test func aReferenceThatWasJustWrittenIsNotToBeApproved() throws {
    let folder = try folder()
    var results = try folder.run(record: .missing)
    results.approve(with: folder.place.path)
    #expect(results.verdicts == ["basics": .missingReference] && results.cases[0].isRecorded)
    #expect(results.cases[0].approve.isEmpty && results.cases[0].candidates.isEmpty)
    #expect(try !folder.run().cases[0].isRecorded)
  }

  @Test func aPictureWithoutNumbersIsNoReference() throws {
    let folder = try folder("size: 16x12\nreference: basics.exr\nallow: [flat, not-finite]", "vec4((level - 0.5) / (level - 0.5))")
    let recording = try folder.run(record: .all)
    #expect(recording.recorded.isEmpty)
    #expect(recording.cases[0].notes == ["not recorded: the first frame: no pixel is a number, so nothing is compared"])
  }

  @Test(arguments: [RecordMode.failed, .all]) func pointersAreLeftWithWhatToType(mode: RecordMode) throws {
    let folder = try folder()
    try folder.write("ramp/tests/basics.png", Self.pointer)
    let recording = try folder.run(record: mode)
    #expect(recording.recorded.isEmpty && recording.cases[0].candidates.isEmpty && recording.cases[0].approve.isEmpty)
    #expect(recording.cases[0].notes == ["not recorded: type 'git lfs pull' first, which gets '\(folder.path)/ramp/tests/basics.png'"])
    let error = #expect(throws: DiagnosticsError.self) { try folder.approve(["\(folder.path)/ramp/tests/basics.yaml"]) }
    #expect(error?.diagnostics.map(\.id) == ["approve.no-picture"])
  }

  /// The second picture differs, so that the first is the one that would be replaced.
  @Test func aPointerBesideAPictureIsLeft() throws {
    let folder = try folder("size: 16x12\nreference: [basics.png, other.png]")
    try folder.write("ramp/tests/basics.png", Self.pointer)
    try folder.writePicture("ramp/tests/other.png")
    let recording = try folder.run(record: .failed)
    #expect(recording.recorded.isEmpty && recording.cases[0].candidates.isEmpty)
    #expect(recording.verdicts == ["basics": .invalid])
    #expect(try String(contentsOfFile: "\(folder.path)/ramp/tests/basics.png", encoding: .utf8) == Self.pointer)
  }

  @Test func aPointerThatCameSinceIsLeft() throws {
    let folder = try folder()
    _ = try folder.run()
    try folder.write("ramp/tests/basics.png", Self.pointer)
    let error = #expect(throws: DiagnosticsError.self) { try folder.approve() }
    #expect(error?.diagnostics.map(\.id) == ["approve.pointer"])
  }

  @Test func whatCannotBeReadIsLeftUnlessApproved() throws {
    let folder = try folder()
    try folder.write("ramp/tests/basics.png", "no picture\n")
    let recording = try folder.run(record: .all)
    #expect(recording.recorded.isEmpty)
    #expect(recording.cases[0].notes.contains { $0.hasSuffix("remove '\(folder.path)/ramp/tests/basics.png', or approve the picture") })
    #expect(try folder.approve().map(\.changes) == [["it was no picture before"]])
  }

  @Test(arguments: [RecordMode.missing, .failed, .all]) func aHashSaysWhichPictureBelongsThere(mode: RecordMode) throws {
    let folder = try folder("size: 16x12\nreference: { file: basics.png, sha256: \(Self.zeros) }")
    let missing = try folder.run(record: mode)
    #expect(missing.recorded.isEmpty)
    #expect(missing.cases[0].notes.contains { $0.hasPrefix("not recorded: the case names the 'sha256' of ") })
    let path = "\(folder.path)/ramp/tests/basics.png"
    _ = try folder.approve()
    let hash = ContentHash(of: [UInt8](try Data(contentsOf: URL(filePath: path)))).description
    #expect(try folder.run().cases[0].reason.contains("write 'sha256: \(hash)'"))
    try FileManager.default.removeItem(atPath: path)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nreference: { file: basics.png, sha256: \(hash) }\n")
    #expect(try folder.run(record: mode).recorded == [path], "it is the picture that the case means")
    try folder.writeFilter("ramp", "vec4(uv.yx, level, 1.0)")
    #expect(try folder.run(record: mode).recorded.isEmpty)
  }

  @Test func aMissingPictureOfSeveralIsToldBesideADifference() throws {
    let folder = try folder("size: 16x12\nreference: [other.png, basics.png, more.png]")
    try folder.writePicture("ramp/tests/other.png")
    try folder.writePicture("ramp/tests/more.png", size: Size(8, 8))
    let results = try folder.run()
    let frames = results.cases[0].frames.filter { $0.check == "reference" }
    #expect(frames.map(\.verdict) == [.failed, .missingReference, .sizeMismatch])
    #expect(frames[1].reason.contains("there is no '\(folder.path)/ramp/tests/basics.png', which is one of several references"))
    #expect(frames[1].candidate == nil, "it is not for a machine to say that a picture is right, too")
    #expect(results.verdicts == ["basics": .sizeMismatch])
    #expect(try folder.run(record: .missing).recorded.isEmpty)
  }
}
