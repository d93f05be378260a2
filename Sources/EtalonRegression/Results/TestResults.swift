package import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
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

// MARK: - what was selected

/// What a run was asked to test, before it was split into shards: shards of one run have the same.
package struct SelectedCases: Sendable, Hashable, Codable {
  /// As they were typed.
  package let paths: [String]
  /// What `--only` said; nil for nothing.
  package let only: String?
  /// How many cases there are in all shards.
  package let count: Int
  /// The hash of the names of the cases, in their order.
  package let hash: String
  /// The hash of the files of cases, of filters and of graphs; nil where it was not asked for.
  package let content: String?

  package init(_ cases: [TestCase], paths: [String], only: String?, content: String? = nil) {
    self.init(paths: paths, only: only, count: cases.count, names: cases.map(\.id), content: content)
  }

  private init(paths: [String], only: String?, count: Int, names: [String], content: String?) {
    (self.paths, self.only, self.count, self.content) = (paths, only, count, content)
    hash = ContentHash(of: Array(names.joined(separator: "\n").utf8)).description
  }

  /// That of two runs together; shards of one run have the same.
  func joined(with other: SelectedCases) -> SelectedCases {
    guard self != other else { return self }
    let all = paths + other.paths.filter { !paths.contains($0) }
    return SelectedCases(
      paths: all, only: only == other.only ? only : nil, count: count + other.count, names: [hash, other.hash], content: nil)
  }

  /// What another run was asked that this one was not, in one line; nil where they are the same.
  func difference(to other: SelectedCases) -> String? {
    func words(_ selection: SelectedCases) -> String {
      "'\(selection.paths.joined(separator: " "))'" + (selection.only.map { " with '--only \($0)'" } ?? "")
    }
    if (paths, only) != (other.paths, other.only) { return "\(words(self)) and \(words(other))" }
    if count != other.count { return "\(count) and \(other.count.of("case"))" }
    if hash != other.hash { return "\(count.of("case")) each, but of other names" }
    return content == other.content ? nil : "files of cases or filters were changed between them"
  }

  /// A hash of the files of some cases and of the filters and graphs that they are about: it tells runs before a change from those after it.
  ///
  /// Files have their names without folders, so that copies of a repository have the same wherever they lie.
  package static func content(of cases: [TestCase], in library: FilterLibrary) -> String {
    let subjects = Set(cases.compactMap { try? $0.subjectPath(in: library) }).flatMap(SubjectFiles.own)
    let files = Set(cases.map { NamedFiles.plain($0.path) } + subjects).sorted()
    let lines = files.compactMap { path in
      (try? FileReader.bytes(of: path, limit: 1 << 24)).map { "\(FilterPath.fileName(of: path)) \(ContentHash(of: $0))" }
    }
    return ContentHash(of: Array(lines.sorted().joined(separator: "\n").utf8)).description
  }
}

// MARK: - earlier runs

/// What came out of a run before this one: enough to show how things went over time.
package struct EarlierRun: Sendable, Hashable, Codable {
  /// When it began, as `2026-05-01T12:00:00Z`.
  package let started: String
  package let etalon: String
  package let caseCount: Int
  /// The verdicts of cases that failed, by their ids.
  package let failures: [String: Verdict]

  init(_ results: TestResults) {
    (started, etalon, caseCount) = (results.started, results.etalon, results.cases.count)
    let failed = results.cases.filter(\.verdict.isFailure)
    failures = Dictionary(failed.map { ($0.id, $0.verdict) }) { first, _ in first }
  }
}

extension TestResults {
  /// How many runs before this one are remembered.
  private static let mostEarlierRuns = 30

  /// Whether another run had the same task, so that its results can be compared with those of this one.
  package func isComparable(to other: TestResults) -> Bool {
    (paths, selected?.only, shards, device.device) == (other.paths, other.selected?.only, other.shards, other.device.device)
  }

  /// Remembers a run before this one, and those that it remembers.
  package mutating func follow(_ previous: TestResults) {
    earlier = ((previous.earlier ?? []) + [EarlierRun(previous)]).suffix(Self.mostEarlierRuns)
  }

  /// What changed since the last run, in one line; nil when nothing did, or there was none.
  package var changes: String? {
    guard let last = earlier?.last else { return nil }
    let failures = cases.filter(\.verdict.isFailure).map(\.id), run = Set(cases.map(\.id))
    let new = failures.count { last.failures[$0] == nil }
    let mended = last.failures.keys.count { run.contains($0) && !failures.contains($0) }
    let parts = [
      new > 0 ? "\(new.of("fails", "fail")) that did not" : nil,
      mended > 0 ? mended.of("no longer fails", "no longer fail") : nil,
    ]
    return parts.allSatisfy { $0 == nil } ? nil : "since the last run: \(parts.compactMap(\.self).joined(separator: ", "))"
  }
}

// MARK: - errors that cases share

