import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// The sound passes of ShaderToys.
@Suite struct SoundPassTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = folder.file(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func result(
    _ path: String, _ samples: Range<Int>, rate: Int = 44_100, on device: TestDevice = .cpu,
    _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> SoundExport.Result {
    var request = RenderRequest(filter: .file(path))
    request.device = device.rawValue
    change(&request)
    return try SoundExport(request, samples: samples, rate: rate, with: ShotRenderer()).run()
  }

  private static let ramp = "vec2 mainSound(int samp, float time) { return vec2(fract(float(samp) / 256.0), fract(time * 64.0) - 0.5); }"

  /// Samples around the end of the first block, at a rate whose seconds no float holds.
  @Test(arguments: TestDevice.allCases) func samplesGoOnFromBlockToBlock(on device: TestDevice) throws {
    let first = 512 * 512 - 300
    let sound = try result(file("ramp.glsl", Self.ramp), first..<first + 700, on: device).sound
    #expect(sound.sampleCount == 700)
    for place in 0..<700 {
      let number = first + place
      #expect(sound.channels[0][place] == Float(number % 256) / 256, "sample \(number)")
      let block = number / 262_144, rest = number % 262_144
      let time = Float(Double(block * 262_144) / 44_100) + Float(Double(rest) / 44_100)
      #expect(abs(sound.channels[1][place] - (fraction(time * 64) - 0.5)) <= 1 / 32768, "sample \(number)")
    }
  }

  private func fraction(_ value: Float) -> Float { value - value.rounded(.down) }

  @Test(arguments: TestDevice.allCases) func theRateIsThatOfTheFile(on device: TestDevice) throws {
    let text = "vec2 mainSound(float time) { return vec2(time * iSampleRate / 65536.0, iSampleRate / 65536.0); }"
    let sound = try result(file("rate.glsl", text), 0..<1000, rate: 16_384, on: device).sound
    #expect(sound.sampleRate == 16_384)
    for place in 0..<1000 {
      #expect(sound.channels[0][place] == Float(place) / 65536, "sample \(place)")
      #expect(sound.channels[1][place] == 0.25)
    }
  }

  /// Vulkan promises sines to 2⁻¹¹ between -π and π, and nothing beyond.
  @Test func bothDevicesMakeTheSameSound() throws {
    let text = """
      vec2 mainSound(int samp, float time) {
        float wave = 4.0 * abs(fract(110.0 * time) - 0.5) - 1.0;
        return vec2(wave * exp(-2.0 * fract(time)), 0.5 * sin(6.25 * fract(110.0 * time) - 3.125));
      }
      """
    let path = try file("tone.glsl", text)
    let sounds = try TestDevice.allCases.map { try result(path, 0..<4000, on: $0).sound }
    for (channel, tolerance) in [(0, Float(1) / 32768), (1, Float(1) / 2048)] {
      #expect(zip(sounds[0].channels[channel], sounds[1].channels[channel]).allSatisfy { abs($0 - $1) <= tolerance }, "channel \(channel)")
    }
  }

  @Test func whatAFileCannotHoldIsTold() throws {
    let text = "vec2 mainSound(int samp, float time) { return vec2(samp == 7 ? sqrt(-1.0 - time) : 0.5, samp < 3 ? -1.5 : 0.0); }"
    let found = try result(file("loud.glsl", text), 0..<100)
    #expect(found.notes.map(\.id) == ["sound.not-a-number", "sound.clipped"])
    #expect(found.notes[1].message.hasPrefix("3 samples of the sound pass lie beyond -1 and 1"))
    #expect(found.notes[1].message.hasSuffix("the loudest is 1.5"))
    #expect(found.sound.channels[0][7] == 0 && found.sound.channels[1][2] == -1)
  }

  @Test(arguments: [
    ("float mainSound(float time) { return time; }", "shadertoy.main-sound-form"),
    ("void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }", "shadertoy.no-sound"),
    ("vec2 mainSound(float time) { return vec2(tiem); }", "glsl.undeclared-identifier"),
    ("/*{ \"ISFVSN\": \"2\" }*/ void main() { gl_FragColor = vec4(1.0); }", "shadertoy.no-sound"),
  ])
  func saysWhyThereIsNoSound(_ text: String, _ id: String) throws {
    let path = try file("none.glsl", text)
    let error = #expect(throws: DiagnosticsError.self) { _ = try result(path, 0..<10) }
    #expect(error?.diagnostics.map(\.id) == [id])
    #expect(SoundExport.hasNone(try #require(error)) == (id == "shadertoy.no-sound"))
  }

  /// A folder with a Common, a constant of it, and a picture for the sound.
  @Test func aProjectsSoundKnowsItsCommonAndItsChannels() throws {
    _ = try file("image.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(LEVEL, 0.0, 0.0, 1.0); }")
    _ = try file("common.glsl", "#define LEVEL 0.25\n")
    _ = try file("sound.glsl", "vec2 mainSound(int samp, float time) { return vec2(LEVEL, texelFetch(iChannel0, ivec2(samp, 0), 0).r); }")
    _ = try file(
      "project.json",
      #"{ "shadertoy": 1, "passes": [{ "name": "sound", "channels": { "iChannel0": { "file": "steps.png" } } }, { "name": "image" }] }"#)
    _ = try folder.picture("steps.png", Size(4, 1)) { x, _ in [UInt8(x * 51), 0, 0] }
    let path = folder.file("")
    let sound = try result(path, 0..<4) { $0.settings = [.init(name: "LEVEL", value: "0.5")] }.sound
    #expect(sound.channels == [[0.5, 0.5, 0.5, 0.5], [0, 0.2, 0.4, 0.6]])
    // The picture of the project stays what it is.
    var request = RenderRequest(filter: .file(path))
    request.size = Size(2, 2)
    request.device = "cpu"
    #expect(try TestShot(request).picture().pixel(0, 0) == [byte(0.25), 0, 0, 255])
  }
}
