import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// The shot, and the frames of it that are rendered: progress and duration measure the first and know nothing of the second.
@Suite struct ShotLengthTests {
  private static let rate = FrameRate("24") ?? .sixty

  private func shot(_ frames: [Int], of shot: ClosedRange<Int>?, on device: TestDevice = .cpu) throws -> TestShot {
    var result = TestShot("progressing", on: device, size: Size(4, 2))
    result.request.clock = ShotClock(first: 101, start: Rational(3), rate: Self.rate)
    result.request.frames = .range(try #require(FrameRange(frames)))
    result.request.shot = shot
    return result
  }

  @Test(arguments: TestDevice.allCases) func partsAreTheWhole(device: TestDevice) throws {
    let whole = try shot(Array(101...110), of: nil, on: device).pictures()
    #expect(whole.map { $0.pixel(0, 0)[0] } == (0..<10).map { byte(Double($0) / 9) })
    for part in [Array(101...105), Array(106...110), [104], [110, 103]] {
      let pictures = try shot(part, of: 101...110, on: device).pictures()
      #expect(pictures == part.map { whole[$0 - 101] }, "\(part)")
    }
  }

  @Test func aMomentOfAShotIsTheFrameThere() throws {
    let whole = try shot(Array(101...110), of: nil).pictures()
    var moment = try shot([101], of: 101...110)
    moment.request.frames = .single(time: Rational(3) + Rational(4, 24))
    #expect(try moment.picture() == whole[4])
    // Between two frames, progress goes on with time.
    moment.request.frames = .single(time: Rational(3) + Rational(9, 48))
    #expect(try moment.picture().pixel(0, 0)[0] == byte(4.5 / 9))
  }

  /// Frames of a part are kept by `--resume` of another part of the same shot, and of no other shot.
  @Test func recipesKnowTheShot() throws {
    let whole = try shot(Array(101...110), of: nil).prepared(), part = try shot([106, 107], of: 101...110).prepared()
    #expect(try part.recipe(of: 107) == whole.recipe(of: 107))
    #expect(try shot([106, 107], of: nil).prepared().recipe(of: 107) != whole.recipe(of: 107))
    #expect(try shot([106, 107], of: 101...111).prepared().recipe(of: 107) != whole.recipe(of: 107))
  }

  @Test func itIsSaidWhereTheFramesCountAsTheShot() throws {
    #expect(try shot([101, 102], of: 101...110).prepared().noteOfLength == nil)
    let note = try #require(try shot([101, 102], of: nil).prepared().noteOfLength)
    #expect(note.severity == .note && note.help[0].contains("--duration 2f"))
    var other = TestShot("clock", on: .cpu, size: Size(4, 2))
    other.request.frames = .range(try #require(FrameRange(0...3)))
    #expect(try other.prepared().noteOfLength == nil)
  }

  // MARK: in Swift

  @Test func partsOfAnImageAreTheWhole() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let image = try scene.photo.applying(
      scene.library["vignette"], ["amount": .expression("progress"), "radius": .expression("0.5 / duration")])
    var settings = RenderSettings()
    (settings.size, settings.rate) = (Size(8, 6), 24)
    func pixels(_ frames: [Int]) async throws -> [PixelBuffer] {
      var pixels: [PixelBuffer] = []
      for try await frame in try context.frames(of: image, in: frames, rate: 24, settings: settings) { pixels.append(frame.pixels) }
      return pixels
    }
    let whole = try await pixels(Array(0..<12))
    settings.duration = Rational(1, 2)
    #expect(try await pixels(Array(0..<6)) + pixels(Array(6..<12)) == whole)
    #expect(try await context.render(image, at: .frame(7), settings: settings).pixels == whole[7])
    #expect(try await context.render(image, at: .seconds(Rational(7, 24)), settings: settings).pixels == whole[7])
    await #expect(throws: DiagnosticsError.self) { try await context.render(image, at: .frame(12), settings: settings) }
    settings.duration = 0
    await #expect(throws: DiagnosticsError.self) { try await context.render(image, settings: settings) }
  }
}
