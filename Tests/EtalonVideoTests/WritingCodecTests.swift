import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Every codec in every container with every form of planes.
@Suite struct WritingCodecTests {
  private let folder: WritingFolder

  init() throws { folder = try WritingFolder() }

  struct Case: Sendable, CustomTestStringConvertible {
    let codec: VideoCodec
    let container: VideoContainer
    let layout: PlaneLayout

    var testDescription: String { "\(codec) \(container) \(layout)" }

    static let all = VideoCodec.allCases.filter { !$0.isPicture }.flatMap { codec in
      codec.containers.flatMap { container in codec.layouts.map { Case(codec: codec, container: container, layout: $0) } }
    }
  }

  /// What FFmpeg calls the form in which it decodes them, red, green and blue in another order.
  private static let names: [PlaneLayout: String] = [
    .yuv420p8: "yuv420p", .yuva420p8: "yuva420p", .yuv420p10: "yuv420p10le", .yuv422p10: "yuv422p10le", .yuv444p10: "yuv444p10le",
    .yuva444p10: "yuva444p10le",
    .rgb8: "bgr24", .rgba8: "bgra", .rgb10: "gbrp10le", .rgba10: "gbrap10le", .rgb12: "gbrp12le", .rgba12: "gbrap12le", .rgb16: "gbrp16le",
    .rgba16: "gbrap16le",
  ]

  /// The samples of one frame in FFmpeg's order.
  private static func libraryOrder(_ bytes: [UInt8], _ layout: PlaneLayout, _ size: Size) -> [UInt8] {
    guard layout.isRGB else { return bytes }
    if layout.bits == 8 {
      let count = size.pixelCount
      return (0..<count).flatMap { (pixel: Int) -> [UInt8] in
        [2, 1, 0, 3][..<layout.planeCount].map { bytes[$0 * count + pixel] }
      }
    }
    let plane = size.pixelCount * layout.bytesPerSample
    return [1, 2, 0, 3][..<layout.planeCount].flatMap { bytes[$0 * plane..<($0 + 1) * plane] }
  }

  @Test(arguments: Case.all) func framesComeBack(_ combination: Case) throws {
    let size = Size(64, 48)
    let path = folder.file("a.\(combination.container.rawValue)")
    let settings = VideoOutputSettings(path: path, size: size, codec: combination.codec, layout: combination.layout, timing: .rate(25))
    let frames = 8
    #expect(settings.diagnostics() == [])
    let written = try writeVideo(settings, frames: frames)
    // The decoder that is taken by itself does not know alpha.
    let decoder = combination.codec == .vp9 ? "libvpx-vp9" : nil
    let name = try #require(Self.names[combination.layout])
    let read = try decoded(path, pixelFormat: name, decoder: decoder)
    let frameBytes = combination.layout.byteCount(size)
    let expected = (0..<frames).flatMap { frame in
      Self.libraryOrder(Array(written[frame * frameBytes..<(frame + 1) * frameBytes]), combination.layout, size)
    }
    try #require(read.count == expected.count)
    if combination.codec.isLossless {
      let isSame = read == expected
      #expect(isSame)
    } else {
      #expect(meanDifference(read, expected, combination.layout) < 0.02)
    }
    // The parts of HLS count time without a rate, and lie beside the list.
    guard combination.container != .m3u8 else { return }
    #expect(try probe(path, "stream=r_frame_rate", ["-select_streams", "v"]) == ["r_frame_rate=25/1"])
    #expect(try folder.names == ["a.\(combination.container.rawValue)"])
  }

  /// The mean difference of samples, as a part of the largest one.
  private func meanDifference(_ a: [UInt8], _ b: [UInt8], _ layout: PlaneLayout) -> Double {
    let step = layout.bytesPerSample
    var sum = 0
    for index in stride(from: 0, to: a.count, by: step) {
      let first = step == 1 ? Int(a[index]) : Int(a[index]) | Int(a[index + 1]) << 8
      let second = step == 1 ? Int(b[index]) : Int(b[index]) | Int(b[index + 1]) << 8
      sum += abs(first - second)
    }
    return Double(sum) / Double(a.count / step) / Double((1 << layout.bits) - 1)
  }

