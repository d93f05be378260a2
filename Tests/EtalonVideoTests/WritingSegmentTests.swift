import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Videos in parts: found again, joined without being encoded again, with exact times and sound.
@Suite struct WritingSegmentTests {
  private let folder: WritingFolder
  private let size = Size(64, 48)
  private let recipe = ContentHash(of: [1])

  init() throws { folder = try WritingFolder() }

  private func settings(_ name: String, _ codec: VideoCodec, _ layout: PlaneLayout? = nil, rate: FrameRate = 24) -> VideoOutputSettings {
    VideoOutputSettings(path: folder.file(name), size: size, codec: codec, layout: layout, timing: .rate(rate))
  }

  /// Writes frames as one part.
  private func write(_ frames: Range<Int>, to segments: VideoSegments, _ settings: VideoOutputSettings) throws {
    let writer = try segments.begin(at: frames.lowerBound)
    for frame in frames { try writer.write(TestFrame(frame, settings.layout, size)) }
    try writer.finish()
  }

  private func timeBase(_ path: String) throws -> Rational {
    let line = try probe(path, "stream=time_base").first
    return try #require(line.flatMap { Rational($0.split(separator: "=")[1]) })
  }

  private func planes(_ settings: VideoOutputSettings, _ frames: Range<Int>) -> [UInt8] {
    frames.flatMap { TestFrame($0, settings.layout, size).bytes }
  }

  @Test(arguments: [
    ("a.mp4", VideoCodec.h264), ("a.mkv", .h264), ("a.mov", .h264), ("a.webm", .vp9), ("a.mp4", .hevc), ("a.mkv", .hevc), ("a.mp4", .av1),
    ("a.webm", .av1),
  ])
  func partsAreJoined(name: String, codec: VideoCodec) throws {
    let ntsc = try #require(FrameRate("24000/1001"))
    for layout in codec.layouts {
      var settings = settings(name, codec, layout, rate: ntsc)
      settings.quality = VideoQuality(100)
      // The first render writes two parts in another order, and is killed in the third.
      do {
        let segments = try VideoSegments(settings, recipe: recipe)
        #expect(segments.missing(of: 50) == [0..<50])
        try write(20..<33, to: segments, settings)
        try write(0..<20, to: segments, settings)
        let writer = try segments.begin(at: 33)
        try writer.write(TestFrame(33, settings.layout, size))
      }
      let segments = try VideoSegments(settings, recipe: recipe)
      #expect(segments.finished.map(\.frames) == [0..<20, 20..<33])
      #expect(segments.missing(of: 50) == [33..<50])
      #expect(segments.missing(of: 30) == [])
      try write(33..<49, to: segments, settings)
      try write(49..<50, to: segments, settings)
      try segments.join(count: 50)
      let name = layout.hasAlpha ? "yuva420p" : layout.bits == 10 ? "yuv420p10le" : "yuv420p"
      let isSame = try decoded(settings.path, pixelFormat: name, decoder: codec == .vp9 ? "libvpx-vp9" : nil) == planes(settings, 0..<50)
      #expect(isSame)
      #expect(try probe(settings.path, "stream=r_frame_rate") == ["r_frame_rate=24000/1001"])
      let times = try probe(settings.path, "packet=pts").compactMap { Int($0.split(separator: "=")[1]) }.sorted()
      let base = try timeBase(settings.path)
      #expect(times.count == 50)
      for (frame, time) in times.enumerated() {
        let exact = Rational(frame * 1001, 24000) / base
        #expect(abs(Double(time) - exact.double) <= (base == Rational(1, 1000) ? 0.501 : 0))
      }
      // Decoding times increase.
      let decoding = try probe(settings.path, "packet=dts").compactMap { Int($0.split(separator: "=")[1]) }
      #expect(zip(decoding, decoding.dropFirst()).allSatisfy { $0 < $1 })
      segments.remove()
      #expect(try folder.names == [URL(filePath: settings.path).lastPathComponent])
    }
  }

  @Test(arguments: [("a.mkv", VideoCodec.ffv1), ("a.mov", .prores), ("a.mov", .prores4444)])
  func partsOfCodecsWithoutReferencesGiveTheSameFile(name: String, codec: VideoCodec) throws {
    let whole = settings("whole" + name, codec, codec.layouts.last)
    try writeVideo(whole, frames: 12)
    let settings = settings(name, codec, codec.layouts.last)
    let segments = try VideoSegments(settings, recipe: recipe)
    try write(0..<5, to: segments, settings)
    try write(5..<12, to: segments, settings)
    try segments.join(count: 12)
    let isSame = try Data(contentsOf: URL(filePath: settings.path)) == Data(contentsOf: URL(filePath: whole.path))
    #expect(isSame)
  }

  @Test func givenTimeStampsAreKept() throws {
    var settings = settings("a.mp4", .h264)
    settings.timing = .timeStamps(tick: Rational(1, 1000))
    let stamps = [0, 40, 200, 210, 220, 500, 501, 502, 900, 1500, 1501, 1502, 1503, 1504, 3000].map { Rational($0, 1000) }
    let segments = try VideoSegments(settings, recipe: recipe)
    for frames in [0..<6, 6..<9, 9..<15] {
      let writer = try segments.begin(at: frames.lowerBound)
      for frame in frames { try writer.write(TestFrame(frame, settings.layout, size), timeStamp: stamps[frame]) }
      try writer.finish()
    }
    try segments.join(count: 15, end: 4)
    let base = try timeBase(settings.path)
    let times = try probe(settings.path, "packet=pts").compactMap { Int($0.split(separator: "=")[1]) }.sorted()
    #expect(times.map { Rational($0) * base } == stamps)
    #expect(try movieDuration(settings.path) == 4)
  }

