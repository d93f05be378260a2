import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

@testable import Etalon

/// Shots that follow what gives its pictures once: a named pipe, into which `cat` writes a clip, and test pictures of a camera.
@Suite("live shots")
struct LiveShotTests {
  private static let plain = TestShot.folder.appending(path: "plain-copy.glsl").path

  private func request(_ path: String, _ fields: String = "") throws -> RenderRequest {
    var request = RenderRequest(filter: .file(Self.plain))
    request.inputs = [try InputText.picture(path + fields, for: nil, option: "-i")]
    request.device = "cpu"
    request.checkpoints = nil
    request.following = .init(followsRate: true, followsNumbers: true)
    request.followsTimeStamps = true
    return request
  }

  /// A named pipe with the ending of a video, while something writes a clip into it.
  private func pipe(_ clip: String) throws -> String {
    let path = Clips.path("\(UUID().uuidString).mkv")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "cat '\(clip)' > '\(path)'"]
    try process.run()
    return path
  }

  private func export(_ request: RenderRequest, _ name: String, isInterrupted: @escaping @Sendable () -> Bool = { false }) throws -> (
    path: String, result: VideoExport.Result
  ) {
    let path = Clips.path(name)
    var destination = VideoExport.Destination(path: path, codec: .ffv1, layout: .rgb8)
    destination.policy = .anything
    let shot = try ShotRenderer().prepare(request.making(destination))
    #expect(shot.isLive)
    let result = try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: isInterrupted).run()
    #expect(shot.failureOfStream == nil)
    return (path, result)
  }

  @Test func eachPictureIsAFrameAtItsTime() throws {
    // Every third picture is missing.
    let clip = try Clips.make("live-varying.mkv", "-vf select=mod(n\\,3) -vsync vfr -c:v ffv1 -pix_fmt gbrp", seconds: "2")
    let (path, result) = try export(request(pipe(clip)), "live-varying-out.mkv")
    #expect(result.summary.written == 32 && result.path == path)
    #expect(try Clips.frames(path, "rgba", bytesPerFrame: 64 * 64 * 4) == Clips.frames(clip, "rgba", bytesPerFrame: 64 * 64 * 4))
    #expect(try VideoReader(path).timeStamps() == VideoReader(clip).timeStamps())
  }

  @Test func aRateOfItsOwnHoldsPictures() throws {
    let clip = try Clips.make("live-rate.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "1")
    var request = try request(pipe(clip))
    (request.followsTimeStamps, request.clock) = (false, ShotClock(rate: 48))
    let (path, result) = try export(request, "live-rate-out.mkv")
    #expect(result.summary.written == 48)
    let frames = try Clips.frames(clip, "rgba", bytesPerFrame: 64 * 64 * 4)
    #expect(try Clips.frames(path, "rgba", bytesPerFrame: 64 * 64 * 4) == (0..<48).map { frames[$0 / 2] })
  }

  @Test func askedFramesAndLengthsEndIt() throws {
    let clip = try Clips.make("live-part.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "2")
    let frames = try Clips.frames(clip, "rgba", bytesPerFrame: 64 * 64 * 4)
    var some = try request(pipe(clip))
    (some.following, some.frames) = (nil, .range(try #require(FrameRange(5...14))))
    #expect(try Clips.frames(export(some, "live-some.mkv").path, "rgba", bytesPerFrame: 64 * 64 * 4) == Array(frames[5...14]))
    var short = try request(pipe(clip))
    short.following = nil
    (short.shot, short.frames) = (0...59, .range(try #require(FrameRange(0...59))))
    #expect(try export(short, "live-short.mkv").result.summary.written == 24, "60 frames of 60 a second are a second")
  }

  @Test func anInterruptionLeavesAWholeVideo() throws {
    let start = ContinuousClock.now
    let (path, result) = try export(request("camera:test", ",size=64x64,rate=20"), "live-interrupted.mkv") {
      ContinuousClock.now - start > .seconds(2)
    }
    #expect(result.path == path && result.summary.wasInterrupted && result.summary.written > 0)
    #expect(try VideoReader(path).timeStamps().count == result.summary.written)
  }

  @Test func slowRenderingDropsOrWaits() throws {
    let clip = try Clips.make("live-slow.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "2")
    for late in LatePolicy.allCases {
      let reader = try LiveReader(pipe(clip))
      let frames = try LiveFrames(reader, late: late) { _ in [] }
      var taken: [Rational] = []
      while let times = frames.take(isInterrupted: { false }) {
        taken += times
        usleep(20_000)
      }
      let dropped = frames.report.dropped
      #expect(taken == taken.sorted() && taken.count + dropped == 48)
      #expect((dropped > 0) == (late == .drop))
      #expect(try taken.last == VideoReader(clip).timeStamps().last || late == .drop)
    }
  }

  @Test func otherMomentsAreRefused() throws {
    let clip = try Clips.make("live-moments.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.5")
    for fields in [",from=1s", ",speed=2", ",loop=repeat", ",start=1s"] {
      let error = #expect(throws: RenderError.self) { try ShotRenderer().prepare(request(pipe(clip), fields)) }
      #expect(error?.text.contains("pictures come once") == true)
    }
    #expect(throws: DiagnosticsError.self) { try request("clip.mp4", ",size=64x64") }
    #expect(throws: DiagnosticsError.self) { try request("camera:test", ",format=movie=a.mp4") }
  }
}
