import EtalonDiagnostics
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// What readers tell about a video.
@Suite struct DescriptionTests {
  @Test func whatIsNotSaidIsNil() throws {
    let said = try VideoReader(Clips.make("plain.avi", "-c:v mpeg4 -pix_fmt yuv420p")).description
    #expect(said.container == "avi")
    #expect(said.codec == "mpeg4")
    #expect(said.color.matrix == nil && said.color.transfer == nil && said.color.primaries == nil && said.color.range == nil)
    #expect(said.orientation == 1)
    #expect(said.language == nil && said.timecode == nil)
    #expect(said.soundStreams.isEmpty && said.videoStreamCount == 1)
    #expect(said.pixels.layout == .yCbCr && !said.pixels.hasAlpha && said.pixels.planeCount == 3)
  }

  @Test func colorsAreThoseOfTheFile() throws {
    // FFmpeg 7 takes what frames say, and not its own options.
    let frames = "format=yuv420p10le,setparams=range=pc:colorspace=bt2020nc:color_trc=smpte2084:color_primaries=bt2020"
    let options = "-vf \(frames) -c:v libx264 -color_range pc -x264-params chromaloc=2"
    let said = try VideoReader(Clips.make("color.mp4", options)).description
    #expect(said.color.range == .full)
    #expect(said.color.matrix?.number == 9 && said.color.matrix?.name == "bt2020nc")
    #expect(said.color.transfer?.number == 16)
    #expect(said.color.primaries?.number == 9)
    #expect(said.color.chromaLocation == .topLeft)
    #expect(said.pixels.name == "yuv420p10le" && said.pixels.bits == 10)
    #expect(said.pixels.chromaWidth == 2 && said.pixels.chromaHeight == 2)
  }

  @Test func sizesAreTold() throws {
    let said = try VideoReader(Clips.make("size.mp4", "-c:v libx264 -pix_fmt yuv420p -vf setsar=4/3", size: "70x38")).description
    #expect(said.size == Size(70, 38))
    #expect(said.codedSize == Size(80, 48))
    #expect(said.sampleAspectRatio == Rational(4, 3))
    let frame = try VideoReader(Clips.path("size.mp4")).frame(at: 0)
    #expect(frame.planes.map(\.size) == [Size(70, 38), Size(35, 19), Size(35, 19)])
  }

  @Test func textsAndSoundsAreTold() throws {
    try Clips.ffmpeg(
      """
      -f lavfi -i testsrc2=s=64x64:r=25:d=1 -f lavfi -i sine=r=44100:d=1 -f lavfi -i sine=r=48000:d=1 -map 0 -map 1 -map 2 -c:v libx264 \
      -pix_fmt yuv420p -c:a aac -ac 2 -metadata title=Waves -metadata:s:v:0 language=deu -metadata:s:a:1 language=fra -timecode 01:02:03:04 @texts.mp4
      """)
    let said = try VideoReader(Clips.path("texts.mp4")).description
    #expect(said.metadata["title"] == "Waves")
    #expect(said.language == "deu")
    #expect(said.timecode == "01:02:03:04")
    #expect(said.soundStreams.map(\.sampleRate) == [44100, 48000])
    #expect(said.soundStreams.map(\.channelCount) == [2, 2])
    #expect(said.soundStreams[1].language == "fra" && said.soundStreams[1].codec == "aac")
  }

  @Test(arguments: [
    ("tff", "-c:v libx264 -vf setfield=tff -flags +ildct+ilme", VideoDescription.FieldOrder.topFirst),
    ("bff", "-c:v libx264 -vf setfield=bff -flags +ildct+ilme", .bottomFirst), ("progressive", "-c:v libx264", .progressive),
  ]) func fieldsAreTold(name: String, options: String, order: VideoDescription.FieldOrder) throws {
    let reader = try VideoReader(Clips.make("fields-\(name).mp4", "\(options) -pix_fmt yuv420p", seconds: "0.2"))
    #expect(reader.description.fieldOrder == order)
    let frame = try reader.frame(at: 0)
    #expect(frame.isInterlaced == (order != .progressive))
    #expect(!frame.isInterlaced || frame.topFieldFirst == (order == .topFirst))
  }

  /// The matrices of the eight orientations: a, b, c and d; a point (x, y) is shown at (a x + c y, b x + d y).
  private static let matrices: [(Int, [Int32])] = [
    (1, [1, 0, 0, 1]), (2, [-1, 0, 0, 1]), (3, [-1, 0, 0, -1]), (4, [1, 0, 0, -1]), (5, [0, 1, 1, 0]), (6, [0, 1, -1, 0]),
    (7, [0, -1, -1, 0]), (8, [0, -1, 1, 0]),
  ]

