/// What the fourth channel of a picture says about the other three.
public enum AlphaMode: String, Sendable, Hashable, CaseIterable {
  /// Every pixel covers fully; alpha is 1 whatever the filter returned.
  case opaque
  /// Colour does not depend on coverage (PNG's *unassociated* alpha).
  case straight
  /// Colour was multiplied by coverage.
  case premultiplied
}
