package import EtalonTypes

/// What a user says about a ShaderToy file beside its text.
package struct ShaderToyOptions: Sendable, Hashable {
  /// How one channel is read; the defaults are those of a picture that was just added in the site's player.
  package struct Channel: Sendable, Hashable {
    package var sampler: Sampler
    /// Whether the picture appears upside down, as with the player's `vflip` switched off.
    package var isFlipped: Bool

    package init(sampler: Sampler = Sampler(.mipmap, .repeat), isFlipped: Bool = false) {
      self.sampler = sampler
      self.isFlipped = isFlipped
    }
  }

  /// By name of the input; others are read in the default way.
  package var channels: [String: Channel] = [:]
  /// Values for constants, as the user typed them; names that are no constants are for others to judge.
  package var values: [String: String] = [:]
  /// Whether `const` is dropped outside of functions: to be tried when the compiler cannot fold an initialiser.
  package var dropsFileScopeConst = false
  package var limits = TextLimits()

  package init() {}
}
