internal import EtalonTypes

/// What a pass is within its project, beside its text: where its result goes and what its channels read.
struct ShaderToyRole {
  /// An image that the text knows by a name.
  struct Channel {
    let source: PassTexture.Source
    let shape: TextureShape
    let sampler: Sampler
    /// Whether the player tells the text its size.
    let hasSize: Bool
    /// The input that it is; nil for a target.
    let input: FilterInput?

    /// A channel that reads an image input.
    init(input: FilterInput, hasSize: Bool = true) {
      self.input = input
      source = .input(input.name)
      shape = input.shape
      sampler = input.sampler
      self.hasSize = hasSize
    }

    /// A channel that reads what a pass wrote.
    init(target: String, shape: TextureShape, sampler: Sampler) {
      input = nil
      source = .target(target)
      self.shape = shape
      self.sampler = sampler
      hasSize = true
    }
  }

  /// `image`, `bufferA`.
  let name: String
  /// Nil for the result of the filter.
  let target: String?
  let entry: ShaderToyEntry.Form
  /// What stands in front of the names of its inputs: `bufferA.`; empty for the image.
  let prefix: String
  /// What the project connects, by the name in the text.
  let connected: [String: Channel]
  /// Whether channels that nothing is connected to are empty; otherwise they are inputs of the user.
  let isConnected: Bool

  /// A text that is a whole filter: every channel is an input of the user.
  static let single = ShaderToyRole(name: "image", target: nil, entry: .image, prefix: "", connected: [:], isConnected: false)

  /// The same role for a text that connects some channels itself.
  func connecting(_ channels: EditorChannels, _ options: ShaderToyOptions) -> ShaderToyRole {
    guard !isConnected else { return self }
    let own = ShaderToyUniforms.channels.compactMap { name in channels.channel(name, options).map { (name, $0) } }
    return ShaderToyRole(
      name: name, target: target, entry: entry, prefix: prefix, connected: connected.merging(own) { first, _ in first },
      isConnected: isConnected)
  }

  /// What a name in the text reads.
  func channel(_ name: String, _ options: ShaderToyOptions) -> Channel {
    if let channel = connected[name] { return channel }
    let inputName = prefix + name
    if isConnected, ShaderToyUniforms.channels.contains(name) {
      return Channel(input: FilterInput(name: inputName, origin: .nothing, sampler: Sampler(.nearest, .clamp)), hasSize: false)
    }
    let setting = options.channel(inputName)
    return Channel(input: FilterInput(name: inputName, sampler: setting.sampler, isFlipped: setting.isFlipped))
  }
}
