import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// What a second run keeps of the first.
@Suite struct ResumeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func export(_ change: (inout TestShot) throws -> Void = { _ in }) throws -> RenderSummary {
    var shot = TestShot("clock", on: .cpu, size: Size(16, 8))
    shot.request.frames = .range(try #require(FrameRange(0...4)))
    try change(&shot)
    var destination = SequenceExport.Destination(files: [.init(pattern: try FramePattern(folder.file("a.##.png")))], contactSheet: nil)
    destination.resumes = true
    return try SequenceExport(try shot.prepared(), to: destination) { _ in
    } isInterrupted: {
      false
    }.run()
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }

  @Test func missingAndBrokenFramesAreRendered() throws {
    #expect(try export() == RenderSummary(written: 5, kept: 0, failed: 0, wasInterrupted: false))
    let whole = try bytes("a.03.png")
    try FileManager.default.removeItem(atPath: folder.file("a.01.png"))
    try whole.dropLast(20).write(to: URL(filePath: folder.file("a.03.png")))
    #expect(try export() == RenderSummary(written: 2, kept: 3, failed: 0, wasInterrupted: false))
    #expect(try bytes("a.03.png") == whole)
    #expect(try export() == RenderSummary(written: 0, kept: 5, failed: 0, wasInterrupted: false))
  }

  @Test func anotherRecipeIsRenderedAgain() throws {
    _ = try export()
    #expect(try export { $0.request.size = Size(8, 8) }.written == 5)
    #expect(try export { $0.request.size = Size(8, 8) }.kept == 5)
  }

  @Test func progressThroughAnotherRangeIsRenderedAgain() throws {
    func progress(through frames: ClosedRange<Int>) throws -> RenderSummary {
      try export { shot in
        shot.request.filter = .file(TestShot.folder.appending(path: "progressing.glsl").path)
        shot.request.frames = .range(try #require(FrameRange(frames)))
      }
    }
    #expect(try progress(through: 0...2).written == 3)
    #expect(try progress(through: 0...2).kept == 3)
    #expect(try progress(through: 0...4).written == 5)
  }

  @Test func theSideCarNamesTheFramesOfAllParts() throws {
    _ = try export { $0.request.frames = .range(try #require(FrameRange(0...1))) }
    _ = try export { $0.request.frames = .range(try #require(FrameRange(4...5))) }
    #expect(try SequenceSidecar(path: folder.file("a.json")).frames.description == "0-1,4-5")
  }

  @Test func aFileInTheWayOfTheSideCarIsFoundBeforeRendering() throws {
    try Data("{}".utf8).write(to: URL(filePath: folder.file("a.json")))
    #expect(throws: RenderError.self) { try export() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.json"])
  }
}
