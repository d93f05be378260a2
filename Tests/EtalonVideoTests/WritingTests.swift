import EtalonDiagnostics
import EtalonMedia
import EtalonSystem
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Videos are written and read back with FFmpeg's commands.
@Suite struct WritingTests {
  private let folder: WritingFolder
  private let size = Size(64, 48)

  init() throws { folder = try WritingFolder() }

  private func settings(_ name: String, _ codec: VideoCodec, _ layout: PlaneLayout? = nil, rate: FrameRate = 24) -> VideoOutputSettings {
    VideoOutputSettings(path: folder.file(name), size: size, codec: codec, layout: layout, timing: .rate(rate))
  }

  // MARK: pixels

  @Test(arguments: ["a.mp4", "a.m4v", "a.mov", "a.mkv"]) func h264OfTheHighestQualityKeepsEveryBit(name: String) throws {
    var settings = settings(name, .h264)
    settings.quality = VideoQuality(100)
    let written = try writeVideo(settings, frames: 30)
    let isSame = try decoded(settings.path, pixelFormat: "yuv420p") == written
    #expect(isSame)
    #expect(try folder.names == [name])
  }

  @Test func lowerQualityGivesSmallerFiles() throws {
    let sizes = try [90, 75, 50, 0].map { number in
      var settings = settings("a\(number).mp4", .h264)
      settings.quality = VideoQuality(number)
      try writeVideo(settings, frames: 10)
      return try #require(try FileManager.default.attributesOfItem(atPath: settings.path)[.size] as? Int)
    }
    #expect(sizes == sizes.sorted(by: >) && Set(sizes).count == 4)
  }

  @Test func rowsMayLieApartAndAnywhere() throws {
    var settings = settings("a.mp4", .h264)
    settings.quality = VideoQuality(100)
    let writer = try VideoWriter(settings)
    let frame = TestFrame(0, .yuv420p8, size)
    // One byte before the planes, and three behind each row.
    var apart: [UInt8] = [0]
    var starts: [Int] = []
    var offset = 0
    for plane in 0..<3 {
      let planeSize = PlaneLayout.yuv420p8.size(ofPlane: plane, in: size)
      starts.append(apart.count)
      for _ in 0..<planeSize.height {
        apart += frame.bytes[offset..<offset + planeSize.width] + [255, 255, 255]
        offset += planeSize.width
      }
    }
    try unsafe apart.withUnsafeBytes { bytes in
      try unsafe writer.write(
        (0..<3).map { plane in
          unsafe FramePlane(
            rows: UnsafeRawBufferPointer(rebasing: bytes[starts[plane]...]),
            bytesPerRow: PlaneLayout.yuv420p8.size(ofPlane: plane, in: size).width + 3)
        })
    }
    try writer.finish()
    let isSame = try decoded(settings.path, pixelFormat: "yuv420p") == frame.bytes
    #expect(isSame)
  }

  @Test func theSameFramesGiveTheSameBytes() throws {
    let files = try ["a.mp4", "b.mp4"].map { name in
      var settings = settings(name, .h264)
      settings.metadata = [.init("title", "Bytes")]
      try writeVideo(settings, frames: 20)
      return try Data(contentsOf: URL(filePath: settings.path))
    }
    #expect((files[0] == files[1]) as Bool)
  }

  // MARK: tags and times

