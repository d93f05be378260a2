internal import Etalon
package import EtalonComparison
package import EtalonDiagnostics
internal import EtalonManifest

/// What became of one case: the verdict, and what is needed to understand it without running it again.
package struct CaseResult: Sendable, Codable {
  /// One of several runs of a case.
  package struct Attempt: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
      /// In a process with other cases.
      case first
      /// In a process of its own.
      case alone
      /// In a new process, after some of those that ran before it.
      case batch
    }

    package let kind: Kind
    package let verdict: Verdict
    /// Why it failed; nil where it did not.
    package let reason: String?

    package init(kind: Kind, verdict: Verdict, reason: String? = nil) { (self.kind, self.verdict, self.reason) = (kind, verdict, reason) }
  }

  /// Why a case is skipped.
  package enum Skip: String, Sendable, Hashable, Codable {
    /// The case itself says that it is about other devices.
    case condition
    /// Its `expect` says that it is not to be run.
    case expectation
    /// It is compared with the device that it runs on.
    case ownReference = "own-reference"
  }

  /// What can be typed to run it alone.
  package let id: String
  package let name: String
  /// The file of cases, or the filter where there are none.
  package let path: String
  /// The line of the file on which it begins.
  package let line: Int?
  /// The name of the filter or graph.
  package let subject: String
  package var verdict = Verdict.passed
  /// Why it was skipped; nil where it was not.
  package var skip: Skip?
  /// Why, in one line; empty where the verdict says it all.
  package var reason = ""
  /// What a person should know about it, a line each: how to record, what is blamed, what was written.
  package var notes: [String] = []
  /// Everything that Etalon said about what is wrong, for people.
  package var diagnostics = ""
  /// The errors in files that kept it from being rendered; nil where none did, or they have no place.
  package var mistakes: [CaseDiagnostic]?
  package var frames: [FrameResult] = []
  /// What its `expect` says, with the link; empty without an expectation that counts.
  package var expectation = ""
  /// All of its runs, in their order; empty where it ran once.
  package var attempts: [Attempt] = []
  /// The cause of a difference on a device; nil where nothing differs, or on Etalon's own executor.
  package var blame: Blame?
  package var seconds = 0.0
  /// Whether the filter has no case, and was only rendered.
  package var isWithoutCase = false
  /// The invariants that every filter has to follow, as tried with this one; nil for cases.
  package var laws: [InvariantResult]?
  /// Commands to copy.
  package var reproduce = ""
  package var approve = ""

  package init(id: String, name: String, path: String, line: Int?, subject: String) {
    (self.id, self.name, self.path, self.line, self.subject) = (id, name, path, line, subject)
  }

  /// An error in files of cases as a result, so that every form of the results shows what was not run.
  ///
  /// - Parameter file: the file that it is about where it has no place in a text.
  package init(_ diagnostic: Diagnostic, about file: String? = nil) {
    let place = diagnostic.labels.first
    let line = place.map { $0.source.position(at: $0.range.lowerBound).line }
    let path = place?.source.path ?? file ?? ""
    let id = path.isEmpty ? diagnostic.id : line.map { "\(path):\($0)" } ?? path
    self.init(id: id, name: diagnostic.id, path: path, line: line, subject: path)
    (verdict, reason) = (diagnostic.severity == .error ? .invalid : .warning, "\(diagnostic.message) [\(diagnostic.id)]")
    diagnostics = DiagnosticPrinter().text([diagnostic])
  }

  init(_ testCase: TestCase) {
    let line = testCase.place.map { $0.source.position(at: $0.range.lowerBound).line }
    self.init(id: testCase.id, name: testCase.name, path: testCase.path, line: line, subject: testCase.subjectName)
    isWithoutCase = testCase.isPlain
    reproduce = "etalon test \(ShellWord.quoted(testCase.id))"
  }

  /// All of its runs in one line: `first: failed, alone: passed`.
  package var attemptWords: String { attempts.map { "\($0.kind.rawValue): \($0.verdict.rawValue)" }.joined(separator: ", ") }

  /// Whether it failed in some of its runs, as expected.
  var isFlakyAsExpected: Bool { verdict == .expectedFailure && !attempts.isEmpty }

  /// Leaves nothing to approve: a picture that is not the same each time cannot be a reference.
  mutating func withdrawCandidates() {
    for index in frames.indices { (frames[index].candidate, frames[index].target) = (nil, nil) }
    approve = ""
  }

  /// What changed since the references of frames were recorded that are not as they should be, a line each.
  package var changes: [String] {
    frames.flatMap { $0.changes ?? [] }.map(\.text).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The cause of a difference with the reason, in one line; nil where it was not worked out.
  package var blameWords: String? { notes.first { $0.hasPrefix(Self.blamePrefix) }.map { String($0.dropFirst(Self.blamePrefix.count)) } }

  static let blamePrefix = "blame: "

  /// Whether it is none: an error in the files of cases or in what was named, which no command runs again.
  package var isNoCase: Bool { reproduce.isEmpty && frames.isEmpty }

  /// Whether it had no reference, and all that it wants were written in this run.
  package var isRecorded: Bool {
    verdict == .missingReference && frames.allSatisfy { !$0.verdict.isFailure || $0.isRecorded ?? false }
  }

  /// The pictures that can take the place of references.
  package var candidates: [FrameResult] { frames.filter { $0.candidate != nil && $0.target != nil } }
}

