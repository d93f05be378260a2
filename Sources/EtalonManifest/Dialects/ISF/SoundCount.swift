internal import EtalonDiagnostics

extension SoundPicture {
  /// What an input of type `audio` or `audioFFT` shows: `MAX` is the width of its picture.
  init(count members: inout JSONMembers, isSpectrum: Bool) {
    let written = members.number("MAX")
    var count = Self.standardCount
    if let written {
      if (1...Double(Self.mostCount)).contains(written.value), written.value == written.value.rounded() {
        count = Int(written.value)
      } else {
        members.report(
          "sound.count", "a sound has from 1 to \(Self.mostCount) \(isSpectrum ? "frequencies" : "samples")", at: written.place,
          "not as many", help: ["write \"MAX\": \(Self.standardCount)"])
      }
    }
    self = isSpectrum ? .spectrum(bandCount: count) : .waveform(sampleCount: count)
  }
}
