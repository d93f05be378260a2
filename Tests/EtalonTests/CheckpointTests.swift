import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPlan
import EtalonTypes
import Foundation
import Synchronization
import Testing

@testable import Etalon

/// What one run of a shot keeps for the next, and when that is good for nothing.
@Suite struct CheckpointTests {
  private let folder: TemporaryFolder
  private let graph: String
  private static let library = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: Self.plugins, origin: .builtIn)]))
  private static let plugins = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Plugins").standardized.path

  /// A trail of numbered pictures under a color grade, and a document that says so.
  init() throws {
    folder = try TemporaryFolder()
    graph = folder.file("trail.yaml")
    for number in 0..<6 { _ = try picture(number, 40 * number) }
    try write(grade: 1)
  }

  private func picture(_ number: Int, _ red: Int) throws -> String {
    try folder.picture("plate.\(number).png", Size(8, 8)) { x, y in [UInt8(x == number ? red : 0), UInt8(20 * y), 9] }
  }

  private func write(halfLife: Double = 1, grade: Double, more: String = "") throws {
    let text = """
      etalon: 1
      rate: 4
      inputs: { plate: "plate.#.png" }
      nodes:
        trail: { filter: feedback-trail, inputs: plate, values: { halfLife: \(halfLife) } }
        graded: { filter: saturation, inputs: trail, values: { amount: \(grade) } }
      \(more)
      outputs: graded
      """
    try Data(text.utf8).write(to: URL(filePath: graph))
  }

  private var checkpoints: CheckpointFolder { CheckpointFolder(path: folder.file("checkpoints")) }

  private func shot(_ frames: ClosedRange<Int>, _ checkpoints: CheckpointFolder?, _ change: (inout RenderRequest) throws -> Void = { _ in })
    throws -> Shot
  {
    var request = RenderRequest(graph: try GraphDocument.read(graph), library: Self.library)
    request.clock = .init(rate: FrameRate(Rational(4)) ?? .sixty)
    request.frames = .range(try #require(FrameRange(frames)))
    request.device = TestDevice.cpu.rawValue
    request.checkpoints = checkpoints
    try change(&request)
    return try ShotRenderer().prepare(request)
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("checkpoints"))) ?? []).sorted().map {
      folder.file("checkpoints/\($0)")
    }
  }

  /// How many frames a run would render first.
  private func warmUp(_ frame: Int, _ change: (inout RenderRequest) throws -> Void = { _ in }) throws -> Int {
    let shot = try shot(frame...frame, checkpoints, change)
    return shot.warmUp(for: shot.frames)
  }

  @Test func aChunkGoesOnFromTheOneBefore() throws {
    let whole = try shot(0...5, nil).pictures()
    #expect(try shot(0...1, checkpoints).pictures() == Array(whole[0...1]))
    #expect(files.count == 1)
    let second = try shot(2...3, checkpoints)
    #expect(second.warmUp(for: second.frames) == 0)
    #expect(try second.pictures() == Array(whole[2...3]))
    let third = try shot(5...5, checkpoints)
    #expect(third.warmUp(for: third.frames) == 1)
    #expect(try third.pictures() == [whole[5]])
    #expect(files.count == 3)
    #expect(try shot(5...5, nil).warmUp(for: [5]) == 5)
  }

  @Test func aRangeWithGapsUsesAllOfThem() throws {
    let all = CheckpointFolder(path: folder.file("checkpoints"), interval: .zero)
    let whole = try shot(0...5, all).pictures()
    #expect(files.count == 6)
    let sparse = try shot(0...5, checkpoints) { $0.frames = .range(try #require(FrameRange([0, 3, 5]))) }
    #expect(sparse.warmUp(for: sparse.frames) == 0)
    #expect(try sparse.pictures() == [whole[0], whole[3], whole[5]])
  }

  @Test func exportsTellOfFramesThatAreRenderedForOthers() throws {
    func events(_ frames: ClosedRange<Int>) throws -> [String] {
      let names = Mutex<[String]>([])
      let files = [SequenceExport.Destination.Files(pattern: try FramePattern(folder.file("out.#.png")))]
      let export = SequenceExport(try shot(frames, checkpoints), to: .init(files: files, contactSheet: nil)) { event in
        switch event {
        case .started(_, _, let warmUp, _, _): names.withLock { $0.append("\(warmUp) first") }
        case .warmedUp: names.withLock { $0.append("another") }
        case .written(let frame, _): names.withLock { $0.append("\(frame)") }
        default: break
        }
      } isInterrupted: {
        false
      }
      _ = try export.run()
      return names.withLock(\.self)
    }
    #expect(try events(2...2) == ["2 first", "another", "another", "2"])
    #expect(try events(3...3) == ["0 first", "3"])
  }

  @Test func onlyWhatStateIsMadeOfCounts() throws {
    _ = try shot(0...3, checkpoints).pictures()
    #expect(try warmUp(4) == 0)
    #expect(try warmUp(4) { $0.bits = 16 } == 4, "pictures between filters are stored in another way")
    #expect(try warmUp(4) { $0.alpha = .opaque } == 0)
    #expect(try warmUp(4) { $0.size = Size(4, 4) } == 4)
    #expect(try warmUp(4) { $0.clock = .init(rate: .sixty) } == 4)
    #expect(try warmUp(4) { $0.workingSpace = .linear } == 4)
    #expect(try warmUp(4) { $0.proxy = ProxyScale(Rational(1, 2)) } == 4)
    try write(grade: 0.5)
    #expect(try warmUp(4) == 0, "a color grade behind the trail")
    try write(halfLife: 2, grade: 1)
    #expect(try warmUp(4) == 4)
  }

  @Test func picturesCountUpToTheCheckpoint() throws {
    let before = try shot(0...3, checkpoints).pictures()
    _ = try picture(4, 1)
    #expect(try warmUp(5) == 1, "a later picture changes nothing")
    _ = try picture(2, 1)
    #expect(try warmUp(5) == 5)
    #expect(try shot(3...3, checkpoints).pictures() != [before[3]])
  }

  @Test func progressCountsTheRange() throws {
    try write(grade: 1, more: "  shown: { filter: feedback-trail, inputs: plate, values: { halfLife: (1 + progress) } }")
    var text = try String(contentsOfFile: graph, encoding: .utf8)
    text = text.replacing("outputs: graded", with: "outputs: shown")
    try Data(text.utf8).write(to: URL(filePath: graph))
    _ = try shot(0...3, checkpoints).pictures()
    #expect(files.count == 1)
    #expect(try warmUp(4) == 4)
    let again = try shot(0...3, CheckpointFolder(path: folder.file("checkpoints"), interval: .zero))
    _ = try again.pictures()
    #expect(try shot(0...3, checkpoints).warmUp(for: [3]) == 0)
  }

  @Test func damagedFilesAreNotedAndNotUsed() throws {
    let whole = try shot(0...4, nil).pictures()
    _ = try shot(0...3, checkpoints).pictures()
    let file = try #require(files.first), bytes = try Data(contentsOf: URL(filePath: file))
    let flipped = [150, bytes.count - 100].map { place in Data(bytes.enumerated().map { $0 == place ? $1 ^ 1 : $1 }) }
    for damaged in flipped + [bytes.dropLast(1), bytes + [0], bytes.prefix(40), Data()] {
      for other in files { try FileManager.default.removeItem(atPath: other) }
      try damaged.write(to: URL(filePath: file))
      let shot = try shot(4...4, checkpoints)
      #expect(try shot.pictures() == [whole[4]])
      #expect(shot.takeNotes().map(\.id) == ["checkpoint.damaged"])
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  /// A file under the name of another checkpoint is known by what it says about itself.
  @Test func foreignFilesAreNotUsed() throws {
    let whole = try shot(0...5, CheckpointFolder(path: folder.file("checkpoints"), interval: .zero)).pictures()
    let two = try #require(files.first { $0.contains(".2.") }), four = try #require(files.first { $0.contains(".4.") })
    for file in files where file != two && file != four { try FileManager.default.removeItem(atPath: file) }
    try Data(contentsOf: URL(filePath: two)).write(to: URL(filePath: four))
    let shot = try shot(4...4, checkpoints)
    #expect(try shot.pictures() == [whole[4]])
    #expect(shot.takeNotes().map(\.id) == ["checkpoint.damaged"])
  }

  @Test func aFolderThatCannotBeWrittenIsNoted() throws {
    let whole = try shot(0...3, nil).pictures()
    let shot = try shot(0...3, CheckpointFolder(path: graph + "/checkpoints", interval: .zero))
    #expect(try shot.pictures() == whole)
    let notes = shot.takeNotes()
    #expect(notes.map(\.id) == ["checkpoint.unwritable"] && notes.map(\.severity) == [.note])
    #expect(shot.takeNotes() == [])
  }

  @Test func theOldestGoWhenThereIsNoRoom() throws {
    // A state takes 1024 bytes and a header.
    let small = CheckpointFolder(path: folder.file("checkpoints"), limit: 6000, interval: .zero)
    _ = try shot(0...5, small).pictures()
    #expect(files.count == 4 && files.allSatisfy { file in (3...6).contains { file.contains(".\($0).") } })
    let none = CheckpointFolder(path: folder.file("none"), limit: 2000, interval: .zero)
    _ = try shot(0...5, none).pictures()
    #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
  }

  @Test func aPictureBetweenTwoFramesLeavesNothing() throws {
    func single(_ time: Rational) throws -> Shot { try shot(0...0, checkpoints) { $0.frames = .single(time: time) } }
    _ = try single(Rational(9, 8)).pictures()
    #expect(files.count == 1 && files[0].contains(".4."))
    let exact = try single(1), whole = try shot(0...4, nil).pictures()
    #expect(exact.warmUp(for: exact.frames) == 0)
    #expect(try exact.pictures() == [whole[4]])
  }

  @Test func pace() {
    var pace = CheckpointPace(shortest: .seconds(10))
    let start = ContinuousClock.now
    #expect(!pace.isDue(start) && !pace.isDue(start + .seconds(9)) && pace.isDue(start + .seconds(10)))
    pace.wrote(in: .seconds(1), start + .seconds(11))
    #expect(!pace.isDue(start + .seconds(30)) && pace.isDue(start + .seconds(31)))
  }
}
