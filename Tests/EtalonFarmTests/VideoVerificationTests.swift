import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
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

  private func verdict(_ codec: VideoCodec, devices: String = "cpu", sample: Int = 200) throws -> FarmVerdict {
    let records = ["0-59": "n1", "60-119": "n2", "120-129": "n3"].map { (frames: String, host: String) in
      FrameRecord(
        frame: nil, frames: frames, path: "/elsewhere/.a.mkv.segments/\(frames)", recipe: "r", sha256: "s", host: host, device: devices,
        etalon: EtalonVersion.current)
    }
    let video = destination(codec)
    return try VideoVerification(ExpectedVideo(try shot(video), video), FrameRecords(records), sample: sample, seed: 7).run()
  }

  @Test(arguments: [VideoCodec.h264, .ffv1]) func partsAreTheSame(codec: VideoCodec) throws {
    try export(codec)
    let verdict = try verdict(codec)
    #expect(verdict.findings.isEmpty)
    #expect(verdict.alike == 0)
    #expect(verdict.machines.map(\.sampled) == [1, 1, 1])
    #expect(verdict.text.contains("n2 (cpu): 1 part, 1 rendered here look the same\n"))
  }

  @Test func onePartOfEachMachineIsEnough() throws {
    try export(.h264)
    #expect(try verdict(.h264, sample: 5).machines.map(\.sampled) == [1, 1, 1])
    #expect(try verdict(.h264, sample: 0).machines.map(\.sampled) == [0, 0, 0])
  }

  @Test func aVideoInOnePieceIsAnotherEncodingOfTheSameFrames() throws {
    try export(.h264, inParts: false)
    let verdict = try verdict(.h264)
    #expect(verdict.findings.isEmpty)
    #expect(verdict.alike > 0)
    #expect(verdict.exitCode == .success)
  }

  /// Where machines have other devices, recipes do not tell.
  @Test(arguments: [VideoCodec.h264, .ffv1]) func anotherFrameIsFoundWithItsMachine(codec: VideoCodec) throws {
    try export(codec, other: "if (FRAMEINDEX == 70) color.rgb = color.gbr;")
    let verdict = try verdict(codec, devices: "another")
    let finding = try #require(verdict.findings.first)
    #expect(verdict.findings.count == 1)
    #expect(finding.kind == .pixels)
    #expect(finding.frame == 70)
    #expect(finding.host == "n2")
    #expect(verdict.machines.map(\.different) == [0, 1, 0])
    #expect(verdict.exitCode == .picturesDiffer)
  }

  @Test func anotherRecipeIsFoundWithoutRendering() throws {
    try export(.h264, other: "color.r += 0.001;")
    #expect(try verdict(.h264).findings.map(\.kind) == [.recipe])
  }

  @Test func whatIsNotThereIsMissing() throws { #expect(try verdict(.h264).exitCode == .missingInput) }
}