/// What one frame was compared with, and what came out.
package struct FrameResult: Sendable, Codable {
  /// `reference`, `renders`, or the name of an invariant.
  package let check: String
  /// `frame 12`, or `0.5 s`.
  package let moment: String
  package var verdict = Verdict.passed
  package var reason = ""
  package var size = ""
  /// How many pixels are infinite or no numbers.
  package var notFinite = 0
  /// How many of them have a NaN, and how many only infinities; nil where none was looked for.
  package private(set) var nan: Int?
  package private(set) var infinite: Int?
  /// The hash of everything that the pixels depend on.
  package var recipe = ""
  /// Nil where nothing was compared.
  package var comparison: PictureComparison?
  /// The comparison with the limits that decide where the specification cannot be worked out; nil where these are not needed.
  package var plain: PictureComparison?
  /// What changed since the reference was recorded, of what it says that it depends on; nil where the picture is as it should be, or the reference says nothing.
  package var changes: [ReferenceChange]?
  /// Whether numbers behind levels that cannot hold them are NaN or infinite on one side only; nil where they are not.
  package var differsInFiniteness: Bool?
  /// How much the difference changed since the frame before; nil for the first one.
  package var flicker: FlickerMeasurement?
  /// How pixels that differ lie beside what the Vulkan specification allows; nil where it was not asked.
  package var specification: SpecificationResult?
  /// How far its pixels move by errors that devices may make; nil where nothing differs, or that would take too long.
  package var stability: StabilityResult?
  /// Why its stability was not measured; nil where it was, or nothing differs.
  package var stabilityObstacle: String?
  /// The stored picture that it was compared with, or that is missing.
  package var reference: String?
  /// The pictures, by `actual`, `reference` and, where they were looked at, `flip` and `stability`; paths start at the folder of the results.
  package var pictures: [String: String] = [:]
  /// The picture that approving copies, from the folder of the results; nil where nothing is to be approved.
  package var candidate: String?
  /// Where approving copies it to.
  package var target: String?
  /// Whether the run wrote it there; nil where it did not.
  package var isRecorded: Bool?
  /// The hash that the case names for the picture there; nil where it names none.
  package var hash: String?

  package init(check: String, moment: String) { (self.check, self.moment) = (check, moment) }

  /// Takes over how many pixels are no numbers.
  mutating func count(_ pixels: NotFinitePixels) { (notFinite, nan, infinite) = (pixels.count, pixels.nan, pixels.infinite) }
}

