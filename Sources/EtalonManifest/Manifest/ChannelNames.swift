extension FilterManifest {
  /// Every image input that the dialect lets the text read, whether it does or not.
  package var channelNames: [String] {
    let own = inputs.map(\.name)
    guard dialect == .shaderToy else { return own }
    return ShaderToyUniforms.channels + own.filter { !ShaderToyUniforms.channels.contains($0) }
  }
}
