import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// A filter with several outputs: what each of them holds, and which files they become.
@Suite struct OutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func export(
    on device: TestDevice, _ outputs: [String?], frames: ClosedRange<Int> = 3...4, resumes: Bool = false
  ) throws -> RenderSummary {
    var shot = TestShot("two-outputs", on: device, size: Size(32, 16))
    shot.request.frames = .range(try #require(FrameRange(frames)))
    shot.request.outputs = outputs.compactMap(\.self)
    let files = try outputs.map { name in
      SequenceExport.Destination.Files(output: name, pattern: try FramePattern(folder.file("\(name ?? "main").##.png")))
    }
    var destination = SequenceExport.Destination(files: files, contactSheet: nil)
    destination.resumes = resumes
    return try SequenceExport(try shot.prepared(), to: destination) { _ in
    } isInterrupted: {
      false
    }.run()
  }

  private func picture(_ name: String) throws -> TestPicture {
    let picture = try PictureReader().read(path: folder.file(name))
    return TestPicture(size: picture.size, bytes: picture.bytes, bytesPerChannel: 1)
  }

  @Test(arguments: TestDevice.allCases) func everyOutputHasItsFiles(device: TestDevice) throws {
    #expect(try export(on: device, ["beauty", "matte"]).written == 2)
    for frame in 3...4 {
      let beauty = try picture("beauty.0\(frame).png")
      #expect(beauty.size == Size(32, 16))
      #expect(beauty.firstDifference { x, y in [x, y, frame, 255] } == nil)
      let matte = try picture("matte.0\(frame).png")
      #expect(matte.size == Size(16, 8))
      #expect(matte.firstDifference { x, _ in [2 * x, 2 * x, 2 * x, 255] } == nil)
    }
    let sidecar = try SequenceSidecar(path: folder.file("matte.json"))
    #expect(sidecar.size == Size(16, 8))
    #expect(sidecar.frames.description == "3-4")
  }

  @Test func anOutputCanBeWantedAlone() throws {
    #expect(try export(on: .cpu, ["matte"], frames: 0...0).written == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["matte.00.png", "matte.json"])
  }

  @Test func aFrameIsKeptWhenAllOfItsFilesAreThere() throws {
    _ = try export(on: .cpu, [nil, "matte"])
    #expect(try export(on: .cpu, [nil, "matte"], resumes: true).kept == 2)
    try FileManager.default.removeItem(atPath: folder.file("matte.04.png"))
    let second = try export(on: .cpu, [nil, "matte"], resumes: true)
    #expect(second.kept == 1)
    #expect(second.written == 1)
    // What else is written changes nothing about the result.
    #expect(try export(on: .cpu, [nil], resumes: true).kept == 2)
  }

  @Test func theFileOfAnotherOutputIsStale() throws {
    _ = try export(on: .cpu, ["beauty"], frames: 3...3)
    try FileManager.default.moveItem(atPath: folder.file("beauty.03.png"), toPath: folder.file("matte.03.png"))
    #expect(try export(on: .cpu, ["matte"], frames: 3...3, resumes: true).kept == 0)
  }

  @Test func anUnknownOutputIsRefused() throws {
    let error = #expect(throws: DiagnosticsError.self) { try export(on: .cpu, ["mate"]) }
    #expect(error?.diagnostics.map(\.id) == ["output.unknown"])
    #expect(error?.diagnostics.first?.help.first == "did you mean 'matte'?")
  }
}
