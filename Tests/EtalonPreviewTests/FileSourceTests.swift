import Etalon
import EtalonDiagnostics
import EtalonTypes
import Foundation
import Testing

@testable import EtalonPreview

/// What a session of a file renders, and which command says the same.
@Suite struct FileSourceTests {
  private let workshop: Workshop
  private let source: FileSource

  init() throws {
    workshop = try Workshop()
    source = FileSource(try workshop.write("level.fs", Workshop.level), device: "cpu")
  }

  @Test func theCommandSaysEverything() {
    var changes = PreviewChanges()
    changes.values = ["level": "0.5", "center": "1, 2"]
    changes.inputs = ["inputImage": .some("a b.png"), "other": .none]
    changes.eventsFile = "strokes.csv"
    var wish = RenderWish()
    (wish.output, wish.frames, wish.duration, wish.size, wish.standsIn) = ("-x.png", "0-9", "2s", "64x36", true)
    #expect(
      source.words(changes, wish) == [
        "etalon", "render", workshop.path("level.fs"), "--set", "center=1, 2", "--set", "level=0.5", "--input", "inputImage=a b.png",
        "--events",
        "strokes.csv", "--duration", "2s", "--frames", "0-9", "--size", "64x36", "--device", "cpu", "--missing-input", "test-card",
        "-o=-x.png",
      ])
    wish = RenderWish()
    wish.time = Rational(-3) / Rational(2)
    #expect(source.words(PreviewChanges(), wish).dropFirst(3) == ["--time=-3/2", "--device", "cpu", "-o", "picture.png"])
  }

  @Test func changesBecomeTheRequest() throws {
    var changes = PreviewChanges()
    changes.values = ["level": "0.5"]
    changes.inputs = ["inputImage": .some("plate.####.png,rate=24"), "other": .none]
    changes.duration = "48f"
    let request = try source.request(changes)
    #expect(request.settings.map(\.value) == ["0.5"])
    #expect(request.inputs.map(\.path) == ["plate.####.png"])
    #expect(request.shot == 0...47)
    changes.duration = "long"
    #expect(throws: DiagnosticsError.self) { try source.request(changes) }
  }

  @Test(arguments: ["x.png", "x.####.png", "x.mp4", "x.webm"]) func jobsWritePicturesAndVideos(output: String) throws {
    var wish = RenderWish()
    (wish.output, wish.frames, wish.size) = (output, "0-9", "64x36")
    let export = try source.export(PreviewChanges(), wish)
    #expect(export.request.size == Size(64, 36))
    switch export.destination {
    case .sequence: #expect(output.hasSuffix(".png"))
    case .video: #expect(!output.hasSuffix(".png"))
    }
  }

  @Test(arguments: [("x.bmp", "64x36"), ("x", "64x36"), ("x.png", "64"), ("x.png", "0x36"), ("x.png", "axb"), ("x.png", "99999x1")])
  func jobsThatMakeNoSenseAreRefused(output: String, size: String) {
    var wish = RenderWish()
    (wish.output, wish.size) = (output, size)
    #expect(throws: DiagnosticsError.self) { try source.export(PreviewChanges(), wish) }
  }
}
