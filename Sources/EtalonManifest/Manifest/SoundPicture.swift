/// What an image input shows of a sound.
package enum SoundPicture: Sendable, Hashable {
  /// 512×2 pixels as ShaderToy has them: in the lower row frequencies, in the upper one samples.
  case player
  /// So many samples, the latest at the right; a row for each channel, the first at the bottom; silence is 0.5.
  case waveform(sampleCount: Int)
  /// So many bands from 0 to half the sample rate; a row for each channel, the first at the bottom.
  case spectrum(bandCount: Int)

  /// How many samples or bands an ISF file shows that does not say it.
  package static let standardCount = 512
  /// The most samples or bands.
  package static let mostCount = 16384
}

extension SoundPicture: CustomStringConvertible {
  /// `a waveform of 64 samples`.
  package var description: String {
    switch self {
    case .player: "frequencies and a waveform"
    case .waveform(let count): "a waveform of \(count) samples"
    case .spectrum(let count): "\(count) frequencies"
    }
  }
}
