/// The names that a dialect gives to every text, for saying what an unknown name was probably meant to be.
package struct NameHints: Sendable, Hashable {
  /// A function that a dialect gives to every text.
  package struct Function: Sendable, Hashable {
    /// Its forms, each as the list of its parameters: `["image", "ivec2 position"]`.
    package let forms: [[String]]
    /// How many arguments of the author's call are missing in the text that is compiled.
    package let dropped: Int
    /// What to write when the number of arguments is right and their types are not; nil where nothing is likely.
    package let help: String?

    package init(_ forms: [[String]], dropped: Int = 0, help: String? = nil) {
      self.forms = forms
      self.dropped = dropped
      self.help = help
    }
  }

  /// What a text may mention without declaring it.
  package let offered: [String]
  /// For names that other players use, the name here.
  package let here: [String: String]
  /// The functions, by their names in the author's text.
  package let functions: [String: Function]

  package init(offered: [String] = [], here: [String: String] = [:], functions: [String: Function] = [:]) {
    self.offered = offered
    self.here = here
    self.functions = functions
  }
}
