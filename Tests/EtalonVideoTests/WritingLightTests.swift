import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// What videos say about light beyond white.
@Suite struct WritingLightTests {
  private let folder: WritingFolder
  private let size = Size(64, 64)

  init() throws { folder = try WritingFolder() }

  private func settings(_ name: String, _ codec: VideoCodec, _ transfer: VideoColor.Transfer = .smpte2084) throws -> VideoOutputSettings {
    let color = VideoColor(range: .limited, matrix: .bt2020, primaries: .bt2020, transfer: transfer, chromaLocation: .left)
    let layout = try #require(codec.layout(alpha: false, bits: 10))
    return VideoOutputSettings(path: folder.file(name), size: size, codec: codec, layout: layout, timing: .rate(25), color: color)
  }

  /// A gray frame whose upper quarter has another number of luma.
  private func frame(_ layout: PlaneLayout, top: Int, rest: Int) -> TestFrame {
    var bytes: [UInt8] = []
    for plane in 0..<3 {
      let planeSize = layout.size(ofPlane: plane, in: size)
      for y in 0..<planeSize.height {
        let number = plane > 0 ? 512 : y < size.height / 4 ? top : rest
        for _ in 0..<planeSize.width { bytes += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      }
    }
    return TestFrame(layout, size, bytes)
  }

  private func light(_ path: String) throws -> Set<String> {
    Set(try probe(path, "stream_side_data=max_content,max_average,max_luminance"))
  }

  /// 1000 cd/m² is the number 0.7518 of PQ (ITU-R BT.2100-2, table 4): 723 of 64 to 940.
  @Test(arguments: [("a.mp4", VideoCodec.hevc), ("a.mkv", .hevc), ("a.mp4", .av1), ("a.webm", .vp9), ("a.mov", .prores)])
  func lightIsMeasured(name: String, codec: VideoCodec) throws {
    let settings = try settings(name, codec)
    #expect(settings.diagnostics() == [])
    let writer = try VideoWriter(settings)
    try writer.write(frame(settings.layout, top: 64, rest: 64))
    try writer.write(frame(settings.layout, top: 723, rest: 64))
    try writer.finish()
    let found = try light(settings.path)
    let brightest = try #require(found.compactMap { $0.hasPrefix("max_content=") ? Int($0.dropFirst(12)) : nil }.first)
    let mean = try #require(found.compactMap { $0.hasPrefix("max_average=") ? Int($0.dropFirst(12)) : nil }.first)
    #expect((995...1010).contains(brightest))
    #expect((248...254).contains(mean))
    #expect(
      try probe(settings.path, "stream=color_space,color_transfer,color_primaries") == [
        "color_space=bt2020nc", "color_transfer=smpte2084", "color_primaries=bt2020",
      ])
    #expect(try folder.names == [name])
  }

  /// Parts that were rendered before count, too.
  @Test func lightOfPartsIsKept() throws {
    let settings = try settings("a.mp4", .hevc)
    let recipe = ContentHash(of: [1])
    do {
      let segments = try VideoSegments(settings, recipe: recipe)
      let writer = try segments.begin(at: 0)
      try unsafe frame(settings.layout, top: 723, rest: 64).withPlanes { planes in try unsafe writer.write(planes) }
      try writer.finish()
    }
    let segments = try VideoSegments(settings, recipe: recipe)
    #expect(segments.missing(of: 2) == [1..<2])
    let writer = try segments.begin(at: 1)
    try unsafe frame(settings.layout, top: 64, rest: 64).withPlanes { planes in try unsafe writer.write(planes) }
    try writer.finish()
    try segments.join(count: 2)
    let found = try light(settings.path)
    #expect(found.contains { $0.hasPrefix("max_content=") && (995...1010).contains(Int($0.dropFirst(12)) ?? 0) })
  }

  @Test func hybridLogGammaSaysNothingAboutLight() throws {
    let settings = try settings("a.mp4", .hevc, .aribB67)
    let writer = try VideoWriter(settings)
    try writer.write(frame(settings.layout, top: 723, rest: 64))
    try writer.finish()
    #expect(try light(settings.path).allSatisfy { !$0.hasPrefix("max_content=") })
    #expect(try probe(settings.path, "stream=color_transfer") == ["color_transfer=arib-std-b67"])
  }
}
