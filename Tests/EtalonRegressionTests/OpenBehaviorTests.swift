import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonInspection
import EtalonSPIRV
import EtalonTypes
import Foundation
import Testing

@testable import EtalonRegression

/// What specifications leave open: each entry of the list has a shader in `Tests/Corpus/undefined` that shows it, or several: `name.other.glsl`.
///
/// The sanitizer tells it at its line, ranges know it, and no difference that it explains is the driver's.
@Suite struct OpenBehaviorTests {
  /// The shader of an entry.
  ///
  /// Comments in it name the pixel that shows it, the line of the finding (`here`), and what another device may give for red where that is not any
  /// number: as a number (`other`), or as how far it is off (`off`).
  struct Example: Sendable, CustomTestStringConvertible {
    let behavior: OpenBehavior
    let path: String
    let text: String
    let pixel: (x: Int, y: Int)

    static let all = names.compactMap { try? Example($0) }
    var testDescription: String { URL(filePath: path).lastPathComponent }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/undefined")
    static let size = Size(16, 12)

    init(_ name: String) throws {
      behavior = try #require(OpenBehavior(rawValue: String(name.prefix { $0 != "." })), "\(name) is no entry of the list")
      path = Self.folder.appending(path: name).path
      text = try String(contentsOfFile: path, encoding: .utf8)
      let place = try #require(Self.values("pixel", in: text), "\(name) names no pixel")
      pixel = (Int(place[0]), Int(place[1]))
    }

    static var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private static func values(_ key: String, in text: String) -> [Double]? {
      guard let range = text.range(of: "// \(key): ") else { return nil }
      return text[range.upperBound...].prefix { $0 != "\n" }.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
    }

    /// The line where the finding is.
    var line: Int? { text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasSuffix("// here") }.map { $0 + 1 } }

    /// What another device may give for red.
    func others(than value: Float) -> [Float] {
      if let others = Self.values("other", in: text) { return others.map { Float($0) } }
      if let steps = Self.values("off", in: text) { return steps.map { value + Float($0) } }
      return [0, 0.1, 0.5, 0.9, 1]
    }