  @Test func tagsSayWhatTheSettingsSay() throws {
    var settings = settings("a.mp4", .h264)
    try writeVideo(settings, frames: 3)
    let entries =
      "stream=codec_name,profile,pix_fmt,color_range,color_space,color_transfer,color_primaries,chroma_location,sample_aspect_ratio"
    #expect(
      try probe(settings.path, entries) == [
        "codec_name=h264", "profile=High", "sample_aspect_ratio=1:1", "pix_fmt=yuv420p", "color_range=tv", "color_space=bt709",
        "color_transfer=bt709", "color_primaries=bt709", "chroma_location=left",
      ])
    settings.color = VideoColor(range: .full, matrix: .bt2020, primaries: .bt2020, transfer: .smpte2084, chromaLocation: .topLeft)
    settings.pixelAspect = Rational(4, 3)
    try writeVideo(settings, frames: 3)
    #expect(
      try probe(settings.path, entries) == [
        "codec_name=h264", "profile=High", "sample_aspect_ratio=4:3", "pix_fmt=yuvj420p", "color_range=pc", "color_space=bt2020nc",
        "color_transfer=smpte2084", "color_primaries=bt2020", "chroma_location=topleft",
      ])
  }

  /// The index stands before the frames, so that players start before they have all of a file.
  @Test func theIndexOfAnMP4StandsFirst() throws {
    let settings = settings("a.mp4", .h264)
    try writeVideo(settings, frames: 3)
    let bytes = try Data(contentsOf: URL(filePath: settings.path))
    let index = try #require(bytes.range(of: Data("moov".utf8)))
    let frames = try #require(bytes.range(of: Data("mdat".utf8)))
    #expect(index.lowerBound < frames.lowerBound)
    #expect(bytes.range(of: Data("colrnclx".utf8)) != nil)
  }

  @Test(arguments: [
    ("a.mp4", "24000/1001"), ("a.mov", "30000/1001"), ("a.mp4", "25/2"), ("a.mp4", "60/1"), ("a.mkv", "24000/1001"), ("a.mp4", "7/3"),
  ])
  func ratesAreExact(name: String, rate: String) throws {
    let fraction = try #require(FrameRate(rate))
    let settings = settings(name, .h264, rate: fraction)
    try writeVideo(settings, frames: 48)
    #expect(try probe(settings.path, "stream=r_frame_rate,avg_frame_rate") == ["r_frame_rate=\(rate)", "avg_frame_rate=\(rate)"])
    let times = try presentationTimes(settings.path)
    #expect(times.count == 48)
    let isExact = settings.container != .mkv
    for (number, time) in times.sorted().enumerated() {
      let expected = fraction.frameDuration * Rational(number)
      #expect(isExact ? time == expected : abs(time.double - expected.double) <= 0.000501)
    }
    if isExact {
      let duration = try #require(try probe(settings.path, "stream=duration").first)
      #expect(abs((Double(duration.split(separator: "=")[1]) ?? 0) - 48 * fraction.frameDuration.double) < 1e-5)
    }
  }

  @Test(arguments: ["a.mp4", "a.mkv"]) func givenTimeStampsAreKept(name: String) throws {
    var settings = settings(name, .h264)
    settings.timing = .timeStamps(tick: Rational(1, 90000))
    let stamps = [0, 1, 3, 4, 5, 9, 20, 21, 22, 40].map { Rational($0, 20) }
    let writer = try VideoWriter(settings)
    for (number, stamp) in stamps.enumerated() { try writer.write(TestFrame(number, settings.layout, size), timeStamp: stamp) }
    try writer.finish(end: Rational(5, 2))
    #expect(try presentationTimes(settings.path).sorted() == stamps)
    if name == "a.mp4" { #expect(try probe(settings.path, "stream=duration") == ["duration=2.500000"]) }
  }

  @Test func timeStampsMustIncrease() throws {
    var settings = settings("a.mp4", .h264)
    settings.timing = .timeStamps(tick: Rational(1, 1000))
    let writer = try VideoWriter(settings)
    let frame = TestFrame(0, settings.layout, size)
    try writer.write(frame, timeStamp: 1)
    let error = try #require(throws: RenderError.self) { try writer.write(frame, timeStamp: 1) }
    #expect(error.code == .invalidInput)
  }

  private func presentationTimes(_ path: String) throws -> [Rational] {
    let base = try #require(try probe(path, "stream=time_base").first.flatMap { Rational($0.split(separator: "=")[1]) })
    return try probe(path, "packet=pts").map { try #require(Rational($0.split(separator: "=")[1])) * base }
  }

  @Test(arguments: 2...8) func orientationsAreSaid(orientation: Int) throws {
    var settings = settings("a.mp4", .h264)
    settings.orientation = orientation
    settings.quality = VideoQuality(100)
    let written = try writeVideo(settings, frames: 1)
    let turned = Array(try runProgram(["ffmpeg", "-v", "error", "-i", settings.path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]))
    let swaps = orientation >= 5
    let width = swaps ? size.height : size.width
    let height = swaps ? size.width : size.height
    for y in 0..<height {
      for x in 0..<width {
        let (sourceX, sourceY) =
          switch orientation {
          case 2: (size.width - 1 - x, y)
          case 3: (size.width - 1 - x, size.height - 1 - y)
          case 4: (x, size.height - 1 - y)
          case 5: (y, x)
          case 6: (y, size.height - 1 - x)
          case 7: (size.width - 1 - y, size.height - 1 - x)
          default: (size.width - 1 - y, x)
          }
        guard turned[y * width + x] == written[sourceY * size.width + sourceX] else {
          Issue.record("orientation \(orientation) at \(x), \(y)")
          return
        }
      }
    }
  }

  @Test(arguments: ["a.mp4", "a.mov", "a.mkv"]) func metadataAndTimecodeAreWritten(name: String) throws {
    var settings = settings(name, .h264)
    settings.metadata = [.init("title", "Glow & more"), .init("shader", "plasma")]
    settings.timecode = "01:02:03:04"
    try writeVideo(settings, frames: 2)
    let tags = try probe(settings.path, "format_tags:stream_tags").map { $0.lowercased() }
    #expect(tags.contains("tag:title=glow & more"))
    #expect(tags.contains("tag:shader=plasma"))
    #expect(tags.contains("tag:timecode=01:02:03:04"))
    #expect(!tags.contains { $0.contains("lavf5") || $0.contains("creation_time") })
  }

  @Test func timecodesMayDropNumbers() throws {
    var settings = settings("a.mov", .prores, rate: try #require(FrameRate("29.97")))
    settings.timecode = "00:59:58;12"
    #expect(settings.diagnostics() == [])
    try writeVideo(settings, frames: 2)
    #expect(try probe(settings.path, "format_tags:stream_tags").contains("TAG:timecode=00:59:58;12"))
  }

  // MARK: ends

  @Test func partsArePlayable() throws {
    let settings = settings("a.mp4", .h264)
    let writer = try VideoWriter(settings)
    for number in 0..<7 { try writer.write(TestFrame(number, settings.layout, size)) }
    #expect(try writer.finishPart() == folder.file("a.part.mp4"))
    #expect(try folder.names == ["a.part.mp4"])
    #expect(try decoded(folder.file("a.part.mp4"), pixelFormat: "yuv420p").count == 7 * settings.layout.byteCount(size))
  }

  @Test func aPartWithoutFramesLeavesNothing() throws {
    let writer = try VideoWriter(settings("a.mp4", .h264))
    #expect(try writer.finishPart() == nil)
    #expect(try folder.names == [])
  }

  @Test(arguments: VideoCodec.allCases, [0, 1, 9]) func abandonedVideosLeaveNothing(codec: VideoCodec, frames: Int) throws {
    let settings = settings("a.\(codec.containers[0].rawValue)", codec)
    do {
      let writer = try VideoWriter(settings)
      for number in 0..<frames { try writer.write(TestFrame(number, settings.layout, size)) }
      #expect(try folder.names.count == 1)
      writer.abandon()
      #expect(try folder.names == [])
    }
    do {
      let writer = try VideoWriter(settings)
      for number in 0..<frames { try writer.write(TestFrame(number, settings.layout, size)) }
    }
    #expect(try folder.names == [])
  }

  @Test func foldersAreMade() throws {
    try writeVideo(settings("out.mp4/b/a.mp4", .h264), frames: 1)
    #expect(try folder.names == ["out.mp4"])
    let error = try #require(throws: RenderError.self) { try VideoWriter(settings("out.mp4", .h264)) }
    #expect(error.underlying == "it is a folder")
  }

  /// A file that grows beyond what the system allows, as one does on a full disk.
  @Test func fullDisksAreToldAndLeaveNothing() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let folder = try WritingFolder()
      let size = Size(640, 480)
      var settings = VideoOutputSettings(path: folder.file("a.mp4"), size: size, codec: .h264, timing: .rate(24))
      settings.quality = VideoQuality(100)
      let error = try #require(throws: RenderError.self) { try writeVideo(settings, frames: 40) }
      #expect(error.code == .cannotWrite)
      #expect(error.message == "cannot write '\(settings.path)'")
      #expect(error.underlying == "File too large")
      #expect(error.help.first?.contains("ulimit -f") == true)
      #expect(try folder.names == [])
    }
  }
}
