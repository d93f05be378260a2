import Etalon
import Foundation
import Testing

/// Images whose frames depend on those before, rendered in one go, in parts, and with checkpoints.
@Suite struct StatefulImageTests {
  private let scene: TestScene
  private let folder: TemporaryFolder

  init() throws {
    scene = try TestScene()
    folder = try TemporaryFolder()
  }

  private var settings: RenderSettings {
    var settings = RenderSettings()
    settings.size = Size(16, 12)
    settings.rate = 12
    return settings
  }

  /// A wandering disk that leaves a trail.
  private func trail() throws -> Image {
    let disk = try Image(
      scene.library["radial-gradient"],
      ["center": .expression("vec2(0.2 + time, 0.5)"), "radius": 0.3, "outerColor": "#00000000"])
    return try Image.feedback { before in
      try disk.composited(over: before.applying(scene.library["hue-rotate"], ["angle": 40]))
    }
  }

  private func pixels(_ image: Image, _ frames: [Int], _ context: RenderContext) async throws -> [PixelBuffer] {
    var pixels: [PixelBuffer] = []
    for try await frame in try context.frames(of: image, in: frames, rate: 12, settings: settings) { pixels.append(frame.pixels) }
    return pixels
  }

  /// The targets of a blur behind the trail have other sizes on every frame, those of one inside of it, too.
  @Test(arguments: TestDevice.allCases) func sizesMayChangeAroundTheState(device: TestDevice) async throws {
    let blur = try scene.library["gaussian-blur"]
    let behind = try trail().applying(blur, ["sigma": .expression("1 + 6*time")])
    let inside = try Image.feedback { before in
      try trail().composited(over: before.applying(blur, ["sigma": .expression("frame > 2 ? 2.5 : 1.5")]))
    }
    for image in [behind, inside] {
      let whole = try await pixels(image, Array(0..<6), device.context)
      #expect(Set(whole).count == 6)
      let context = try device.context
      #expect(try await pixels(image, [4, 5], context) == [whole[4], whole[5]])
      #expect(try await pixels(image, [1, 3, 2], context) == [whole[1], whole[3], whole[2]])
      for number in [5, 2, 3] {
        #expect(try await context.render(image, at: .frame(number), settings: settings).pixels == whole[number], "frame \(number)")
      }
    }
  }

  @Test func checkpointsShortenTheWay() async throws {
    let image = try trail().applying(scene.library["gaussian-blur"], ["sigma": .expression("1 + 6*time")])
    let whole = try await pixels(image, Array(0..<9), RenderContext(device: .cpu))
    func context() throws -> RenderContext { try RenderContext(device: .cpu, checkpoints: .folder(folder.file("kept"))) }
    func files() -> Int { ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("kept"))) ?? []).count }
    let first = try context()
    #expect(try await pixels(image, [0, 1, 2, 3], first) == Array(whole[0..<4]))
    #expect(files() == 1 && first.frameCount == 4)
    let second = try context()
    #expect(try await pixels(image, [4, 5], second) == Array(whole[4..<6]))
    #expect(files() == 2 && second.frameCount == 2)
    let third = try context()
    #expect(try await third.render(image, at: .frame(8), settings: settings).pixels == whole[8])
    #expect(files() == 3 && third.frameCount == 3)
    #expect(third.takeNotes().isEmpty)
    let off = try RenderContext(device: .cpu)
    #expect(try await off.render(image, at: .frame(8), settings: settings).pixels == whole[8])
    #expect(files() == 3 && off.frameCount == 9)
  }

  @Test func whatKeepsCheckpointsFromBeingKeptIsTold() async throws {
    try Data("a file".utf8).write(to: URL(filePath: folder.file("taken")))
    let context = try RenderContext(device: .cpu, checkpoints: .folder(folder.file("taken")))
    let image = try trail()
    let whole = try await pixels(image, [0, 1, 2], RenderContext(device: .cpu))
    #expect(try await pixels(image, [0, 1, 2], context) == whole)
    #expect(context.takeNotes().map(\.id) == ["checkpoint.unwritable"])
    #expect(context.takeNotes().isEmpty)
  }

  // MARK: Proxies

  @Test(arguments: TestDevice.allCases) func proxiesAreSmaller(device: TestDevice) async throws {
    let context = try device.context
    func image(sigma: ParameterValue, side: Int) throws -> Image {
      try Image(scene.library["linear-gradient"]).applying(scene.library["pixellate"], ["scale": sigma])
        .padded(left: side).transformed(by: .translation(x: Double(2 * side), y: 0))
    }
    var (small, half) = (settings, settings)
    small.size = Size(8, 6)
    half.scale = Rational(1, 2)
    let proxy = try await context.render(image(sigma: 8, side: 4), settings: half).pixels
    #expect(proxy.size == Size(10, 6))
    #expect(try await proxy == context.render(image(sigma: 4, side: 2), settings: small).pixels)
    #expect(Set(proxy.bytes).count > 2)
  }

  @Test(arguments: [Rational(0), Rational(3, 2), Rational(1, 100)]) func proxiesAreNotLarger(scale: Rational) async throws {
    var settings = settings
    settings.scale = scale
    let context = try RenderContext(device: .cpu), image = scene.photo
    await #expect(throws: DiagnosticsError.self) { try await context.render(image, settings: settings) }
  }

  @Test func tooManyEarlierFramesAreRefused() async throws {
    let image = try trail(), context = try RenderContext(device: .cpu)
    for time in [ShotTime.frame(10_000_000), .frame(999_999_999), .seconds(999_999_999)] {
      let error = await #expect(throws: DiagnosticsError.self) { try await context.render(image, at: time, settings: settings) }
      #expect(error?.diagnostics.map(\.id) == ["frames.too-many-earlier"])
    }
    var late = settings
    late.first = 999_999_998
    _ = try await context.render(image, at: .frame(999_999_999), settings: late)
  }
}
