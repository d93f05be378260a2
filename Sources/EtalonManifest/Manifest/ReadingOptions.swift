package import EtalonTypes

/// What a user says about a filter file beside its text.
package struct ReadingOptions: Sendable, Hashable {
  /// How image inputs are read, by name; others are read as the dialect or the file says.
  package var samplers: [String: Sampler] = [:]
  /// Values for constants of the text, as the user typed them; names that are no constants are for others to judge.
  package var values: [String: String] = [:]
  /// Whether `const` is dropped outside of functions: to be tried when the compiler cannot fold an initialiser.
  package var dropsFileScopeConst = false
  package var limits = TextLimits()

  package init() {}
}
