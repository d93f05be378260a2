import EtalonDiagnostics
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// What approving copies, refuses and says.
@Suite struct ApprovalTests {
  private func folder(_ cases: String = "size: 16x12", _ expression: String = "vec4(uv, level, 1.0)") throws -> TestFolder {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", expression)
    try folder.write("ramp/tests/basics.yaml", cases + "\n")
    return folder
  }

  @Test func approvingCopiesWhatWasSeen() throws {
    let folder = try folder()
    _ = try folder.run()
    let copies = try folder.approve()
    #expect(copies.map(\.changes) == [["new"]])
    #expect(try folder.run().verdicts == ["basics": .passed])
    #expect(throws: DiagnosticsError.self) { try folder.approve() }
  }

  @Test func theWholeNameOfACaseMeansThisOneOnly() throws {
    let folder = try folder("size: 16x12\ncases:\n  soft: {}\n  soft-wide: { values: { level: 0.25 } }")
    let results = try folder.run()
    let soft = try #require(results.cases.first { $0.name == "soft" }).id
    #expect(try folder.approve([soft]).map(\.caseID) == [soft])
    #expect(try folder.approve(["soft"]).count == 2)
  }

  @Test func nothingIsApprovedWhereAPlaceCannotBeWritten() throws {
    let folder = try folder("size: 16x12\ncases: { one: {}, two: { reference: [sub/two.png] } }")
    _ = try folder.run()
    try folder.write("ramp/tests/sub", "not a folder\n")
    let before = folder.files("ramp")
    let error = #expect(throws: RenderError.self) { try folder.approve() }
    #expect(error?.code == .cannotWrite)
    #expect(Set(folder.files("ramp")) == Set(before))
  }

  @Test(arguments: [
    ("value", "result.level: not set -> 0.75"), ("size", "size: 16x12 -> 12x16"), ("shader", "'ramp.glsl' changed"),
    ("mouse", "mouse: not set -> 3,4"),
  ]) func approvingRefusesWhatChanged(what: String, words: String) throws {
    let folder = try folder()
    _ = try folder.run()
    switch what {
    case "value": try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.75 }\n")
    case "size": try folder.write("ramp/tests/basics.yaml", "size: 12x16\n")
    case "mouse": try folder.write("ramp/tests/basics.yaml", "size: 16x12\nmouse: '3,4'\n")
    default: try folder.writeFilter("ramp", "vec4(uv.yx, level, 1.0)")
    }
    let error = #expect(throws: DiagnosticsError.self) { try folder.approve(["basics"]) }
    #expect(error?.diagnostics.map(\.id) == ["approve.changed"])
    #expect(error?.diagnostics[0].message.hasSuffix("changed since its picture was rendered: \(words)") ?? false)
    #expect(!folder.exists("ramp/tests/basics.png"))
  }

  @Test func approvingTellsWhatChanged() throws {
    let folder = try folder()
    _ = try folder.run(record: .missing)
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { level: 0.75 }\n")
    _ = try folder.run()
    #expect(try folder.approve(["basics"])[0].changes.dropFirst() == ["result.level: not set -> 0.75"])
    try folder.writeFilter("ramp", "vec4(uv.yx, level, 1.0)")
    _ = try folder.run()
    #expect(try folder.approve()[0].changes.dropFirst() == ["'ramp.glsl' changed"])
    try folder.write("ramp/tests/basics.yaml", "size: 12x16\nvalues: { level: 0.75 }\n")
    _ = try folder.run()
    #expect(try folder.approve()[0].changes == ["size: 16x12 -> 12x16"])
  }

  @Test func approvingTellsWhichInputAndDeviceChanged() throws {
    let folder = try TestFolder()
    try folder.writeColorFilter("dim", "color * 0.5")
    try folder.writePicture("dim/tests/photo.png")
    try folder.write("dim/tests/basics.yaml", "inputs: { inputImage: photo.png }\nreference: basics.exr\n")
    _ = try folder.run(record: .missing)
    try folder.writePicture("dim/tests/photo.png", light: 210)
    _ = try folder.run()
    #expect(try folder.approve()[0].changes.dropFirst() == ["'photo.png' changed"])
    try folder.write("dim/tests/basics.yaml", "inputs: { inputImage: photo.png }\nreference: basics.exr\nvalues: {}\n")
    try FileManager.default.copyItem(atPath: "\(folder.path)/dim/tests/basics.exr", toPath: "\(folder.path)/dim/tests/basics@cpu.exr")
    try folder.writeColorFilter("dim", "color * 0.4")
    _ = try folder.run(device: "cpu:last-place=1")
    #expect(
      try folder.approve()[0].changes.dropFirst() == ["device: CPU executor -> CPU executor, cpu:last-place=1", "'dim.glsl' changed"])
  }

  /// The file was made smaller with the same pixels: it is left as it is, and its own hash is named.
  @Test func whatHoldsTheSameIsNotWritten() throws {
    let folder = try folder()
    _ = try folder.run()
    #expect(try folder.approve().map(\.isWritten) == [true])
    try folder.write(
      "ramp/tests/basics.yaml", "size: 16x12\nreference: { file: basics.png, sha256: \(String(repeating: "0", count: 64)) }\n")
    _ = try folder.run()
    let copies = try folder.approve()
    #expect(copies.map(\.isWritten) == [false])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/ramp/tests/basics.png")))
    #expect(copies[0].changes == ["the same pixels", "the case names a hash; write 'sha256: \(ContentHash(of: bytes))'"])
  }

  @Test func aPictureThatStayedBehindIsTold() throws {
    let folder = try folder()
    _ = try folder.run()
    try FileManager.default.removeItem(atPath: "\(folder.path)/out/results.pictures")
    let error = #expect(throws: DiagnosticsError.self) { try folder.approve() }
    #expect(error?.diagnostics.map(\.id) == ["approve.no-file"])
  }

  @Test func approvingKnowsTheCasesOfTheRun() throws {
    let folder = try folder()
    _ = try folder.run()
    let error = #expect(throws: DiagnosticsError.self) { try folder.approve(["nothing-like-it"]) }
    #expect(error?.diagnostics.map(\.id) == ["approve.unknown-case"])
  }

  @Test func approvingNamesTheNewHash() throws {
    let folder = try folder("size: 16x12\nreference: { file: basics.png, sha256: \(String(repeating: "0", count: 64)) }")
    _ = try folder.run()
    let changes = try folder.approve().flatMap(\.changes)
    #expect(changes.contains { $0.hasPrefix("the case names a hash; write 'sha256: ") })
  }
}
