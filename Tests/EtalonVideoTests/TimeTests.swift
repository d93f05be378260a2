import EtalonDiagnostics
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// Which frame is shown when.
@Suite struct TimeTests {
  private static let x264 = "-c:v libx264 -preset fast -g 12 -pix_fmt yuv420p"

  /// Frames 0 to 9 at 24 a second, later ones at 8.
  private static let slowing = "-vf setpts='if(lt(N,10),N,3*N-20)/(24*TB)' -vsync vfr"

  private func expectTimes(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let reader = try VideoReader(path)
    let frames = try reader.allFrames()
    let stamps = frames.map(\.timeStamp)
    // `ffprobe` leaves the times of the last frames open in containers that have none.
    let expected = try Clips.timeStamps(path)
    #expect(expected.count + 2 >= stamps.count && stamps.starts(with: expected), sourceLocation: sourceLocation)
    #expect(try reader.timeStamps() == stamps, sourceLocation: sourceLocation)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(frame.timeStamp + frame.duration == next.timeStamp, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["mp4", "mkv", "mov"]) func variableRatesAreExact(form: String) throws {
    try expectTimes(Clips.make("vfr.\(form)", "\(Self.slowing) \(Self.x264)"))
  }

  @Test(arguments: ["mp4", "mkv", "avi", "ts", "mpg", "flv"]) func constantRatesAreExact(form: String) throws {
    let codec = form == "mpg" ? "-c:v mpeg2video -bf 2 -g 12 -pix_fmt yuv420p" : Self.x264
    try expectTimes(Clips.make("cfr.\(form)", "-r 24000/1001 \(codec)"))
  }

  @Test func framesAreHeldUntilTheNext() throws {
    let path = try Clips.make("held.mp4", "\(Self.slowing) \(Self.x264)")
    let reader = try VideoReader(path)
    // Frame 10 is shown from 10/24 s to 13/24 s.
    let held = try reader.frame(at: Rational(12, 24))
    #expect(held.timeStamp == Rational(10, 24))
    #expect(held.duration == Rational(3, 24))
    #expect(try reader.frame(at: Rational(13, 24)).timeStamp == Rational(13, 24))
    #expect(try reader.frame(at: Rational(10, 24)) == held)
    #expect(try reader.frame(at: -3).timeStamp == 0)
    let last = try reader.frame(at: 1000)
    let stamps = try reader.timeStamps()
    #expect(last.isLast && last.timeStamp == stamps.last)
    #expect(try reader.frame(at: Rational(Int.max)) == last)
  }

  @Test func joinedRatesAreExact() throws {
    _ = try Clips.make("part-a.ts", "-r 24 \(Self.x264) -bsf:v h264_mp4toannexb", seconds: "0.5")
    _ = try Clips.make("part-b.ts", "-r 30 \(Self.x264) -output_ts_offset 0.6", seconds: "0.5")
    try Clips.ffmpeg("-i concat:\(Clips.path("part-a.ts"))|\(Clips.path("part-b.ts")) -c copy @joined.mkv")
    try expectTimes(Clips.path("joined.mkv"))
  }

  /// The copy starts at a keyframe before 0.7 s; its edit list leaves out what is before.
  @Test(arguments: ["mp4", "mov", "mkv"]) func copiesStartWhereTheyAreShown(form: String) throws {
    let whole = try Clips.make("whole.\(form)", Self.x264)
    try Clips.ffmpeg("-ss 0.7 -i \(whole) -c copy @cut.\(form)")
    let path = Clips.path("cut.\(form)")
    try expectTimes(path)
    let reader = try VideoReader(path)
    let expected = try Clips.frames(path, "yuv420p", bytesPerFrame: 6144)
    let linear = try reader.allFrames()
    #expect(linear.map { $0.bytes() } == expected)
    for frame in linear.reversed() { #expect(try reader.frame(at: frame.timeStamp) == frame) }
  }

  @Test func lateStartsCountFromTheFirstFrame() throws {
    let path = try Clips.make("late.mkv", "\(Self.x264) -output_ts_offset 5")
    let reader = try VideoReader(path)
    #expect(reader.description.startTime >= 5)
    #expect(try reader.frame(at: 0).timeStamp == 0)
    try expectTimes(path)
  }

  @Test func framesAreDecodedOnceInOrder() throws {
    let path = try Clips.make("once.mp4", Self.x264, seconds: "3")
    let reader = try VideoReader(path)
    let frames = try reader.allFrames()
    #expect(frames.count == 72)
    #expect(frames.filter(\.isKeyframe).count == 6)
    // The description counts the same frames.
    #expect(reader.description.frameCount == 72)
    #expect(reader.description.duration == 3)
    #expect(reader.description.averageRate == 24)
  }

  @Test func oneReaderServesManyThreads() async throws {
    let path = try Clips.make("threads.mp4", Self.x264)
    let reader = try VideoReader(path)
    let linear = try reader.allFrames()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<24 {
        let wanted = linear[index * 7 % linear.count]
        group.addTask { try reader.frame(at: wanted.timeStamp) == wanted }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
