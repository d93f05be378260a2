/// Which inputs play sounds, all from the time 0 of the shot's clock.
package struct SoundState: Sendable, Hashable {
  /// The names of the inputs.
  package let inputs: Set<String>
  /// Samples a second: that of the first sound.
  package let sampleRate: Int

  /// - Parameter sampleRate: without a sound, what ShaderToy's player says.
  package init(inputs: Set<String> = [], sampleRate: Int = 44_100) {
    self.inputs = inputs
    self.sampleRate = sampleRate
  }
}
