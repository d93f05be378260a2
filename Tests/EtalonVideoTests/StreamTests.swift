import EtalonDiagnostics
import EtalonSystem
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Synchronization
import Testing

/// Streams of the network, from a server of the test's own, and cameras.
@Suite("streams", .serialized)
struct StreamTests {
  /// Parts of one second with ten frames each, as `ffmpeg` writes them.
  private static let partCount = 5
  private static let parts = Result {
    try Clips.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=10:d=\(partCount) -c:v libx264 -g 10 -sc_threshold 0 -pix_fmt yuv420p -f hls -hls_time 1 -hls_list_size 0 @stream.m3u8"
    )
    return try (0..<partCount).map { try Data(contentsOf: URL(filePath: Clips.path("stream\($0).ts"))).map(\.self) }
  }

  private func playlist(_ parts: [String], isWhole: Bool = true) -> StreamServer.Answer {
    let list = parts.map { "#EXTINF:1.0,\n\($0)\n" }.joined()
    let text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n\(list)\(isWhole ? "#EXT-X-ENDLIST\n" : "")"
    return .bytes(Array(text.utf8), type: "application/vnd.apple.mpegurl")
  }

  private func options(seconds: Int = 5) -> VideoReader.Options {
    var options = VideoReader.Options()
    options.patienceSeconds = seconds
    return options
  }

  private func all(_ reader: LiveReader) throws -> [VideoFrame] {
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  @Test func aRecordedStreamIsAVideo() throws {
    let parts = try Self.parts.get()
    let server = try StreamServer { path in
      path == "whole.m3u8" ? playlist(parts.indices.map { "\($0).ts" }) : Int(path.dropLast(3)).map { .bytes(parts[$0]) } ?? .missing
    }
    defer { server.stop() }
    let video = try VideoReader(server.address("whole.m3u8"), options: options())
    #expect(video.description.canSeek)
    #expect(try video.timeStamps() == (0..<50).map { Rational($0, 10) })
    // Later frames first: it can be read from any place.
    let frames = try [44, 3, 21].map { try video.frame(at: Rational($0, 10)).planes }
    try Clips.ffmpeg("-i \(Clips.path("stream.m3u8")) -c copy @stream-local.mkv")
    let local = try VideoReader(Clips.path("stream-local.mkv"))
    #expect(try frames == [44, 3, 21].map { try local.frame(at: Rational($0, 10)).planes })
  }

  @Test func aLivePlaylistGivesEachFrameOnce() throws {
    let parts = try Self.parts.get()
    let state = Mutex((requests: 0, isBroken: false))
    let server = try StreamServer { path in
      if path == "live.m3u8" {
        let count = state.withLock { state in
          state.requests += 1
          return state.requests
        }
        // It grows with each look, and does not answer once for a while.
        if count == 3 { usleep(1_500_000) }
        let known = min(parts.count, 1 + count)
        return playlist((0..<known).map { "\($0).ts" }, isWhole: known == parts.count)
      }
      guard let number = Int(path.dropLast(3)) else { return .missing }
      let breaks = state.withLock { state in
        defer { if number == 2 { state.isBroken = true } }
        return number == 2 && !state.isBroken
      }
      return breaks ? .half(parts[number]) : .bytes(parts[number])
    }
    defer { server.stop() }
    let reader = try LiveReader(server.address("live.m3u8"), options: options())
    #expect(!reader.description.canSeek)
    #expect(try all(reader).map(\.timeStamp) == (0..<50).map { Rational($0, 10) })
    #expect(reader.report.gaps.count == 0 && reader.report.lostParts == 0)
  }

  @Test func aPartThatIsGoneIsAGap() throws {
    let parts = try Self.parts.get()
    let looks = Mutex(0)
    let server = try StreamServer { path in
      if path == "live.m3u8" {
        let isWhole = looks.withLock { looks in
          looks += 1
          return looks > 2
        }
        return playlist((0..<(isWhole ? 5 : 3)).map { "\($0).ts" }, isWhole: isWhole)
      }
      if path == "3.ts" { return .bytes(Array("<html></html>".utf8), type: "text/html") }
      return Int(path.dropLast(3)).map { .bytes(parts[$0]) } ?? .missing
    }
    defer { server.stop() }
    let reader = try LiveReader(server.address("live.m3u8"), options: options())
    #expect(try all(reader).count == 40)
    let report = reader.report
    #expect(report.gaps.found.map { [$0.from, $0.to] } == [[Rational(29, 10), 4]] && report.gaps.count == 1)
    #expect(report.lostParts == 1)
    #expect(report.reason?.contains("text/html") == true)
  }

  /// Of a stream with these units between pictures, how many gaps there are.
  @Test(arguments: [
    ([1, 1, 1, 1], 0), ([1, 1, 26, 1, 1], 1), (Array(repeating: 1, count: 24) + [26] + Array(repeating: 1, count: 24) + [26, 1], 2),
    // It gets slower, by little and by much; pictures that are left out at regular times.
    ([1, 1, 3, 3, 3, 3, 3], 1), ([1, 1, 12, 12, 12, 12, 12], 2), ([1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2], 1),
  ])
  func gapsAreCountedOnce(steps: [Int], count: Int) {
    var time = 0
    let stamps =
      [Rational.zero]
      + steps.map { step in
        time += step * 40
        return Rational(time, 1000)
      }
    #expect(StreamGaps(stamps, base: Rational(1, 1000), rate: 25).count == count)
  }

  @Test func aStallEndsBehindWhatHasCome() throws {
    let parts = try Self.parts.get()
    let server = try StreamServer { path in
      path == "live.m3u8" ? playlist(["0.ts", "1.ts"], isWhole: false) : Int(path.dropLast(3)).map { .bytes(parts[$0]) } ?? .missing
    }
    defer { server.stop() }
    let reader = try LiveReader(server.address("live.m3u8"), options: options(seconds: 8))
    var times: [Rational] = []
    let error = #expect(throws: RenderError.self) { while let frame = try reader.next() { times.append(frame.timeStamp) } }
    #expect(error?.code == .timedOut)
    // Where the last packet ends is known when the next one begins; FFmpeg before 6.1 waits for that, and its picture need not be the last one.
    #expect((19...20).contains(times.count) && Set(times).isSubset(of: (0..<20).map { Rational($0, 10) }) && times == times.sorted())
  }

  @Test(arguments: [
    ("file.m3u8", RenderError.Code.invalidInput), ("key.m3u8", .invalidInput), ("variant.m3u8", .invalidInput),
    ("concat.m3u8", .invalidInput), ("list", .invalidInput), ("page", .invalidInput), ("circle", .missingInput),
    ("elsewhere", .missingInput), ("nothing", .missingInput), ("silent", .timedOut),
  ])
  func whatAStreamMayNotDoIsRefused(_ path: String, _ code: RenderError.Code) throws {
    let parts = try Self.parts.get()
    let secret = Clips.path("stream0.ts")
    let server = try StreamServer { [self] path in
      switch path {
      case "file.m3u8": playlist(["0.ts", "file://\(secret)"])
      case "concat.m3u8": playlist(["concat:\(secret)"])
      case "variant.m3u8": .bytes(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile://\(secret)\n".utf8))
      case "key.m3u8":
        .bytes(
          Array(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI=\"file://\(secret)\"\n#EXTINF:1,\n0.ts\n#EXT-X-ENDLIST\n".utf8)
        )
      case "list": .bytes(Array("ffconcat version 1.0\nfile \(secret)\n".utf8))
      case "page": .bytes(Array("<html></html>".utf8), type: "text/html")
      case "circle": .redirect("/circle")
      case "elsewhere": .redirect("file://\(secret)")
      case "silent": .silence(5)
      case "0.ts": .bytes(parts[0])
      default: .missing
      }
    }
    defer { server.stop() }
    let error = #expect(throws: RenderError.self) { try LiveReader(server.address(path), options: options(seconds: 2)) }
    #expect(error?.code == code, "\(error?.text ?? "")")
  }

  @Test func aWishToStopEndsWaiting() throws {
    let server = try StreamServer { _ in .silence(20) }
    defer { server.stop() }
    var options = options(seconds: 30)
    let cancellation = Cancellation()
    options.cancellation = cancellation
    Thread.detachNewThread {
      usleep(200_000)
      cancellation.cancel()
    }
    let start = ContinuousClock.now
    let error = #expect(throws: RenderError.self) { try LiveReader(server.address("silent"), options: options) }
    #expect(error?.code == .interrupted)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func testPicturesComeAsThoseOfACamera() throws {
    var options = options()
    (options.camera.size, options.camera.rate) = (Size(64, 48), 20)
    let reader = try LiveReader("camera:test", options: options)
    #expect(reader.description.size == Size(64, 48) && !reader.description.canSeek)
    for number in 0..<5 { #expect(try reader.next()?.timeStamp == Rational(number, 20)) }
  }

  @Test func addressesAreTold() {
    #expect(StreamAddress("https://host/a.m3u8")?.kind == .web)
    #expect(StreamAddress("RTSP://host/a")?.kind == .rtsp)
    #expect(StreamAddress("rtsp://me:secret@host/a@b")?.name == "rtsp://…@host/a@b")
    #expect(StreamAddress("camera:2")?.place == "/dev/video2")
    #expect(StreamAddress("camera:/dev/video3")?.place == "/dev/video3")
    #expect(StreamAddress("-")?.place == "0" && StreamAddress("pipe:5")?.place == "5")
    for text in ["clip.mp4", "./camera:0", "camera:front", "rtmp://host/a", "file:///a.mp4", "pipe:x"] {
      #expect(StreamAddress(text) == nil)
    }
    for text in ["camera:front", "rtmp://host/a", "file:///a.mp4", "pipe:x"] {
      #expect(StreamAddress.diagnostic(text, option: "-i")?.id == "stream.unknown-address")
    }
    #expect(StreamAddress.diagnostic("clip.mp4", option: "-i") == nil && StreamAddress.diagnostic("./camera:x", option: "-i") == nil)
  }
}
