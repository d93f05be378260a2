extension FilterManifest {
  /// The image inputs that arrays such as `iChannelResolution` have an element for, in the order of the elements.
  package var channelNames: [String] {
    switch dialect {
    case .shaderToy: (0..<4).map { "iChannel\($0)" }
    }
  }
}
