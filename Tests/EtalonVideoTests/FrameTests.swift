import EtalonDiagnostics
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Frames are those of `ffmpeg`, bit for bit, in whatever order they are asked for.
@Suite struct FrameTests {
  /// A video, and the planar format in which `ffmpeg` writes the same values.
  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let options: String
    let planar: String
    var order: [Int]?
    var size = "64x64"
    var testDescription: String { "\(file) \(options)" }

    init(_ file: String, _ options: String, _ planar: String, order: [Int]? = nil, size: String = "64x64") {
      self.file = file
      self.options = options
      self.planar = planar
      self.order = order
      self.size = size
    }
  }

  /// `ffmpeg` writes green, blue, red.
  private static let gbr = [1, 2, 0], gbra = [1, 2, 0, 3]

  private static let cases: [Case] = [
    Case("h264.mp4", "-c:v libx264 -preset fast -g 12 -pix_fmt yuv420p", "yuv420p"),
    Case("open.mkv", "-c:v libx264 -g 10 -bf 3 -x264-params open-gop=1 -pix_fmt yuv420p", "yuv420p"),
    Case("refresh.mkv", "-c:v libx264 -g 10 -x264-params intra-refresh=1 -pix_fmt yuv420p", "yuv420p"),
    Case("open.ts", "-c:v libx264 -g 10 -bf 3 -x264-params open-gop=1 -pix_fmt yuv420p", "yuv420p"),
    Case("refresh.ts", "-c:v libx264 -g 10 -x264-params intra-refresh=1 -pix_fmt yuv420p", "yuv420p"),
    Case("open.avi", "-c:v libx264 -g 10 -bf 3 -x264-params open-gop=1 -pix_fmt yuv420p", "yuv420p"),
    Case("high10.mp4", "-c:v libx264 -g 12 -pix_fmt yuv420p10le", "yuv420p10le"),
    Case("cropped.mp4", "-c:v libx264 -g 12 -pix_fmt yuv420p", "yuv420p", size: "70x38"),
    Case("interlaced.mov", "-c:v libx264 -g 12 -flags +ildct+ilme -x264-params tff=1 -pix_fmt yuv420p", "yuv420p"),
    Case("h264.ts", "-c:v libx264 -g 12 -pix_fmt yuv420p", "yuv420p"),
    Case("h264.avi", "-c:v libx264 -g 12 -bf 2 -pix_fmt yuv420p", "yuv420p"),
    Case("h264.flv", "-c:v libx264 -g 12 -pix_fmt yuv420p", "yuv420p"),
    Case("hevc.mp4", "-c:v libx265 -x265-params log-level=none:keyint=10:open-gop=1 -pix_fmt yuv420p", "yuv420p"),
    Case("mpeg2.mpg", "-c:v mpeg2video -g 10 -bf 2 -q:v 4 -pix_fmt yuv420p", "yuv420p"),
    Case("mpeg4.avi", "-c:v mpeg4 -g 10 -bf 2 -q:v 4 -pix_fmt yuv420p", "yuv420p"),
    Case("theora.ogv", "-c:v libtheora -g 10 -pix_fmt yuv420p", "yuv420p"),
    Case("vp8.webm", "-c:v libvpx -g 10 -deadline realtime -pix_fmt yuv420p", "yuv420p"),
    Case("vp9.webm", "-c:v libvpx-vp9 -g 10 -deadline realtime -cpu-used 8 -pix_fmt yuv420p", "yuv420p"),
    Case("prores.mov", "-c:v prores_ks -profile:v 3 -pix_fmt yuv422p10le", "yuv422p10le"),
    Case("mjpeg.mov", "-c:v mjpeg -q:v 3 -pix_fmt yuvj422p", "yuvj422p"),
    Case("ffv1.mkv", "-c:v ffv1 -pix_fmt yuv444p16le", "yuv444p16le"),
    Case("gray.mkv", "-c:v ffv1 -pix_fmt gray", "gray"),
    Case("gray10.mkv", "-c:v ffv1 -pix_fmt gray10le", "gray10le"),
    Case("gbrp.mkv", "-c:v ffv1 -pix_fmt gbrp10le", "gbrp10le", order: gbr),
    Case("gbrap.mkv", "-c:v ffv1 -pix_fmt gbrap12le", "gbrap12le", order: gbra),
    Case("y4m.y4m", "-pix_fmt yuv411p", "yuv411p"),
    Case("y4m-high.y4m", "-strict -1 -pix_fmt yuv420p12le", "yuv420p12le", size: "63x37"),
    Case("nv12.mkv", "-c:v rawvideo -pix_fmt nv12", "yuv420p"),
    Case("y210.mov", "-c:v v210 -pix_fmt yuv422p10le", "yuv422p10le"),
    Case("yuyv.mov", "-c:v rawvideo -pix_fmt yuyv422", "yuv422p"),
    Case("uyvy.avi", "-c:v rawvideo -pix_fmt uyvy422", "yuv422p"),
    Case("bgr.avi", "-c:v rawvideo -pix_fmt bgr24", "gbrp", order: gbr, size: "62x34"),
    Case("rgb48be.mov", "-c:v rawvideo -pix_fmt rgb48be", "gbrp16le", order: gbr),
    Case("argb.mov", "-c:v qtrle -pix_fmt argb", "gbrap", order: gbra),
    Case("png.mov", "-c:v png -pix_fmt rgba64be", "gbrap16le", order: gbra),
    Case("v210.mov", "-c:v v210 -pix_fmt yuv422p10le", "yuv422p10le"),
    Case("small.gif", "-filter_complex split[a][b];[a]palettegen[p];[b][p]paletteuse", "gbrap", order: gbra),
    // The direct way from a palette to planes rounds.
    Case(
      "palette.mov", "-filter_complex split[a][b];[a]palettegen[p];[b][p]paletteuse -c:v png", "gbrap -vf format=bgra", order: gbra),
    Case("small.apng", "-f apng -plays 0 -pix_fmt rgb24", "gbrp", order: gbr),
  ]

  @Test(arguments: cases) func areThoseOfFFmpeg(_ test: Case) throws {
    let path = try Clips.make(test.file, test.options, size: test.size)
    let linear = try VideoReader(path).allFrames()
    let expected = try Clips.frames(path, test.planar, bytesPerFrame: linear[0].bytes().count)
    #expect(linear.count == expected.count)
    for (index, pair) in zip(linear, expected).enumerated() {
      #expect(pair.0.bytes(test.order) == pair.1, "frame \(index)")
    }
    try expectJumpsGiveTheSame(path, linear)
  }

  /// On the way to a late picture, those before it that no other needs are not decoded.
  @Test func picturesThatNoOtherNeedsAreLeftOut() throws {
    let whole = try Clips.make("pairs.mp4", "-c:v libx264 -g 250 -bf 1 -x264-params b-pyramid=none -pix_fmt yuv420p", seconds: "3")
    let packets = String(
      decoding: try Clips.ffmpeg("-show_entries frame=pkt_pos,pkt_size,pict_type -of csv=p=0 \(whole)", command: "ffprobe"), as: UTF8.self)
    let between = packets.split(separator: "\n").filter { $0.contains("B") }
      .map { line in line.split(separator: ",").compactMap { Int($0) } }
    try #require(between.count > 20 && between.allSatisfy { $0.count == 2 })
    let path = try Clips.rewrite(whole, as: "damaged-pairs.mp4") { bytes in
      for packet in between.prefix(10) {
        for index in packet[0] + packet[1] / 3..<packet[0] + packet[1] { bytes[index] ^= 0x5A }
      }
    }
    let linear = try VideoReader(path)
    let last = try #require(try linear.allFrames().last)
    #expect(linear.damagedPackets > 0)
    let reader = try VideoReader(path)
    #expect(try reader.frame(at: last.timeStamp) == last)
    #expect(reader.damagedPackets == 0)
    // Where damage is an error, all are looked at.
    var options = VideoReader.Options()
    options.isStrict = true
    #expect(throws: RenderError.self) { try VideoReader(path, options: options).frame(at: last.timeStamp) }
  }

  /// Where a packet is missing, decoders take what they decoded before, so that nothing may be left out.
  @Test(arguments: [20, 21, 22, 23]) func aMissingPacketGivesTheSamePictures(number: Int) throws {
    let whole = try Clips.make(
      "lossy.mp4", "-vf noise=alls=20:allf=t -c:v libx264 -g 250 -bf 3 -flags +ildct+ilme -x264-params tff=1 -pix_fmt yuv420p", seconds: "3"
    )
    try Clips.ffmpeg("-i \(whole) -c copy -bsf:v noise=amount=0:drop=eq(n\\,\(number)) @lossy-\(number).mkv")
    let path = Clips.path("lossy-\(number).mkv")
    let linear = try VideoReader(path).allFrames()
    for index in [30, 45, 60] { #expect(try VideoReader(path).frame(at: linear[index].timeStamp) == linear[index], "frame \(index)") }
  }

  /// Pictures that are held for long are shown, although later ones are decoded before them.
  @Test(arguments: ["mp4", "mkv", "ts"]) func longPicturesAreNotLeftOut(form: String) throws {
    let slowing = "-vf setpts='if(lt(N,10),N,3*N-20)/(24*TB)' -vsync vfr"
    let path = try Clips.make(
      "long.\(form)", "\(slowing) -c:v libx264 -g 250 -bf 4 -x264-params b-pyramid=normal -pix_fmt yuv420p", seconds: "3")
    let linear = try VideoReader(path).allFrames()
    for (index, frame) in linear.enumerated() {
      // A new reader decodes from the start, the other one jumps.
      for reader in [try VideoReader(path), try VideoReader(path, after: linear[linear.count - 1 - index % 5])] {
        #expect(try reader.frame(at: frame.timeStamp + frame.duration * Rational(2, 3)) == frame, "frame \(index)")
      }
    }
  }

  /// Asks a new reader for frames in random order, at their times and between them.
  private func expectJumpsGiveTheSame(_ path: String, _ linear: [VideoFrame]) throws {
    var numbers = Numbers(state: 7)
    let reader = try VideoReader(path)
    for _ in 0..<12 {
      let wanted = linear[Int.random(in: linear.indices, using: &numbers)]
      let time = wanted.timeStamp + (Bool.random(using: &numbers) ? wanted.duration * Rational(1, 2) : 0)
      let found = try reader.frame(at: time)
      #expect(found.timeStamp == wanted.timeStamp, "asked for \(time)")
      #expect(found == wanted, "at \(time)")
    }
  }
}

extension VideoReader {
  /// A reader that has given out a frame.
  fileprivate convenience init(_ path: String, after frame: VideoFrame) throws {
    try self.init(path)
    _ = try self.frame(at: frame.timeStamp)
  }
}
