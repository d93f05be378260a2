import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Testing

/// What is said before a video is begun.
@Suite struct WritingCheckTests {
  private func text(_ diagnostics: [Diagnostic]) -> String { DiagnosticPrinter().text(diagnostics) }

  private func settings(_ path: String, _ codec: VideoCodec, _ size: Size = Size(64, 48), rate: FrameRate = 24) -> VideoOutputSettings {
    VideoOutputSettings(path: path, size: size, codec: codec, timing: .rate(rate))
  }

  @Test(arguments: [
    ("a.mp4", false, VideoCodec.h264), ("a.M4V", false, .h264), ("a.mov", false, .prores), ("a.mov", true, .prores4444),
    ("a.mkv", true, .ffv1),
    ("x.y/a.webm", false, .vp9), ("a.gif", false, .gif), ("a.apng", true, .apng), ("a.webp", false, .webp),
  ]) func endingsTellCodecs(path: String, alpha: Bool, codec: VideoCodec) throws {
    #expect(try VideoCodec.choose(nil, for: path, alpha: alpha) == codec)
  }

  @Test(arguments: ["a", "out.x/a", ".mp4", "a.avi", "a."]) func otherEndingsAreTold(path: String) throws {
    let error = try #require(throws: DiagnosticsError.self) { try VideoCodec.choose(nil, for: path, alpha: false) }
    #expect(error.diagnostics.map(\.id) == ["video.unknown-ending"])
  }

  @Test func unknownCodecsAreTold() throws {
    let other = try #require(throws: DiagnosticsError.self) { try VideoCodec.choose("h265", for: "a.mp4", alpha: false) }
    #expect(other.diagnostics[0].help == ["did you mean 'hevc'?"])
    let error = try #require(throws: DiagnosticsError.self) { try VideoCodec.choose("prores444", for: "a.mov", alpha: false) }
    #expect(
      error.description == """
        error: no codec is called 'prores444' [video.unknown-codec]
          = help: did you mean 'prores4444'?
        """)
  }

  @Test func everyRuleIsTold() {
    var wrong = settings("a.webm", .h264, Size(63, 48))
    wrong.timecode = "1:2:3"
    wrong.orientation = 6
    #expect(
      text(wrong.diagnostics(alpha: true)) == """
        error: '.webm' does not hold h264 [video.codec-in-container]
          = help: write h264 to a file that ends in .mp4, .mov, .mkv, .m3u8
          = help: codecs of '.webm': av1, vp9
        error: a video of 63x48 cannot be written as h264, which needs sides of an even number of pixels [video.odd-size]
          = help: --size 62x48
          = help: or --codec ffv1, in a file that ends in .mkv
        error: '1:2:3' is no timecode at 24 frames a second [video.timecode]
          = help: for example: 01:00:00:00, with frames below 24
        error: '.webm' does not say how a picture is turned [video.orientation]
          = help: write a file that ends in .mp4 or .mov, or turn the frames
        error: h264 has no alpha [video.alpha]
          = help: with alpha: --codec prores4444 (.mov), --codec vp9 (.webm), --codec ffv1 (.mkv), --codec gif (.gif), --codec apng (.apng), --codec webp (.webp)
          = help: or --alpha opaque

        """)
  }

  @Test func absurdSizesAndRatesAreTold() {
    #expect(settings("a.mp4", .h264, Size(20000, 48)).diagnostics().map(\.id) == ["video.size"])
    #expect(settings("a.gif", .gif, rate: 60).diagnostics().map(\.id) == ["video.rate"])
    var loud = settings("a.gif", .gif)
    loud.sound = .file(SoundPlan.SoundFile("a.wav"))
    #expect(loud.diagnostics().map(\.id) == ["video.sound"])
    #expect(settings("a.mp4", .hevc, Size(8, 8)).diagnostics().map(\.id) == ["video.size"])
    var bright = settings("a.mp4", .hevc)
    bright.color.transfer = .smpte2084
    #expect(bright.diagnostics().map(\.id) == ["video.hdr"])
    bright.layout = .yuv420p10
    #expect(bright.diagnostics() == [])
    var tiny = settings("a.mp4", .h264)
    tiny.timing = .timeStamps(tick: Rational(1, 10_000_000_000))
    #expect(tiny.diagnostics().map(\.id) == ["video.rate"])
  }

  @Test(arguments: VideoCodec.allCases) func usualSettingsAreFine(codec: VideoCodec) throws {
    let library = try VideoLibrary.system()
    for container in codec.containers {
      #expect(settings("a.\(container.rawValue)", codec).diagnostics(library, alpha: codec.hasAlpha) == [])
    }
  }

  @Test func codecsChooseTheirPlanes() {
    #expect(VideoCodec.h264.layout(alpha: true) == nil)
    #expect(VideoCodec.prores4444.layout(alpha: true) == .yuva444p10)
    #expect(VideoCodec.vp9.layout(alpha: true) == .yuva420p8)
    #expect(VideoCodec.ffv1.layout(alpha: false) == .rgb8)
    #expect(VideoCodec.ffv1.layout(alpha: true, bits: 16) == .rgba16)
    #expect(VideoCodec.hevc.layout(alpha: false, bits: 10) == .yuv420p10)
    #expect(VideoCodec.vp9.layout(alpha: true, bits: 10) == nil)
    #expect(VideoCodec.prores.layout(alpha: false, bits: 16) == .yuv422p10)
    #expect(VideoCodec.hevc.refusal(ofBits: 16, alpha: false)?.message == "hevc has 8 or 10 bits a channel, not 16")
    #expect(VideoCodec.gif.refusal(ofBits: 10, alpha: false)?.help.first == "leave out '--bits'")
    #expect(VideoCodec.h264.refusal(ofBits: 8, alpha: true) == nil)
  }
}
