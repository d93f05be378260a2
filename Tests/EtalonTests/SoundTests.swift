import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Sounds as the pictures of inputs.
@Suite struct SoundTests {
  private let folder: TemporaryFolder
  /// A quarter of a second at 48,000 samples a second: on the left a tone in the middle of band 100, on the right steps up.
  private let sound: Sound

  init() throws {
    folder = try TemporaryFolder()
    let left = (0..<12_000).map { Float((Double(2 * $0 * 100 % 4096) * Double.pi / 2048).sine * 0.5) }
    sound = Sound(sampleRate: 48_000, channels: [left, (0..<12_000).map { Float($0 % 256) / 256 }])
  }

  /// Writes the sound with floating-point samples, or one channel of it.
  private func file(_ sound: Sound) throws -> String {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let frame = sound.channels.count * 4
    let format =
      number(3, 2) + number(sound.channels.count, 2) + number(sound.sampleRate, 4) + number(0, 4) + number(frame, 2) + number(32, 2)
    let data = (0..<sound.sampleCount).flatMap { index in sound.channels.flatMap { number(Int($0[index].bitPattern), 4) } }
    let body = Array("WAVEfmt ".utf8) + number(16, 4) + format + Array("data".utf8) + number(data.count, 4) + data
    let path = folder.file("song\(sound.channels.count).wav")
    try Data(Array("RIFF".utf8) + number(body.count, 4) + body).write(to: URL(filePath: path))
    return path
  }

