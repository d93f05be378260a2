internal import EtalonTypes

/// Something that a plain compute shader declares to be bound, with the places of its declaration.
struct ComputeResource {
  enum Kind {
    /// `uniform sampler2D`.
    case texture
    /// `uniform readonly image2D`, which is read like a texture.
    case readImage
    /// `uniform writeonly image2D`.
    case writtenImage
    /// A block of values: `uniform Name { float gain; }`.
    case block(members: [Member])
    /// A value of its own: `uniform float gain;`.
    case value(Member)
    /// `buffer Name { uint bins[256]; }`.
    case buffer(FilterBuffer)
  }

  /// A value with the default that a comment behind it gives.
  struct Member {
    let name: String
    let type: ValueType
    let initial: Value
    let place: SourceRange?
  }

  /// The name in the text: of the variable, or of the block.
  let name: String
  let kind: Kind
  /// The visible tokens of the declaration, without the `;`.
  let tokens: [Int]
  /// The place of the `;`.
  let end: Int
  let place: SourceRange?
}
