internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia

extension Image {
  /// A sound for inputs that listen: those of ISF's types `audio` and `audioFFT`, and channels of ShaderToys.
  ///
  /// ```swift
  /// let bars = try Image(library["bars"], inputs: ["spectrum": .sound("song.wav")])
  /// ```
  /// It plays once, from the time 0 of the shot. What an input sees of it, the input says; where it only is an image, it is as ShaderToy shows sounds:
  /// 512×2 pixels, frequencies below samples. Throws `RenderError` for a file that is missing or is no WAV file.
  public static func sound(_ path: String) throws(RenderError) -> Image {
    let file = SoundFile(path: path, bytes: try FileReader.bytes(of: path, limit: 1 << 30))
    let source = try file.source(for: "sound", as: .player)
    var image = Image(stream: source.name, source, label: file.name)
    image.sound = file
    return image
  }
}

/// The bytes of a sound, which every input that listens hears in its own way.
struct SoundFile: Sendable {
  let path: String
  let bytes: [UInt8]

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  func source(for input: String, as layout: SoundPicture) throws(RenderError) -> SoundSource {
    try SoundSource(bytes, path: path, for: input, as: layout)
  }

  /// What an input shows of it; nil for an input that shows pictures.
  ///
  /// - Parameter isLoose: whether the text of the filter does not say which of its inputs listen.
  func picture(for input: FilterInput, isLoose: Bool) throws(RenderError) -> (input: FilterUse.Input, source: SoundSource)? {
    guard let layout = input.sound ?? (isLoose && input.shape == .flat ? .player : nil) else { return nil }
    let source = try source(for: input.name, as: layout)
    let recipe = ImageRecipe(.stream(ImageStream(name: source.name, model: source.model)), label: name)
    // A player does not repeat sounds, nor make mipmaps of them.
    let isUnsaid = input.sound == nil
    return (FilterUse.Input(recipe, address: isUnsaid ? .clamp : nil, interpolation: isUnsaid ? .linear : nil), source)
  }
}
