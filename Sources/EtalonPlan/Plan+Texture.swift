package import EtalonTypes

extension Plan {
  /// A texture that the plan reads or writes; its index in `textures` is its name.
  package struct Texture: Sendable, Hashable {
    package enum Role: Sendable, Hashable {
      /// Filled from a picture before the first frame; the index is into the imports handed to the backend.
      case imported(Int)
      /// Filled from a picture that comes with every frame; the index is into `FrameValues.pictures`.
      case streamed(Int)
      /// Written and read within a frame, or within the setup; its content is undefined between them.
      case transient
      /// Written by the setup, read by frames, and kept as long as the execution.
      case setup
      /// Written during a frame and kept.
      ///
      /// Without a `previous` of it, a frame finds in it what the frame before left; with one, the two swap their memory after every frame,
      /// so that a frame has to write all of it.
      case persistent
      /// What the persistent texture with this index held at the end of the frame before; transparent black at the first frame of a state.
      case previous(of: Int)
    }

    package enum Shape: Sendable, Hashable {
      /// Rows of pixels, the lowest first.
      case flat
      /// Six square faces, +X, -X, +Y, -Y, +Z, -Z; the first row of a face is that with t = 0.
      case cube
      /// Slices, that with the lowest third coordinate first; the first row of a slice is that with the lowest second coordinate.
      case volume(depth: Int)
    }

    /// What a person would call it: `iChannel0`, `bufferA`.
    package let name: String
    package let role: Role
    /// How its pixels lie in space.
    package let shape: Shape
    /// The size of one face or slice.
    package let size: Size
    package let format: PixelFormat
    /// Whether the texture has a full chain of mipmap levels.
    package let isMipmapped: Bool
    /// The block of memory in which a transient texture takes turns with others, by its number; nil for memory of its own.
    ///
    /// Writing one of them takes away what the others held.
    package let block: Int?

    package init(
      name: String, role: Role, shape: Shape = .flat, size: Size, format: PixelFormat, isMipmapped: Bool, block: Int? = nil
    ) {
      self.name = name
      self.role = role
      self.shape = shape
      self.size = size
      self.format = format
      self.isMipmapped = isMipmapped
      self.block = block
    }
  }
}

extension Plan.Texture.Shape {
  package var isVolume: Bool {
    if case .volume = self { true } else { false }
  }
}

extension Plan.Texture {
  /// The number of faces or slices of level 0.
  package var layerCount: Int {
    switch shape {
    case .flat: 1
    case .cube: 6
    case .volume(let depth): depth
    }
  }

  /// The size of the picture that an imported or streamed texture is filled from.
  ///
  /// Faces and slices are stacked, the first on top. The pictures of cubes and volumes are not turned over: their top row is the first row of
  /// the first face. A flat texture starts at the bottom row of its picture.
  package var pictureSize: Size { Size(size.width, size.height * layerCount) }

  /// Whether it is filled from a picture of each frame.
  package var isStreamed: Bool {
    if case .streamed = role { true } else { false }
  }

  /// Whether its smaller levels are made after it was filled from a picture of a frame.
  package var makesStreamedMipmaps: Bool { isStreamed && levelCount > 1 }

  /// Whether steps write it.
  package var isWritten: Bool { role == .transient || role == .persistent || role == .setup }

  /// Whether its content outlives a frame.
  package var isKept: Bool {
    switch role {
    case .persistent, .previous: true
    case .imported, .streamed, .transient, .setup: false
    }
  }
}
