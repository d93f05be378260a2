/// What is wrong with a tolerance, at which of its keys.
///
/// **Concurrency**: an immutable value.
public struct ToleranceProblem: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The key with the names of the records it lies in: `channel`, `alpha.window.size`.
  public let key: String
  /// What is wrong, in lower case and without a full stop.
  public let message: String
  /// What to type instead, if that is known.
  public let help: String?
  /// Names that could have been meant by an unknown key; empty otherwise.
  public let candidates: [String]
  /// What has to change: the key itself, or what stands behind it.
  public let part: Part

  /// A part of a line `key: value`.
  public enum Part: String, Hashable, Sendable, Codable { case key, value }

  /// Describes a problem.
  public init(key: String, message: String, help: String? = nil, candidates: [String] = [], part: Part = .value) {
    self.key = key
    self.message = message
    self.help = help
    self.candidates = candidates
    self.part = candidates.isEmpty ? part : .key
  }

  /// `channel: 'warn' 3 is beyond 'fail' 2`.
  public var description: String { "\(key): \(message)" }
}
