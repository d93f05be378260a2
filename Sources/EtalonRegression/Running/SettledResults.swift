internal import EtalonTypes
internal import Synchronization

/// Gathers the results of a run, and tells of each when it is settled: at once, or after it was tried again.
///
/// **Concurrency**: usable from every thread; `observe` is called by one at a time.
final class SettledResults: Sendable {
  /// A result that hangs on what becomes of it in other processes, and the cases that ran before it in the same one.
  typealias Open = (result: CaseResult, testCase: TestCase, earlier: [TestCase])

  private struct State {
    var all: [String: CaseResult] = [:]
    var open: [Open] = []
  }

  private let state = Mutex(State())
  private let expectations: ExpectationCheck
  private let observe: @Sendable (CaseResult) -> Void

  init(_ expectations: ExpectationCheck, _ observe: @escaping @Sendable (CaseResult) -> Void) {
    (self.expectations, self.observe) = (expectations, observe)
  }

  /// Takes a result, which may have to be tried again.
  func add(_ result: CaseResult, _ testCase: TestCase, after earlier: ArraySlice<TestCase>) {
    guard expectations.isOpen(result, testCase) else { return settle(result, testCase) }
    state.withLock { $0.open.append((result, testCase, Array(earlier))) }
  }

  /// Those that are to be tried again, in the order of their names; of the others each is settled with a note.
  func takeOpen(limit: Int, retries: Int) -> [Open] {
    let open = state.withLock { $0.open }.sorted { $0.result.id < $1.result.id }
    var failures = 0
    return open.filter { found in
      guard retries > 0 else {
        settle(found.result, found.testCase)
        return false
      }
      guard !expectations.expectsFlakes(found.testCase) else { return true }
      failures += 1
      guard failures > limit else { return true }
      var result = found.result
      result.notes.append("not tried again: more than \(limit.of("case")) failed")
      settle(result, found.testCase)
      return false
    }
  }

  /// Takes a result as it is, beside what somebody said would happen.
  func settle(_ result: CaseResult, _ testCase: TestCase) {
    let settled = expectations.settled(result, testCase)
    state.withLock { state in
      state.all[settled.id] = settled
      observe(settled)
    }
  }

  /// The settled results by their cases.
  var all: [String: CaseResult] { state.withLock { $0.all } }
}
