import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Synchronization
import Testing

@testable import Etalon
@testable import EtalonFarm

/// Whether a video of several machines is checked: the part that differs is found, with its machine, and nothing else.
@Suite struct VideoVerificationTests {
  private let place: TestPlace

  init() throws { place = try TestPlace() }

  private var path: String { "\(place.path)/a.mkv" }

  /// 130 frames of 32x32 pixels, which are three parts; `other` changes what one of them shows.
  private func shot(other: String = "", _ video: VideoExport.Destination) throws -> Shot {
    let source = """
      /*{ "ETALON": 1 }*/
      vec4 imageKernel(vec2 position) {
        vec4 color = vec4(position / RENDERSIZE, fract(TIME), 1.0);
        \(other)
        return color;
      }
      """
    try place.write("wave.glsl", source)
    var request = RenderRequest(filter: .file("\(place.path)/wave.glsl"))
    (request.size, request.device) = (Size(32, 32), "cpu")
    request.frames = .range(try #require(FrameRange(0...129)))
    return try ShotRenderer().prepare(request.making(video))
  }

  private func destination(_ codec: VideoCodec) -> VideoExport.Destination {
    var video = VideoExport.Destination(path: path, codec: codec, layout: codec == .ffv1 ? .rgb8 : .yuv420p8)
    video.policy = .anything
    return video
  }

  private func export(_ codec: VideoCodec, other: String = "", inParts: Bool = true) throws {
    var video = destination(codec)
    video.resumes = inParts
    let shot = try shot(other: other, video)
    let export = VideoExport(shot, to: video) { _ in
    } isInterrupted: {
      false
    }
    _ = try export.run()
  }

  /// - Parameters:
  ///   - device: what rendered the parts, by the records; with another one the recipe is that of this machine all the same.
  ///   - folder: where the video was, by the records.
  private func verdict(_ codec: VideoCodec, device: String = "cpu", sample: Int = 200, folder: String = "/elsewhere", source: String = "")
    throws
    -> FarmVerdict
  {
    let video = destination(codec), shot = try shot(video), expected = try ExpectedVideo(shot, video)
    let recipe = try VideoExport(try self.shot(other: source, video), to: video) { _ in
    } isInterrupted: {
      false
    }.recipe().description
    let records = ["0-59": "n1", "60-61": "n1", "62-119": "n2", "120-129": "n3"].map { (frames: String, host: String) in
      FrameRecord(
        frame: nil, frames: frames, path: "\(folder)/.a.mkv.segments/\(frames)", recipe: recipe, sha256: "s", host: host, device: device,
        etalon: EtalonVersion.current)
    }
    return try VideoVerification(expected, FrameRecords(records), sample: sample, seed: 7).run()
  }

  @Test(arguments: [VideoCodec.h264, .hevc, .ffv1]) func partsAreTheSame(codec: VideoCodec) throws {
    try export(codec)
    let verdict = try verdict(codec)
    #expect(verdict.findings.isEmpty)
    #expect(verdict.sampled == 3)
    #expect(verdict.machines.map(\.sampled) == [2, 1, 1])
    #expect(verdict.text.contains("n3 (cpu): 1 part, 1 rendered here look the same\n"))
    #expect(verdict.text.contains("3 parts rendered again on "))
  }

  @Test func onePartOfEachMachineIsEnough() throws {
    try export(.h264)
    // The second part holds frames of two machines.
    let verdict = try verdict(.h264, sample: 5)
    #expect((2...3).contains(verdict.sampled))
    #expect(verdict.machines.allSatisfy { $0.sampled >= 1 })
    #expect(try self.verdict(.h264, sample: 0).sampled == 0)
  }

  /// A run that was stopped within a part ended that early; the records say where, or the pictures that need none before.
  @Test(arguments: [true, false]) func aVideoThatWasStoppedOnItsWayIsRight(isRecorded: Bool) throws {
    var video = destination(.h264)
    video.resumes = true
    video.recorder = try FrameRecordWriter(folder: "\(place.path)/records")
    let count = Mutex(0)
    for isFirst in [true, false] {
      let export = VideoExport(try shot(video), to: video) { event in
        if case .encoded = event { count.withLock { $0 += 1 } }
      } isInterrupted: {
        isFirst && count.withLock { $0 >= 62 }
      }
      #expect(try export.run().summary.wasInterrupted == isFirst)
    }
    let records = try FrameRecords(folder: "\(place.path)/\(isRecorded ? "records" : "none")")
    #expect(records.all.count == (isRecorded ? 5 : 0))
    let verdict = try VideoVerification(try ExpectedVideo(try shot(video), video), records, sample: 200, seed: 7).run()
    #expect(verdict.findings.isEmpty)
    #expect(verdict.sampled == 3)
  }

  @Test(arguments: [VideoCodec.h264, .vp9]) func aVideoInOnePieceIsOnePart(codec: VideoCodec) throws {
    try export(codec, inParts: false)
    let verdict = try verdict(codec)
    #expect(verdict.findings.isEmpty)
    #expect(verdict.sampled == 1)
  }

  /// Where a record says that another device has rendered the video, its recipe is allowed to be another one.
  @Test(arguments: [
    (VideoCodec.h264, "if (FRAMEINDEX == 70) color.rgb = color.gbr;"), (.ffv1, "if (FRAMEINDEX == 70) color.rgb = color.gbr;"),
    // One block of one frame, and all of it a little brighter.
    (.h264, "if (FRAMEINDEX == 70 && all(lessThan(position, vec2(8.0)))) color.rgb = vec3(1.0, 0.0, 0.0);"),
    (.h264, "if (FRAMEINDEX == 70) color.rgb += 0.04;"),
  ])
  func anotherFrameIsFoundWithItsMachine(codec: VideoCodec, other: String) throws {
    try export(codec, other: other)
    let verdict = try verdict(codec, device: "another", source: other)
    let finding = try #require(verdict.findings.first)
    #expect(verdict.findings.count == 1)
    #expect(finding.kind == .pixels)
    #expect(finding.frame == 70)
    #expect(finding.host == "n1 or n2")
    #expect(verdict.machines.map(\.different) == [1, 1, 0])
    #expect(verdict.exitCode == .picturesDiffer)
  }

  @Test(arguments: [VideoCodec.h264, .ffv1]) func whatDiffersInItsLastBitsIsNear(codec: VideoCodec) throws {
    let other = "color.rgb += 0.002 * fract(position.x * 0.37 + position.y * 0.21);"
    try export(codec, other: other)
    #expect(try verdict(codec, device: "another", source: other).findings.isEmpty)
  }

  @Test func anotherRecipeIsFoundWithoutRendering() throws {
    try export(.h264, other: "color.r += 0.001;")
    let verdict = try verdict(.h264)
    #expect(verdict.findings.map(\.kind) == [.recipe])
    #expect(verdict.sampled == 0)
    // Nor does a record of the CPU device allow another recipe, however many threads it had.
    let processor = try self.verdict(.h264, device: "CPU executor (avx2, 99 threads)", source: "color.r += 0.001;")
    #expect(processor.findings.map(\.kind) == [.recipe])
    // A record of another device that made something else allows nothing.
    #expect(try self.verdict(.h264, device: "another").findings.map(\.kind) == [.recipe])
  }

  @Test func otherPixelsOfTheSameSizeAreAnotherForm() throws {
    try export(.h264)
    let identity = try #require(VideoSegments.identity(ofVideo: path)), other = "\(place.path)/b.mkv"
    let words = ["-v", "error", "-i", path, "-pix_fmt", "yuv444p", "-metadata", "etalon=\(identity)", other]
    let process = try Process.run(URL(filePath: "/usr/bin/ffmpeg"), arguments: words)
    process.waitUntilExit()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: other, toPath: path)
    let verdict = try verdict(.h264)
    #expect(verdict.findings.map(\.kind) == [.form])
    #expect(verdict.findings.first?.detail.contains("yuv444p") == true)
    #expect(verdict.text.contains("1 of them looks different"))
  }

  @Test func recordedBytesCountWhereverTheFolderIs() throws {
    try export(.h264)
    let hash = ContentHash(of: Array(try Data(contentsOf: URL(filePath: path)))).description
    func verdict(_ hashes: [String], _ folder: String) throws -> FarmVerdict {
      let records = hashes.map { hash in
        FrameRecord(
          frame: nil, frames: "0-129", path: "\(folder)/a.mkv", recipe: "r", sha256: hash, host: "n1", device: "cpu",
          etalon: EtalonVersion.current)
      }
      let video = destination(.h264)
      return try VideoVerification(try ExpectedVideo(try shot(video), video), FrameRecords(records), sample: 0, seed: 1).run()
    }
    for folder in [place.path, "/elsewhere"] {
      #expect(try verdict(["s"], folder).findings.map(\.kind) == [.bytes])
      #expect(try verdict(["s"], folder).findings.first?.host == "n1")
      #expect(try verdict([hash, "of an earlier one"], folder).findings.isEmpty)
    }
  }

  @Test func whatIsNotThereIsMissing() throws { #expect(try verdict(.h264).exitCode == .missingInput) }
}
