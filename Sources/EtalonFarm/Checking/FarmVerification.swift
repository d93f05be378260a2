package import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation

/// Checks what several machines wrote as the frames of one shot: whether every file is there, whole and of the right recipe, whether its bytes are those that
/// its machine wrote, and, by a sample of each machine, whether this machine renders the same.
///
/// Recipes name the device. Frames of the CPU executor are compared with recipes and pixels of that executor, to the bit. Frames of a Vulkan device that is not
/// here cannot have a recipe of this machine: what else their files say about themselves is compared, and their pixels within the tolerance of `etalon test`
/// for devices.
package struct FarmVerification {
  /// The most frames that are rendered again, unless there are more machines than that.
  private static let mostSamples = 20

  private let request: RenderRequest
  private let destination: SequenceExport.Destination
  private let records: FrameRecords
  private let sample: Int
  private var generator: SeededGenerator
  private var verdict = FarmVerdict()
  /// The files that are right so far.
  private var checked: [Checked] = []

  private struct Checked {
    let frame: Int
    let place: Int
    let file: ExpectedFrames.File
    let host: String?
    let isOfCPU: Bool
  }

  /// A device of this machine with what it makes of the shot.
  private struct Judge {
    let expected: ExpectedFrames
    let isCPU: Bool
  }

  /// - Parameters:
  ///   - sample: how many frames of each machine are rendered again; 0 for none.
  ///   - seed: chooses these frames.
  package init(_ request: RenderRequest, _ destination: SequenceExport.Destination, _ records: FrameRecords, sample: Int, seed: UInt64) {
    (self.request, self.destination, self.records, self.sample) = (request, destination, records, sample)
    generator = SeededGenerator(seed: seed)
    verdict.seed = seed
  }

  /// Looks at all files, and renders the sample.
  package func run() throws -> FarmVerdict {
    var verification = self
    let judges = try verification.judges()
    let frames = judges[0].expected.frames
    verification.verdict.frames = frames.count
    verification.verdict.unreadableRecords = records.brokenLines
    for frame in frames { try verification.check(frame, judges) }
    verification.countMachines()
    try verification.compareSample(judges)
    return verification.verdict
  }

  /// The device that renders here, and the CPU executor where it rendered some of the frames.
  private func judges() throws -> [Judge] {
    let here = try ShotRenderer().prepare(request)
    let judges = [Judge(expected: ExpectedFrames(here, destination), isCPU: here.isOfCPU)]
    guard !here.isOfCPU, records.all.contains(where: \.isOfCPU) else { return judges }
    var exact = request
    exact.device = "cpu"
    return judges + [Judge(expected: ExpectedFrames(try ShotRenderer().prepare(exact), destination), isCPU: true)]
  }

  // MARK: files

  private mutating func check(_ frame: Int, _ judges: [Judge]) throws(RenderError) {
    var wanted: [[ExpectedFrames.File]] = []
    for judge in judges { wanted.append(try judge.expected.files(of: frame)) }
    for place in wanted[0].indices {
      verdict.files += 1
      let file = wanted[0][place]
      let own = records.records(of: file.path, frame: frame)
      verdict.count(own) { _ in nil }
      let recipes = zip(judges, wanted).map { (recipe: $1[place].provenance.recipe, isCPU: $0.isCPU) }
      do throws(Refusal) {
        let (host, isOfCPU) = try Self.look(at: file, own, recipes)
        checked.append(Checked(frame: frame, place: place, file: file, host: host, isOfCPU: isOfCPU))
      } catch {
        let host = error.host ?? own.last?.host
        verdict.findings.append(.init(kind: error.kind, path: file.path, frame: frame, host: host, detail: error.detail))
      }
    }
  }

  private struct Refusal: Error {
    let kind: FarmVerdict.Finding.Kind
    let detail: String
    var host: String?
  }

  /// Who wrote a file, and whether the CPU executor rendered it.
  private static func look(
    at file: ExpectedFrames.File, _ records: [FrameRecord], _ recipes: [(recipe: String, isCPU: Bool)]
  ) throws(Refusal) -> (host: String?, isOfCPU: Bool) {
    guard FileKind(path: file.path) != .missing else { throw Refusal(kind: .missing, detail: "missing") }
    guard let bytes = try? FileReader.bytes(of: file.path, limit: PictureLimits().fileSize), !bytes.isEmpty else {
      throw Refusal(kind: .cutShort, detail: "it has no bytes, or cannot be read")
    }
    guard let outline = (try? FrameOutline(path: file.path)) ?? nil, let provenance = FrameProvenance(outline.texts) else {
      throw Refusal(kind: .foreign, detail: "Etalon did not write it, or its end is missing")
    }
    guard outline.isComplete else { throw Refusal(kind: .cutShort, detail: "it is cut short") }
    guard outline.size == file.size, outline.bits == file.bits else {
      throw Refusal(kind: .form, detail: "it is \(outline.size) with \(outline.bits) bits, not \(file.size) with \(file.bits)")
    }
    let hash = ContentHash(of: bytes).description
    let writer = records.last { $0.sha256 == hash }
    let match = recipes.first { $0.recipe == provenance.recipe }
    if match == nil { try checkOtherDevice(provenance, file, writer ?? records.last) }
    if writer == nil, let last = records.last {
      throw Refusal(kind: .bytes, detail: "its bytes are not those that were recorded", host: last.host)
    }
    return (writer?.host, match?.isCPU ?? false)
  }

  /// Refuses a frame whose recipe is none of this machine's, unless it comes from another device and says the same otherwise.
  private static func checkOtherDevice(_ found: FrameProvenance, _ file: ExpectedFrames.File, _ record: FrameRecord?) throws(Refusal) {
    var same = file.provenance
    same.recipe = found.recipe
    if let record, !record.isOfCPU, record.recipe == found.recipe, same == found { return }
    let wanted = file.provenance
    let differences = [
      found.version == wanted.version ? nil : "Etalon \(found.version)",
      found.filter == wanted.filter ? nil : "the filter '\(found.filter)'",
      found.values == wanted.values ? nil : "other values",
      found.frame == wanted.frame && found.time == wanted.time && found.rate == wanted.rate ? nil : "another moment",
    ].compactMap(\.self)
    let what = differences.isEmpty ? "other files, other options, or another device" : differences.joined(separator: ", ")
    throw Refusal(kind: .recipe, detail: "its recipe is another one: \(what)")
  }

  // MARK: machines

  private mutating func countMachines() {
    verdict.machines = FarmVerdict.machines(records.all.filter { $0.frame != nil }) { $0.path }
  }

  private mutating func compareSample(_ judges: [Judge]) throws {
    guard sample > 0, !checked.isEmpty else { return }
    let chosen = FarmVerdict.sample(
      Dictionary(grouping: checked) { $0.host ?? "" }.mapValues { $0.map(\.frame) }, rounds: sample, most: Self.mostSamples, &generator)
    let folder = try TemporaryFiles.makeFolder("etalon-verify")
    defer { TemporaryFiles.remove(folder) }
    for (number, judge) in judges.enumerated() {
      // What the CPU executor rendered is compared with what it renders here.
      let own = checked.filter { file in
        chosen.contains(file.frame) && (judges.count == 1 || judge.isCPU == file.isOfCPU)
      }
      let frames = Set(own.map(\.frame)).sorted()
      guard !frames.isEmpty else { continue }
      verdict.device = [verdict.device, judge.expected.deviceName].compactMap(\.self).joined(separator: " and ")
      let paths = try judge.expected.write(frames, into: "\(folder)/\(number)")
      for file in own { try compare(file, with: paths(file.frame)[file.place], isExact: judge.isCPU && file.isOfCPU) }
    }
  }

  private mutating func compare(_ checked: Checked, with path: String, isExact: Bool) throws(RenderError) {
    let machine = verdict.machines.firstIndex { $0.host == checked.host }
    verdict.sampled += 1
    if let machine { verdict.machines[machine].sampled += 1 }
    for layer in checked.file.layers {
      let reader = PictureReader(PictureChoice(layer: layer.isEmpty ? nil : layer))
      let wanted = try reader.read(path: path), found: PixelBuffer
      do throws(RenderError) { found = try reader.read(path: checked.file.path) } catch {
        verdict.different += 1
        return verdict.findings.append(
          .init(kind: .cutShort, path: checked.file.path, frame: checked.frame, host: checked.host, detail: error.message))
      }
      let tolerance = isExact ? .exact : Self.toleranceOfDevices(isFloat: found.format.isFloat || wanted.format.isFloat)
      let comparison = comparePictures(found, wanted, tolerance: tolerance)
      guard comparison.verdict.isFailure else { continue }
      if let machine { verdict.machines[machine].different += 1 }
      verdict.different += 1
      let what = "rendered here it looks different\(layer.isEmpty ? "" : " in the layer '\(layer)'")"
      let count = max(comparison.color?.differing ?? 0, comparison.alpha?.differing ?? 0)
      return verdict.findings.append(
        .init(
          kind: .pixels, path: checked.file.path, frame: checked.frame, host: checked.host,
          detail: "\(what): \(count) of \((wanted.size.width * wanted.size.height).of("pixel"))"))
    }
  }

  /// What `etalon test` allows between devices: two levels of 8 bits.
  private static func toleranceOfDevices(isFloat: Bool) -> Tolerance {
    isFloat ? Tolerance(channel: Limit(fail: 2.0 / 255)) : Tolerance(channel: 2)
  }
}
