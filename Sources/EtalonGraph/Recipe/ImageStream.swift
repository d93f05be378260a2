package import EtalonTypes

/// A picture that comes with each frame: of a numbered sequence, of a sound.
package struct ImageStream: Sendable, Hashable {
  /// Tells it from the other streams of a graph.
  package let name: String
  /// A picture of the size, the format and the alpha that all of them have.
  package let model: PixelBuffer

  package init(name: String, model: PixelBuffer) {
    self.name = name
    self.model = model
  }
}
