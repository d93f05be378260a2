import EtalonGraph
import Foundation
import Testing

@testable import Etalon

/// What images are made of beside pictures and filters: what they showed before, further results, sounds.
@Suite struct ImageInputTests {
  private let scene: TestScene

  init() throws { scene = try TestScene() }

  private func pictures(_ image: Image, _ count: Int = 4, on device: TestDevice = .cpu) async throws -> [TestPicture] {
    var shown: [TestPicture] = []
    let context = try device.context
    for try await frame in try context.frames(of: image, in: 0..<count, rate: 10) { shown.append(frame.picture) }
    return shown
  }

  // MARK: feedback

  /// The mean of a picture and of what the image showed before.
  private func trail(_ image: Image, _ amount: ParameterValue = 0.5) throws -> Image {
    try Image.feedback { before in
      try Image(scene.library["dissolve"], ["progress": amount], inputs: ["startImage": image, "endImage": before])
    }
  }

  @Test(arguments: TestDevice.allCases) func feedbackIsTheFrameBefore(device: TestDevice) async throws {
    let image = try Image.color([1, 1, 1, 1])
    var light = 0.0
    for picture in try await pictures(trail(image), on: device) {
      light = 0.5 + light / 2
      #expect(picture.pixel(3, 3) == [255, 255, 255, byte(light)])
    }
  }

  @Test func equalFeedbackIsEqual() throws {
    #expect(try trail(scene.photo) == trail(scene.photo))
    #expect(try trail(scene.photo) != trail(scene.photo, 0.25))
    let first = try trail(scene.photo), second = try trail(scene.photo, 0.25)
    let both = try first.composited(over: second)
    #expect(both.supplies.feedback.count == 2)
    #expect(try first.composited(over: trail(scene.photo)).supplies.feedback.count == 1)
  }

  /// Feedback inside of feedback that reads the outer image is another one for another outer image.
  @Test func feedbackInside() async throws {
    func nested(_ amount: ParameterValue) throws -> Image {
      try Image.feedback { outer in
        let inner = try Image.feedback { inner in
          try Image(scene.library["dissolve"], ["progress": 0.5], inputs: ["startImage": outer, "endImage": inner])
        }
        return try Image(
          scene.library["dissolve"], ["progress": amount], inputs: ["startImage": Image.color("#ffffff"), "endImage": inner])
      }
    }
    #expect(try nested(0.5) == nested(0.5))
    let both = try nested(0.5).composited(over: nested(0.25))
    #expect(both.supplies.feedback.count == 4)
    var (outer, inner) = (0.0, 0.0)
    for picture in try await pictures(nested(0.5)) {
      inner = (outer + inner) / 2
      outer = 0.5 + inner / 2
      #expect(picture.pixel(2, 2) == [255, 255, 255, byte(outer)])
    }
  }

  // MARK: further results

  @Test(arguments: TestDevice.allCases) func furtherResults(device: TestDevice) async throws {
    let filter = try scene.shader("two-outputs")
    #expect(filter.outputs == ["beauty", "matte"])
    #expect(try filter.showing("beauty") == filter)
    #expect(try filter.showing("matte") != filter)
    #expect(throws: DiagnosticsError.self) { try filter.showing("mate") }
    var settings = RenderSettings()
    settings.size = Size(16, 16)
    let context = try device.context
    let matte = try Image(filter.showing("matte"))
    let picture = try await context.render(matte, settings: settings).picture
    // The matte has half as many pixels, and is stretched over the result.
    #expect(
      picture.firstDifference { x, y in
        let shown = picture.pixel(x, y)
        let isNear = (Double(shown[0]) - (Double(x) - 0.5)).magnitude <= 1
        return isNear ? [shown[0], shown[0], shown[0], 255] : [x, x, x, 255]
      } == nil)
    // It is an image like any other.
    let inverted = try matte.applying(scene.library["mono"])
    #expect(try await context.render(inverted, settings: settings).picture.size == Size(16, 16))
  }

  // MARK: sounds

  /// A quarter of a second of one value after another, 48,000 samples a second.
  private func sound() throws -> String {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let samples = (0..<12_000).flatMap { number($0 % 400 * 80 - 16_000, 2) }
    let format = number(1, 2) + number(1, 2) + number(48_000, 4) + number(96_000, 4) + number(2, 2) + number(16, 2)
    let body = Array("WAVEfmt ".utf8) + number(16, 4) + format + Array("data".utf8) + number(samples.count, 4) + samples
    let path = scene.folder.file("song.wav")
    try Data(Array("RIFF".utf8) + number(body.count, 4) + body).write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: TestDevice.allCases) func soundsAreInputs(device: TestDevice) async throws {
    let path = try sound()
    let text = """
      /*{ "ISFVSN": "2", "INPUTS": [{ "NAME": "wave", "TYPE": "audio", "MAX": 64 }] }*/
      void main() { gl_FragColor = vec4(IMG_NORM_PIXEL(wave, isf_FragNormCoord).rgb, 1.0); }
      """
    let file = scene.folder.file("bars.fs")
    try Data(text.utf8).write(to: URL(filePath: file))
    var settings = RenderSettings()
    settings.size = Size(32, 8)
    settings.rate = 10
    let image = try Image(Filter(contentsOf: file), inputs: ["wave": .sound(path)])
    let frame = try await device.context.render(image, at: .frame(1), settings: settings).picture
    var request = TestShot("two-outputs", on: device, size: Size(32, 8))
    request.request.filter = .file(file)
    request.request.inputs = [.init(input: "wave", path: path)]
    request.request.clock = ShotClock(rate: 10)
    request.request.frames = .range(try #require(FrameRange(1...1)))
    #expect(try frame == request.picture())
    #expect(Set(frame.bytes).count > 8)
    #expect(throws: RenderError.self) { try Image.sound(scene.photoPath) }
  }
}
