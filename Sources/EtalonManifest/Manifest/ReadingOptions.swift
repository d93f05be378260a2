internal import EtalonTypes

/// What a user says about a filter file beside its text.
package struct ReadingOptions: Sendable, Hashable {
  /// How image inputs are read, by name, where that differs from what the dialect or the file says.
  package var samplers: [String: FilterReader.SamplerChange] = [:]
  /// Values for constants of the text, as the user typed them; names that are no constants are for others to judge.
  package var values: [String: String] = [:]
  /// Whether `const` is dropped outside of functions: to be tried when the compiler cannot fold an initialiser.
  package var dropsFileScopeConst = false
  package var limits = TextLimits()

  package init() {}
}

extension FilterReader.SamplerChange {
  /// The sampler of a filter with what the user says instead.
  func applied(to own: Sampler) -> Sampler { Sampler(interpolation ?? own.interpolation, address ?? own.address) }
}

extension FilterInput {
  /// The same input, read as the user says.
  func changed(by change: FilterReader.SamplerChange?) -> FilterInput {
    guard let change else { return self }
    return FilterInput(
      name: name, label: label, origin: origin, shape: shape, sampler: change.applied(to: sampler),
      isFlipped: change.isFlipped ?? isFlipped,
      space: space, alpha: alpha, sound: sound, place: place)
  }
}
