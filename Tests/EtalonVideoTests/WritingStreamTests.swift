import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// HLS: a playlist and its parts.
@Suite struct WritingStreamTests {
  private let folder: WritingFolder
  private let size = Size(32, 32)

  init() throws { folder = try WritingFolder() }

  private func settings(window: Int? = nil) -> VideoOutputSettings {
    var settings = VideoOutputSettings(path: folder.file("live.m3u8"), size: size, codec: .h264, timing: .rate(5))
    (settings.preset, settings.window) = (.ultrafast, window)
    return settings
  }

  private func list() throws -> [String] {
    try String(contentsOfFile: folder.file("live.m3u8"), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func allPartsAreListedAndWhole() throws {
    let writer = try VideoWriter(settings())
    for number in 0..<35 { try writer.write(TestFrame(number, .yuv420p8, size)) }
    try writer.finish()
    let parts = (0..<4).map { "live.0000\($0).ts" }
    #expect(try folder.names.sorted() == parts + ["live.m3u8"])
    #expect(try list().filter { $0.hasSuffix(".ts") } == parts)
    #expect(try list().contains("#EXT-X-PLAYLIST-TYPE:EVENT") && list().last == "#EXT-X-ENDLIST")
    // Each part can be shown without those before it.
    #expect(try parts.map { try VideoReader(folder.file($0)).timeStamps().count } == [10, 10, 10, 5])
    #expect(try parts.allSatisfy { try VideoReader(folder.file($0)).frame(at: 0).isKeyframe })
  }

  @Test func aWindowForgetsOldParts() throws {
    let writer = try VideoWriter(settings(window: 3))
    for number in 0..<100 { try writer.write(TestFrame(number, .yuv420p8, size)) }
    try writer.finish()
    #expect(try list().filter { $0.hasSuffix(".ts") } == (7..<10).map { "live.0000\($0).ts" })
    #expect(try folder.names.count < 10)
  }

  @Test func anEndComesWhateverHappens() throws {
    for isPart in [true, false] {
      let writer = try VideoWriter(settings())
      for number in 0..<15 { try writer.write(TestFrame(number, .yuv420p8, size)) }
      if isPart { #expect(try writer.finishPart() == folder.file("live.m3u8")) } else { writer.abandon() }
      #expect(try list().last == "#EXT-X-ENDLIST")
    }
  }

  /// Frames at times of their own have no rate that says how many of them a part holds.
  @Test func partsLastTwoSecondsWhateverTheTimesAre() throws {
    var settings = settings()
    settings.timing = .timeStamps(tick: Rational(1, 1000))
    let writer = try VideoWriter(settings)
    for number in 0..<40 { try writer.write(TestFrame(number, .yuv420p8, size), timeStamp: Rational(number * number, 100)) }
    try writer.finish(end: 16)
    let lengths = try list().filter { $0.hasPrefix("#EXTINF:") }.compactMap { Double($0.dropFirst(8).dropLast()) }
    #expect(lengths.count >= 6 && lengths.allSatisfy { (0.2...2.8).contains($0) }, "\(lengths)")
  }

  @Test func partsThatLieThereAreFoundAndReplaced() throws {
    for name in ["live.00000.ts", "live.00041.ts", "live.1.ts", "live.00000.txt", "other.00000.ts"] {
      try Data("x".utf8).write(to: URL(filePath: folder.file(name)))
    }
    #expect(
      VideoWriter.parts(ofPlaylist: folder.file("live.m3u8")).map { URL(filePath: $0).lastPathComponent } == [
        "live.00000.ts", "live.00041.ts",
      ])
    #expect(VideoWriter.parts(ofPlaylist: folder.file("live.mp4")) == [])
    try writeVideo(settings(), frames: 5)
    #expect(try Set(folder.names) == ["live.00000.ts", "live.1.ts", "live.00000.txt", "other.00000.ts", "live.m3u8"])
  }

  /// The muxer of many files tells nothing of one that could not be written.
  @Test func fullDisksAreTold() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let folder = try WritingFolder()
      var settings = VideoOutputSettings(path: folder.file("live.m3u8"), size: Size(320, 240), codec: .h264, timing: .rate(5))
      settings.quality = VideoQuality(100)
      let error = try #require(throws: RenderError.self) { try writeVideo(settings, frames: 40) }
      #expect(error.code == .cannotWrite && error.underlying == "File too large")
      #expect(try folder.names.filter { $0.hasSuffix(".ts") } == [])
    }
  }

  @Test func windowsHaveAtLeastThreeParts() {
    #expect(VideoOutputSettings.parts(lasting: 60) == 30 && VideoOutputSettings.parts(lasting: 1) == 3)
  }
}
