import EtalonRegression
import Foundation

extension RecordMode {
  /// The name of the environment variable that says what becomes of stored pictures.
  static let variable = "ETALON_REFERENCES"

  /// What the environment asks for; nil where it holds a word that is no mode, because nobody knows what tests are to do then.
  static let asked: RecordMode? = {
    guard let word = ProcessInfo.processInfo.environment[variable] else { return .never }
    return RecordMode(rawValue: word)
  }()
}
