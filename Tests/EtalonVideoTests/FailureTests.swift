import EtalonDiagnostics
import EtalonSystem
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Files that are no videos, damaged, or never end.
@Suite struct FailureTests {
  private static let x264 = "-c:v libx264 -preset fast -g 12 -pix_fmt yuv420p"

  private func failure(_ path: String, options: VideoReader.Options = .init()) throws -> RenderError {
    try #require(throws: RenderError.self) { try VideoReader(path, options: options) }
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: Clips.path(name)))
    return Clips.path(name)
  }

  @Test func whatIsNoVideoIsTold() throws {
    #expect(try failure("/nowhere/a.mp4").underlying == "No such file or directory")
    #expect(try failure(Clips.folder).underlying == "it is a folder")
    #expect(try failure(write("empty.mp4", [])).underlying == "the file is empty")
    let text = try failure(write("text.mp4", Array("Lorem ipsum dolor sit amet".utf8)))
    #expect(text.code == .invalidInput && text.message.hasSuffix("text.mp4' is not a video that Etalon reads"))
    #expect(text.help.first?.contains("ffmpeg -i") == true)
    try Clips.ffmpeg("-f lavfi -i sine=d=0.2 @tone.wav")
    #expect(try failure(Clips.path("tone.wav")).underlying == "it has no video")
    try Clips.ffmpeg("-f lavfi -i testsrc2=s=64x64 -frames:v 1 @picture.png")
    #expect(try failure(Clips.path("picture.png")).underlying == "it looks like 'png_pipe', which is not read")
  }

  /// The picture on the cover of an album is no video.
  @Test func coversAreNoVideos() throws {
    try Clips.ffmpeg(
      """
      -f lavfi -i sine=d=0.2 -f lavfi -i testsrc2=s=64x64:d=0.04 -map 0 -map 1 -c:a flac -c:v png -frames:v 1 -disposition:v attached_pic @cover.flac
      """)
    #expect(try failure(Clips.path("cover.flac")).underlying == "it has no video")
  }

  /// Lists of other files could name any file or address.
  @Test func listsOfFilesAreRefused() throws {
    let video = try Clips.make("listed.ts", Self.x264, seconds: "0.2")
    let lists = [
      ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(video)\n#EXT-X-ENDLIST\n"),
      ("a.ffconcat", "ffconcat version 1.0\nfile '\(video)'\n"),
    ]
    for (name, text) in lists {
      let underlying = try failure(write(name, Array(text.utf8))).underlying
      // FFmpeg from 6.1 on does not know playlists that name files.
      #expect(underlying?.hasSuffix("which is not read") == true || underlying == "its form is not known", "\(name)")
    }
  }

  @Test func largePicturesAreRefusedBeforeTheyAreDecoded() throws {
    let path = try Clips.make("large.mp4", Self.x264, seconds: "0.1", size: "128x64")
    var options = VideoReader.Options()
    options.mostSide = 100
    #expect(try failure(path, options: options).underlying?.contains("128x64") == true)
    options = .init()
    options.mostPixels = 8000
    #expect(try failure(path, options: options).code == .invalidInput)
  }

  @Test func missingLibrariesAreAnError() throws {
    let path = try Clips.make("unread.mp4", Self.x264, seconds: "0.1")
    let error = try #require(throws: RenderError.self) {
      var options = VideoReader.Options()
      options.library = try VideoLibrary(folder: "/nowhere", shims: "/nowhere")
      _ = try VideoReader(path, options: options)
    }
    #expect(error.message.contains("FFmpeg's libraries"))
  }

  // MARK: Damage

  @Test func truncatedFilesHaveTheFramesThatAreThere() throws {
    let whole = try Clips.make("full.mkv", Self.x264)
    let frames = try VideoReader(whole).allFrames()
    let path = try Clips.rewrite(whole, as: "truncated.mkv") { $0.removeLast($0.count / 2) }
    let left = try VideoReader(path).allFrames()
    #expect((2..<frames.count).contains(left.count))
    // The last picture may be cut.
    #expect(zip(left.dropLast(2), frames).allSatisfy { $0.bytes() == $1.bytes() })
    let movie = try Clips.make("full.mp4", Self.x264)
    let error = try failure(Clips.rewrite(movie, as: "truncated.mp4") { $0.removeLast($0.count / 2) })
    #expect(error.message.hasSuffix("is a damaged video") && error.underlying?.contains("moov atom not found") == true)
    let early = try Clips.make("early.mp4", "\(Self.x264) -movflags +faststart")
    let reader = try VideoReader(Clips.rewrite(early, as: "early-truncated.mp4") { $0.removeLast($0.count / 2) })
    #expect((1..<frames.count).contains(try reader.allFrames().count))
    #expect(reader.damagedPackets > 0)
  }

  @Test func damageIsCountedOrAnError() throws {
    let whole = try Clips.make("sound.ts", "-c:v mpeg2video -g 12 -bf 2 -q:v 2 -pix_fmt yuv420p")
    let path = try Clips.rewrite(whole, as: "damaged.ts") { bytes in
      for index in stride(from: bytes.count / 2, to: bytes.count * 3 / 4, by: 40) where index % 188 > 20 { bytes[index] ^= 0xFF }
    }
    let reader = try VideoReader(path)
    #expect(try reader.allFrames().count > 20)
    #expect(reader.damagedPackets > 0)
    var options = VideoReader.Options()
    options.isStrict = true
    #expect(throws: RenderError.self) { try VideoReader(path, options: options).allFrames() }
    #expect(try VideoReader(whole, options: options).allFrames().count == 36)
  }

  /// Decoders go on where they can, and only log what was wrong; what the command `ffmpeg` complains of is told here as well.
  @Test(arguments: ["mpeg4 -q:v 4 -g 12", "libx264 -preset fast -g 12", "mjpeg -q:v 4"])
  func damageThatDecodersOnlyLogIsCounted(codec: String) throws {
    let name = codec.prefix { $0 != " " }
    let whole = try Clips.make("logged-\(name).avi", "-c:v \(codec) -pix_fmt yuvj420p")
    #expect(try decoded(whole) == 0)
    var numbers = Numbers(state: 11)
    var count = 0
    for _ in 0..<12 {
      let path = try Clips.rewrite(whole, as: "flipped-\(name).avi") { bytes in
        for _ in 0..<3 { bytes[Int.random(in: bytes.count / 4..<bytes.count * 3 / 4, using: &numbers)] ^= 0x55 }
      }
      let complaints = try Clips.complaints(of: path)
      guard !complaints.isEmpty else { continue }
      count += 1
      guard let found = try? decoded(path) else { continue }
      #expect(found > 0, "\(complaints)")
    }
    #expect(count > 3)
  }

  /// The damaged packets of a file of which all pictures are decoded.
  private func decoded(_ path: String) throws -> Int {
    let reader = try VideoReader(path)
    _ = try reader.allFrames()
    return reader.damagedPackets
  }

  /// Neither crashes nor endless loops, whatever bytes there are.
  @Test(arguments: ["mp4", "mkv", "avi", "ts"]) func damagedFilesEnd(form: String) throws {
    let whole = try Clips.make("source.\(form)", Self.x264, seconds: "0.5")
    var numbers = Numbers(state: 3)
    for round in 0..<25 {
      let path = try Clips.rewrite(whole, as: "changed.\(form)") { bytes in
        for _ in 0...(round / 2) { bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers) }
      }
      guard let reader = try? VideoReader(path) else { continue }
      for time in [0, 3, 1] { _ = try? reader.frame(at: Rational(time, 7)) }
    }
  }

  @Test func changesOfTheSizeAreTold() throws {
    let first = try Clips.make("first.ts", Self.x264, seconds: "0.5")
    _ = try Clips.make("second.ts", "\(Self.x264) -output_ts_offset 0.6", seconds: "0.5", size: "48x64")
    let second = try Data(contentsOf: URL(filePath: Clips.path("second.ts")))
    let path = try Clips.rewrite(first, as: "changing.ts") { $0 += second }
    let reader = try VideoReader(path)
    let error = try #require(throws: RenderError.self) { try reader.allFrames() }
    #expect(error.message.hasSuffix("changes from 64x64 yuv420p to 48x64 yuv420p at 0.517 s"), "\(error.message)")
    #expect(try reader.frame(at: Rational(1, 2)).timeStamp == Rational(11, 24))
  }

  @Test func timesThatStartAgainAreTold() throws {
    let first = try Clips.make("again.ts", Self.x264)
    let path = try Clips.rewrite(first, as: "twice.ts") { $0 += $0 }
    let error = try #require(throws: RenderError.self) { try VideoReader(path).allFrames() }
    #expect(error.message.contains("go back from"), "\(error.message)")
  }

  // MARK: Pipes

  @Test func pipesAreReadOnce() throws {
    let whole = try Clips.make("piped.mkv", Self.x264)
    let pipe = Clips.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = ["-c", "cat '\(whole)' > '\(pipe)'"]
    try writer.run()
    let reader = try VideoReader(pipe)
    #expect(!reader.description.canSeek)
    #expect(try reader.allFrames().map { $0.bytes() } == (try VideoReader(whole).allFrames().map { $0.bytes() }))
    let error = try #require(throws: RenderError.self) { try reader.frame(at: 0) }
    #expect(error.underlying == "a pipe or a live stream cannot be read again from an earlier place")
    #expect(throws: RenderError.self) { try reader.timeStamps() }
    writer.waitUntilExit()
  }

  @Test func pipesWithoutAWriterAreGivenUp() throws {
    let pipe = Clips.path("silent")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    var options = VideoReader.Options()
    options.patienceSeconds = 0
    #expect(try failure(pipe, options: options).underlying == "it is a named pipe that nothing writes into")
    options.patienceSeconds = 100
    let cancellation = Cancellation()
    options.cancellation = cancellation
    Thread.detachNewThread {
      usleep(100_000)
      cancellation.cancel()
    }
    #expect(try failure(pipe, options: options).code == .interrupted)
  }

  @Test func cancellationEndsReading() throws {
    let path = try Clips.make("cancelled.mp4", Self.x264)
    var options = VideoReader.Options()
    let cancellation = Cancellation()
    options.cancellation = cancellation
    let reader = try VideoReader(path, options: options)
    cancellation.cancel()
    let error = try #require(throws: RenderError.self) { try reader.frame(at: 1) }
    #expect(error.code == .interrupted)
  }
}
