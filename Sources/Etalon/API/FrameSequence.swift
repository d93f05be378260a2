internal import EtalonGraph

/// The frames of an image over time, each rendered when it is asked for.
///
/// ```swift
/// for try await frame in context.frames(of: image, in: 0..<48, rate: 24) {
///   try frame.write(to: "frame-\(frame.number).png")
/// }
/// ```
/// The device works on the two frames after the one that was taken, and no further: who takes frames slowly slows rendering down. Leaving the loop
/// early frees what was rendered ahead; a cancelled task gets a `CancellationError` instead of its next frame.
///
/// **Concurrency**: the sequence is an immutable value, and may be iterated several times; an iterator belongs to one task.
public struct FrameSequence: AsyncSequence, Sendable {
  /// Hands out frames in the order of their numbers in the range.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: FrameSequence
    fileprivate var run: ImageRun?
    fileprivate var isOver = false

    /// The next frame; nil behind the last, and after an error.
    public mutating func next() async throws -> Frame? {
      if isOver { return nil }
      isOver = true
      try Task.checkCancellation()
      let run: ImageRun
      if let begun = self.run { run = begun } else { run = try await sequence.context.begin(sequence) }
      self.run = run
      let frame = try await sequence.context.nextFrame(of: run)
      isOver = frame == nil
      if isOver { self.run = nil }
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
  /// Throws `DiagnosticsError` for a range without frames; all else is thrown where the first frame is taken, also mistakes in values on later frames,
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

  fileprivate func begin(_ sequence: FrameSequence) throws -> ImageRun {
    try ImageRun(sequence.image, sequence.settings, .range(sequence.numbers), on: engine)
  }
}
