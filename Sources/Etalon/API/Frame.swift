internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes

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

// MARK: many frames

/// The frames of an image over time, each rendered when it is asked for.
///
/// ```swift
/// for try await frame in context.frames(of: image, in: 0..<48, rate: 24) {
///   try frame.write(to: "frame-\(frame.number).png")
/// }
/// ```
/// The device works on the two frames after the one that was taken, and no further: when frames are taken slowly, they are rendered slowly. Leaving the loop
/// early frees what was rendered ahead; a cancelled task gets a `CancellationError` instead of its next frame.
///
/// **Concurrency**: the sequence is an immutable value, and may be iterated several times; an iterator belongs to one task.
public struct FrameSequence: AsyncSequence, Sendable {
  /// Hands out frames in the order of their numbers in the range.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: FrameSequence
    fileprivate var queue: FrameQueue?
    fileprivate var isOver = false

    /// The next frame; nil behind the last, and after an error.
    public mutating func next() async throws -> Frame? {
      if isOver { return nil }
      isOver = true
      try Task.checkCancellation()
      let queue: FrameQueue
      if let begun = self.queue { queue = begun } else { queue = try await sequence.context.begin(sequence) }
      self.queue = queue
      let frame = try await sequence.context.nextFrame(of: queue)
      isOver = frame == nil
      if isOver { self.queue = nil }
      return frame
    }
  }

  fileprivate let context: RenderContext
  fileprivate let image: Image
  fileprivate let numbers: FrameRange
  fileprivate let settings: RenderSettings

  /// Starts with the first frame.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}

extension RenderContext {
  /// The frames of an image, rendered as they are taken.
  ///
  /// Throws `DiagnosticsError` for a range without frames; all else is thrown where the first frame is taken, also errors in values on later frames,
  /// which name the first frame on which they occur.
  ///
  /// - Parameter frames: the numbers of the frames in the order in which they are wanted, such as `0..<48`.
  /// - Parameter rate: frames a second; the rate of the settings does not count.
  public nonisolated func frames(
    of image: Image, in frames: some Sequence<Int>, rate: FrameRate, settings: RenderSettings = RenderSettings()
  ) throws(DiagnosticsError) -> FrameSequence {
    var settings = settings
    settings.rate = rate
    return FrameSequence(context: self, image: image, numbers: try FrameNumbers.range(frames), settings: settings)
  }

  fileprivate func begin(_ sequence: FrameSequence) throws -> FrameQueue {
    try FrameQueue(shot([sequence.image], .range(sequence.numbers), sequence.settings))
  }
}

// MARK: files

/// Writes single pictures, such as contact sheets.
enum PictureFile {
  static func write(
    _ picture: PixelBuffer, to path: String, provenance: FrameProvenance, settings: PNGSettings, policy: ReplacePolicy
  ) throws(RenderError) {
    let file = try AtomicFile(path, replacing: policy)
    try FrameEncoder(settings).encode(picture, text: provenance.textChunks(deflate: settings.library), as: path, to: file)
    try file.commit()
  }
}