  /// Turned as EXIF describes it, the picture is the one that `ffmpeg` turns by itself.
  @Test(arguments: matrices) func orientationsAreThoseOfEXIF(orientation: Int, matrix: [Int32]) throws {
    let upright = try Clips.make("upright-\(orientation).mp4", "-c:v libx264 -pix_fmt yuv420p", seconds: "0.1", size: "48x32")
    let path = try Clips.rewrite(upright, as: "turned-\(orientation).mp4") { bytes in
      let start = bytes.indices.first { bytes[$0...].starts(with: Array("tkhd".utf8)) }
      for (place, value) in zip([44, 48, 56, 60], matrix) {
        let word = UInt32(bitPattern: value << 16)
        for index in 0..<4 { bytes[start! + place + index] = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index)) }
      }
    }
    let reader = try VideoReader(path)
    #expect(reader.description.orientation == orientation)
    let turned = [UInt8](try Clips.ffmpeg("-i \(path) -frames:v 1 -f rawvideo -pix_fmt yuv420p -"))
    #expect(Array(turned[..<(48 * 32)]) == turn(try reader.frame(at: 0).planes[0], orientation))
  }

  private func turn(_ plane: PixelBuffer, _ orientation: Int) -> [UInt8] {
    let (w, h) = (plane.size.width, plane.size.height)
    let isTurned = orientation >= 5
    return (0..<(isTurned ? w : h)).flatMap { y in
      (0..<(isTurned ? h : w)).map { x in
        let (column, row) =
          switch orientation {
          case 2: (w - 1 - x, y)
          case 3: (w - 1 - x, h - 1 - y)
          case 4: (x, h - 1 - y)
          case 5: (y, x)
          case 6: (y, h - 1 - x)
          case 7: (w - 1 - y, h - 1 - x)
          case 8: (w - 1 - y, x)
          default: (x, y)
          }
        return plane.bytes[row * w + column]
      }
    }
  }

  /// FFmpeg's own decoder of VP9 would leave alpha out.
  @Test func alphaOfVP9IsDecoded() throws {
    let options = "-vf format=yuva420p,geq=lum='p(X,Y)':a='4*X' -c:v libvpx-vp9 -auto-alt-ref 0 -deadline realtime -cpu-used 8 -g 10"
    let path = try Clips.make("alpha.webm", options)
    let reader = try VideoReader(path)
    #expect(reader.description.decoder == "libvpx-vp9")
    #expect(reader.description.pixels.name == "yuva420p" && reader.description.pixels.hasAlpha)
    let linear = try reader.allFrames()
    let expected = try Clips.frames(path, "yuva420p", bytesPerFrame: 10240, options: "-c:v libvpx-vp9")
    #expect(linear.map { $0.bytes() } == expected)
    #expect(linear[0].planes[3].bytes.contains { $0 < 100 })
    for index in [30, 3, 21, 12] { #expect(try reader.frame(at: linear[index].timeStamp) == linear[index]) }
  }

  @Test func alphaOfProResIsDecoded() throws {
    let options = "-vf format=yuva444p10le,geq=lum='p(X,Y)':a='16*X' -c:v prores_ks -profile:v 4444 -alpha_bits 16"
    let path = try Clips.make("alpha.mov", options, seconds: "0.3")
    let reader = try VideoReader(path)
    let pixels = reader.description.pixels
    #expect(pixels.hasAlpha && pixels.planeCount == 4)
    let linear = try reader.allFrames()
    #expect(linear.map { $0.bytes() } == (try Clips.frames(path, pixels.name, bytesPerFrame: linear[0].bytes().count)))
  }

  @Test func streamsAreChosen() throws {
    try Clips.ffmpeg(
      """
      -f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -f lavfi -i testsrc2=s=32x48:r=25:d=0.2 -map 0 -map 1 -c:v libx264 -pix_fmt yuv420p @two.mkv
      """)
    let path = Clips.path("two.mkv")
    #expect(try VideoReader(path, stream: 0).description.size == Size(64, 64))
    #expect(try VideoReader(path, stream: 1).description.size == Size(32, 48))
    let error = try #require(throws: RenderError.self) { try VideoReader(path, stream: 2) }
    #expect(error.underlying == "it has no video stream 2, only 2")
  }
}
