/// What a difference on a device comes from.
package enum Blame: String, Sendable, Hashable, Codable, CaseIterable {
  /// The shader, a value or an input: Etalon's own executor does not show the reference any more either.
  case change
  /// The shader relies on something that no specification promises: small errors, which every device makes, move the same pixels.
  case shader
  /// The device: nothing that the specification leaves open explains it.
  case driver
}
