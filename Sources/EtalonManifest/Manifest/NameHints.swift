/// The names that a dialect gives to every text, for saying what an unknown name was probably meant to be.
package struct NameHints: Sendable, Hashable {
  /// What a text may mention without declaring it.
  package let offered: [String]
  /// For names that other players use, the name here.
  package let here: [String: String]

  package init(offered: [String] = [], here: [String: String] = [:]) {
    self.offered = offered
    self.here = here
  }
}
