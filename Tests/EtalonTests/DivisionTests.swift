import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonSystem
import EtalonTypes
import EtalonVideo
import Foundation
import Synchronization
import Testing

@testable import Etalon

/// The work on one shot in several runs: what they make together is what one run makes.
@Suite struct DivisionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: pictures

  private func export(to name: String, _ portion: WorkPortion?, resumes: Bool = false, _ change: (inout RenderRequest) -> Void = { _ in })
    throws
    -> RenderSummary
  {
    var shot = TestShot("progressing", on: .cpu, size: Size(16, 8))
    shot.request.frames = .range(try #require(FrameRange(0...9)))
    change(&shot.request)
    var destination = SequenceExport.Destination(files: [.init(pattern: try FramePattern(folder.file(name)))], contactSheet: nil)
    destination.portion = portion
    destination.resumes = resumes
    destination.recorder = try FrameRecordWriter(folder: folder.file("records"))
    return try SequenceExport(try shot.prepared(), to: destination) { _ in
    } isInterrupted: {
      false
    }.run()
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }

  private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() } }

  @Test func shardsTogetherAreTheWhole() throws {
    _ = try export(to: "whole.#.png", nil)
    for number in [2, 3, 1] {
      let shard = try #require(Shard(number, of: 3))
      let summary = try export(to: "parts.#.png", .shard(shard))
      #expect(summary == RenderSummary(written: shard.block(of: 10).count, kept: 0, failed: 0, wasInterrupted: false))
    }
    for frame in 0...9 { #expect(try bytes("parts.\(frame).png") == bytes("whole.\(frame).png")) }
    #expect(try SequenceSidecar(path: folder.file("parts.json")).frames.description == "0-9")
    #expect(try export(to: "parts.#.png", .shard(try #require(Shard(1, of: 20)))).written == 0, "more shards than frames")
  }

  @Test func recordsTellWhatWasWritten() throws {
    _ = try export(to: "a.#.png", .shard(try #require(Shard(1, of: 5))))
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.file("records")).first)
    let lines = try bytes("records/\(file)").split(separator: UInt8(ascii: "\n"))
    let records = try lines.map { try JSONDecoder().decode(FrameRecord.self, from: $0) }.sorted { $0.path < $1.path }
    #expect(records.map(\.frame) == [0, 1])
    #expect(records.map(\.path) == [folder.file("a.0.png"), folder.file("a.1.png")])
    #expect(records[0].sha256 == ContentHash(of: Array(try bytes("a.0.png"))).description)
    #expect(records.map(\.recipe) == (try (0...1).map { try #require(try FrameProvenance(ofFile: folder.file("a.\($0).png"))).recipe }))
  }

  @Test func severalRunsShareTheFrames() throws {
    _ = try export(to: "whole.#.png", nil)
    _ = try export(to: "shared.#.png", .shard(try #require(Shard(1, of: 10))))
    let summaries = SharedWork.map(3, mostlyWaits: true) { _ in try? export(to: "shared.#.png", .shared(lapse: .seconds(30)), resumes: true)
    }
    #expect(summaries.compactMap(\.self).count == 3)
    #expect(summaries.compactMap { $0?.written }.reduce(0, +) == 9)
    #expect(summaries.allSatisfy { $0.map { $0.written + $0.kept == 10 && !$0.wasInterrupted } ?? false })
    for frame in 0...9 { #expect(try bytes("shared.\(frame).png") == bytes("whole.\(frame).png")) }
    #expect(try names.filter { $0.hasPrefix(".") } == [], "claims are left behind")
  }

  @Test func anotherRecipeIsAnotherDivision() throws {
    _ = try export(to: "a.#.png", .shared(lapse: .seconds(30)), resumes: true)
    let other = try export(to: "a.#.png", .shared(lapse: .seconds(30)), resumes: true) { $0.size = Size(8, 8) }
    #expect(other.written == 10)
  }

  // MARK: memory

  private func graph(_ nodes: String, output: String) throws -> RenderRequest {
    _ = try folder.picture("plate.png", Size(8, 8)) { x, y in [UInt8(30 * x), UInt8(20 * y), 9] }
    let document = folder.file("graph.yaml")
    let text = "etalon: 1\nrate: 4\ninputs: { plate: plate.png }\nnodes:\n\(nodes)\noutputs: \(output)\n"
    try Data(text.utf8).write(to: URL(filePath: document))
    let plugins = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Plugins").standardized.path
    let library = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: plugins, origin: .builtIn)]))
    var request = RenderRequest(graph: try GraphDocument.read(document), library: library)
    request.clock = .init(rate: FrameRate(Rational(4)) ?? .sixty)
    request.frames = .range(try #require(FrameRange(0...7)))
    request.device = TestDevice.cpu.rawValue
    return request
  }

  private static let older = """
      turned: { filter: hue-rotate, inputs: plate, values: { angle: "(20*frame)" } }
      older: { filter: hue-rotate, inputs: { inputImage: { previous: turned } }, values: { angle: 10 } }
      oldest: { filter: hue-rotate, inputs: { inputImage: { previous: older } }, values: { angle: 10 } }
    """

  /// A picture of two frames ago needs two frames, and not all.
  @Test func whatIsForgottenIsNotRendered() throws {
    var request = try graph(Self.older, output: "oldest")
    let whole = try ShotRenderer().prepare(request)
    #expect(whole.memory == .frames(2))
    let pictures = try whole.pictures()
    request.frames = .range(try #require(FrameRange([6, 1, 7])))
    let part = try ShotRenderer().prepare(request)
    #expect(part.warmUp(for: part.frames) == 2 + 1 + 2)
    #expect(try part.pictures() == [pictures[6], pictures[1], pictures[7]])
    #expect(try ShotRenderer().outline(of: request).memory == .frames(2))
  }

  @Test func whatReadsItselfMayRememberForEver() throws {
    let trail = """
        trail: { filter: source-over, inputs: { inputImage: plate, backgroundImage: { previous: trail } } }
      """
    var request = try graph(trail, output: "trail")
    #expect(try ShotRenderer().prepare(request).memory == .endless)
    request.frames = .range(try #require(FrameRange(5...5)))
    #expect(try ShotRenderer().prepare(request).warmUp(for: [5]) == 5)
    request.warmUp = 3
    #expect(try ShotRenderer().prepare(request).memory == .frames(3))
    #expect(try ShotRenderer().prepare(request).warmUp(for: [5]) == 3)
  }

  @Test func checkpointsAloneLetOthersBegin() throws {
    var request = try graph("    trail: { filter: feedback-trail, inputs: plate, values: { halfLife: 1 } }", output: "trail")
    let whole = try ShotRenderer().prepare(request).pictures()
    request.checkpoints = CheckpointFolder(path: folder.file("checkpoints"))
    let shot = try ShotRenderer().prepare(request)
    for frame in [3, 6] { #expect(try shot.keepState(before: frame, isInterrupted: { false }, warmedUp: {})) }
    request.frames = .range(try #require(FrameRange([6, 3])))
    let part = try ShotRenderer().prepare(request)
    #expect(part.warmUp(for: part.frames) == 0)
    #expect(try part.pictures() == [whole[6], whole[3]])
    request.checkpoints = CheckpointFolder(path: folder.file("checkpoints"), limit: 16)
    let error = #expect(throws: RenderError.self) {
      try ShotRenderer().prepare(request).keepState(before: 5, isInterrupted: { false }, warmedUp: {})
    }
    #expect(error?.code == .cannotWrite)
  }

  // MARK: videos

  private func video(_ name: String, _ portion: WorkPortion?) throws -> VideoExport.Result {
    var shot = TestShot("progressing", on: .cpu, size: Size(16, 16))
    shot.request.clock = .init(rate: FrameRate(Rational(24)) ?? .sixty)
    shot.request.frames = .range(try #require(FrameRange(0...149)))
    var destination = VideoExport.Destination(path: folder.file(name), codec: .h264, layout: .yuv420p8)
    destination.resumes = true
    destination.portion = portion
    shot.request = shot.request.making(destination)
    return try VideoExport(try shot.prepared(), to: destination) { _ in
    } isInterrupted: {
      false
    }.run()
  }

  @Test func partsOfAVideoAreJoinedByALaterRun() throws {
    _ = try video("whole.mp4", nil)
    for number in [2, 1] {
      let result = try video("parts.mp4", .shard(try #require(Shard(number, of: 2))))
      #expect(result.path == nil)
    }
    #expect(try !names.contains("parts.mp4"))
    let joined = try video("parts.mp4", nil)
    #expect((joined.summary.written, joined.summary.kept) == (0, 150))
    #expect(try bytes("parts.mp4") == bytes("whole.mp4"))
    #expect(try names.filter { $0.hasPrefix(".") } == [])
  }

  @Test func severalRunsShareAVideo() throws {
    _ = try video("whole.mp4", nil)
    let runs = SharedWork.map(3, mostlyWaits: true) { _ in Result { try video("shared.mp4", .shared(lapse: .seconds(30))) } }
    let results = try runs.map { try $0.get() }
    #expect(results.map(\.summary.written).reduce(0, +) == 150)
    #expect(results.allSatisfy { $0.path != nil && !$0.summary.wasInterrupted })
    #expect(try bytes("shared.mp4") == bytes("whole.mp4"))
    #expect(try names.filter { $0.hasPrefix(".") } == [])
  }
}
