internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Refuses photographs for inputs that listen to a sound; a picture that is such a texture itself is taken as it is.
struct SoundTextureRule {
  private let input: FilterInput

  init(_ input: FilterInput) { self.input = input }

  /// - Parameter isNode: whether a graph names the picture.
  func check(_ picture: PixelBuffer, _ given: RenderRequest.InputPicture, isNode: Bool) throws(DiagnosticsError) {
    let name = given.written?.text ?? given.path
    let example = isNode ? "give it a sound: 'song.wav'" : "type '--input \(input.name)=song.wav'"
    guard
      let mistake = mistake(
        in: picture.size, named: "'\(name)'", help: example, labels: given.written.map { [$0.label("a picture")] } ?? [])
    else { return }
    throw DiagnosticsError(mistake)
  }

  /// What is wrong with a picture of a size; nil where the input listens to none, or it is as large as its texture.
  func mistake(in size: Size, named name: String, help: String, labels: [Diagnostic.Label] = []) -> Diagnostic? {
    guard let sound = input.sound else { return nil }
    let texture = SoundSource.silence(sound).size
    // ISF's textures have a row for each channel of a sound.
    let fits = sound == .player ? size == texture : size.width == texture.width && size.height <= 8
    guard !fits else { return nil }
    let wanted = sound == .player ? "\(texture)" : "\(texture.width) columns and a row for each channel"
    return Diagnostic(
      "input.sound", "'\(input.name)' listens to a sound, and \(name) is a picture of \(size)",
      labels: labels + (input.place.map { [.init($0.source, $0.range, "listens")] } ?? []),
      help: [help, "a picture that is the texture of a sound has \(wanted)"])
  }
}