/// What became of a case.
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
  case passed
  /// Within the limits that fail, beyond one that warns.
  case warning
  /// It differs within the usual limits, and it could not be worked out whether the Vulkan specification allows that.
  case notWorkedOut = "not-worked-out"
  case failed
  /// The reference has another size than what is rendered now.
  case sizeMismatch = "size-mismatch"
  /// There is no picture to compare with.
  case missingReference = "missing-reference"
  /// Two renders of the same did not give the same.
  case notDeterministic = "not-deterministic"
  /// It fails in some runs and not in others, or in several ways.
  case flaky
  /// It fails only when others ran before it in the same process.
  case orderDependent = "order-dependent"
  /// Its process ended, or Etalon met a defect of its own.
  case crashed
  /// It took too long, or does not end.
  case timedOut = "timed-out"
  case outOfMemory = "out-of-memory"
  /// The driver gave the device up.
  case deviceLost = "device-lost"
  case skipped
  /// It fails as its `expect` says.
  case expectedFailure = "expected-failure"
  /// It passes although its `expect` says that it fails.
  case unexpectedPass = "unexpected-pass"
  /// The case itself, its filter or its reference cannot be read.
  case invalid

  /// Whether it fails the run.
  package var isFailure: Bool {
    switch self {
    case .passed, .warning, .notWorkedOut, .skipped, .expectedFailure: false
    case .failed, .sizeMismatch, .missingReference, .notDeterministic, .flaky, .orderDependent, .crashed, .timedOut, .outOfMemory,
      .deviceLost, .unexpectedPass, .invalid:
      true
    }
  }

  /// Whether it passed, with or without a warning.
  package var isSuccess: Bool { self == .passed || self == .warning }

  /// Whether running it again may give something else.
  package var isWorthAnotherTry: Bool {
    switch self {
    case .failed, .notDeterministic, .crashed, .timedOut, .outOfMemory, .deviceLost: true
    case .passed, .warning, .notWorkedOut, .sizeMismatch, .missingReference, .flaky, .orderDependent, .skipped, .expectedFailure,
      .unexpectedPass, .invalid:
      false
    }
  }

  /// Whether it is worth looking at though it fails nothing.
  package var isWarning: Bool { self == .warning || self == .notWorkedOut }
}

/// The cause of a difference on a device.
package enum Blame: String, Sendable, Hashable, Codable, CaseIterable {
  /// The shader, a value or an input: Etalon's own executor does not show the reference any more either.
  case change
  /// The shader relies on something that no specification promises: small errors, which every device makes, move the same pixels.
  case shader
  /// The device: nothing that the specification leaves open explains it.
  case driver
}

/// What became of an invariant that holds for every filter, of one that has no case.
package struct InvariantResult: Sendable, Hashable, Codable {
  package enum Outcome: String, Sendable, Hashable, Codable {
    case holds
    case broken
    /// It could not fail.
    case notTried = "not-tried"
  }

  /// The name of the invariant.
  package let law: String
  package let outcome: Outcome
  /// Why it was not tried; nil where it was.
  package let reason: String?

  init(_ law: Invariant.Kind, _ outcome: Outcome, reason: String? = nil) {
    (self.law, self.outcome, self.reason) = (law.rawValue, outcome, reason)
  }
}

// MARK: - verdicts from frames and errors

extension CaseResult {
  /// The most errors of a file that are told one by one.
  private static let mostDiagnostics = 20

  mutating func add(_ frame: FrameResult) { frames.append(frame) }

