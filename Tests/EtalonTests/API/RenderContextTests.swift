import Etalon
import Foundation
import Testing

/// Images, rendered.
@Suite struct RenderContextTests {
  @Test(arguments: TestDevice.allCases, ["blur/gaussian-blur", "color/hue-rotate", "stylize/vignette"])
  func rendersWhatTheCommandRenders(_ device: TestDevice, _ plugin: String) async throws {
    let scene = try TestScene()
    let expected = try TestShot(plugin: plugin, on: device, ["inputImage": scene.photoPath]).picture()
    let filter = try scene.library[String(plugin.split(separator: "/")[1])]
    let frame = try await device.context.render(scene.photo.applying(filter))
    #expect(frame.picture == expected)
  }

  @Test(arguments: TestDevice.allCases) func rendersADocumentedChain(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let soft = try scene.photo.applying(scene.library["gaussian-blur"], ["sigma": 4])
    let mask = try Image(scene.library["radial-gradient"], ["radius": 0.3])
    let image = try soft.applying(
      scene.library["blend-with-mask"], inputs: ["backgroundImage": scene.photo, "maskImage": mask])
    let frame = try await device.context.render(image)
    #expect(frame.pixels.size == PluginPicture.size)
    #expect(Set(frame.pixels.bytes).count > 50)
  }

  /// Some drivers take constants that the specification does not: such a text is read once more.
  @Test func unfoldableConstantsAreVariables() async throws {
    let scene = try TestScene()
    let path = scene.folder.file("lenient.glsl")
    try """
    const float level = sin(iTime) * 0.0 + 0.25;
    void mainImage(out vec4 color, in vec2 position) { color = vec4(level); }
    """.write(toFile: path, atomically: true, encoding: .utf8)
    var settings = RenderSettings()
    settings.size = Size(4, 2)
    let frame = try await RenderContext(device: .cpu).render(Image(Filter(contentsOf: path)), settings: settings)
    #expect(frame.picture.pixel(1, 1) == [64, 64, 64, 255])
    let wrong = scene.folder.file("wrong.glsl")
    try "void mainImage(out vec4 color, in vec2 position) { color = vec4(levle); }".write(toFile: wrong, atomically: true, encoding: .utf8)
    let image = try Image(Filter(contentsOf: wrong))
    await #expect(throws: DiagnosticsError.self) { try await RenderContext(device: .cpu).render(image) }
  }