  private func shot(_ shader: String, _ inputs: [String: String], frames: ClosedRange<Int>, on device: TestDevice, _ size: Size) throws
    -> TestShot
  {
    var shot = TestShot(shader, on: device, size: size)
    shot.request.inputs = inputs.sorted { $0.key < $1.key }.map { .init(input: $0.key, path: $0.value) }
    shot.request.frames = .range(try #require(FrameRange(frames)))
    return shot
  }

  @Test(arguments: TestDevice.allCases)
  func thePlayersPicture(on device: TestDevice) throws {
    let shot = try shot("sound", ["iChannel0": file(sound)], frames: 0...8, on: device, Size(512, 3))
    let pictures = try shot.pictures(), mono = sound.mono, analyser = SoundAnalyser(mono), scale = DecibelScale(largest: 255)
    for frame in [0, 1, 8] {
      let end = frame * 800
      let strengths = analyser.strengths(at: Rational(frame, 60), of: 0)
      let difference = pictures[frame].firstDifference { x, y in
        let sample = mono.sample(end - 2048 + x, of: 0)
        return switch y {
        case 0: [scale.level(strengths[x]), 0, 0, 255]
        case 1: [min(255, Int((128 * (1 + sample)).rounded(.down))), 0, 0, 255]
        default: [byte(Double(frame) / 60), byte(0.5), byte(0.5), 255]
        }
      }
      #expect(difference == nil, "frame \(frame)")
    }
    // Half of half the strength of a sine with an amplitude of a half: 0.42 / 8, or -25.6 dB; a hundred bands further it is gone.
    #expect(pictures[8].pixel(100, 0)[0] == 255 && pictures[8].pixel(500, 0)[0] < 80)
  }

  /// A loose file may bring its sound itself.
  @Test func aSoundBesideTheFile() throws {
    let path = try file(sound)
    let expected = try self.shot("sound", ["iChannel0": path], frames: 5...5, on: .cpu, Size(512, 3)).picture()
    let text = try String(contentsOf: TestShot.folder.appending(path: "sound.glsl"), encoding: .utf8)
    func own(_ name: String) throws -> TestShot {
      var shot = try self.shot("sound", [:], frames: 5...5, on: .cpu, Size(512, 3))
      let shader = folder.file("own.glsl")
      try Data("#iChannel0 \"file://\(name)\"\n\(text)".utf8).write(to: URL(filePath: shader))
      shot.request.filter = .file(shader)
      return shot
    }
    #expect(try own("song2.wav").picture() == expected)
    let error = #expect(throws: DiagnosticsError.self) { try own("none.wav").prepared() }
    #expect(error?.diagnostics.first?.message == "cannot use the sound 'none.wav' of input 'iChannel0'")
    #expect(error?.diagnostics.first?.help == ["put it beside the filter, or type '--input iChannel0=song.wav'"])
    #expect(throws: DiagnosticsError.self) { try own("song.mp3").prepared() }
  }

  /// A frame alone is the same as in a sequence, on both devices.
  @Test func framesAlone() throws {
    let path = try file(sound)
    let all = try shot("sound", ["iChannel0": path], frames: 3...6, on: .cpu, Size(512, 3)).pictures()
    for device in TestDevice.allCases {
      for frame in [6, 4] {
        #expect(try shot("sound", ["iChannel0": path], frames: frame...frame, on: device, Size(512, 3)).picture() == all[frame - 3])
      }
    }
  }

  @Test(arguments: TestDevice.allCases)
  func inputsOfISF(on device: TestDevice) throws {
    let picture = try folder.picture("grey.png", Size(16, 2)) { _, _ in [9, 9, 9] }
    let path = try file(sound)
    var shot = try shot("isf/sound.fs", ["waves": path, "tones": path], frames: 12...12, on: device, Size(16, 2))
    shot.request.size = nil
    shot.request.inputs.append(.init(input: nil, path: picture))
    let result = try shot.picture(), analyser = SoundAnalyser(sound), scale = DecibelScale(largest: 65535)
    #expect(result.size == Size(16, 2))
    for (row, channel) in [0, 1].enumerated() {
      let strengths = analyser.strengths(at: Rational(1, 5), of: channel)
      for x in 0..<16 {
        let tone = Double(scale.level(strengths[64 * x..<64 * x + 64].max() ?? 0)) / 65535
        #expect((result.pixel(x, row)[1] - byte(tone)).magnitude <= 1, "tone \(x) of channel \(channel)")
        #expect(result.pixel(x, row)[2] == 16 && result.pixel(x, row)[3] == 2)
      }
      // Between two samples, where both count alike.
      let samples = (9592..<9600).map { (1 + sound.sample($0, of: channel)) / 2 }
      for x in 0..<8 where x > 0 && x < 7 {
        let near = samples[x] * 0.75 + samples[x - 1] * 0.25
        #expect((result.pixel(2 * x, row)[0] - byte(near)).magnitude <= 2, "sample \(x) of channel \(channel)")
      }
    }
  }

  /// Filters of a graph whose inputs have the same names each follow their own sound, or none.
  @Test func theClocksOfEachFilter() throws {
    let fast = try file(sound), slow = try file(Sound(sampleRate: 12_000, channels: [sound.channels[1]]))
    let picture = try folder.picture("grey.png", Size(16, 2)) { _, _ in [9, 9, 9] }
    func clocks(_ order: [String]) throws -> [[Int]] {
      let shader = TestShot.folder.appending(path: "sound.glsl").path
      let stages = order.enumerated().map { "s\($0): \(shader) iChannel0=\($1)" }
      let library = FilterLibrary(try LibrarySearch(named: [], environment: [:]))
      return try order.indices.map { index in
        var request = RenderRequest(graph: try StageParser().graph(stages), library: library)
        request.outputs = ["s\(index)"]
        (request.size, request.device) = (Size(4, 4), TestDevice.cpu.rawValue)
        request.frames = .range(try #require(FrameRange(15...15)))
        let shot = try TestShot(request).prepared()
        let output = shot.index(ofOutput: "s\(index)")
        let pending = try #require(try shot.submit(15))
        defer { pending.release() }
        try pending.wait()
        // The first row from the top shows the clocks.
        return PixelBuffer(copying: PendingRows(pending, shot.outputs[output], at: output)).bytes.prefix(2).map { Int($0) }
      }
    }
    let (fastClocks, slowClocks, none) = ([byte(0.25), byte(0.5)], [byte(0.25), byte(0.125)], [0, byte(44_100.0 / 96_000)])
    #expect(try clocks([fast, slow, picture]) == [fastClocks, slowClocks, none])
    #expect(try clocks([picture, slow, fast]) == [none, slowClocks, fastClocks])
  }

  @Test func silenceStandsIn() throws {
    var shot = try shot("isf/sound.fs", [:], frames: 0...0, on: .cpu, Size(4, 4))
    let error = #expect(throws: RenderError.self) { try shot.prepared() }
    #expect(error?.message == "'sound' reads 'waves', 'tones', 'inputImage', and no sound was given for them")
    #expect(error?.help.first == "type '--input waves=song.wav --input tones=song.wav --input inputImage=photo.jpg'")
    shot.request.standIns = .testCards
    let prepared = try shot.prepared()
    #expect(prepared.warnings.map(\.id) == ["input.silence", "input.silence", "input.test-card"])
    #expect(try shot.picture().pixel(2, 2) == [128, 0, 16, 1])
  }

  // MARK: damage

  /// Writes the sound with another length of its samples, without some bytes at its end.
  private func damaged(_ length: UInt32?, without count: Int) throws -> String {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: file(sound))))
    if let length { for place in 0..<4 { bytes[40 + place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place))) } }
    let path = folder.file("damaged.wav")
    try Data(bytes.dropLast(count)).write(to: URL(filePath: path))
    return path
  }

  /// A file that promises more than it holds is damaged; the lengths of programs that write into pipes are not.
  @Test func whatIsMissingOfAWAVFileIsTold() throws {
    let cases: [(UInt32?, Int, Int)] = [(nil, 0, 0), (nil, 800, 800), (0x7FFF_FFFF, 0, 0x7FFF_FFFF - 96_000)]
    for (length, count, missing) in cases {
      let path = try damaged(length, without: count)
      let shot = try shot("sound", ["iChannel0": path], frames: 0...0, on: .cpu, Size(4, 3))
      let text = "'\(path)' is cut short: \(missing) bytes are missing at its end"
      #expect(try shot.prepared().takeNotes().map(\.message) == (missing > 0 ? [text] : []))
      var strict = shot
      strict.request.isStrict = true
      guard missing > 0 else {
        _ = try strict.prepared()
        continue
      }
      let error = #expect(throws: RenderError.self) { try strict.prepared() }
      #expect(error?.code == .invalidInput && error?.message == text)
    }
    for length: UInt32 in [0, 0xFFFF_FFFF, 0x7FFF_F000] {
      let path = try damaged(length, without: 0)
      #expect(try Etalon.SoundFile(path, isStrict: true).sound.sampleCount == sound.sampleCount)
    }
  }

  /// A FLAC file that ends between two packets lacks samples, and no decoder complains.
  @Test(arguments: ["flac", "mp3", "m4a", "mka"]) func soundsThatAreCutAreTold(form: String) throws {
    let options = form == "m4a" ? "-c:a aac -movflags +faststart" : form == "mka" ? "-c:a flac" : ""
    try Clips.ffmpeg("-f lavfi -i sine=r=44100:d=2 \(options) @heard-whole.\(form)")
    let whole = Clips.path("heard-whole.\(form)")
    #expect(try Etalon.SoundFile(whole, isStrict: true).damage.text == nil)
    let data = try Data(contentsOf: URL(filePath: whole)), path = Clips.path("heard-cut.\(form)")
    try data.dropLast(data.count / 3).write(to: URL(filePath: path))
    #expect(try Etalon.SoundFile(path).damage.text != nil)
    #expect(throws: RenderError.self) { try Etalon.SoundFile(path, isStrict: true) }
    guard form == "flac" else { return }
    var damage = FileDamage(whole)
    damage.add(packets: 0, sampleCount: 88_200 - 4608)
    #expect(damage.text == "the sound of '\(whole)' lacks 4608 samples")
  }

  /// A sound that changed makes frames stale.
  @Test func recipes() throws {
    let path = try file(sound)
    func recipe() throws -> String {
      try shot("sound", ["iChannel0": path], frames: 0...3, on: .cpu, Size(512, 3)).prepared().recipe(of: 2)
    }
    let before = try recipe()
    #expect(try recipe() == before)
    _ = try file(Sound(sampleRate: 48_000, channels: [sound.channels[1], sound.channels[0]]))
    #expect(try recipe() != before)
  }
}

extension Double {
  fileprivate var sine: Double { sin(self) }
}
