package import EtalonTypes

/// An image that a filter reads.
package struct FilterInput: Sendable, Hashable {
  /// Where its picture comes from when the user gives none.
  package enum Origin: Sendable, Hashable {
    /// Nowhere: the user has to give one.
    case user
    /// A file beside the filter, relative to its folder.
    case file(path: String, place: SourceRange?)
    /// A picture that belongs to a player's site, looked up in a folder of the user.
    case asset(Asset)
    /// The keys that are held, as a picture of 256×3 pixels.
    case keyboard
    /// Nothing: the text reads opaque black.
    case nothing
  }

  /// A picture that a site offers to its shaders.
  package struct Asset: Sendable, Hashable {
    /// What the site calls it, such as a path.
    package let id: String
    /// The name of the file in a folder of assets.
    package let fileName: String
    /// The name that people know it by.
    package let title: String?
    package let size: Size?

    package init(id: String, fileName: String, title: String? = nil, size: Size? = nil) {
      self.id = id
      self.fileName = fileName
      self.title = title
      self.size = size
    }
  }

  /// What the numbers of a picture mean to the text that reads them.
  package enum ColorSpace: String, Sendable, Hashable, CaseIterable {
    /// Whatever the graph computes with: sRGB-encoded unless it says otherwise.
    case working
    /// sRGB-encoded, as files have them.
    case encoded
    /// Proportional to light.
    case linear
    /// No colours at all, so that nothing converts them.
    case data
  }

  /// `iChannel0`, `bufferA.iChannel1`, `inputImage`.
  package let name: String
  package let label: String?
  package let origin: Origin
  package let shape: TextureShape
  /// How the image is read unless the user says otherwise.
  package let sampler: Sampler
  /// Whether the picture appears upside down to the text.
  package let isFlipped: Bool
  package let space: ColorSpace
  /// What the fourth channel says about the others when the text reads it.
  package let alpha: AlphaMode
  /// What it shows of a sound; nil for an input that shows pictures.
  package let sound: SoundPicture?
  /// Where it is declared; nil for one that the text only mentions.
  package let place: SourceRange?
  /// Whether anything that runs reads it; otherwise it needs no picture.
  package internal(set) var isRead = true

  package init(
    name: String, label: String? = nil, origin: Origin = .user, shape: TextureShape = .flat, sampler: Sampler, isFlipped: Bool = false,
    space: ColorSpace = .encoded, alpha: AlphaMode = .straight, sound: SoundPicture? = nil, place: SourceRange? = nil
  ) {
    self.name = name
    self.label = label
    self.origin = origin
    self.shape = shape
    self.sampler = sampler
    self.isFlipped = isFlipped
    self.space = space
    self.alpha = alpha
    self.sound = sound
    self.place = place
  }

  /// The same input with numbers of a space.
  package func reading(_ space: ColorSpace) -> FilterInput {
    var input = FilterInput(
      name: name, label: label, origin: origin, shape: shape, sampler: sampler, isFlipped: isFlipped, space: space, alpha: alpha,
      sound: sound, place: place)
    input.isRead = isRead
    return input
  }
}
