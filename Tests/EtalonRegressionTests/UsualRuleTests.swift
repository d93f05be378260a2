import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import EtalonRegression

/// What counts on other devices than the CPU device where a case has no tolerance: the specification, and where it cannot be worked out two levels,
/// which is told.
@Suite struct UsualRuleTests {
  /// A filter and its case, recorded by the CPU device.
  private func recorded(_ expression: String, _ keys: String = "") throws -> TestFolder {
    let folder = try TestFolder()
    try folder.writeFilter("some", expression)
    try folder.write("some/tests/some.yaml", "size: 16x12\n\(keys)\n")
    #expect(try folder.run(record: .missing).recorded.count == 1)
    return folder
  }

  /// A sine may be off by a 2048th: as many levels as an eighth of the factor.
  private func unstable(_ factor: Int, plus offset: String = "0.0") -> String {
    "vec4(vec3(0.5 + \(factor).0 * (sin(uv.x) - uv.x) + \(offset) / 255.0), 1.0)"
  }

  /// Colors hang on the size of a level of a picture that may be any, so that they have no range.
  private static let withoutRange = """
    void mainImage(out vec4 c, in vec2 p) {
      ivec2 size = textureSize(iChannel0, int(1.5 + sin(p.x * 1e9)));
      c = vec4(vec3(0.5 + 8.0 * FACTOR * (sin(p.x / 16.0) - p.x / 16.0)) + float(size.x) * 0.0, 1.0);
    }
    """

