package import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation

/// Checks a video that several machines encoded in parts: whether it is there, whole, with all frames and of the right recipe, whether its bytes are those that
/// were recorded, and, by a part of each machine, whether this machine makes the same.
package struct VideoVerification {
  /// The most parts that are rendered again.
  private static let mostParts = 20

  private let expected: ExpectedVideo
  private let records: FrameRecords
  private let sample: Int
  private var generator: SeededGenerator
  private var verdict = FarmVerdict()

  /// - Parameters:
  ///   - sample: how many frames of each machine are rendered again, rounded up to whole parts; 0 for none.
  ///   - seed: chooses the parts.
  package init(_ expected: ExpectedVideo, _ records: FrameRecords, sample: Int, seed: UInt64) {
    (self.expected, self.records, self.sample) = (expected, records, sample)
    generator = SeededGenerator(seed: seed)
    (verdict.frames, verdict.files, verdict.seed) = (expected.frameCount, 1, seed)
    (verdict.unreadableRecords, verdict.unit) = (records.brokenLines, "part")
  }

  /// Looks at the video, and renders the sample.
  package func run() throws -> FarmVerdict {
    var verification = self
    if let (kind, detail) = try look() {
      verification.verdict.findings = [.init(kind: kind, path: expected.path, frame: nil, host: nil, detail: detail)]
    } else {
      try verification.compareSample()
    }
    return verification.verdict
  }

  /// What is wrong with the video as a whole.
  private func look() throws -> (kind: FarmVerdict.Finding.Kind, detail: String)? {
    let path = expected.path
    guard FileManager.default.fileExists(atPath: path) else { return (.missing, "missing") }
    let video: VideoReport
    do throws(RenderError) { video = try VideoReport(path) } catch { return (.foreign, error.message) }
    if let damage = video.damage { return (.cutShort, damage) }
    guard video.frames == expected.frameCount else {
      return (.form, "it has \(video.frames.of("frame")), not \(expected.frameCount)")
    }
    guard video.size == "\(expected.size)" else { return (.form, "it is \(video.size), not \(expected.size)") }
    // What other devices make has another recipe.
    if records.all.allSatisfy(isOfThisDevice), VideoSegments.identity(ofVideo: path) != (try expected.identity()) {
      return (.recipe, "its recipe is another one: other files, other options, another device, or other versions of FFmpeg's libraries")
    }
    if let last = records.all.last(where: { $0.path == FarmFolder.absolute(path) }),
      (try? FileReader.bytes(of: path, limit: .max)).map({ ContentHash(of: $0).description }) != last.sha256
    {
      return (.bytes, "its bytes are not those that were recorded")
    }
    return nil
  }

  private func isOfThisDevice(_ record: FrameRecord) -> Bool {
    record.device == expected.deviceName || record.isOfCPU && isOfCPU
  }

  private var isOfCPU: Bool { expected.deviceName.hasPrefix("CPU") }

  // MARK: parts

  private mutating func compareSample() throws {
    let makers = expected.parts.indices.map { records.parts(ofVideo: expected.path, frames: expected.frames(of: $0)) }
    countMachines(makers)
    let chosen = chosenParts(makers)
    guard !chosen.isEmpty else { return }
    verdict.device = expected.deviceName
    for part in chosen {
      let isExact = isOfCPU && makers[part].allSatisfy(\.isOfCPU)
      let result = try expected.compare(part, isExact: isExact)
      // Who encoded the part that was joined is not known where several did.
      let hosts = Set(makers[part].map(\.host))
      for machine in verdict.machines.indices where hosts.contains(verdict.machines[machine].host) {
        verdict.machines[machine].sampled += 1
        if case .different = result { verdict.machines[machine].different += 1 }
      }
      note(result, part, hosts)
    }
  }

  private mutating func note(_ result: ExpectedVideo.Comparison, _ part: Int, _ hosts: Set<String>) {
    switch result {
    case .same: break
    case .alike: verdict.alike += 1
    case .different(let frame, let distance, let usual):
      let host = hosts.isEmpty ? nil : hosts.sorted().joined(separator: " or ")
      verdict.findings.append(
        .init(
          kind: .pixels, path: expected.path, frame: frame, host: host,
          detail: "rendered here frame \(frame) looks different: its samples are off by \(Self.levels(distance)) of 255 in the mean square,"
            + " where its encoder explains \(Self.levels(usual))"))
    }
  }

  private static func levels(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

  private mutating func countMachines(_ makers: [[FrameRecord]]) {
    let own = Dictionary(grouping: makers.joined(), by: \.host)
    verdict.machines = own.sorted { $0.key < $1.key }.map { host, records in
      FarmVerdict.Machine(host: host, devices: Set(records.map(\.device)).sorted(), files: Set(records.compactMap(\.frames)).count)
    }
    for repeated in makers where repeated.count > 1 {
      verdict.repeatedFiles += 1
      for record in repeated { verdict.repeated[record.host, default: 0] += 1 }
    }
    verdict.withoutRecord = makers.filter(\.isEmpty).count
  }

  /// One part of each machine, and more of each in turn until there are as many frames as are wanted.
  private mutating func chosenParts(_ makers: [[FrameRecord]]) -> [Int] {
    guard sample > 0 else { return [] }
    let hosts = Dictionary(grouping: makers.indices) { makers[$0].last?.host ?? "" }.sorted { $0.key < $1.key }
    var rest = hosts.map { $0.value.shuffled(using: &generator) }.shuffled(using: &generator)
    var chosen: [Int] = []
    for _ in 0..<(sample + VideoSegments.mostFrames - 1) / VideoSegments.mostFrames {
      for host in rest.indices where chosen.count < Self.mostParts {
        if let part = rest[host].popLast() { chosen.append(part) }
      }
    }
    return chosen.sorted()
  }
}
