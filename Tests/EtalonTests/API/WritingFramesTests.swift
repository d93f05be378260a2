import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// What programs can ask for as the command can: parts of a shot, several images, the mouse, keys and the date.
@Suite struct WritingFramesTests {
  private var small: RenderSettings {
    var settings = RenderSettings()
    settings.size = Size(4, 2)
    return settings
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0 != "photo.png" }.sorted()
  }

  @Test func theSideCarNamesTheFramesOfAllParts() async throws {
    let scene = try TestScene(), context = try RenderContext(device: .cpu)
    let image = try Image(scene.shader("animated"), ["level": .expression("frame/8")])
    for part in [0..<2, 4..<6] {
      try await context.write(image, frames: part, rate: 24, to: scene.folder.file("level.####.png"), settings: small)
    }
    let sidecar = try SequenceSidecar(path: scene.folder.file("level.json"))
    #expect(sidecar.frames.description == "0-1,4-5")
    #expect(sidecar.values == ["level": "(frame/8)"])
  }

  @Test func framesThatAreThereAreKept() async throws {
    let scene = try TestScene(), context = try RenderContext(device: .cpu)
    func write(_ level: String, resuming: Bool = true) async throws -> RenderSummary {
      let image = try Image(scene.shader("animated"), ["level": .expression(level)])
      var options = WriteOptions()
      options.resuming = resuming
      return try await context.write(
        [FrameFiles(image, to: scene.folder.file("level.####.png"))], frames: 0..<4, rate: 24, settings: small, options: options)
    }
    #expect(try await write("frame/8").written == 4)
    try FileManager.default.removeItem(atPath: scene.folder.file("level.0002.png"))
    let resumed = try await write("frame/8")
    #expect((resumed.written, resumed.kept) == (1, 3))
    #expect(try await write("frame/4").written == 4)
    #expect(try await write("frame/4", resuming: false).written == 4)
  }

  @Test func severalImagesAreWrittenAtOnce() async throws {
    let scene = try TestScene(), context = try RenderContext(device: .cpu)
    let turned = try scene.photo.applying(scene.library["hue-rotate"], ["angle": .expression("90*frame")])
    let shaded = try turned.applying(scene.library["vignette"])
    var options = WriteOptions()
    options.contactSheet = scene.folder.file("sheet.png")
    // What one image reads of the other is stored, which rounds to fewer bits otherwise.
    var settings = RenderSettings()
    (settings.rate, settings.workingFormat) = (24, .rgba32f)
    let summary = try await context.write(
      [FrameFiles(shaded, to: scene.folder.file("a.####.png")), FrameFiles(turned, to: scene.folder.file("b.####.png"))],
      frames: 0..<2, rate: 24, settings: settings, options: options)
    #expect(summary.written == 2)
    #expect(
      try files(scene.folder) == ["a.0000.png", "a.0001.png", "a.json", "b.0000.png", "b.0001.png", "b.json", "sheet.png"])
    for (image, name) in [(shaded, "a.0001.png"), (turned, "b.0001.png")] {
      let alone = try await context.render(image, at: .frame(1), settings: settings)
      #expect(try Image(contentsOf: scene.folder.file(name)) == Image(pixelBuffer: alone.pixels), "\(name)")
    }
  }

  @Test func nothingToWriteIsRefused() async throws {
    let scene = try TestScene(), context = try RenderContext(device: .cpu)
    await #expect(throws: DiagnosticsError.self) { try await context.write([], frames: 0..<2, rate: 24) }
    #expect(try files(scene.folder).isEmpty)
  }

  @Test(arguments: TestDevice.allCases) func mouseAndDateReachTheFilter(_ device: TestDevice) async throws {
    let scene = try TestScene(), context = try device.context
    var settings = RenderSettings()
    settings.size = Size(24, 1)
    settings.mouse = RenderSettings.Mouse(x: 3, y: 5, isDown: true)
    settings.date = "2031-02-03T04:05:06"
    let frame = try await context.render(Image(scene.shader("uniforms"), inputs: ["iChannel0": scene.photo]), settings: settings)
    func number(_ column: Int) -> [Int] { Array(frame.picture.pixel(column, 0).prefix(2)) }
    #expect((7...10).map(number) == [[3, 0], [5, 0], [3, 0], [5, 0]])
    #expect((11...16).map { number($0)[0] } == [31, 1, 3, 4, 5, 6])
    settings.date = "yesterday"
    await #expect(throws: DiagnosticsError.self) { try await context.render(scene.photo, settings: settings) }
  }

  /// The same filter with and without keys, one after the other in one context.
  @Test func keysReachTheFilter() async throws {
    let scene = try TestScene(), context = try RenderContext(device: .cpu)
    let file = scene.folder.file("keys.csv")
    try "1f, key, down, space\n".write(toFile: file, atomically: true, encoding: .utf8)
    let image = try Image(Filter(contentsOf: TestShot.folder.appending(path: "keys").path))
    var settings = RenderSettings()
    settings.size = Size(3, 1)
    func row(_ frame: Int) async throws -> [Int] {
      let picture = try await context.render(image, at: .frame(frame), settings: settings).picture
      return (0..<3).map { picture.pixel($0, 0)[0] }
    }
    #expect(try await row(1) == [0, 0, 0])
    settings.events = file
    #expect(try await row(0) == [0, 0, 0])
    #expect(try await row(1) == [255, 255, 255])
    #expect(try await row(2) == [255, 0, 255])
  }
}
