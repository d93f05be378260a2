package import EtalonTypes

/// What a user says about a ShaderToy file beside its text.
package struct ShaderToyOptions: Sendable, Hashable {
  /// How one channel is read unless something else is said; the defaults are those of a picture that was just added in the site's player.
  package struct Channel: Sendable, Hashable {
    package var sampler: Sampler
    /// Whether the picture appears upside down, as with the player's `vflip` switched off.
    package var isFlipped: Bool

    package init(sampler: Sampler = Sampler(.mipmap, .repeat), isFlipped: Bool = false) {
      self.sampler = sampler
      self.isFlipped = isFlipped
    }
  }

  /// By name of the input; what a change leaves open is as the file says, or as by default.
  package var channels: [String: FilterReader.SamplerChange] = [:]
  /// Values for constants, as the user typed them; names that are no constants are for others to judge.
  package var values: [String: String] = [:]
  /// Whether `const` is dropped outside of functions: to be tried when the compiler cannot fold an initialiser.
  package var dropsFileScopeConst = false
  package var limits = TextLimits()

  package init() {}

  /// How a channel is read that is declared to be read in some way.
  func channel(_ name: String, declared: Channel = Channel()) -> Channel {
    let change = channels[name] ?? FilterReader.SamplerChange()
    return Channel(
      sampler: Sampler(change.interpolation ?? declared.sampler.interpolation, change.address ?? declared.sampler.address),
      isFlipped: change.isFlipped ?? declared.isFlipped)
  }
}