  @Test func aPartReplacesNoOtherFile() throws {
    let settings = settings("a.mp4", .h264)
    try Data("mine".utf8).write(to: URL(filePath: folder.file("a.part.mp4")))
    for name in ["a.part2.mp4", "a.part3.mp4"] {
      let writer = try VideoWriter(settings)
      try writer.write(TestFrame(0, settings.layout, size))
      #expect(try writer.finishPart() == folder.file(name))
    }
    #expect(try Data(contentsOf: URL(filePath: folder.file("a.part.mp4"))) == Data("mine".utf8))
  }

  /// What the head of an MP4 says (ISO/IEC 14496-12, 8.2.2); `ffprobe` from 6.1 on says instead when the last frame is decoded.
  private func movieDuration(_ path: String) throws -> Rational {
    let data = try Data(contentsOf: URL(filePath: path))
    let head = try #require(data.range(of: Data("mvhd".utf8)))
    func number(_ offset: Int) -> Int { data[head.upperBound + offset..<head.upperBound + offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    try #require(data[head.upperBound] == 0, "version 0 has 32 bits for each number")
    return Rational(number(16), number(12))
  }

  @Test func theSoundIsAddedAtTheEnd() throws {
    let sound = folder.file("s.wav")
    try runProgram(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=3", sound])
    var settings = settings("a.mp4", .h264)
    settings.sound = .file(SoundPlan.SoundFile(sound))
    let segments = try VideoSegments(settings, recipe: recipe)
    try write(0..<24, to: segments, settings)
    try write(24..<48, to: segments, settings)
    let notes = try segments.join(count: 48)
    #expect(notes.count == 1)
    #expect(try probe(settings.path, "format=duration") == ["duration=2.000000"])
    #expect(try probe(settings.path, "stream=codec_name") == ["codec_name=h264", "codec_name=aac"])
  }

  @Test func partsOfOtherRecipesAreRemoved() throws {
    var settings = settings("a.mp4", .h264)
    try write(0..<3, to: VideoSegments(settings, recipe: recipe), settings)
    // What is said when parts are joined does not matter.
    settings.metadata = [.init("title", "another")]
    #expect(try VideoSegments(settings, recipe: recipe).finished.count == 1)
    settings.quality = VideoQuality(10)
    do {
      let other = try VideoSegments(settings, recipe: recipe)
      #expect(other.finished.isEmpty)
      try other.lock(isShared: true)
      try write(0..<3, to: other, settings)
      // Others may make parts of the same recipe, and none of another one.
      try VideoSegments(settings, recipe: recipe).lock(isShared: true)
      let next = try VideoSegments(settings, recipe: ContentHash(of: [2]))
      #expect(throws: RenderError.self) { try next.lock(isShared: true) }
      #expect(other.finished.count == 1)
    }
    let next = try VideoSegments(settings, recipe: ContentHash(of: [2]))
    try next.lock()
    #expect(next.finished.isEmpty)
    #expect(try VideoSegments(settings, recipe: recipe).finished.isEmpty)
  }

  @Test func damagedPartsAreNotTaken() throws {
    let settings = settings("a.mp4", .h264)
    let segments = try VideoSegments(settings, recipe: recipe)
    try write(0..<3, to: segments, settings)
    try write(3..<6, to: segments, settings)
    let path = segments.finished[1].path
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    // Cut: the size is another one, and it is rendered again.
    try Data(bytes.dropLast(5)).write(to: URL(filePath: path))
    #expect(try VideoSegments(settings, recipe: recipe).missing(of: 6) == [3..<6])
    // Changed: joining tells it.
    bytes[bytes.count / 2] ^= 0x10
    try Data(bytes).write(to: URL(filePath: path))
    let damaged = try VideoSegments(settings, recipe: recipe)
    #expect(damaged.missing(of: 6) == [])
    let error = try #require(throws: RenderError.self) { try damaged.join(count: 6) }
    #expect(error.code == .invalidInput)
    #expect(try folder.names == [".a.mp4.segments"])
  }

  @Test func partsUpToTheFirstGapArePlayable() throws {
    let settings = settings("a.mp4", .h264)
    let segments = try VideoSegments(settings, recipe: recipe)
    try write(8..<12, to: segments, settings)
    #expect(try segments.joinPart() == nil)
    try write(0..<5, to: segments, settings)
    #expect(try segments.joinPart() == folder.file("a.part.mp4"))
    #expect(try decoded(folder.file("a.part.mp4"), pixelFormat: "yuv420p").count == 5 * settings.layout.byteCount(size))
  }

  @Test func abandonedPartsLeaveNothing() throws {
    let settings = settings("a.mp4", .h264)
    let segments = try VideoSegments(settings, recipe: recipe)
    do {
      let writer = try segments.begin(at: 0)
      try writer.write(TestFrame(0, settings.layout, size))
    }
    #expect(segments.finished.isEmpty)
    segments.remove()
    #expect(try folder.names == [])
  }
}

extension SegmentWriter {
  /// Writes planes that lie one after the other.
  fileprivate func write(_ frame: TestFrame, timeStamp: Rational? = nil) throws {
    try unsafe frame.withPlanes { planes in try unsafe write(planes, timeStamp: timeStamp) }
  }
}
