/// How far pixels of a frame that differs move where devices compute as loosely as they may.
package struct StabilityResult: Sendable, Hashable, Codable {
  /// Pixels that have the same color in the picture.
  package struct Band: Sendable, Hashable, Codable {
    /// `by up to 4 levels`.
    package let text: String
    /// `#ff8000`.
    package let color: String
    package let pixels: Int
  }

  /// How often it was rendered in another way.
  package let runs: Int
  package let seed: Int
  package let bands: [Band]
}