    /// A case with the shader, and what the CPU device shows of it.
    func rendered(in folder: TestFolder) throws -> (testCase: TestCase, frame: RenderedFrame, library: FilterLibrary) {
      try folder.write("some/some.glsl", text)
      try folder.writePicture("some/tests/picture.png")
      let inputs = text.contains("iChannel0") ? "inputs: { iChannel0: picture.png }\n" : ""
      try folder.write("some/tests/basics.yaml", "size: 16x12\nallow: [flat, not-finite]\nreference: cpu\n\(inputs)")
      let testCase = try #require(try folder.selection("").cases.first)
      let library = FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:]))
      let frame = try #require(try CaseRenderer(device: "cpu", library: library).frames(of: testCase).first)
      return (testCase, frame, library)
    }

    /// The place of the red channel of the pixel among the numbers of a picture.
    var red: Int { 4 * ((Self.size.height - 1 - pixel.y) * Self.size.width + pixel.x) }
  }

  @Test func everyEntryHasItsShaderAndEveryShaderItsEntry() {
    #expect(Example.all.map(\.testDescription) == Example.names)
    #expect(Set(Example.all.map(\.behavior)) == Set(OpenBehavior.allCases))
  }

  @Test func whatDevicesMayDoIsSaidWithItsPlace() {
    for behavior in OpenBehavior.allCases {
      let entry = behavior.entry
      #expect(["GLSL 4.60", "SPIR-V", "Vulkan"].contains { entry.clause.hasPrefix($0) } && !entry.condition.isEmpty, "\(behavior)")
      if case .untold(let reason) = entry.watch { #expect(!reason.isEmpty) }
    }
  }

  @Test(arguments: Example.all) func theSanitizerTellsItAtItsLine(example: Example) throws {
    var settings = InspectionSettings()
    settings.size = Example.size
    let found = try Sanitizer().run(settings.request(of: example.path)).findings
    guard case .finding(let id) = example.behavior.entry.watch else {
      #expect(found.isEmpty, "\(found.map(\.message)): the list says that it is not told")
      return
    }
    let lines = found.filter { $0.id == "sanitize.\(id)" }.map {
      $0.diagnostic.labels.first.map { $0.source.position(at: $0.range.lowerBound).line } ?? 0
    }
    #expect(lines == [try #require(example.line)], "\(found.map(\.message))")
  }

  /// The CPU device refuses to go on with a loop that does not end, so that there is no picture to ask about.
  private static let pictured = Example.all.filter { $0.behavior != .endlessLoop }

  /// The shaders of whose pixels no range is worked out; those of all others are known, but for what is open.
  private static let withoutRange: Set = [
    "atomic-order.kinds.glsl", "buffer-race.barrier.glsl", "buffer-race.glsl", "divergent-barrier.glsl", "level-range.glsl",
    "shared-race.atomic.glsl", "shared-race.glsl", "subgroup-lane.glsl", "subgroup-size.ballot.glsl", "subgroup-size.builtin.glsl",
    "subgroup-size.glsl", "subgroup-size.lane.glsl", "subgroup-size.mask.glsl", "subgroup-size.order.glsl", "write-range.glsl",
    "write-range.vector.glsl",
  ]

  @Test(arguments: pictured) func rangesKnowIt(example: Example) throws {
    let folder = try TestFolder()
    let (testCase, frame, library) = try example.rendered(in: folder)
    let ranges = try CaseRenderer(device: "cpu", library: library).ranges(
      of: testCase, frame.moment, at: [example.pixel], limits: .init(stepsOfPixel: 100_000, stepsOfFrame: 10_000_000))
    let range = try #require(ranges.first), red = range.channels[0]
    let value = frame.floats.bytes.floats[example.red]
    #expect(red.contains(value), "the CPU device gives \(value), not \(red.low) to \(red.high)")
    let name = example.testDescription, why = range.opening?.words ?? "every number is certain"
    #expect(range.isUnknown == Self.withoutRange.contains(name), "\(why)")
    // A shader shows in red what is open; a texel that is not written has no channel that is certain.
    let isCertain = range.channels[1...2].allSatisfy { !$0.mayBeNaN && $0.high - $0.low < 0.01 }
    #expect(isCertain != (range.isUnknown || example.behavior == .unwrittenTexel), "green and blue: \(range.channels[1...2]), \(why)")
    guard example.behavior.entry.range == .open else {
      #expect(!range.isUnknown && !red.mayBeNaN && red.high - red.low < 0.01, "it has one result, and is \(red.low) to \(red.high)")
      return
    }
    #expect(range.isUnknown || red.mayBeNaN || red.high > red.low, "a single value: \(red.low)")
    for other in example.others(than: value) where !range.isUnknown && !range.isBeyondSpecification {
      #expect(red.contains(other), "\(other) is not in \(red.low) to \(red.high)")
    }
  }

  @Test(arguments: Example.all.filter { $0.behavior.entry.perturbation == .open }) func perturbedRunsShowIt(example: Example) throws {
    let folder = try TestFolder()
    let (testCase, frame, library) = try example.rendered(in: folder)
    let kept = frame.floats.bytes.floats[example.red]
    let others = try (1...3).map { seed in
      let frames = try CaseRenderer(device: "cpu:undefined=\(seed)", library: library).frames(of: testCase)
      return try #require(frames.first).floats.bytes.floats[example.red]
    }
    #expect(others.contains { $0.bitPattern != kept.bitPattern && !($0.isNaN && kept.isNaN) }, "all give \(kept)")
  }

  @Test(arguments: pictured.filter { $0.behavior.entry.range == .open }) func noDifferenceIsTheDrivers(example: Example) throws {
    let folder = try TestFolder()
    let (testCase, frame, library) = try example.rendered(in: folder)
    let settings = CaseRun.Settings(device: "cpu:last-place=1", folder: folder.path, pictures: "pictures", today: "2026-01-01")
    let run = try CaseRun(settings, library: library)
    let reference = frame.levels(bits: 8)
    let kept = frame.floats.bytes.floats
    var judged = 0
    for other in example.others(than: kept[example.red]) {
      var numbers = kept
      numbers[example.red] = other
      let bytes = [UInt8](floats: numbers)
      let floats = PixelBuffer(size: frame.floats.size, format: .rgba32f, alpha: frame.floats.alpha, bytes: bytes)
      let changed = RenderedFrame(frame.moment, number: frame.number, floats, frame.provenance)
      var found = FrameResult(check: "reference", moment: frame.moment.text)
      found.judge(changed.picture(like: reference), reference, .exact)
      guard found.verdict == .failed else { continue }
      judged += 1
      var work = CaseWork(CaseResult(testCase), testCase)
      work.add([(found, reference)], [changed], testCase, .exact)
      work.result.settle()
      let result = run.explained(work)
      #expect(result.blame != .driver, "\(other) for \(kept[example.red]): \(result.notes)")
      #expect(result.notes.contains { $0.hasPrefix("blame: ") }, "blame was not worked out")
    }
    #expect(judged > 0, "no other value differs in levels")
  }
}