  /// The verdict that follows from those of the frames: the worst of them.
  ///
  /// Frames that cannot be compared on this device do not count; where no other is left the case is skipped.
  mutating func settle() {
    let left = Set(frames.filter { $0.verdict == .skipped }.map(\.reason)).sorted()
    let isCompared = frames.contains { $0.verdict != .skipped && ($0.check != "renders" || $0.verdict.isFailure) }
    guard isCompared || left.isEmpty else {
      (verdict, reason, skip) = (.skipped, left.joined(separator: "; "), .ownReference)
      return
    }
    notes += left.map { "not compared: \($0)" }.filter { !notes.contains($0) }
    let order: [Verdict] = [
      .skipped, .passed, .warning, .notWorkedOut, .failed, .missingReference, .sizeMismatch, .invalid, .notDeterministic,
    ]
    func rank(_ verdict: Verdict) -> Int { order.firstIndex(of: verdict) ?? order.count }
    guard let worst = frames.max(by: { rank($0.verdict) < rank($1.verdict) }) else { return }
    guard let first = frames.first(where: { $0.verdict == worst.verdict }) else { return }
    let others = frames.count { $0.verdict == worst.verdict } - 1
    verdict = worst.verdict
    reason = first.reason + (others > 0 && !first.reason.isEmpty ? " (and \(others) more)" : "")
    // NaN and infinities come first in the reason: other measurements mean little beside them.
    if let hole = frames.first(where: { $0.verdict == .failed && $0.check == "renders" && $0.notFinite > 0 }), first.check != "renders" {
      reason = "\(hole.reason); \(reason)"
    }
  }

  /// Takes over the error that ended the case.
  mutating func fail(_ error: any Error) {
    switch error {
    case let error as DiagnosticsError:
      let first = error.diagnostics.first { $0.severity == .error }
      verdict = first?.id.hasPrefix("internal.") ?? false ? .crashed : .invalid
      reason = first.map { "\($0.message) [\($0.id)]" } ?? ""
      diagnostics += DiagnosticPrinter().text(error.diagnostics)
      let found = error.diagnostics.compactMap { CaseDiagnostic($0) }.prefix(Self.mostDiagnostics)
      if verdict == .invalid, !found.isEmpty { mistakes = Array(found) }
    case let error as RenderError:
      (reason, diagnostics) = (error.diagnostic.message, diagnostics + error.text)
      switch error.code {
      case .timedOut:
        verdict = .timedOut
        notes.append(Self.moreTime)
      case .endlessLoop: verdict = .timedOut
      case .deviceLost: verdict = .deviceLost
      case .outOfMemory: verdict = .outOfMemory
      case .missingInput, .invalidInput, .usage, .noDevice: verdict = .invalid
      case .tryAgain, .interrupted, .cannotWrite, .someFramesFailed, .internalError: verdict = .crashed
      }
    default: (verdict, reason) = (.crashed, "\(error)")
    }
  }
}

// MARK: - time limits

/// Seconds as they are typed: `20`, `24.6`.
func secondsText(_ seconds: Double) -> String {
  let rounded = (seconds * 1000).rounded() / 1000
  return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
}

/// The rule of `--timeout`.
extension CaseResult {
  /// A case that took longer than the limit is timed out, whatever its verdict was: on a slower machine its process would have been ended.
  package func limited(to limit: Double?) -> CaseResult {
    guard let limit, seconds > limit, verdict != .timedOut, verdict != .skipped else { return self }
    var late = self
    late.withdrawCandidates()
    late.verdict = .timedOut
    let rest = reason.isEmpty ? "" : ": \(reason)"
    late.reason = "took \(secondsText(seconds)) s, and may take \(secondsText(limit)) s; what came too late is '\(verdict.rawValue)'\(rest)"
    late.notes.append(Self.moreTime)
    return late
  }

  /// What to type where a case needs more time.
  static let moreTime = "'--timeout SECONDS' allows a case more time"

  /// The result where judging did not end, so that the cause of the failure is not known.
  func notJudged(_ why: String) -> CaseResult {
    var result = self
    result.leaveToPlainComparison(why)
    if result.verdict.isFailure { result.notes.append("\(Self.blamePrefix)not worked out: \(why)") }
    return result
  }
}