  @Test func depthsAgree() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try Image(scene.shader("gradient"))
    var settings = RenderSettings()
    settings.size = Size(16, 8)
    let eight = try await context.render(image, settings: settings)
    settings.depth = .sixteen
    let sixteen = try await context.render(image, settings: settings)
    settings.depth = .float
    let float = try await context.render(image, settings: settings)
    #expect([eight, sixteen, float].map(\.pixels.format) == [.rgba8, .rgba16, .rgba32f])
    #expect(eight.picture.pixel(9, 3)[0] == byte(Double(sixteen.picture.pixel(9, 3)[0]) / 65535))
    #expect(throws: RenderError.self) { try float.write(to: scene.folder.file("float.png")) }
    try eight.write(to: scene.folder.file("eight.png"))
    #expect(try Image(contentsOf: scene.folder.file("eight.png")) == Image(pixelBuffer: eight.pixels))
  }

  /// The files are gone when the image is rendered, and the compiler saw nothing before.
  @Test func readsOnceAndCompilesLate() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try scene.photo.applying(scene.library["vignette"])
    #expect(context.kernelCount == 0 && context.planCount == 0)
    try FileManager.default.removeItem(atPath: scene.photoPath)
    let first = try await context.render(image)
    let kernels = context.kernelCount
    #expect(kernels > 0)
    let second = try await context.render(image)
    #expect(first.pixels == second.pixels && first.recipe == second.recipe)
    #expect(context.kernelCount == kernels)
  }

  @Test(arguments: TestDevice.allCases) func valuesWithoutSizesCostNoPlan(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let context = try device.context
    let hue = try scene.library["hue-rotate"], blur = try scene.library["gaussian-blur"]
    func image(_ first: Double, _ second: Double, sigma: Double = 3) throws -> Image {
      try scene.photo.applying(hue, ["angle": .init(first)]).applying(blur, ["sigma": .init(sigma)]).applying(hue, ["angle": .init(second)])
    }
    for (first, second) in [(10.0, 20.0), (30, 40), (20, 10)] {
      let shared = try await context.render(image(first, second))
      let alone = try await device.context.render(image(first, second))
      #expect(shared.pixels == alone.pixels, "\(first), \(second)")
    }
    #expect(context.planCount == 1)
    _ = try await context.render(image(10, 20, sigma: 9))
    #expect(context.planCount == 2)
    // The second and the third are one picture here.
    _ = try await context.render(image(10, 20).applying(hue, ["angle": 20]))
    #expect(context.planCount == 3)
  }

  /// What all frames have in common is computed once, for each set of values.
  @Test(arguments: TestDevice.allCases) func stillPartsKeepTheirValues(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let context = try device.context
    let blur = try scene.library["gaussian-blur"], hue = try scene.library["hue-rotate"]
    for edges in ["extend", "transparent", "extend"] {
      let image = try scene.photo.applying(blur, ["sigma": 5, "edges": .init(edges)]).applying(hue, ["angle": .expression("90 * frame")])
      var frames: [PixelBuffer] = []
      for try await frame in try context.frames(of: image, in: 0..<3, rate: 24) { frames.append(frame.pixels) }
      #expect(Set(frames).count == 3)
      let alone = try await device.context.render(image, at: .frame(2))
      #expect(frames[2] == alone.pixels, "\(edges)")
    }
    #expect(context.planCount == 1)
  }

  @Test func severalTasksShareAContext() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let hue = try scene.library["hue-rotate"]
    let images = try (0..<12).map { try scene.photo.applying(hue, ["angle": .init(Double($0) * 30)]) }
    let alone = try RenderContext(device: .cpu)
    try await withThrowingTaskGroup(of: (Int, PixelBuffer).self) { group in
      for (index, image) in images.enumerated() { group.addTask { (index, try await context.render(image).pixels) } }
      for try await (index, pixels) in group { #expect(try await pixels == alone.render(images[index]).pixels) }
    }
  }

  /// Numbers at which the arithmetic with frames ends are refused before any is done.
  @Test func framesBeyondTheLargestAreRefused() async throws {
    let scene = try TestScene(), context = try RenderContext(device: .cpu)
    func diagnosticId(at time: ShotTime? = nil, _ change: (inout RenderSettings) -> Void = { _ in }) async -> String? {
      var settings = RenderSettings()
      settings.size = Size(4, 4)
      change(&settings)
      do {
        _ = try await context.render(scene.photo.applying(scene.library["mono"]), at: time, settings: settings)
        return nil
      } catch {
        return (error as? DiagnosticsError)?.diagnostics.first?.id ?? "\(error)"
      }
    }
    let largest = Rational(.max), second = Rational(1_000_000_001)
    for time in [largest, .zero - largest, second, .zero - second] {
      #expect(await diagnosticId(at: .seconds(time)) == "settings.time")
      #expect(await diagnosticId(at: .seconds(time)) { $0.duration = 2 } == "settings.time")
      #expect(await diagnosticId { $0.start = time } == "settings.time")
    }
    for first in [Int.max, .min, 1_000_000_000] {
      #expect(await diagnosticId { ($0.first, $0.duration) = (first, 2) } == "settings.first")
      #expect(await diagnosticId(at: .frame(-1)) { $0.first = first } == "settings.first")
    }
    #expect(await diagnosticId(at: .seconds(1_000_000_000)) { $0.duration = 2 } == "frames.outside-shot")
    #expect(await diagnosticId(at: .seconds(1_000_000_000)) == nil)
    #expect(await diagnosticId { ($0.first, $0.start) = (999_999_999, 1_000_000_000) } == nil)
  }
}
