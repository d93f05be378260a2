internal import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import Foundation

/// Everything that a run of cases found out; written as JSON for reports, for approval, and to be merged with other shards.
package struct TestResults: Sendable, Codable {
  /// Which part of the cases was run.
  package struct Shard: Sendable, Hashable, Codable {
    /// From 1 on.
    package let index: Int
    package let count: Int

    package init(index: Int, count: Int) { (self.index, self.count) = (index, count) }
  }

  /// The version of this form; another one is refused.
  package static let currentVersion = 1

  package private(set) var version = Self.currentVersion
  package private(set) var etalon = EtalonVersion.current
  /// The parts of the compiler with their versions; nil in files of earlier versions.
  package private(set) var compiler: String? = EtalonVersion.compiler
  package var device: TestDevice
  /// The words of the command.
  package var command: [String]
  /// What was to be tested; nil where results were put together by hand.
  package var selected: SelectedCases?
  /// When it began, as `2026-05-01T12:00:00Z`.
  package var started: String
  package var seconds = 0.0
  package var shards: [Shard] = []
  package var cases: [CaseResult] = []
  /// The runs before this one, the oldest first; nil where none is known.
  package var earlier: [EarlierRun]?
  /// Files that recording wrote.
  package var recorded: [String] = []

  /// What was tested, as it was typed.
  package var paths: [String] { selected?.paths ?? [] }

  package init(device: TestDevice, command: [String], started: String) {
    (self.device, self.command, self.started) = (device, command, started)
  }

  package func count(of verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }

  /// Whether all cases were skipped, and not because they say so themselves: a run on this device says nothing about them.
  ///
  /// A shard may be like that; it is judged when all are put together.
  package var comparesNothing: Bool {
    let isPart = shards.count < shards.first?.count ?? 0
    return !isPart && cases.allSatisfy { $0.verdict == .skipped } && cases.contains { $0.skip == .ownReference }
  }

  package var failureCount: Int { cases.count { $0.verdict.isFailure } }

  /// The code of the command.
  package func exitCode(warningsAreErrors: Bool = false) -> ExitCode {
    let verdicts = Set(cases.map(\.verdict))
    if verdicts.contains(.invalid) { return .invalidInput }
    let differs: Set<Verdict> = [.failed, .sizeMismatch, .missingReference, .notDeterministic, .flaky, .orderDependent, .unexpectedPass]
    if !verdicts.isDisjoint(with: differs) || !recorded.isEmpty { return .picturesDiffer }
    if verdicts.contains(.crashed) { return .internalError }
    if !verdicts.isDisjoint(with: [.timedOut, .outOfMemory, .deviceLost]) { return .tryAgain }
    if comparesNothing { return .noDevice }
    return warningsAreErrors && verdicts.contains(where: \.isWarning) ? .picturesDiffer : .success
  }

  // MARK: as a file

  /// Reads what a run wrote; `path` is its file.
  package init(contentsOf path: String) throws(RenderError) {
    let bytes = try FileReader.bytes(of: path, limit: 1 << 30)
    struct Version: Decodable { let version: Int }
    guard let version = try? JSONDecoder().decode(Version.self, from: Data(bytes)) else {
      throw RenderError(.invalidInput, "'\(path)' holds no results", help: ["name the file that 'etalon test --json' wrote"])
    }
    guard version.version == Self.currentVersion else {
      throw RenderError(
        .invalidInput, "'\(path)' has results of version \(version.version), and this is version \(Self.currentVersion)",
        help: ["run 'etalon test' again"])
    }
    do { self = try JSONDecoder().decode(TestResults.self, from: Data(bytes)) } catch {
      throw RenderError(
        .invalidInput, "'\(path)' holds results that cannot be read", underlying: "\(error)", help: ["run 'etalon test' again"])
    }
  }

  /// Writes the file, and makes its folder.
  package func write(to path: String) throws(RenderError) { try TextFile.write(json, to: path) }

  /// What the file holds.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("results always encode") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
