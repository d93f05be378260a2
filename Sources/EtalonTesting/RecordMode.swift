import Foundation

/// What becomes of stored pictures when a test renders; the environment variable `ETALON_REFERENCES` names one of these.
///
/// A test that stores a picture fails, whatever the mode.
///
/// **Concurrency**: an immutable value.
public enum RecordMode: String, Sendable, Hashable, CaseIterable {
  /// Nothing is stored; what continuous integration wants, and the default.
  case never
  /// Pictures are stored where there are none.
  case missing
  /// Pictures are stored where there are none, and where the test fails.
  case failed
  /// Every picture that is not equal is stored.
  case all

  /// The name of the environment variable.
  static let variable = "ETALON_REFERENCES"

  /// What the environment asks for; nil where it holds a word that is no mode, because nobody knows what tests are to do then.
  static let asked: RecordMode? = {
    guard let word = ProcessInfo.processInfo.environment[variable] else { return .never }
    return RecordMode(rawValue: word)
  }()
}
