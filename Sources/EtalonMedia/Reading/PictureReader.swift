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

/// Reads PNG, JPEG, TIFF, WebP, DPX and OpenEXR pictures; the kind is known from the content, whatever the name says.
///
/// PNG becomes `rgba8`, or `rgba16` when it has 16 bits, with straight alpha; JPEG becomes upright `rgba8`; OpenEXR becomes `rgba32f`, light, by which
/// alpha is multiplied; the others say it beside their readers. Pictures without alpha are `opaque`.
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
  ///   - choice: which picture is read of a file with several, which OpenEXR files may have, and what its numbers are.
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

  /// Reads a file, with what it says besides pixels.
  package func reading(path: String) throws(RenderError) -> PictureReading {
    try reading(FileReader.bytes(of: path, limit: limits.fileSize), name: path)
  }

  /// What the bytes of a file look like, such as `a PNG picture`; nil for text and for what Etalon does not know.
  package static func kind(of bytes: [UInt8]) -> String? {
    switch FileFormat(of: bytes) {
    case .png: "a PNG picture"
    case .jpeg: "a JPEG picture"
    case .tiff: "a TIFF picture"
    case .webP: "a WebP picture"
    case .dpx: "a DPX picture"
    case .openEXR: "an OpenEXR picture"
    case .volume: "a volume"
    case .known(let name): name
    case .empty, .text, .unknown: nil
    }
  }

  /// Whether a file that begins with these bytes is a picture that inputs of filters take.
  package static func reads(_ start: [UInt8]) -> Bool { [.png, .jpeg, .tiff, .webP, .dpx, .openEXR].contains(FileFormat(of: start)) }

  /// The endings of the names of pictures that are found in folders.
  package static let endings = [".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".dpx", ".exr"]

  /// Reads the bytes of a file; `name` is what errors call it.
  package func read(_ bytes: [UInt8], name: String) throws(RenderError) -> PixelBuffer { try reading(bytes, name: name).picture }

  /// Reads the bytes of a file, with what it says besides pixels; `name` is what errors call it.
  package func reading(_ bytes: [UInt8], name: String) throws(RenderError) -> PictureReading {
    let format = FileFormat(of: bytes)
    if format != .openEXR, let key = choice.part.map({ _ in "part" }) ?? choice.layer.map({ _ in "layer" }) {
      throw RenderError(.invalidInput, "'\(name)' has no '\(key)': only OpenEXR pictures have parts and layers", underlying: format.words)
    }
    let reading = try stored(bytes, format, name: name)
    guard let space = choice.space else { return reading }
    return PictureReading(picture: reading.picture.said(toBe: space), facts: reading.facts)
  }

  /// The picture with the numbers that the format of its file has.
  private func stored(_ bytes: [UInt8], _ format: FileFormat, name: String) throws(RenderError) -> PictureReading {
    switch format {
    case .png:
      let picture = try PNGReader(bytes, name: name, limits: limits).read()
      return PictureReading(
        picture: picture,
        facts: PictureFacts(
          format: "PNG", bits: 8 * picture.format.bytesPerChannel, channels: picture.channelNames, color: PictureFacts.color(ofPNG: bytes)))
    case .jpeg:
      let picture = try JPEGReader(bytes, name: name, limits: limits).read()
      return PictureReading(picture: picture, facts: PictureFacts(format: "JPEG", bits: 8, channels: picture.channelNames))
    case .tiff: return try TIFFReader(bytes, name: name, limits: limits).read()
    case .webP: return try WebPReader(bytes, name: name, limits: limits).read()
    case .dpx: return try DPXReader(bytes, name: name, limits: limits).read()
    case .openEXR:
      let picture = try EXRReader(choice, limits: limits).read(bytes, name: name)
      return PictureReading(
        picture: picture, facts: PictureFacts(format: "OpenEXR", bits: 32, channels: picture.channelNames, usualAlpha: .premultiplied))
    case .volume where acceptsVolumes:
      let picture = try VolumeReader(bytes, name: name, limits: limits).read()
      return PictureReading(picture: picture, facts: PictureFacts(format: "volume", bits: 8, channels: picture.channelNames))
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
