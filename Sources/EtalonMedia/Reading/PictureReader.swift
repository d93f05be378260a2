package import EtalonDiagnostics
package import EtalonTypes

/// How large a picture may be before it is refused.
///
/// A pixel takes up to 16 bytes as a texture, and packed files of a few kilobytes can hold as many pixels of one color as they like. So memory is bounded by the
/// size of the file: pictures up to `plainPixels` are always read, larger ones if their files have a byte for `pixelsPerByte` of them, which photos and renderings do.
package struct PictureLimits: Sendable, Hashable {
  /// The most pixels of a side.
  package var side: Int
  /// The most pixels of a picture.
  package var pixels: Int
  /// The most pixels of a picture whose file is small.
  package var plainPixels: Int
  /// How many pixels of a larger picture a byte of its file may stand for.
  package var pixelsPerByte: Int
  /// The most bytes of a file.
  package var fileSize: Int

  /// Makes limits; the defaults are what every command uses.
  package init(side: Int = 32768, pixels: Int = 1 << 28, plainPixels: Int = 1 << 26, pixelsPerByte: Int = 64, fileSize: Int = 1 << 30) {
    self.side = side
    self.pixels = pixels
    self.plainPixels = plainPixels
    self.pixelsPerByte = pixelsPerByte
    self.fileSize = fileSize
  }
}

/// Reads PNG, JPEG and OpenEXR pictures; the kind is known from the content, whatever the name says.
///
/// PNG becomes `rgba8`, or `rgba16` when it has 16 bits, with straight alpha; JPEG becomes upright `rgba8`; OpenEXR becomes `rgba32f`, light, by which
/// alpha is multiplied. Pictures without alpha are `opaque`.
///
/// ```
/// let photo = try PictureReader().read(path: "photo.jpg")
/// ```
///
/// **Concurrency**: an immutable value.
package struct PictureReader: Sendable {
  private let limits: PictureLimits
  private let choice: PictureChoice
  private let acceptsVolumes: Bool

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - choice: which picture is read of a file with several, which OpenEXR files may have.
  ///   - acceptsVolumes: whether it reads the volumes of ShaderToy's site, too, as slices below each other.
  package init(_ choice: PictureChoice = PictureChoice(), limits: PictureLimits = PictureLimits(), acceptsVolumes: Bool = false) {
    self.limits = limits
    self.choice = choice
    self.acceptsVolumes = acceptsVolumes
  }

  /// Reads a file.
  package func read(path: String) throws(RenderError) -> PixelBuffer {
    try read(FileReader.bytes(of: path, limit: limits.fileSize), name: path)
  }

  /// What the bytes of a file look like, such as `a PNG picture`; nil for text and for what Etalon does not know.
  package static func kind(of bytes: [UInt8]) -> String? {
    switch FileFormat(of: bytes) {
    case .png: "a PNG picture"
    case .jpeg: "a JPEG picture"
    case .openEXR: "an OpenEXR picture"
    case .volume: "a volume"
    case .known(let name): name
    case .empty, .text, .unknown: nil
    }
  }

  /// Whether a file that begins with these bytes is a PNG, JPEG or OpenEXR picture.
  package static func reads(_ start: [UInt8]) -> Bool { [.png, .jpeg, .openEXR].contains(FileFormat(of: start)) }

  /// Reads the bytes of a file; `name` is what errors call it.
  package func read(_ bytes: [UInt8], name: String) throws(RenderError) -> PixelBuffer {
    let format = FileFormat(of: bytes)
    if format != .openEXR, let key = choice.part.map({ _ in "part" }) ?? choice.layer.map({ _ in "layer" }) {
      throw RenderError(.invalidInput, "'\(name)' has no '\(key)': only OpenEXR pictures have parts and layers", underlying: format.words)
    }
    switch format {
    case .png: return try PNGReader(bytes, name: name, limits: limits).read()
    case .jpeg: return try JPEGReader(bytes, name: name, limits: limits).read()
    case .openEXR: return try EXRReader(choice, limits: limits).read(bytes, name: name)
    case .volume where acceptsVolumes: return try VolumeReader(bytes, name: name, limits: limits).read()
    case let other: throw other.error(name)
    }
  }
}

extension PictureLimits {
  /// Refuses sizes beyond the limits.
  ///
  /// - Parameters:
  ///   - isStack: whether the rows are those of many slices, so that they are no side.
  ///   - fileSize: the bytes of the picture's file.
  func check(width: Int, height: Int, isStack: Bool = false, fileSize: Int, name: String) throws(RenderError) -> Size {
    guard width >= 1, height >= 1 else { throw RenderError(.invalidInput, "'\(name)' has no pixels: it is \(width)x\(height)") }
    guard width <= side, isStack || height <= side else {
      throw RenderError(
        .invalidInput, "'\(name)' is too large: \(width)x\(height), a side may have \(side) pixels", help: ["scale the picture down first"])
    }
    guard height <= pixels / width else {
      throw RenderError(
        .invalidInput, "'\(name)' is too large: \(width)x\(height), a picture may have \(pixels) pixels",
        help: ["scale the picture down first"])
    }
    let allowed = max(plainPixels, fileSize.multipliedReportingOverflow(by: pixelsPerByte).partialValue)
    guard width * height <= allowed else {
      throw RenderError(
        .invalidInput,
        "'\(name)' is too large for its \(fileSize.of("byte")): \(width)x\(height), a file of this size may have \(allowed) pixels",
        help: ["scale the picture down first; pictures of more than \(plainPixels) pixels need a byte for each \(pixelsPerByte) of them"])
    }
    return Size(width, height)
  }
}
