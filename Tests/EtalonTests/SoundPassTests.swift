import EtalonDiagnostics
import EtalonInspection
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

  /// What stands in for the channels of a sound pass is told as for those of pictures.
  @Test func lookalikesOfASoundPassAreTold() throws {
    let code = "vec2 mainSound(int samp, float time) { return vec2(0.5 * texture(iChannel0, vec2(0.5, 0.75)).r); }"
    let input = #"{ "id": "1", "src": "/media/a/48e2d9ef22ca6673.mp3", "ctype": "music", "channel": 0 }"#
    let sound = #"{ "inputs": [\#(input)], "outputs": [], "code": "\#(code)", "name": "Sound", "type": "sound" }"#
    let image = "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }"
    let passes = #"{ "inputs": [], "outputs": [], "code": "\#(image)", "name": "Image", "type": "image" }, \#(sound)"#
    let path = try file("export.json", #"{ "Shader": { "ver": "0.1", "info": { "id": "x", "name": "n" }, "renderpass": [\#(passes)] } }"#)
    var request = RenderRequest(filter: .file(path))
    (request.device, request.standIns) = ("cpu", .lookalikes)
    let warnings = try SoundExport(request, samples: 0..<10, with: ShotRenderer()).warnings
    #expect(warnings.map(\.id) == ["input.lookalike"])
    #expect(warnings.first?.message.contains(": a song of sound.iChannel0; ") == true)
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

  // MARK: what is told of them

  private static let image = "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }\n"

  private func errors(_ path: String) -> [String] {
    FilterCheck().check(path).diagnostics.filter { $0.severity == .error }.map(\.id)
  }

  @Test func checksCompileSounds() throws {
    let broken = "vec2 mainSound(float time) { return vec2(tiem); }\n"
    _ = try file("image.glsl", Self.image)
    _ = try file("sound.glsl", broken)
    #expect(errors(folder.file("")) == ["glsl.undeclared-identifier"])
    let export = """
      { "Shader": { "ver": "0.1", "info": { "name": "loud" }, "renderpass": [
        { "inputs": [], "outputs": [], "code": "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }", "name": "Image", "type": "image" },
        { "inputs": [], "outputs": [], "code": "vec2 mainSound(float time) { return vec2(tiem); }", "name": "Sound", "type": "sound" }
      ] } }
      """
    #expect(try errors(file("loud.json", export)) == ["glsl.undeclared-identifier"])
    // A text that makes both is told about once, and so is one that makes a sound alone.
    #expect(try errors(file("duet.glsl", Self.image + broken)) == ["glsl.undeclared-identifier"])
    #expect(try errors(file("tone.glsl", broken)) == ["glsl.undeclared-identifier"])
    #expect(try FilterCheck().soundErrors(folder.file("duet.glsl")).map(\.id) == ["glsl.undeclared-identifier"])
    #expect(try FilterCheck().soundErrors(file("still.glsl", Self.image)) == [])
  }

  /// What the picture leaves to the sound, and the other way round, is no warning.
  @Test func aTextThatMakesBothUsesWhatEitherUses() throws {
    let text = """
      void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy); }
      vec2 mainSound(int samp, float time) { return texelFetch(iChannel1, ivec2(samp, 0), 0).rg; }
      vec4 left() { return texture(iChannel2, vec2(0.5)); }

      """
    let found = FilterCheck().check(try file("duet.glsl", text)).diagnostics.filter { $0.severity != .note }
    #expect(found.map(\.id) == ["manifest.unused-input"])
    #expect(found.first?.message.contains("'iChannel2'") == true)
  }

  @Test func aSoundAloneIsNoMistake() throws {
    let path = try file("tone.glsl", Self.ramp + "\n")
    #expect(FilterCheck(notes: false).check(path).diagnostics == [])
    let description = try FilterFile.readPictureOrSound(path).description
    #expect(description.kind == "sound" && description.passes.map(\.name) == ["sound"])
    _ = try file("still.glsl", Self.image)
    let library = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: folder.url.path, origin: .option)]))
    let listings = library.listings(FilterIndexer(cacheFolder: nil))
    #expect(listings.map(\.name) == ["still", "tone"])
    #expect(listings.map { $0.summary?.kind } == ["generator", "sound"])
  }

  /// Where a picture is wanted, too, with a Common in front, in a file that is named as a pass.
  @Test(arguments: ["tone.glsl", "sound.glsl"]) func aSoundAloneIsNoPicture(_ name: String) throws {
    _ = try file("common.glsl", "#define LEVEL 0.25\n")
    let path = try file(name, "vec2 mainSound(int samp, float time) { return vec2(0.25); }\n")
    let error = #expect(throws: DiagnosticsError.self) { _ = try FilterFile.read(path) }
    let found = try #require(error?.diagnostics.first)
    #expect(found.id == "shadertoy.only-sound" && found.message == "the text makes a sound and no picture")
    #expect(found.help.first == "type 'etalon render \(path) -o \(name.dropLast(5)).wav' to hear it")
    #expect(errors(path) == [])
  }

  /// The image of a folder is no sound alone, whatever lies beside it.
  @Test func anImageWithoutAPictureStaysAMistake() throws {
    _ = try file("image.glsl", Self.ramp)
    _ = try file("sound.glsl", Self.ramp)
    #expect(errors(folder.file("")) == ["shadertoy.no-main-image"])
  }

  @Test func checksMayLeaveOutEveryNote() throws {
    let reversed = "void mainImage(out vec4 c, in vec2 p) { c = vec4(smoothstep(1.0, 0.0, p.x / iResolution.x)); }\n"
    _ = try file("image.glsl", reversed)
    _ = try file("sound.glsl", Self.ramp)
    #expect(FilterCheck().check(folder.file("")).diagnostics.contains { $0.id == "shadertoy.sound-pass" })
    #expect(FilterCheck(notes: false).check(folder.file("")).diagnostics.allSatisfy { $0.severity != .note })
    #expect(FilterCheck(notes: false).check(folder.file("image.glsl")).diagnostics.allSatisfy { $0.severity != .note })
  }

  // MARK: imports

  @Test func anImportedTextKeepsItsSound() throws {
    let text = """
      #define LEVEL 0.25
      void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy) * LEVEL; }
      vec2 mainSound(int samp, float time) { return vec2(LEVEL, texelFetch(iChannel1, ivec2(samp, 0), 0).r); }

      """
    let path = try file("duet.glsl", text)
    let steps = try folder.picture("steps.png", Size(4, 1)) { x, _ in [UInt8(x * 51), 0, 0] }
    let outcome = try ProjectImport().write(path, to: folder.file("duet"), exposing: ["LEVEL"])
    #expect(outcome.text.hasPrefix("wrote \(folder.file("duet")): image.glsl, sound.glsl, project.json\n"))
    #expect(outcome.text.contains("needs sound.iChannel1: ") && !outcome.text.contains("needs sound.iChannel0: "))
    let loose = try result(path, 0..<4) {
      $0.inputs = [.init(input: "iChannel1", path: steps)]
      $0.settings = [.init(name: "LEVEL", value: "0.5")]
    }
    let imported = try result(folder.file("duet"), 0..<4) {
      $0.inputs = [.init(input: "sound.iChannel1", path: steps)]
      $0.settings = [.init(name: "LEVEL", value: "0.5")]
    }
    #expect(loose.sound == imported.sound)
    #expect(imported.sound.channels == [[0.5, 0.5, 0.5, 0.5], [0, 0.2, 0.4, 0.6]])
  }

  @Test func aSoundAloneIsNotImported() throws {
    let path = try file("tone.glsl", Self.ramp)
    let error = #expect(throws: DiagnosticsError.self) { _ = try ProjectImport().write(path, to: folder.file("tone")) }
    let found = try #require(error?.diagnostics.first)
    #expect(found.id == "import.only-sound" && found.help.first?.hasPrefix("type 'etalon render ") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("tone")))
  }
}
