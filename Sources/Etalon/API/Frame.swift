internal import EtalonMedia
internal import EtalonPlan

/// A rendered frame of an image.
///
/// ```swift
/// let frame = try await context.render(image)
/// frame.pixels.size
/// try frame.write(to: "result.png")
/// ```
///
/// **Concurrency**: an immutable value with shared storage.
public struct Frame: Sendable {
  /// The number of the frame in its shot.
  public let number: Int
  /// Seconds on the shot's clock.
  public let time: Rational
  /// The pixels, the top row first: `rgba8`, `rgba16` or `rgba32f`, as ``RenderSettings/depth`` says.
  public let pixels: PixelBuffer
  private let provenance: FrameProvenance

  /// Copies the pixels of a finished frame.
  init(_ pending: any PendingFrame, _ output: Plan.Output, _ provenance: FrameProvenance) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(output.size.pixelCount * output.format.bytesPerPixel)
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    pixels = PixelBuffer(size: output.size, format: output.format, alpha: output.alpha, bytes: bytes)
    number = provenance.frame
    time = provenance.time
    self.provenance = provenance
  }

  /// What the pixels depend on: frames with equal recipes have equal pixels.
  public var recipe: String { provenance.recipe }

  /// Writes a PNG file of 8 or 16 bits a channel, completely or not at all; its text chunks say what it was made of.
  ///
  /// Throws `RenderError` when the file cannot be written, or when one is there that Etalon did not write.
  ///
  /// - Parameter overwriting: whether any file may be replaced.
  public func write(to path: String, overwriting: Bool = false) throws(RenderError) {
    guard !pixels.format.isFloat else { throw Self.floatsInFile(path) }
    try PictureFile.write(
      pixels, to: path, provenance: provenance, settings: PNGSettings(), policy: overwriting ? .anything : .ownFrames)
  }

  static func floatsInFile(_ path: String) -> RenderError {
    RenderError(
      .cannotWrite, "cannot write '\(path)'", underlying: "PNG files have no floats", help: ["render with the depth '.eight' or '.sixteen'"]
    )
  }
}
