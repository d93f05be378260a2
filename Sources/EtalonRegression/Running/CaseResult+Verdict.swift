internal import Etalon
internal import EtalonDiagnostics

extension CaseResult {
  /// The most mistakes of a file that are told one by one.
  private static let mostMistakes = 20

  mutating func add(_ frame: FrameResult) { frames.append(frame) }

  /// The verdict that follows from those of the frames: the worst of them.
  ///
  /// What cannot be compared here leaves the rest as it is; where there is no rest the case is skipped.
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
    // What is no number is told first: nothing else that was measured means much then.
    if let hole = frames.first(where: { $0.verdict == .failed && $0.check == "renders" && $0.notFinite > 0 }), first.check != "renders" {
      reason = "\(hole.reason); \(reason)"
    }
  }

  /// Takes over what ended the case.
  mutating func fail(_ error: any Error) {
    switch error {
    case let error as DiagnosticsError:
      let first = error.diagnostics.first { $0.severity == .error }
      verdict = first?.id.hasPrefix("internal.") ?? false ? .crashed : .invalid
      reason = first.map { "\($0.message) [\($0.id)]" } ?? ""
      diagnostics += DiagnosticPrinter().text(error.diagnostics)
      let found = error.diagnostics.compactMap { CaseMistake($0) }.prefix(Self.mostMistakes)
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