  @Test(arguments: [VideoCodec.vp9, .ffv1, .prores, .prores4444], [Size(33, 17), Size(64, 17), Size(1, 1), Size(2, 3)])
  func oddSizesAreWritten(codec: VideoCodec, size: Size) throws {
    let path = folder.file("a.\(codec.containers[0].rawValue)")
    let settings = VideoOutputSettings(path: path, size: size, codec: codec, timing: .rate(25))
    guard settings.diagnostics().isEmpty else { return }
    try writeVideo(settings, frames: 2)
    #expect(try probe(path, "stream=width,height") == ["width=\(size.width)", "height=\(size.height)"])
    let name = try #require(Self.names[settings.layout])
    #expect(try decoded(path, pixelFormat: name).count == 2 * settings.layout.byteCount(size))
  }

  /// Frames of all encoders, with references in both directions, and with the two encoders of AV1.
  @Test(arguments: [
    ("a.mp4", VideoCodec.h264, PlaneLayout.yuv420p10), ("a.mp4", .hevc, .yuv420p8), ("a.mkv", .hevc, .yuv420p10),
    ("a.mp4", .av1, .yuv420p8),
    ("a.webm", .av1, .yuv420p10), ("b.webm", .vp9, .yuv420p10),
  ]) func theHighestQualityKeepsEveryBit(name: String, codec: VideoCodec, layout: PlaneLayout) throws {
    var settings = VideoOutputSettings(path: folder.file(name), size: Size(64, 64), codec: codec, layout: layout, timing: .rate(25))
    settings.quality = VideoQuality(100)
    let written = try writeVideo(settings, frames: 72)
    let isSame = try decoded(settings.path, pixelFormat: #require(Self.names[layout])) == written
    #expect(isSame)
    settings.quality = VideoQuality(60)
    try writeVideo(settings, frames: 12)
    let lossy = try decoded(settings.path, pixelFormat: #require(Self.names[layout]))
    #expect(lossy.count == written.count / 6)
    #expect(meanDifference(lossy, Array(written.prefix(lossy.count)), layout) < 0.03)
  }

  /// Encoders know with the third frame how they reorder.
  @Test(arguments: VideoCodec.allCases.filter { !$0.isPicture }, 1...4)
  func shortVideosHaveTheTimesOfTheirFrames(codec: VideoCodec, frames: Int) throws {
    let settings = VideoOutputSettings(
      path: folder.file("a.\(codec.containers[0].rawValue)"), size: Size(64, 48), codec: codec, timing: .rate(25))
    try writeVideo(settings, frames: frames)
    #expect(try VideoReader(settings.path).timeStamps() == (0..<frames).map { Rational($0, 25) })
  }

  /// SVT-AV1 makes real-time threads where it runs as root, which starve all else, and the thread that opens it one of them.
  @Test func encodersLeaveTheSchedulingAlone() async {
    await #expect(processExitsWith: .success) {
      let folder = try WritingFolder()
      let size = Size(64, 64)
      let settings = VideoOutputSettings(path: folder.file("a.mp4"), size: size, codec: .av1, timing: .rate(25))
      let writer = try VideoWriter(settings)
      try writer.write(TestFrame(0, settings.layout, size))
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { pid_t($0) }
      #expect(threads.count > 1 && threads.allSatisfy { sched_getscheduler($0) == SCHED_OTHER })
    }
  }

  /// Memory that was used before must not show in the packets of pictures that are one block of the encoder wide or high, nor be written behind its end.
  @Test(arguments: [Size(64, 64), Size(128, 64), Size(64, 128), Size(48, 48), Size(34, 40), Size(32, 32)])
  func smallHEVCIsTheSameEachTime(size: Size) throws {
    var packets: Set<[UInt8]> = []
    for number in 0..<5 {
      let settings = VideoOutputSettings(path: folder.file("\(number).mkv"), size: size, codec: .hevc, timing: .rate(25))
      let writer = try VideoWriter(settings)
      for frame in 0..<40 { try writer.write(TestFrame(frame, settings.layout, size)) }
      try writer.finish()
      packets.insert(Array(try runProgram(["ffmpeg", "-v", "error", "-i", settings.path, "-c", "copy", "-f", "hevc", "-"])))
    }
    #expect(packets.count == 1)
  }

  @Test(arguments: [("a.mp4", "hvc1"), ("a.mov", "hvc1")]) func appleKnowsTheNameOfHEVC(name: String, tag: String) throws {
    let settings = VideoOutputSettings(path: folder.file(name), size: Size(64, 48), codec: .hevc, timing: .rate(25))
    try writeVideo(settings, frames: 2)
    #expect(try probe(settings.path, "stream=codec_tag_string") == ["codec_tag_string=\(tag)"])
  }

  @Test func vp9OfTheHighestQualityKeepsEveryBit() throws {
    for layout in [PlaneLayout.yuv420p8, .yuva420p8] {
      var settings = VideoOutputSettings(path: folder.file("a.webm"), size: Size(64, 48), codec: .vp9, layout: layout, timing: .rate(25))
      settings.quality = VideoQuality(100)
      let written = try writeVideo(settings, frames: 12)
      let isSame = try decoded(settings.path, pixelFormat: layout.hasAlpha ? "yuva420p" : "yuv420p", decoder: "libvpx-vp9") == written
      #expect(isSame)
    }
  }

  @Test(arguments: [(0, "Proxy"), (25, "LT"), (50, "Standard"), (75, "HQ")]) func qualityChoosesTheProfileOfProRes(
    quality: Int, profile: String
  ) throws {
    var settings = VideoOutputSettings(path: folder.file("a.mov"), size: Size(64, 48), codec: .prores, timing: .rate(25))
    settings.quality = VideoQuality(quality)
    try writeVideo(settings, frames: 1)
    #expect(try probe(settings.path, "stream=profile") == ["profile=\(profile)"])
  }

  @Test(arguments: [
    (VideoCodec.prores, "prores.mov", "tv", "bt709", "bt709"), (.vp9, "vp9.webm", "tv", "bt709", "bt709"),
    (.hevc, "hevc.mp4", "tv", "bt709", "bt709"), (.av1, "av1.mp4", "tv", "bt709", "bt709"),
    (.ffv1, "ffv1.mkv", "pc", "gbr", "iec61966-2-1"), (.prores4444, "p4.mov", "tv", "bt709", "bt709"),
  ]) func tagsSayWhatTheSettingsSay(codec: VideoCodec, name: String, range: String, matrix: String, transfer: String) throws {
    let settings = VideoOutputSettings(path: folder.file(name), size: Size(64, 48), codec: codec, timing: .rate(25))
    try writeVideo(settings, frames: 1)
    let said = try probe(settings.path, "stream=color_range,color_space,color_transfer,color_primaries")
    // The range of ProRes is always limited, so that its files do not say it; FFmpeg 6.1 does not say it either.
    let ranges = codec == .prores || codec == .prores4444 ? [range, "unknown"] : [range]
    #expect(ranges.map { "color_range=\($0)" }.contains(said.first))
    #expect(said.dropFirst() == ["color_space=\(matrix)", "color_transfer=\(transfer)", "color_primaries=bt709"])
  }

  @Test(arguments: VideoCodec.allCases.filter { $0 != .gif }) func theSameFramesGiveTheSameBytes(codec: VideoCodec) throws {
    let files = try ["a", "b"].map { name in
      let path = folder.file("\(name).\(codec.containers[0].rawValue)")
      try writeVideo(VideoOutputSettings(path: path, size: Size(300, 272), codec: codec, timing: .rate(25)), frames: 4)
      return try Data(contentsOf: URL(filePath: path))
    }
    #expect(files[0] == files[1])
  }

  /// Slices of FFV1 have checksums, so that damage is found, and every frame stands for itself.
  @Test func ffv1IsMadeForArchives() throws {
    let settings = VideoOutputSettings(path: folder.file("a.mkv"), size: Size(320, 256), codec: .ffv1, timing: .rate(25))
    try writeVideo(settings, frames: 4)
    #expect(try probe(settings.path, "packet=flags").allSatisfy { $0.contains("K") })
    let log = try runProgram(["sh", "-c", "ffmpeg -v debug -debug pict -i '\(settings.path)' -f null - 2>&1 | grep -a 'ec:' | head -n 1"])
    let line = String(decoding: log, as: UTF8.self)
    #expect(line.contains("ver:3") && line.contains("ec:1"), "\(line)")
  }
}
