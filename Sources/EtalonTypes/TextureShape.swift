/// How a texture is addressed by the text that reads it.
public enum TextureShape: String, Sendable, Hashable {
  /// Two coordinates (`sampler2D`).
  case flat
  /// A direction (`samplerCube`).
  case cube
  /// Three coordinates (`sampler3D`).
  case volume
}
