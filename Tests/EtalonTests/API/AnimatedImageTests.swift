import Etalon
import Foundation
import Testing

/// Images that change over time.
@Suite struct AnimatedImageTests {
  private func counting(_ scene: TestScene) throws -> Image { try Image(scene.shader("counting")) }

  private var small: RenderSettings {
    var settings = RenderSettings()
    settings.size = Size(4, 2)
    return settings
  }

  private func numbers(_ sequence: FrameSequence) async throws -> [Int] {
    var numbers: [Int] = []
    for try await frame in sequence { numbers.append(frame.number) }
    return numbers
  }

  @Test func framesComeInTheirOrder() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try Image(scene.shader("animated"), ["level": .expression("frame/8")])
    let frames = try context.frames(of: image, in: [3, 1, 8, 0], rate: 24, settings: small)
    var levels: [Int] = []
    for try await frame in frames { levels.append(frame.picture.pixel(0, 0)[0]) }
    #expect(levels == [3, 1, 8, 0].map { byte(Double($0) / 8) })
    #expect(try await numbers(frames) == [3, 1, 8, 0])
    #expect(throws: DiagnosticsError.self) { try context.frames(of: image, in: 5..<5, rate: 24) }
  }

  @Test func valuesChangeWithTime() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let keys = ParameterValue.keyframes([.key(.frame(0), [0, 0]), .key(.frame(8), [1, 0], .easeIn(.quad))])
    let image = try Image(scene.shader("animated"), ["place": keys])
    var settings = small
    settings.rate = 24
    for number in [0, 3, 8] {
      let part = Double(number) / 8
      let frame = try await context.render(image, at: .frame(number), settings: settings)
      #expect(frame.picture.pixel(0, 0)[1] == byte(part * part), "frame \(number)")
      #expect(frame.time == Rational(number, 24))
    }
    #expect(context.planCount == 1)
    let between = try await context.render(image, at: .seconds(0.125), settings: settings)
    #expect(between.picture.pixel(0, 0)[1] == byte(9.0 / 64))
  }

  @Test(arguments: TestDevice.allCases) func stateGathersOnEveryPath(_ device: TestDevice) async throws {
    let scene = try TestScene()
    let context = try device.context
    let image = try Image(scene.shader("gathered"), ["amount": .expression("mod(frame, 3) == 1 ? 1 : 0.5")])
    var settings = small
    settings.rate = 24
    // Halves are seen in 16 bits.
    settings.depth = .sixteen
    var whole: [PixelBuffer] = []
    for try await frame in try context.frames(of: image, in: 0..<12, rate: 24, settings: settings) { whole.append(frame.pixels) }
    #expect(Set(whole).count == 12)
    for number in [7, 8, 2] {
      #expect(try await context.render(image, at: .frame(number), settings: settings).pixels == whole[number], "frame \(number)")
    }
    let other = try Image(scene.shader("gathered"), ["amount": 0.25])
    let fresh = try await device.context.render(other, at: .frame(9), settings: settings).pixels
    #expect(try await context.render(other, at: .frame(9), settings: settings).pixels == fresh)
    // One for the amount that changes, one for the amount that does not.
    #expect(context.planCount == 2)
  }

  @Test func leavingEarlyFreesTheContext() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try counting(scene)
    for _ in 0..<6 {
      for try await frame in try context.frames(of: image, in: 0..<1000, rate: 60, settings: small) where frame.number == 2 { break }
    }
    #expect(try await numbers(context.frames(of: image, in: 0..<5, rate: 60, settings: small)) == [0, 1, 2, 3, 4])
  }

  @Test func cancelledTasksGetNoMoreFrames() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try counting(scene), settings = small
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      var count = 0
      for try await _ in try context.frames(of: image, in: 0..<1_000_000, rate: 60, settings: settings) {
        count += 1
        start.yield()
      }
      return count
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await context.render(image, settings: settings).pixels.size == Size(4, 2))
  }

  @Test func writesNumberedFiles() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try Image(scene.shader("animated"), ["level": .expression("frame/8")])
    let pattern = scene.folder.file("level.####.png")
    try await context.write(image, frames: 3..<7, rate: 24, to: pattern, settings: small)
    var frames: [PixelBuffer] = []
    for try await frame in try context.frames(of: image, in: 3..<7, rate: 24, settings: small) { frames.append(frame.pixels) }
    let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).filter { $0.hasPrefix("level") }.sorted()
    #expect(files.filter { $0.hasSuffix("png") } == (3..<7).map { "level.000\($0).png" })
    #expect(files.count == 5)
    for (number, pixels) in zip(3..<7, frames) {
      let read = try await context.render(Image(contentsOf: scene.folder.file("level.000\(number).png"))).pixels
      #expect(read.bytes == pixels.bytes)
    }
    await #expect(throws: DiagnosticsError.self) { try await context.write(image, frames: 0..<2, rate: 24, to: "one.png") }
    try Data("mine".utf8).write(to: URL(filePath: scene.folder.file("kept.0001.png")))
    await #expect(throws: RenderError.self) {
      try await context.write(image, frames: 0..<2, rate: 24, to: scene.folder.file("kept.####.png"), settings: small)
    }
  }
}
