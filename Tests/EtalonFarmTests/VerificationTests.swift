import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import Etalon
@testable import EtalonFarm

/// Whether frames of several machines are checked: each finding is at its frame, and there is nothing else.
@Suite struct VerificationTests {
  private let place: TestPlace
  private let pattern: FramePattern

  /// Six frames of 16x16 pixels, of which two machines wrote three each.
  init() throws {
    place = try TestPlace()
    pattern = try FramePattern("\(place.path)/out/a.####.png")
    try place.write("plasma.glsl", Self.shader("0.5"))
    try render(request())
  }

  private static func shader(_ level: String) -> String {
    "/*{ \"ETALON\": 1 }*/\nvec4 imageKernel(vec2 position) { return vec4(position / RENDERSIZE, fract(\(level) + TIME), 1.0); }\n"
  }

  private func request() throws -> RenderRequest {
    var request = RenderRequest(filter: .file("\(place.path)/plasma.glsl"))
    (request.size, request.device) = (Size(16, 16), "cpu")
    request.frames = .range(try #require(FrameRange(0...5)))
    return request
  }

  private var destination: SequenceExport.Destination { .init(files: [.init(pattern: pattern)], contactSheet: nil) }

  private func render(_ request: RenderRequest, to destination: SequenceExport.Destination? = nil) throws {
    let shot = try ShotRenderer().prepare(request)
    _ = try SequenceExport(shot, to: destination ?? self.destination) { _ in
    } isInterrupted: {
      false
    }.run()
  }

  /// A record of a frame as it is now.
  private func record(_ frame: Int, by host: String, device: String = "cpu") throws -> FrameRecord {
    let path = pattern.path(frame: frame)
    let provenance = try #require(try FrameProvenance(ofFile: path))
    return FrameRecord(
      frame: frame, path: path, recipe: provenance.recipe,
      sha256: ContentHash(of: Array(try Data(contentsOf: URL(filePath: path)))).description,
      host: host, device: device, etalon: EtalonVersion.current)
  }

  private func records() throws -> [FrameRecord] { try (0...5).map { try record($0, by: $0 < 3 ? "n1" : "n2") } }

  private func verdict(_ records: [FrameRecord], sample: Int = 0, _ request: RenderRequest? = nil) throws -> FarmVerdict {
    try FarmVerification(try request ?? self.request(), destination, FrameRecords(records), sample: sample, seed: 7).run()
  }

  @Test func whatIsRightIsFoundRight() throws {
    let verdict = try verdict(try records(), sample: 2)
    #expect(verdict.findings.isEmpty)
    #expect(verdict.exitCode == .success)
    #expect(verdict.machines.map(\.host) == ["n1", "n2"])
    #expect(verdict.machines.map(\.sampled) == [2, 2])
    #expect(verdict.text.hasPrefix("6 frames in 6 files: nothing wrong\nn1 (cpu): 3 files, 2 rendered here look the same\n"))
  }

  @Test func missingFramesEndWith66() throws {
    let records = try records()
    try FileManager.default.removeItem(atPath: pattern.path(frame: 4))
    let verdict = try verdict(records)
    #expect(verdict.findings.map(\.kind) == [.missing])
    #expect(verdict.findings.map(\.frame) == [4])
    #expect(verdict.exitCode == .missingInput)
  }

  @Test func framesThatAreCutShortAreFound() throws {
    let records = try records()
    let url = URL(filePath: pattern.path(frame: 1)), bytes = try Data(contentsOf: url)
    try bytes.dropLast(20).write(to: url)
    try Data().write(to: URL(filePath: pattern.path(frame: 2)))
    let verdict = try verdict(records)
    #expect(verdict.findings.map(\.kind) == [.cutShort, .cutShort])
    #expect(verdict.findings.map(\.host) == ["n1", "n1"])
    #expect(verdict.exitCode == .picturesDiffer)
  }

  @Test func framesOfAnotherRecipeAreFound() throws {
    var other = try request()
    other.settings = []
    try place.write("plasma.glsl", Self.shader("0.25"))
    other.frames = .range(try #require(FrameRange(3...3)))
    try render(other)
    let records = try records()
    try place.write("plasma.glsl", Self.shader("0.5"))
    let verdict = try verdict(records)
    #expect(verdict.findings.map(\.kind) == [.recipe])
    #expect(verdict.findings.map(\.frame) == [3])
  }

  @Test func framesOfAnotherSizeAreFound() throws {
    var other = try request()
    other.size = Size(8, 8)
    other.frames = .range(try #require(FrameRange(0...0)))
    try render(other)
    let verdict = try verdict(try records())
    #expect(verdict.findings.map(\.kind) == [.form])
    #expect(verdict.findings.first?.detail == "it is 8x8 with 8 bits, not 16x16 with 8")
  }

  @Test func bytesThatChangedAreFound() throws {
    var records = try records()
    records[5] = FrameRecord(
      frame: 5, path: records[5].path, recipe: records[5].recipe, sha256: String(repeating: "0", count: 64), host: "n2", device: "cpu",
      etalon: EtalonVersion.current)
    let verdict = try verdict(records)
    #expect(verdict.findings.map(\.kind) == [.bytes])
    #expect(verdict.findings.map(\.host) == ["n2"])
    #expect(verdict.exitCode == .picturesDiffer)
  }

  /// A machine that computes wrongly writes whole files of the right recipe: only rendering tells.
  @Test func wrongPixelsAreFoundInTheSample() throws {
    let path = pattern.path(frame: 4)
    let provenance = try #require(try FrameProvenance(ofFile: path))
    var picture = try PictureReader().read(path: path)
    picture = PixelBuffer(
      size: picture.size, format: picture.format, alpha: picture.alpha, bytes: picture.bytes.enumerated().map { $0 == 5 ? $1 ^ 1 : $1 })
    try PictureFile.write(picture, to: path, provenance: provenance, settings: PNGSettings(.fast), policy: .anything)
    let records = try records()
    #expect(try verdict(records).findings.isEmpty)
    let verdict = try verdict(records, sample: 20)
    #expect(verdict.findings.map(\.kind) == [.pixels])
    #expect(verdict.findings.first?.detail == "rendered here it looks different: 1 of 256 pixels")
    #expect(verdict.machines.map(\.different) == [0, 1])
    #expect(verdict.text.contains("n2 (cpu): 3 files, 1 of 3 rendered here look different\n"))
  }

  @Test func foreignFilesAreFound() throws {
    let records = try records()
    try Data("not a picture".utf8).write(to: URL(filePath: pattern.path(frame: 0)))
    #expect(try verdict(records).findings.map(\.kind) == [.foreign])
  }

  @Test func framesThatWereWrittenTwiceAreCounted() throws {
    let verdict = try verdict(try records() + [try record(1, by: "n3")])
    #expect(verdict.findings.isEmpty)
    #expect(verdict.repeatedCount == 1)
    #expect(verdict.repeated == ["n1": 1, "n3": 1])
    #expect(verdict.text.contains("1 file was written more than once: n1 1, n3 1\n"))
  }

  /// Frames of a graphics unit that is not here: their recipes name it, and their pixels may differ by two levels.
  @Test func framesOfAnotherDeviceAreComparedWithinATolerance() throws {
    let path = pattern.path(frame: 2)
    var provenance = try #require(try FrameProvenance(ofFile: path))
    provenance.recipe = String(repeating: "a", count: 64)
    let picture = try PictureReader().read(path: path)
    func write(_ step: UInt8) throws {
      let bytes = picture.bytes.map { $0 < 250 ? $0 + step : $0 }
      try PictureFile.write(
        PixelBuffer(size: picture.size, format: picture.format, alpha: picture.alpha, bytes: bytes), to: path, provenance: provenance,
        settings: PNGSettings(.fast), policy: .anything)
    }
    try write(2)
    var records = try records()
    records[2] = try record(2, by: "n1", device: "vulkan something")
    #expect(try verdict(records, sample: 20).findings.isEmpty)
    try write(3)
    records[2] = try record(2, by: "n1", device: "vulkan something")
    #expect(try verdict(records, sample: 20).findings.map(\.kind) == [.pixels])
    // Another value would have another recipe on every device.
    provenance.values = ["level": "1"]
    try write(0)
    records[2] = try record(2, by: "n1", device: "vulkan something")
    #expect(try verdict(records).findings.map(\.kind) == [.recipe])
  }

  /// Machines may call a folder differently, and leave half a line when they die.
  @Test func recordsAreReadFromTheFilesOfAllMachines() throws {
    let folder = "\(place.path)/records"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try records().map { record in
      String(decoding: try encoder.encode(record), as: UTF8.self).replacing(place.path, with: "/elsewhere")
    }
    try place.write("records/n1-1-1.jsonl", lines[0...2].joined(separator: "\n") + "\n")
    try place.write("records/n2-1-1.jsonl", lines[3...5].joined(separator: "\n") + "\n{\"frame\": 5, \"ho")
    let records = try FrameRecords(folder: folder)
    #expect(records.all.count == 6)
    #expect(records.brokenLines == 1)
    let verdict = try FarmVerification(try request(), destination, records, sample: 0, seed: 1).run()
    #expect(verdict.findings.isEmpty)
    #expect(verdict.withoutRecord == 0)
    #expect(verdict.unreadableRecords == 1)
    #expect(try FrameRecords(folder: "\(place.path)/none").all.isEmpty)
  }

  @Test func layersOfLightAreCompared() throws {
    let pattern = try FramePattern("\(place.path)/light/a.####.exr")
    let destination = SequenceExport.Destination(files: [.init(pattern: pattern, numbers: .half)], contactSheet: nil)
    var request = try request()
    request.outputForms = [nil: .init(isLight: true)]
    try render(request, to: destination)
    let verdict = try FarmVerification(request, destination, FrameRecords([]), sample: 2, seed: 1).run()
    #expect(verdict.findings.isEmpty)
    #expect(verdict.withoutRecord == 6)
    #expect(verdict.device != nil)
  }

  @Test func stateOnDiskNeedsNoDevice() throws {
    let records = FrameRecords(try records())
    try FileManager.default.removeItem(atPath: pattern.path(frame: 4))
    try Data().write(to: URL(filePath: pattern.path(frame: 5)))
    let found = try FramesOnDisk(.init(path: pattern.description, isVideo: false), frames: Array(0...5), records: records)
    #expect(found.complete == [0, 1, 2, 3])
    #expect(found.text == "\(pattern): 4 of 6 frames, missing 4, cut short 5")
  }

  @Test func partsOfVideosAreCountedByTheirRecords() throws {
    let parts = ["0-2", "3-4", "3-4"].map { (frames: String) in
      FrameRecord(
        frame: nil, frames: frames, path: "/x/.a.mp4.segments/\(frames)", recipe: "r", sha256: "s", host: "n1", device: "cpu",
        etalon: "0.1.0")
    }
    let output = FarmJob.Output(path: "\(place.path)/a.mp4", isVideo: true)
    let found = try FramesOnDisk(output, frames: Array(0...9), records: FrameRecords(parts))
    #expect(found.text == "\(place.path)/a.mp4: 5 of 10 frames are encoded in parts")
  }
}
