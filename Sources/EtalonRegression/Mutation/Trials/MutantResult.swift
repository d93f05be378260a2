/// What became of a mutant.
package enum MutantVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// It is no filter: it does not compile, or says things that contradict each other.
  case refused
  /// It shows what the filter shows, wherever one looks.
  case equivalent
  /// A case fails.
  case noticed
  /// It shows something else, and no case fails.
  case survived
}

/// A mutant with its verdict.
package struct MutantResult: Sendable, Hashable, Codable {
  /// What a surviving mutant shows that the filter does not.
  package struct Change: Sendable, Hashable, Codable {
    /// The picture: size, values, inputs.
    package let look: String
    /// `frame 12`.
    package let moment: String
    /// The largest difference in levels of 8 bits; 255 where there is no picture.
    package let levels: Double
    package let pixels: Int
  }

  package let mutant: Mutant
  package let verdict: MutantVerdict
  /// The case that notices, with what it says; why it is refused.
  package let reason: String
  /// Nil unless it survived.
  package let change: Change?
}
