/// What became of a law that holds for every filter, of one that has no case.
package struct LawResult: Sendable, Hashable, Codable {
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