  private func withoutRange(_ factor: String) throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write("some.glsl", Self.withoutRange.replacing("FACTOR", with: factor))
    try folder.writePicture("tests/some/picture.png")
    try folder.write("tests/some/basics.yaml", "size: 16x12\ninputs: { iChannel0: picture.png }\n")
    #expect(try folder.run(record: .missing).recorded.count == 1)
    return folder
  }

  @Test func moreThanTwoLevelsPassWhereTheSpecificationAllowsThem() throws {
    let result = try recorded(unstable(64)).run(device: "cpu:specification=1").cases[0]
    let frame = try #require(result.frames.first { $0.check == "reference" })
    #expect(result.verdict == .passed && frame.plain?.verdict == .fail, "\(result.reason)")
    #expect(frame.specification?.inside == frame.specification?.differing && frame.specification?.outside == 0)
    #expect(frame.candidate == nil && frame.pictures.isEmpty && result.notes.isEmpty && result.approve.isEmpty, "nothing is to be approved")
  }

  @Test func nothingIsLeftInTheFolderOfPicturesForWhatPasses() throws {
    let folder = try recorded(unstable(64))
    _ = try folder.run(device: "cpu:specification=1")
    #expect(folder.files("out").allSatisfy { $0.hasSuffix("results.json") || $0.hasSuffix(".pictures") }, "\(folder.files("out"))")
  }

  @Test func aSmallChangeOfTheShaderIsNoticed() throws {
    let folder = try recorded(unstable(1))
    try folder.writeFilter("some", unstable(1, plus: "1.0"))
    let result = try folder.run(device: "cpu:last-place=1").cases[0]
    #expect(result.verdict == .failed && result.blame == .change, "\(result.reason) \(result.notes)")
    #expect(result.changes == ["'some.glsl' changed"])
  }

  @Test func picturesOfOtherDevicesAreComparedWithTwoLevels() throws {
    let folder = try recorded(unstable(1))
    let device = try TestDevice(option: "vulkan")
    let key = try #require(device.referenceKeys.first)
    let own = "\(folder.path)/some/tests/some"
    try FileManager.default.moveItem(atPath: "\(own).png", toPath: "\(own)@\(key.text).png")
    #expect(!StoredPicture.mayBeOfCPU("/none/some@\(key.text).png") && StoredPicture.mayBeOfCPU("/none/some.png"))
    try folder.writeFilter("some", unstable(1, plus: "1.0"))
    // What the file says counts more than its name.
    #expect(StoredPicture.isOfCPU("\(own)@\(key.text).png") && StoredPicture.mayBeOfCPU("\(own)@\(key.text).png"))
    #expect(try folder.run(device: "vulkan").cases[0].verdict == .failed)
    // A picture of the device itself has nothing to do with the CPU device.
    _ = try folder.run(device: "vulkan", record: .failed)
    try folder.writeFilter("some", unstable(1, plus: "2.0"))
    let result = try folder.run(device: "vulkan").cases[0]
    #expect(!StoredPicture.mayBeOfCPU("\(own)@\(key.text).png") && result.verdict == .passed, "\(result.reason)")
  }

  @Test(arguments: [("0.5", Verdict.notWorkedOut), ("8.0", .failed)]) func whatHasNoRangeIsNotWorkedOut(factor: String, verdict: Verdict)
    throws
  {
    let folder = try withoutRange(factor)
    let results = try folder.run(device: "cpu:specification=1")
    let result = results.cases[0]
    #expect(result.verdict == verdict, "\(result.reason)")
    #expect(result.reason.contains("not worked out whether Vulkan allows it"), "\(result.reason)")
    #expect(result.reason.contains("compared plainly, channel is ") && result.reason.contains("and may be 2"), "\(result.reason)")
    #expect(result.frames.first { $0.check == "reference" }?.plain?.color?.differing ?? 0 > 0)
    #expect(results.exitCode() == (verdict == .failed ? .picturesDiffer : .success))
    #expect(results.exitCode(warningsAreErrors: true) == .picturesDiffer)
  }

  @Test func noPixelIsLookedAtBeyondTheProcessorTimeOfTheCase() throws {
    #expect(JudgingTime.processorSeconds(afterCaseOf: 2) == 20 && JudgingTime.processorSeconds(afterCaseOf: 0.001) == 0.5)
    let folder = try recorded(unstable(1))
    let library = FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:]))
    let run = try CaseRun(.init(device: "cpu:specification=1", folder: folder.path, pictures: "p", today: "2026-05-01"), library: library)
    let testCase = try #require(try folder.selection("").cases.first)
    let work = run.work(on: testCase)
    #expect(work.processorSeconds ?? 0 > 0 && work.isOpen)
    var result = work.result
    for compared in work.compared {
      DeviceBlame(run, compared, JudgingTime(seconds: nil, processorSeconds: 0)).apply(to: &result)
    }
    result.settle()
    #expect(result.verdict == .notWorkedOut && result.reason.contains("not looked at: it would take too long"), "\(result.reason)")
  }

  @Test func aProcessThatEndsWhileItJudgesLeavesThePlainComparison() throws {
    let folder = try recorded(unstable(1))
    let library = FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:]))
    let run = try CaseRun(.init(device: "cpu:specification=1", folder: folder.path, pictures: "p", today: "2026-05-01"), library: library)
    let draft = run.work(on: try #require(try folder.selection("").cases.first)).result
    #expect(draft.verdict == .failed)
    let result = draft.notJudged("judging took longer than 60 s")
    #expect(result.verdict == .notWorkedOut && result.reason.contains("(judging took longer than 60 s)"), "\(result.reason)")
  }

  @Test func theInvariantFollowsTheSameRule() throws {
    let folder = try TestFolder()
    try folder.writeFilter("some", unstable(64))
    try folder.write("some/tests/some.yaml", "size: 16x12\ninvariants: cpu\n")
    let result = try folder.run(device: "cpu:specification=1").cases[0]
    #expect(result.frames.first { $0.check == "cpu" }?.specification?.inside ?? 0 > 0 && result.frames.allSatisfy { $0.verdict != .failed })
  }

  // MARK: what changed

  @Test func aChangeWithinTheToleranceIsNotTheShaders() throws {
    let folder = try recorded(unstable(24), "tolerance: { channel: 2 }")
    #expect(try folder.run(device: "cpu:specification=1").cases[0].blame == .shader)
    try folder.writeFilter("some", unstable(24, plus: "2.0"))
    let results = try folder.run(device: "cpu:specification=1")
    let result = results.cases[0]
    #expect(result.verdict == .failed && result.blame == .change, "\(result.notes)")
    #expect(result.blameWords?.contains("and shows other bits now (") ?? false, "\(result.notes)")
    #expect(GitHubAnnotations(results).text.contains("%0Achanged since the reference: 'some.glsl' changed%0A"))
    #expect(GitHubAnnotations(results).text.contains("%0Ablame: the change: "))
    #expect(
      JUnitReport(results, folder: "out").text.contains("<property name=\"changed since the reference\" value=\"'some.glsl' changed\"/>"))
  }

  /// Nothing says that the CPU device ever showed the bits of a picture that 'etalon render' or another program wrote.
  @Test func aReferenceThatDoesNotSayWhoRecordedItIsNotTheCPUDevices() throws {
    func result(_ keys: String, _ factor: Int, levels: Int, device: String) throws -> CaseResult {
      let folder = try recorded(unstable(factor), keys), path = "\(folder.path)/some/tests/some.png"
      try folder.writeFilter("some", unstable(factor, plus: "\(levels).0"))
      #expect(try folder.run(device: device).cases[0].blame == .change)
      let picture = try PictureReader().read(try FileReader.bytes(of: path, limit: 1 << 20), name: path)
      let file = try AtomicFile(path, replacing: .anything)
      try PNGEncoder().encode(picture, to: file)
      try file.commit()
      #expect(!StoredPicture.isOfCPU(path) && StoredPicture.mayBeOfCPU(path))
      return try folder.run(device: device).cases[0]
    }
    let tolerant = try result("tolerance: { channel: 2 }", 24, levels: 2, device: "cpu:specification=1")
    #expect(tolerant.verdict == .failed && tolerant.blame == .shader, "\(tolerant.notes)")
    let usual = try result("", 1, levels: 1, device: "cpu:last-place=1")
    #expect(usual.verdict == .passed && usual.blame == nil, "\(usual.notes)")
    #expect(try result("", 1, levels: 3, device: "cpu:last-place=1").blame == .change, "what is farther off is a change all the same")
  }

  @Test func theLinesThatChangedAreShown() throws {
    let folder = try TestFolder()
    func write(_ line: String) throws {
      try folder.write(
        "some.glsl",
        "// A ramp.\nvoid mainImage(out vec4 c, in vec2 p) {\n  vec2 uv = p / iResolution.xy;\n\(line)  c = vec4(uv, 0.5, 1.0);\n}\n")
    }
    try write("")
    try folder.write("tests/some/some.yaml", "size: 16x12\n")
    _ = try folder.run(record: .missing)
    try write("  uv *= 0.5;\n")
    try folder.write("tests/some/some.yaml", "size: 16x12\nreference: some.png\nstart: 1\n")
    let changes = try #require(try folder.run().cases[0].frames.first { $0.check == "reference" }?.changes)
    #expect(
      changes.map(\.text).contains("'some.glsl' changed") && changes.map(\.text).contains { $0.hasPrefix("start: not set -> 1") },
      "\(changes)")
    let source = try #require(changes.compactMap(\.source).first)
    #expect(source.lines.map(\.number) == [3, 4, 5] && source.lines.map(\.isMarked) == [false, true, false])
    #expect(source.lines[1].text == "  uv *= 0.5;" && source.path.hasSuffix("some.glsl"))
  }

  @Test func linesAreToldByTheirHashes() throws {
    func hashes(_ text: String) throws -> String { try #require(LineHashes.text(of: Array(text.utf8))) }
    let old = try hashes("a\nb\nc\nd")
    #expect(try LineHashes.changedLines(from: old, to: hashes("a\nB\nc\nd\ne")) == [2, 5])
    #expect(try LineHashes.changedLines(from: old, to: hashes("a\nb\nd")) == [3])
    #expect(try LineHashes.changedLines(from: old, to: hashes("a\r\nb\nc\nd")).isEmpty, "ends of lines change nothing")
    #expect(LineHashes.text(of: [0, 1, 2]) == nil && LineHashes.text(of: [0xFF, 0xFE]) == nil)
  }
}
