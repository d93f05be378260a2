import Etalon
import EtalonDiagnostics
import EtalonRegression
import EtalonTypes

/// The results of a run as text for people: what is not fine, with the pictures and what to type, and then the counts.
struct TestText {
  private let results: TestResults
  private let place: ResultsPlace
  private let hasFile: Bool

  /// - Parameter hasFile: whether the results could be written there.
  init(_ results: TestResults, place: ResultsPlace, hasFile: Bool) {
    (self.results, self.place, self.hasFile) = (results, place, hasFile)
  }

  var text: String {
    var lines: [String] = []
    let groups = results.sharedDiagnostics.filter(\.isShared)
    let missing = results.cases.filter(\.isOnlyMissing)
    let tellsMissingOnce = missing.count > Self.mostMissing
    for result in results.cases where result.verdict != .passed || !result.notes.isEmpty && !result.isWithoutCase {
      if tellsMissingOnce, result.isOnlyMissing { continue }
      guard let group = groups.first(where: { $0.cases.contains { $0.id == result.id } }) else {
        lines += self.lines(result)
        continue
      }
      if group.cases[0].id == result.id { lines += self.lines(group) }
    }
    if tellsMissingOnce { lines.append(self.missing(missing)) }
    if !lines.isEmpty { lines.append("") }
    lines += untested
    lines += OtherDevice(results).lines
    lines += allowed
    lines.append(summary)
    if let changes = results.changes { lines.append(changes) }
    if results.needsFile, hasFile { lines.append("results in '\(place.path)'") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// What keeps several cases from running is told once.
  private func lines(_ group: SharedDiagnostics) -> [String] {
    let names = group.cases.prefix(Self.mostNames).map(\.id.onOneLine), rest = group.cases.count - names.count
    return ["\(Verdict.invalid.rawValue)  \(group.text.onOneLine)"] + diagnostics(group.cases[0])
      + (names + (rest > 0 ? ["and \(rest) more"] : [])).enumerated().map { "  \($0 == 0 ? "cases     " : "          ") \($1)" }
      + (group.cases[0].reproduce.isEmpty ? [] : ["  reproduce  \(group.cases[0].reproduce)"])
  }

  /// The most cases of an error that are named.
  private static let mostNames = 10

  private func diagnostics(_ result: CaseResult) -> [String] {
    result.diagnostics.split(separator: "\n").prefix(20).map { "  | \($0)" }
  }

  private func lines(_ result: CaseResult) -> [String] {
    if result.isRecorded { return recorded(result) }
    let reason = result.reason.isEmpty ? "" : ": \(result.reason.onOneLine)"
    var lines = ["\(result.verdict.rawValue)  \(result.id.onOneLine)\(reason)"]
    let further = result.frames.filter { $0.verdict.isFailure }.map(\.reason).filter { !$0.isEmpty && !result.reason.contains($0) }
    lines += further.map { "  also       \($0.onOneLine)" }
    if result.verdict.isFailure, let frame = result.frames.first(where: { $0.verdict.isFailure && !$0.pictures.isEmpty }) {
      for kind in ["actual", "reference"] {
        if let path = frame.pictures[kind] { lines.append("  \(kind.padded(to: 10)) \(place.path(of: path))") }
      }
    }
    if !result.attempts.isEmpty {
      lines.append("  runs       \(result.attemptWords)")
    }
    lines += result.notes.map { "  note       \($0.onOneLine)" }
    if !result.changes.isEmpty { lines.append("  changed    since the reference: \(result.changes.joined(separator: "; ").onOneLine)") }
    guard result.verdict.isFailure else { return lines }
    if !result.reproduce.isEmpty { lines.append("  reproduce  \(result.reproduce)") }
    if !result.approve.isEmpty { lines.append("  approve    \(result.approve)") }
    if result.verdict == .invalid || result.verdict == .crashed { lines += diagnostics(result) }
    return lines
  }

  /// So many cases without a reference are told one by one.
  private static let mostMissing = 3

  /// Cases that lack nothing but a reference, in one line.
  private func missing(_ cases: [CaseResult]) -> String {
    let only = results.selected?.only.map { ["--only", $0] } ?? []
    let words = ["etalon", "test"] + results.paths + only + ["--record", "missing"]
    let names = cases.prefix(3).map(\.id.onOneLine).joined(separator: ", ")
    let command = words.map(ShellWord.quoted).joined(separator: " ")
    let count = "\(cases.count) cases have no reference (\(names), …)"
    return "missing-reference  \(count); '--report' shows their pictures, and this writes them: \(command)"
  }

  /// A case that had no reference, and has one now.
  private func recorded(_ result: CaseResult) -> [String] {
    ["\(word(of: result))  \(result.id.onOneLine): \(result.notes.joined(separator: "; ").onOneLine); look at what it shows"]
      + (result.reproduce.isEmpty ? [] : ["  reproduce  \(result.reproduce)"])
  }

  /// What a verdict is called here.
  private func word(of result: CaseResult) -> String { result.isRecorded ? "recorded" : result.verdict.rawValue }

  /// The filters without cases that are fine as far as that can be said.
  private var untested: [String] {
    let untested = results.cases.filter { $0.isWithoutCase && $0.verdict == .passed }
    guard let first = untested.first else { return [] }
    let names = untested.prefix(12).map(\.subject.onOneLine).joined(separator: ", ") + (untested.count > 12 ? ", …" : "")
    let count = untested.count.of("filter has no case", "filters have no cases")
    return ["\(count): \(names)", "  \(InvariantText(untested).line)"]
      + first.notes.map { "  to begin with '\(first.subject.onOneLine)', \($0.onOneLine)" }
  }

  /// How many cases differ from the CPU device and pass, because the specification allows it.
  private var allowed: [String] {
    let count = results.cases.count { $0.verdict == .passed && $0.frames.contains { $0.specification != nil } }
    return count == 0 ? [] : ["\(count.of("case differs", "cases differ")) from the reference within what the Vulkan specification allows"]
  }

  private var summary: String {
    let cases = results.cases.filter { !$0.isNoCase }, others = results.cases.filter(\.isNoCase)
    let besides = others.isEmpty ? "" : "; besides the cases: \(counts(others))"
    let written = results.recorded.count.of("reference")
    let recorded = results.recorded.isEmpty ? "" : "; \(written) written, which fails the run"
    return "\(cases.count.of("case")): \(cases.isEmpty ? "nothing ran" : counts(cases))\(besides)\(recorded)"
  }

  /// `3 passed, 1 failed`.
  private func counts(_ results: [CaseResult]) -> String {
    let words = results.map(word)
    let order = Verdict.allCases.map(\.rawValue) + ["recorded"]
    return order.compactMap { word in
      let count = words.count { $0 == word }
      return count == 0 ? nil : "\(count) \(word)"
    }.joined(separator: ", ")
  }
}

/// What was tried of filters without cases, in one line.
private struct InvariantText {
  private let results: [CaseResult]

  init(_ results: [CaseResult]) { self.results = results }

  /// `they render the same twice, and these laws hold: optimization, defaults (2 of 3); not tried: fusion (a single pass is not joined with others)`.
  var line: String {
    let invariants = results.flatMap { $0.laws ?? [] }
    let names = invariants.map(\.law).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let holding = names.compactMap { name in
      let count = invariants.count { $0.law == name && $0.outcome == .holds }
      return count == 0 ? nil : count == results.count ? name : "\(name) (\(count) of \(results.count))"
    }
    let open = names.compactMap { name in
      let reasons = Set(invariants.filter { $0.law == name }.compactMap(\.reason)).sorted()
      return reasons.isEmpty ? nil : "\(name) (\(reasons.joined(separator: ", or ")))"
    }
    let rest = open.isEmpty ? "" : "; not tried: \(open.joined(separator: ", "))"
    let subject = results.count == 1 ? "it renders" : "they render"
    return "\(subject) the same twice, and the laws that hold are \(holding.joined(separator: ", "))\(rest)"
  }
}

/// Says what to type for cases whose references were made on the device that they ran on, so that they are compared with another one.
private struct OtherDevice {
  private let results: TestResults

  init(_ results: TestResults) { self.results = results }

  /// Empty where there is no such case.
  var lines: [String] {
    let count = results.cases.count { $0.skip == .ownReference }
    guard count > 0 else { return [] }
    let cases = count.of("case is", "cases are")
    return ["\(cases) compared with nothing: '\(results.device.device)' is the reference, and ran as the device, too", "  \(advice)"]
  }

  private var advice: String {
    guard results.device.backend == "cpu" else { return command(on: "cpu") }
    do throws(RenderError) {
      _ = try TestDevice(option: "vulkan")
      return command(on: "vulkan")
    } catch {
      return "run it where another device is; here is none: \(error.message)"
    }
  }

  private func command(on device: String) -> String {
    let only = results.selected?.only.map { ["--only", $0] } ?? []
    return "type: etalon test \((results.paths + only + ["--device", device]).map { ShellWord.quoted($0) }.joined(separator: " "))"
  }
}

extension CaseResult {
  /// Whether it lacks a reference, and nothing else is to be said about it.
  fileprivate var isOnlyMissing: Bool {
    guard verdict == .missingReference, !isRecorded, notes.isEmpty else { return false }
    return frames.allSatisfy { !$0.verdict.isFailure || $0.verdict == .missingReference }
  }
}
