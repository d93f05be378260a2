import EtalonDiagnostics
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

  @Test func windowsHaveAtLeastThreeParts() {
    #expect(VideoOutputSettings.parts(lasting: 60) == 30 && VideoOutputSettings.parts(lasting: 1) == 3)
  }
}
