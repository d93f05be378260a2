import EtalonDiagnostics
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Sounds of other files beside videos: taken as they are, cut, and encoded again.
@Suite struct WritingSoundTests {
  private let folder: WritingFolder
  private static let rate = 48000

  init() throws { folder = try WritingFolder() }

  /// Noise without the highest frequencies, which codecs keep and which is like itself nowhere else.
  private static let noise: [Int16] = {
    var state: UInt64 = 1
    let white = (0..<4 * rate + 16).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 50) - 8192
    }
    return (0..<white.count - 16).map { start in Int16(white[start..<start + 16].reduce(0, +) / 6) }
  }()

  /// A WAV file with the noise, or another file that FFmpeg makes of it.
  private func source(_ name: String, _ options: [String] = [], seconds: Double = 4) throws -> String {
    let data = unsafe Self.noise[..<Int(seconds * Double(Self.rate))].withUnsafeBytes { unsafe Data($0) }
    let raw = folder.file("noise.raw")
    try data.write(to: URL(filePath: raw))
    let path = folder.file(name)
    try runProgram(["ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", "\(Self.rate)", "-ac", "1", "-i", raw] + options + [path])
    return path
  }

  /// Writes a video with a sound; returns its path and the notes.
  private func write(
    _ name: String, _ codec: VideoCodec, _ sound: SoundPlan.SoundFile, frames: Int = 50
  ) throws -> (path: String, notes: [String]) {
    var settings = VideoOutputSettings(path: folder.file(name), size: Size(32, 32), codec: codec, timing: .rate(25))
    settings.sound = .file(sound)
    settings.preset = .ultrafast
    let writer = try VideoWriter(settings)
    for number in 0..<frames { try writer.write(TestFrame(number, settings.layout, settings.size)) }
    try writer.finish()
    return (settings.path, writer.notes)
  }

  /// The samples that are heard from the first frame on.
  private func heard(_ path: String) throws -> [Int16] {
    let data = try runProgram([
      "ffmpeg", "-v", "error", "-copyts", "-i", path, "-map", "0:a", "-af", "aresample=\(Self.rate):async=1:first_pts=0", "-ac", "1", "-f",
      "s16le", "-",
    ])
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Int16.self)) }
  }

  /// FFmpeg's demuxer gives the last packet of a file as a whole.
  private let packet = 1152

  /// How many samples the sound is late, and how like the noise it is there (1 is the same).
  ///
  /// - Parameter offset: where in the noise the video begins, in samples.
  private func lag(_ samples: [Int16], from offset: Int) throws -> (samples: Int, likeness: Double) {
    let noise = Self.noise
    let start = 24000
    let count = 3000
    try #require(samples.count >= start + count)
    var best = (samples: 0, likeness: 0.0)
    for lag in -60...60 {
      var product = 0.0
      var first = 0.0
      var second = 0.0
      let base = offset + start - lag
      guard base >= 0, base + count <= noise.count else { continue }
      for index in stride(from: 0, to: count, by: 4) {
        let a = Double(samples[start + index])
        let b = Double(noise[base + index])
        product += a * b
        first += a * a
        second += b * b
      }
      let likeness = product / (first * second + 1).squareRoot()
      if likeness > best.likeness { best = (lag, likeness) }
    }
    return best
  }

  private func audio(_ path: String) throws -> [String] {
    try probe(path, "stream=codec_name,sample_rate,channels", ["-select_streams", "a"])
  }

  private func packets(_ path: String) throws -> [Substring] {
    let text = String(
      decoding: try runProgram(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"]), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").dropFirst(5).first }
  }

  // MARK: as it is

  struct Copy: Sendable, CustomTestStringConvertible {
    let source: String
    let options: [String]
    let output: String
    let codec: VideoCodec
    var start: Rational?
    /// When the noise begins in the source, in samples behind `start`.
    var late = 0

    var testDescription: String { "\(source) \(output) \(start.map { "\($0)" } ?? "all")" }

    /// Matroska of FFmpeg before 6.1 does not say that the first packet of AAC is not heard; the time stamps of an MP3 say it.
    static let all = [nil, Rational(1), Rational(123, 100)].flatMap { start in
      [
        Copy(source: "s.m4a", options: ["-c:a", "aac"], output: "a.mp4", codec: .h264, start: start),
        Copy(source: "s.m4a", options: ["-c:a", "aac"], output: "a.mov", codec: .prores, start: start),
        Copy(source: "s.m4a", options: ["-c:a", "aac"], output: "a.mkv", codec: .ffv1, start: start),
        Copy(source: "s.mkv", options: ["-c:a", "aac"], output: "a.mp4", codec: .h264, start: start, late: 1024),
        Copy(source: "s.mp3", options: ["-c:a", "libmp3lame"], output: "a.mp4", codec: .h264, start: start, late: start == nil ? 0 : 1105),
        Copy(source: "s.mp3", options: ["-c:a", "libmp3lame"], output: "a.mkv", codec: .ffv1, start: start, late: start == nil ? 0 : 1105),
        Copy(source: "s.webm", options: ["-c:a", "libopus"], output: "a.webm", codec: .vp9, start: start),
        Copy(source: "s.ogg", options: ["-c:a", "libvorbis"], output: "a.webm", codec: .vp9, start: start),
        Copy(source: "s.flac", options: [], output: "a.mkv", codec: .ffv1, start: start),
        Copy(source: "s.wav", options: [], output: "a.mov", codec: .prores, start: start),
        Copy(source: "s.wav", options: [], output: "a.mkv", codec: .ffv1, start: start),
        Copy(source: "s.m4a", options: ["-c:a", "alac"], output: "a.mp4", codec: .h264, start: start),
      ]
    }
  }

  @Test(arguments: Copy.all) func soundIsTakenAsItIs(_ copy: Copy) throws {
    let path = try source(copy.source, copy.options)
    let written = try write(copy.output, copy.codec, SoundPlan.SoundFile(path, start: copy.start))
    #expect(written.notes == [])
    #expect(try audio(written.path) == audio(path))
    let samples = try heard(written.path)
    let offset = copy.start.map { ($0 * Rational(Self.rate)).floor } ?? 0
    let isSaid = try copy.source == "s.mkv" && probe(path, "stream=start_time", ["-select_streams", "a"]).first?.contains("-") == true
    let lag = try lag(samples, from: offset - (isSaid ? 0 : copy.late))
    // Matroska counts milliseconds, and FFmpeg's filter begins with the first packet if that is near zero.
    let isExact = [copy.source, copy.output].allSatisfy { !$0.hasSuffix("mkv") && !$0.hasSuffix("webm") }
    #expect(abs(lag.samples) <= (isExact ? 1 : 50), "\(lag)")
    #expect(lag.likeness > 0.95, "\(lag)")
    // Two seconds, of which Matroska's last packet may be longer.
    #expect(abs(Double(samples.count) / Double(Self.rate) - 2) < 0.1, "\(samples.count)")
    if copy.options.first != "-c:a" || copy.options[1] == "aac" {
      let all = Set(try packets(path))
      let isTaken = try copy.source.hasSuffix("wav") || packets(written.path).allSatisfy { all.contains($0) }
      #expect(isTaken)
    }
  }

  @Test(arguments: ["a.mov", "a.mkv"]) func uncompressedSoundIsCutToTheSample(name: String) throws {
    let path = try source("s.wav")
    let written = try write(name, name == "a.mov" ? .prores : .ffv1, SoundPlan.SoundFile(path, start: Rational(12345, 48000)))
    let samples = Array(try runProgram(["ffmpeg", "-v", "error", "-i", written.path, "-map", "0:a", "-f", "s16le", "-"]))
    let expected = unsafe Self.noise[12345..<12345 + 96000].withUnsafeBytes { unsafe Array($0) }
    let isSame = samples == expected
    #expect(isSame, "\(samples.count) \(expected.count)")
  }

  // MARK: encoded again

  @Test(
    arguments: [
      ("s.flac", [], "a.mp4", VideoCodec.h264, "AAC"), ("s.wav", [], "a.mp4", .h264, "AAC"),
      ("s.ogg", ["-c:a", "libvorbis"], "a.mp4", .h264, "AAC"),
      ("s.wav", [], "a.webm", .vp9, "Opus"), ("s.m4a", ["-c:a", "aac", "-ar", "44100"], "a.webm", .vp9, "Opus"),
      ("s.flac", ["-sample_fmt", "s16"], "a.mov", .prores, "PCM with 16 bits"),
      ("s.ogg", ["-c:a", "libopus"], "a.mov", .prores, "PCM with 24 bits"),
      ("s.ogg", ["-c:a", "libopus"], "a.mov", .h264, "AAC"), ("s.wav", ["-c:a", "adpcm_ima_wav"], "a.mp4", .h264, "AAC"),
    ] as [(String, [String], String, VideoCodec, String)])
  func soundThatAContainerDoesNotHoldIsEncoded(name: String, options: [String], output: String, codec: VideoCodec, title: String) throws {
    let path = try source(name, options)
    for start in [nil, Rational(9, 8)] {
      let written = try write(output, codec, SoundPlan.SoundFile(path, start: start))
      try #require(written.notes.count == 1)
      #expect(written.notes[0].hasSuffix("it is encoded as \(title)"), "\(written.notes)")
      let samples = try heard(written.path)
      let lag = try lag(samples, from: start.map { ($0 * Rational(Self.rate)).floor } ?? 0)
      #expect(abs(lag.samples) <= (output.hasSuffix("webm") ? 30 : 1), "\(lag)")
      #expect(lag.likeness > 0.9, "\(lag)")
      #expect((-64...packet).contains(samples.count - 2 * Self.rate), "\(samples.count)")
    }
  }

  // MARK: lengths

  @Test func soundEndsWithTheVideo() throws {
    let path = try source("s.m4a", ["-c:a", "aac"])
    let written = try write("a.mp4", .h264, SoundPlan.SoundFile(path, start: 1), frames: 33)
    let durations = try probe(written.path, "stream=duration").map { Double($0.split(separator: "=")[1]) ?? 0 }
    #expect(durations.count == 2)
    let format = try probe(written.path, "format=duration")
    #expect(format == ["duration=1.320000"])
    #expect(abs(try heard(written.path).count - 33 * Self.rate / 25) <= packet)
  }

  @Test func soundMayBeShorter() throws {
    let path = try source("s.m4a", ["-c:a", "aac"], seconds: 1)
    let written = try write("a.mp4", .h264, SoundPlan.SoundFile(path), frames: 50)
    #expect(try probe(written.path, "format=duration") == ["duration=2.000000"])
    let count = try heard(written.path).count
    #expect(abs(count - Self.rate) <= 1024)
  }

  @Test func rangesEnd() throws {
    for (name, options, output) in [("s.m4a", ["-c:a", "aac"], "a.mp4"), ("s.flac", [], "b.mp4")] {
      let path = try source(name, options)
      let written = try write(output, .h264, SoundPlan.SoundFile(path, start: 1, end: Rational(3, 2)))
      let count = try heard(written.path).count
      #expect(abs(count - Self.rate / 2) <= packet, "\(name) \(count)")
    }
  }

  @Test func partsHaveTheSoundOfTheirFrames() throws {
    let path = try source("s.m4a", ["-c:a", "aac"])
    var settings = VideoOutputSettings(path: folder.file("a.mp4"), size: Size(32, 32), codec: .h264, timing: .rate(25))
    settings.sound = .file(SoundPlan.SoundFile(path))
    let writer = try VideoWriter(settings)
    for number in 0..<20 { try writer.write(TestFrame(number, settings.layout, settings.size)) }
    let part = try #require(try writer.finishPart())
    #expect(abs(try heard(part).count - 20 * Self.rate / 25) <= packet)
  }

  @Test func gapsBecomeSilence() throws {
    // What begins at 0.9 s or later comes half a second later.
    let whole = try source("whole.mkv", ["-c:a", "pcm_s16le"])
    let path = folder.file("s.mkv")
    try runProgram(["ffmpeg", "-v", "error", "-i", whole, "-c", "copy", "-bsf:a", "setts=ts=TS+gte(TS*TB\\,0.9)*0.5/TB", path])
    let written = try write("a.mp4", .h264, SoundPlan.SoundFile(path))
    let samples = try heard(written.path)
    #expect(abs(samples.count - 2 * Self.rate) <= packet)
    let quiet = samples.filter { abs(Int($0)) < 20 }.count
    #expect(quiet > 23000, "\(quiet)")
  }

  // MARK: words

  @Test func languageAndTitleAreKept() throws {
    let path = try source("s.m4a", ["-c:a", "aac", "-metadata:s:a:0", "language=deu", "-metadata:s:a:0", "title=Ton"])
    let written = try write("a.mkv", .ffv1, SoundPlan.SoundFile(path), frames: 3)
    let tags = try probe(written.path, "stream_tags=language,title", ["-select_streams", "a"])
    #expect(tags.contains("TAG:language=deu"))
    let other = try write("b.mp4", .h264, SoundPlan.SoundFile(path, language: "fra"), frames: 3)
    #expect(try probe(other.path, "stream_tags=language", ["-select_streams", "a"]) == ["TAG:language=fra"])
  }

  @Test func tracksAreCountedAmongSounds() throws {
    let path = folder.file("two.mkv")
    let sources = ["testsrc=s=32x32:d=1", "sine=440:d=1", "sine=880:d=1"].flatMap { ["-f", "lavfi", "-i", $0] }
    let tags = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fra"]
    try runProgram(
      ["ffmpeg", "-v", "error"] + sources + ["-map", "0", "-map", "1", "-map", "2", "-c:a", "aac", "-ac:a:1", "2"] + tags + [path])
    let written = try write("a.mp4", .h264, SoundPlan.SoundFile(path, track: 1), frames: 5)
    #expect(try audio(written.path) == ["codec_name=aac", "sample_rate=44100", "channels=2"])
    #expect(try probe(written.path, "stream_tags=language", ["-select_streams", "a"]) == ["TAG:language=fra"])
    let error = try #require(throws: RenderError.self) { try write("b.mp4", .h264, SoundPlan.SoundFile(path, track: 2)) }
    #expect(error.underlying == "it has no sound track 2", "\(error)")
  }

  @Test func manyChannelsAreKept() throws {
    let path = folder.file("s.flac")
    try runProgram(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-ac", "6", path])
    for (name, codec) in [("a.mp4", VideoCodec.h264), ("a.webm", .vp9), ("a.mov", .prores)] {
      let written = try write(name, codec, SoundPlan.SoundFile(path), frames: 10)
      #expect(try probe(written.path, "stream=channels", ["-select_streams", "a"]) == ["channels=6"])
    }
  }

  /// A list of files could name any file of the machine.
  @Test func listsOfFilesAreNotFollowed() throws {
    let sound = try source("s.wav")
    let list = folder.file("list.txt")
    try "ffconcat version 1.0\nfile '\(sound)'\n".write(toFile: list, atomically: true, encoding: .utf8)
    let error = try #require(throws: RenderError.self) { try write("a.mp4", .h264, SoundPlan.SoundFile(list)) }
    #expect(error.code == .invalidInput)
  }

  @Test func filesWithoutSoundAreTold() throws {
    let silent = folder.file("silent.mp4")
    try writeVideo(VideoOutputSettings(path: silent, size: Size(32, 32), codec: .h264, timing: .rate(25)), frames: 2)
    let error = try #require(throws: RenderError.self) { try write("a.mp4", .h264, SoundPlan.SoundFile(silent)) }
    #expect(error.code == .invalidInput && error.underlying == "it has no sound", "\(error)")
    let missing = try #require(throws: RenderError.self) { try write("a.mp4", .h264, SoundPlan.SoundFile(folder.file("none.wav"))) }
    #expect(missing.code == .missingInput && missing.underlying == "No such file or directory", "\(missing)")
    let text = folder.file("text.wav")
    try "no sound".write(toFile: text, atomically: true, encoding: .utf8)
    let broken = try #require(throws: RenderError.self) { try write("a.mp4", .h264, SoundPlan.SoundFile(text)) }
    #expect(broken.code == .invalidInput && broken.underlying == "its form is not known", "\(broken)")
    #expect(try folder.names == ["silent.mp4", "text.wav"])
  }
}
