/// Which streams of a graph are sounds, all of which play from the time 0 of the shot's clock.
package struct SoundState: Sendable, Hashable {
  /// Samples a second, by the name of the stream.
  package let sampleRates: [String: Int]

  package init(sampleRates: [String: Int] = [:]) { self.sampleRates = sampleRates }

  /// What ShaderToy's player says without a sound.
  static let usualSampleRate = 44_100
}

extension SoundState {
  /// Whether an input of a filter plays a sound.
  func plays(_ input: String, of pass: PassState) -> Bool { sampleRate(of: input, pass) != nil }

  /// Samples a second of the first input of a filter that plays a sound.
  func sampleRate(of pass: PassState) -> Int {
    pass.streams.keys.sorted().lazy.compactMap { sampleRate(of: $0, pass) }.first ?? Self.usualSampleRate
  }

  private func sampleRate(of input: String, _ pass: PassState) -> Int? { pass.streams[input].flatMap { sampleRates[$0] } }
}
