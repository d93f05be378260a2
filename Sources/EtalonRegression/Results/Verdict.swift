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
  /// Its process ended, or Etalon met a mistake of its own.
  case crashed
  /// It took too long, or does not end.
  case timedOut = "timed-out"
  case outOfMemory = "out-of-memory"
  /// The driver gave the device up.
  case deviceLost = "device-lost"
  case skipped
  /// It fails as somebody said it would.
  case expectedFailure = "expected-failure"
  /// It passes although somebody said it would fail.
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

  /// Whether everything was as it should be.
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
