internal import Etalon
package import EtalonDiagnostics
internal import EtalonTypes

/// What a check of the frames of several machines found.
///
/// As JSON: `{"device", "different", "findings": [{"detail", "frame", "host", "kind", "path"}], "files", "frames", "machines": [{"count", "devices", "different", "host",
/// "sampled"}], "repeated": {host: files}, "repeatedCount", "sampled", "seed", "unit", "unreadableRecords", "withoutRecord"}`.
package struct FarmVerdict: Sendable, Hashable, Encodable {
  /// Something wrong with the file of a frame.
  package struct Finding: Sendable, Hashable, Encodable {
    package enum Kind: String, Sendable, Hashable, Encodable, CaseIterable {
      case missing
      case cutShort = "cut-short"
      /// Etalon did not write it.
      case foreign
      /// It has another size, or other bits.
      case form
      /// It was made of other values, other files, or by another version.
      case recipe
      /// Its bytes are not those that its machine wrote.
      case bytes
      /// Rendered here, it looks different.
      case pixels
    }

    package let kind: Kind
    package let path: String
    /// Nil for a video as a whole.
    package let frame: Int?
    /// The machine that wrote it, where there is a record.
    package let host: String?
    /// What was found, in words.
    package let detail: String
  }

  /// What a machine wrote.
  package struct Machine: Sendable, Hashable, Encodable {
    package let host: String
    package let devices: [String]
    /// How many files, or parts of a video.
    package let count: Int
    /// How many of these were rendered here to be compared, and how many of these look different.
    package internal(set) var sampled = 0
    package internal(set) var different = 0
  }

  package internal(set) var frames = 0
  package internal(set) var files = 0
  package internal(set) var findings: [Finding] = []
  /// What rendered the sample here; nil where there was none.
  package internal(set) var device: String?
  /// Chooses the sample.
  package internal(set) var seed: UInt64 = 0
  package internal(set) var machines: [Machine] = []
  /// What machines write: a file, or of a video a part.
  package internal(set) var unit = "file"
  /// How many files or parts were rendered here to be compared, and how many of them differ.
  package internal(set) var sampled = 0
  package internal(set) var different = 0
  /// How many files or parts were written more than once, and how often by each machine.
  package internal(set) var repeatedCount = 0
  package internal(set) var repeated: [String: Int] = [:]
  package internal(set) var withoutRecord = 0
  package internal(set) var unreadableRecords = 0

  /// Counts a file or a part with what was written about it.
  ///
  /// - Parameter content: what each record says it holds; where two say the same, it was written more than once.
  mutating func count(_ records: [FrameRecord], _ content: (FrameRecord) -> String?) {
    if records.isEmpty { withoutRecord += 1 }
    guard Set(records.map(content)).count < records.count else { return }
    repeatedCount += 1
    for record in records { repeated[record.host, default: 0] += 1 }
  }

  /// What each machine wrote.
  ///
  /// - Parameter unit: what is counted once, however often it was written.
  static func machines(_ records: some Sequence<FrameRecord>, _ unit: (FrameRecord) -> String) -> [Machine] {
    Dictionary(grouping: records, by: \.host).sorted { $0.key < $1.key }.map { host, records in
      Machine(host: host, devices: Set(records.map(\.device)).sorted(), count: Set(records.map(unit)).count)
    }
  }

  /// At least one of the units of each machine, and more of each in turn until there are enough.
  static func sample<Unit: Hashable & Comparable>(
    _ units: [String: [Unit]], rounds: Int, most: Int, _ generator: inout SeededGenerator
  ) -> Set<Unit> {
    var rest = units.sorted { $0.key < $1.key }.map { Array(Set($0.value)).sorted().shuffled(using: &generator) }
    var chosen: Set<Unit> = []
    for round in 0..<rounds where round == 0 || chosen.count < most && rest.contains(where: { !$0.isEmpty }) {
      for host in rest.indices where round == 0 || chosen.count < most {
        if let unit = rest[host].popLast() { chosen.insert(unit) }
      }
    }
    return chosen
  }

  /// 1 where something differs, else 66 where frames are missing.
  package var exitCode: ExitCode {
    if findings.contains(where: { $0.kind != .missing }) { return .picturesDiffer }
    return findings.isEmpty ? .success : .missingInput
  }

  // MARK: text

  private static let longestList = 10

  /// The verdict for people; ends in a newline.
  package var text: String {
    let wrong = findings.isEmpty ? "nothing wrong" : Finding.Kind.allCases.compactMap(count).joined(separator: ", ")
    var lines = ["\(frames.of("frame")) in \(files.of("file")): \(wrong)"]
    for kind in Finding.Kind.allCases {
      let found = findings.filter { $0.kind == kind }
      lines += found.prefix(Self.longestList).map { "  \($0.path): \($0.detail)\($0.host.map { ", written by \($0)" } ?? "")" }
      if found.count > Self.longestList { lines.append("  and \(found.count - Self.longestList) more (--json lists all)") }
    }
    lines += machines.map(line)
    if repeatedCount > 0 {
      let hosts = repeated.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      lines.append("\(repeatedCount.of(unit)) \(repeatedCount == 1 ? "was" : "were") written more than once: \(hosts)")
    }
    if withoutRecord > 0 { lines.append("\(withoutRecord.of(unit)) \(withoutRecord == 1 ? "has" : "have") no record") }
    if unreadableRecords > 0 {
      lines.append(
        "\(unreadableRecords.of("record")) cannot be read, as when a machine stops while it writes")
    }
    if let device {
      let result = different > 0 ? "\(different) of them \(different == 1 ? "looks" : "look") different" : "nothing looks different"
      lines.append("\(sampled.of(unit)) rendered again on \(device): \(result); --seed \(seed) takes the same")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func count(_ kind: Finding.Kind) -> String? {
    let number = findings.filter { $0.kind == kind }.count
    guard number > 0 else { return nil }
    switch kind {
    case .missing: return "\(number) missing"
    case .cutShort: return "\(number) cut short"
    case .foreign: return "\(number) not written by Etalon"
    case .form: return "\(number) of another size or with other bits"
    case .recipe: return "\(number) of another recipe"
    case .bytes: return "\(number) changed since \(number == 1 ? "it was" : "they were") written"
    case .pixels: return "\(number) with other pixels"
    }
  }

  private func line(_ machine: Machine) -> String {
    let sampled =
      machine.sampled == 0
      ? ""
      : machine.different == 0
        ? ", \(machine.sampled) rendered here look the same" : ", \(machine.different) of \(machine.sampled) rendered here look different"
    return "\(machine.host) (\(machine.devices.joined(separator: ", "))): \(machine.count.of(unit))\(sampled)"
  }
}