/// An error in a file that keeps cases from being rendered, at its place.
package struct CaseDiagnostic: Sendable, Hashable, Codable {
  package let id: String
  package let message: String
  package let path: String
  /// From 1 on.
  package let line: Int
  package let column: Int

  /// Nil for what has no place in a text.
  init?(_ diagnostic: Diagnostic) {
    guard diagnostic.severity == .error, let place = diagnostic.labels.first else { return nil }
    let position = place.source.position(at: place.range.lowerBound)
    (id, message, path) = (diagnostic.id, diagnostic.message, place.source.path)
    (line, column) = (position.line, position.column)
  }

  /// `glow.glsl:3:12: undeclared identifier 'colr' [glsl.undeclared-identifier]`.
  package var text: String { "\(path):\(line):\(column): \(message) [\(id)]" }
}

/// Cases that could not run because of the same errors in files that they share, such as a shader.
package struct SharedDiagnostics: Sendable {
  /// At least one.
  package let diagnostics: [CaseDiagnostic]
  /// In the order of the results.
  package let cases: [CaseResult]

  /// `3 cases could not run because of glow.glsl:3:12: undeclared identifier 'colr' [glsl.undeclared-identifier]`.
  package var text: String {
    let more = diagnostics.count > 1 ? " (and \(diagnostics.count - 1) more)" : ""
    return "\(cases.count.of("case")) could not run because of \(diagnostics[0].text)\(more)"
  }

  /// Whether each case would say the same.
  package var isShared: Bool { cases.count > 1 }
}

extension TestResults {
  /// The errors that keep cases from running, each with all of its cases, in the order of the first of them.
  package var sharedDiagnostics: [SharedDiagnostics] {
    var order: [[CaseDiagnostic]] = []
    var groups: [[CaseDiagnostic]: [CaseResult]] = [:]
    for result in cases {
      guard result.verdict == .invalid, let diagnostics = result.mistakes, !diagnostics.isEmpty else { continue }
      if groups[diagnostics] == nil { order.append(diagnostics) }
      groups[diagnostics, default: []].append(result)
    }
    return order.map { SharedDiagnostics(diagnostics: $0, cases: groups[$0] ?? []) }
  }
}

// MARK: - merging

/// Puts the results of several runs together, such as those of all shards.
package enum ResultsMerge {
  /// Refuses runs on different devices, a case that ran twice, and shards that are not complete.
  package static func merge(_ parts: [(path: String, results: TestResults)]) throws(RenderError) -> TestResults {
    guard var merged = parts.first?.results else {
      throw RenderError(.usage, "there are no results to merge", help: ["name several files"])
    }
    for (path, part) in parts.dropFirst() {
      guard part.device == merged.device else {
        throw RenderError(
          .invalidInput, "'\(parts[0].path)' and '\(path)' come from different devices",
          underlying: "\(merged.device.device) and \(part.device.device)",
          help: ["merge the results of each device by themselves"])
      }
      try checkSelection(of: parts[0], and: (path, part))
      let known = Set(merged.cases.map(\.id))
      if let twice = part.cases.first(where: { known.contains($0.id) }) {
        throw RenderError(
          .invalidInput, "'\(twice.id)' has two results", underlying: "the second is in '\(path)'", help: ["merge each shard once"])
      }
      merged.cases += part.cases
      merged.recorded += part.recorded
      merged.shards += part.shards
      merged.selected = part.selected.map { merged.selected?.joined(with: $0) ?? $0 } ?? merged.selected
      merged.seconds = max(merged.seconds, part.seconds)
      merged.started = min(merged.started, part.started)
    }
    // Each remembers the runs of its own cases only.
    merged.earlier = nil
    try checkComplete(merged.shards)
    merged.cases.sort { $0.id < $1.id }
    return merged
  }

  /// Refuses shards of several runs; whole runs of several things may be put together.
  private static func checkSelection(
    of first: (path: String, results: TestResults), and second: (path: String, results: TestResults)
  ) throws(RenderError) {
    guard !first.results.shards.isEmpty || !second.results.shards.isEmpty else { return }
    guard first.results.shards.isEmpty == second.results.shards.isEmpty else {
      let (whole, part) = first.results.shards.isEmpty ? (first.path, second.path) : (second.path, first.path)
      throw RenderError(
        .invalidInput, "'\(part)' is a shard, and '\(whole)' is a whole run", help: ["merge all shards of one run, and nothing else"])
    }
    guard let one = first.results.selected, let other = second.results.selected, let difference = one.difference(to: other) else { return }
    throw RenderError(
      .invalidInput, "'\(first.path)' and '\(second.path)' are shards of different runs", underlying: difference,
      help: ["run all shards with the same words, on the same files"])
  }

  private static func checkComplete(_ shards: [TestResults.Shard]) throws(RenderError) {
    guard let first = shards.first else { return }
    let counts = Set(shards.map(\.count))
    let missing = Set(1...first.count).subtracting(shards.map(\.index)).sorted()
    guard counts.count == 1, missing.isEmpty else {
      let reason =
        counts.count > 1 ? "they are parts of different runs" : "missing: \(missing.map { "\($0)/\(first.count)" }.joined(separator: ", "))"
      throw RenderError(.invalidInput, "the shards are not complete", underlying: reason, help: ["merge all shards of one run"])
    }
  }
}
