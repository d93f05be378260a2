internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Synchronization

/// Reads the pictures of a sequence as an input of a filter expects them, all of one size and format.
///
/// **Concurrency**: usable from every thread.
final class SequencePictures: Sendable {
  /// The first picture of the sequence, converted.
  let model: PixelBuffer
  private let pattern: FramePattern
  private let first: Int
  private let input: FilterInput
  /// Hashes of files that were read, by their numbers.
  private let digests = Mutex<[Int: String]>([:])

  /// - Parameter first: the number of the picture that decides about size and format.
  init(_ pattern: FramePattern, first: Int, for input: FilterInput) throws(RenderError) {
    self.pattern = pattern
    self.first = first
    self.input = input
    let (picture, digest) = try Self.read(pattern.path(frame: first), for: input)
    // Pictures without alpha are not converted where those with it are, and one sequence may have both.
    let isConverted = input.space == .linear || input.alpha == .premultiplied
    model = isConverted ? picture.widened(to: .rgba16) ?? picture : picture
    digests.withLock { $0[first] = digest }
  }

  /// The picture of a number.
  func read(_ number: Int) throws(RenderError) -> PixelBuffer {
    let path = pattern.path(frame: number)
    let (picture, digest) = try Self.read(path, for: input)
    digests.withLock { $0[number] = digest }
    guard picture.size == model.size else {
      throw RenderError(
        .invalidInput, "'\(path)' is \(picture.size), and '\(pattern.path(frame: first))', the first of the sequence, is \(model.size)",
        help: ["all pictures of a sequence have one size"])
    }
    guard let widened = picture.widened(to: model.format) else {
      throw RenderError(
        .invalidInput,
        "'\(path)' has \(8 * picture.format.bytesPerChannel) bits a channel, and '\(pattern.path(frame: first))', the first of the sequence, has \(8 * model.format.bytesPerChannel)",
        help: ["no picture of a sequence has more bits than its first"])
    }
    return widened
  }

  /// The hash of a file's bytes; read once.
  func digest(_ number: Int) throws(RenderError) -> String {
    if let known = digests.withLock({ $0[number] }) { return known }
    let digest = ContentHash(of: try FileReader.bytes(of: pattern.path(frame: number), limit: PictureLimits().fileSize)).description
    digests.withLock { $0[number] = digest }
    return digest
  }

  private static func read(_ path: String, for input: FilterInput) throws(RenderError) -> (PixelBuffer, digest: String) {
    let bytes = try FileReader.bytes(of: path, limit: PictureLimits().fileSize)
    let picture = try PictureReader().read(bytes, name: path).converted(for: input)
    return (input.isFlipped ? picture.turnedOver : picture, ContentHash(of: bytes).description)
  }
}

extension PixelBuffer {
  /// The same picture in a format of at least as many bits; nil when it has fewer.
  fileprivate func widened(to format: PixelFormat) -> PixelBuffer? {
    if self.format == format { return self }
    guard self.format == .rgba8, format == .rgba16 else { return nil }
    var words: [UInt8] = []
    words.reserveCapacity(bytes.count * 2)
    // 65535 = 255 × 257: the same byte twice.
    for byte in bytes {
      words.append(byte)
      words.append(byte)
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: words)
  }

  /// Black of the same size and format: opaque where this is opaque, else transparent.
  var blackened: PixelBuffer {
    var black = [UInt8](repeating: 0, count: bytes.count)
    if alpha == .opaque {
      let width = format.bytesPerChannel
      for pixel in 0..<size.pixelCount { for byte in 3 * width..<4 * width { black[pixel * 4 * width + byte] = 255 } }
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: black)
  }
}
