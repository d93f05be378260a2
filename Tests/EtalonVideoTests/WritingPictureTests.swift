import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Pictures that move: APNG and WebP.
@Suite struct WritingPictureTests {
  private let folder: WritingFolder
  private let size = Size(33, 17)

  init() throws { folder = try WritingFolder() }

  /// The samples of a frame of planes, pixel by pixel.
  private func interleaved(_ planes: ArraySlice<UInt8>, _ layout: PlaneLayout) -> [UInt8] {
    let count = size.pixelCount, width = layout.bytesPerSample, start = planes.startIndex
    return (0..<count).flatMap { pixel in
      (0..<layout.planeCount).flatMap { plane in
        (0..<width).map { planes[start + (plane * count + pixel) * width + $0] }
      }
    }
  }

  /// The chunks of a PNG file.
  private func chunks(_ path: String) throws -> [(name: String, bytes: [UInt8])] {
    let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var place = 8
    var found: [(String, [UInt8])] = []
    while place + 12 <= data.count {
      let count = data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      found.append((String(decoding: data[place + 4..<place + 8], as: UTF8.self), Array(data[place + 8..<place + 8 + count])))
      place += 12 + count
    }
    return found
  }

  private func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }

  /// The delays of all frames, in seconds.
  private func delays(_ path: String) throws -> [Rational] {
    try chunks(path).filter { $0.name == "fcTL" }.map { Rational(number($0.bytes, 20..<22), number($0.bytes, 22..<24)) }
  }

  @Test(arguments: [(PlaneLayout.rgb8, "rgb24"), (.rgba8, "rgba"), (.rgb16, "rgb48le"), (.rgba16, "rgba64le")])
  func apngKeepsEveryBit(layout: PlaneLayout, name: String) throws {
    var settings = VideoOutputSettings(
      path: folder.file("a.apng"), size: size, codec: .apng, layout: layout, timing: .rate(try #require(FrameRate("24000/1001"))))
    settings.plays = 3
    #expect(settings.diagnostics() == [])
    let written = try writeVideo(settings, frames: 5)
    let frameBytes = layout.byteCount(size)
    let expected = (0..<5).flatMap { interleaved(written[$0 * frameBytes..<($0 + 1) * frameBytes], layout) }
    let isSame = try decoded(settings.path, pixelFormat: name) == expected
    #expect(isSame)
    #expect(try delays(settings.path) == [Rational](repeating: Rational(1001, 24000), count: 5))
    let control = try #require(try chunks(settings.path).first { $0.name == "acTL" })
    let counts: [Int] = [number(control.bytes, 0..<4), number(control.bytes, 4..<8)]
    #expect(counts == [5, 3] as [Int])
    #expect(try folder.names == ["a.apng"])
  }

  @Test func apngHasTheTimesOfItsFrames() throws {
    let settings = VideoOutputSettings(
      path: folder.file("a.apng"), size: size, codec: .apng, timing: .timeStamps(tick: Rational(1, 1000)))
    let writer = try VideoWriter(settings)
    for (number, time) in [Rational(0), Rational(1, 10), Rational(1, 4)].enumerated() {
      try writer.write(TestFrame(number, .rgb8, size), timeStamp: time)
    }
    try writer.finish(end: 1)
    #expect(try delays(settings.path) == [Rational(1, 10), Rational(3, 20), Rational(3, 4)])
    #expect(try folder.names == ["a.apng"])
  }

  /// FFmpeg's libraries read no WebP that moves, so the file itself is looked at: RIFF chunks of Google's WebP container specification.
  @Test func webPHasItsFramesAndTimes() throws {
    var settings = VideoOutputSettings(path: folder.file("a.webp"), size: size, codec: .webp, layout: .rgba8, timing: .rate(8))
    settings.plays = 2
    settings.quality = VideoQuality(100)
    try writeVideo(settings, frames: 4)
    let data = [UInt8](try Data(contentsOf: URL(filePath: settings.path)))
    func little(_ place: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(data[place + $1]) << (8 * $1) } }
    #expect(String(decoding: data[8..<16], as: UTF8.self) == "WEBPVP8X")
    #expect(data[20] & 0x12 == 0x12, "it moves and has alpha")
    #expect(Size(little(24, 3) + 1, little(27, 3) + 1) == size)
    var place = 12
    var durations: [Int] = [], plays = -1
    while place + 8 <= data.count {
      switch String(decoding: data[place..<place + 4], as: UTF8.self) {
      case "ANIM": plays = little(place + 12, 2)
      case "ANMF": durations.append(little(place + 20, 3))
      default: break
      }
      place += 8 + (little(place + 4, 4) + 1) & ~1
    }
    #expect(plays == 2)
    #expect(durations == [125, 125, 125, 125])
  }
}
