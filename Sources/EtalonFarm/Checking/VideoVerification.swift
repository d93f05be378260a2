package import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation

/// Checks a video: whether it is there, whole, with all frames, its sound and of the right recipe, whether its bytes are those that were recorded, and, by a
/// part of each machine, whether this machine makes the same.
package struct VideoVerification {
  /// The most parts that are rendered again, unless there are more machines than that.
  private static let mostParts = 20

  private let expected: ExpectedVideo
  /// What was written about this video and its parts.
  private let records: FrameRecords.OfVideo
  private let sample: Int
  private var generator: SeededGenerator
  private var verdict = FarmVerdict()

  /// - Parameters:
  ///   - sample: how many frames of each machine are rendered again, rounded up to whole parts; 0 for none.
  ///   - seed: chooses the parts.
  package init(_ expected: ExpectedVideo, _ records: FrameRecords, sample: Int, seed: UInt64) {
    (self.expected, self.records, self.sample) = (expected, records.ofVideo(expected.path), sample)
    generator = SeededGenerator(seed: seed)
    (verdict.frames, verdict.files, verdict.seed) = (expected.frames.count, 1, seed)
    (verdict.unreadableRecords, verdict.unit) = (records.brokenLines, "part")
  }

  /// Looks at the video, and renders the sample.
  package func run() throws -> FarmVerdict {
    var verification = self
    let isOfThisDevice: Bool
    do throws(Refusal) { isOfThisDevice = try look() } catch {
      verification.verdict.findings = [.init(kind: error.kind, path: expected.path, frame: nil, host: error.host, detail: error.detail)]
      return verification.verdict
    }
    try verification.compareSample(isExact: isOfThisDevice && expected.isOfCPU)
    return verification.verdict
  }

  private struct Refusal: Error {
    let kind: FarmVerdict.Finding.Kind
    let detail: String
    var host: String?
  }

  /// Looks at the video as a whole; returns whether a device like that of this machine rendered it.
  private func look() throws(Refusal) -> Bool {
    let path = expected.path
    guard FileManager.default.fileExists(atPath: path) else { throw Refusal(kind: .missing, detail: "missing") }
    let video: VideoReport
    do throws(RenderError) { video = try VideoReport(path) } catch { throw Refusal(kind: .foreign, detail: error.message) }
    if let damage = video.damage { throw Refusal(kind: .cutShort, detail: damage) }
    guard video.frames == expected.frames.count else {
      throw Refusal(kind: .form, detail: "it has \(video.frames.of("frame")), not \(expected.frames.count)")
    }
    guard video.size == "\(expected.size)" else { throw Refusal(kind: .form, detail: "it is \(video.size), not \(expected.size)") }
    guard video.sounds.isEmpty != expected.hasSound else {
      throw Refusal(kind: .form, detail: expected.hasSound ? "it has no sound" : "it has a sound")
    }
    guard let identity = VideoSegments.identity(ofVideo: path) else {
      throw Refusal(kind: .foreign, detail: "nothing in it says that Etalon wrote it")
    }
    let isOfThisDevice = identity == expected.identity
    if !isOfThisDevice { try checkOtherDevice(identity) }
    if !records.whole.isEmpty {
      let hash: String
      do throws(RenderError) { hash = ContentHash(of: try FileReader.bytes(of: path, limit: .max)).description } catch {
        throw Refusal(kind: .foreign, detail: error.message)
      }
      if !records.whole.contains(where: { $0.sha256 == hash }) {
        let hosts = Set(records.whole.map(\.host)).sorted().joined(separator: " or ")
        throw Refusal(kind: .bytes, detail: "its bytes are not those that were recorded", host: hosts)
      }
    }
    return isOfThisDevice
  }

  /// Refuses a video whose recipe is none of this machine's, unless a record says that another device rendered it so.
  private func checkOtherDevice(_ identity: String) throws(Refusal) {
    let others = Set((records.whole + records.parts).filter { !$0.isOfCPU && $0.device != expected.deviceName }.map(\.recipe))
    if others.contains(where: { (try? expected.identity(withRecipe: $0)) == identity }) { return }
    throw Refusal(
      kind: .recipe,
      detail: "its recipe is another one: other values, files or options, another device, or other versions of FFmpeg's libraries")
  }

  // MARK: parts

  private mutating func compareSample(isExact: Bool) throws {
    let comparison = try VideoComparison(expected, begins: Set(records.parts.compactMap(\.rangeOfFrames?.lowerBound)))
    let makers = comparison.parts.indices.map { records.records(of: comparison.frames(of: $0)) }
    for records in makers { verdict.count(records) { $0.frames } }
    verdict.machines = FarmVerdict.machines(makers.joined()) { $0.frames ?? "" }
    guard sample > 0 else { return }
    var partsOfHosts: [String: [Int]] = [:]
    for part in makers.indices {
      for host in makers[part].isEmpty ? [""] : Set(makers[part].map(\.host)) { partsOfHosts[host, default: []].append(part) }
    }
    let chosen = FarmVerdict.sample(
      partsOfHosts,
      rounds: (sample + VideoSegments.mostFrames - 1) / VideoSegments.mostFrames, most: Self.mostParts, &generator)
    verdict.device = expected.deviceName
    for part in chosen.sorted() { note(try comparison.compare(part, isExact: isExact), makers[part]) }
  }

  private mutating func note(_ result: VideoComparison.Result, _ makers: [FrameRecord]) {
    // Who encoded the part that was joined is not known where several did.
    let hosts = Set(makers.map(\.host))
    let finding: FarmVerdict.Finding?
    switch result {
    case .same, .near: finding = nil
    case .otherForm(let detail): finding = .init(kind: .form, path: expected.path, frame: nil, host: nil, detail: detail)
    case .different(let frame, let detail):
      let host = hosts.isEmpty ? nil : hosts.sorted().joined(separator: " or ")
      let text = "rendered here it looks different from frame \(frame) on: \(detail)"
      finding = .init(kind: .pixels, path: expected.path, frame: frame, host: host, detail: text)
    }
    verdict.sampled += 1
    if finding != nil { verdict.different += 1 }
    for machine in verdict.machines.indices where hosts.contains(verdict.machines[machine].host) {
      verdict.machines[machine].sampled += 1
      if finding != nil { verdict.machines[machine].different += 1 }
    }
    if let finding, !verdict.findings.contains(finding) { verdict.findings.append(finding) }
  }
}
