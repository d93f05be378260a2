internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Numbered pictures as the content of an image: where they lie, and when each shows.
struct ImageSequence: Sendable, Hashable {
  let pattern: FramePattern
  let timing: SequenceTiming
  /// A picture of the size and the format that all of them have.
  let model: PixelBuffer

  /// Tells it from other sequences: equal texts are equal sequences.
  var name: String {
    let numbers = [timing.first, timing.last].map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
    let times = "\(timing.rate.map(\.description) ?? "-") \(timing.start.map(\.description) ?? "-") \(timing.speed)"
    return "\(pattern) \(numbers) \(times) \(timing.loop.rawValue) \(timing.missing.rawValue)"
  }

  /// Finds the files, and reads the first.
  init(_ pattern: FramePattern, _ timing: SequenceTiming) throws(RenderError) {
    self.pattern = pattern
    self.timing = timing
    model = try Self.source(pattern, timing, in: ShotClock(), times: .zero ... .zero).model
  }

  /// What shows in a shot.
  func source(in request: RenderRequest) throws(RenderError) -> any PictureSource {
    try Self.source(pattern, timing, in: request.clock, times: request.wantedTimes)
  }

  private static func source(
    _ pattern: FramePattern, _ timing: SequenceTiming, in clock: ShotClock, times: ClosedRange<Rational>
  ) throws(RenderError) -> SequenceSource {
    // The graph converts what comes with each frame, so that one sequence may serve several inputs.
    try SequenceSource(pattern, timing, for: FilterInput(name: "sequence", sampler: Sampler()), in: clock, times: times)
  }
}

extension Image {
  /// What a sequence shows beyond its last picture, and before its first.
  public enum SequenceLoop: Sendable, Hashable, CaseIterable {
    /// Nothing: it shows once.
    case none
    /// The first picture again.
    case `repeat`
    /// The pictures in reverse, then again from the first.
    case pingPong
  }

  /// What a frame shows whose picture is not there.
  public enum MissingPictures: Sendable, Hashable, CaseIterable {
    /// Nothing: rendering throws `RenderError` before it begins.
    case error
    /// The picture before it.
    case hold
    /// Black: opaque where the pictures of the sequence are, else transparent.
    case black
  }

  /// Numbered pictures of one size, one after the other.
  ///
  /// ```swift
  /// let plate = try Image.sequence("plate.####.png", rate: 24, missing: .hold)
  /// ```
  /// Throws `DiagnosticsError` for a pattern without a place for the number, `RenderError` when no file fits it or the first is no picture.
  ///
  /// - Parameter pattern: the name of the files, with `####` or `%04d` for the number.
  /// - Parameter rate: pictures a second; nil means as many as the shot has frames.
  /// - Parameter start: when it begins, in seconds of the shot's clock; nil means with the shot.
  /// - Parameter speed: how fast it shows; below zero it shows from the last picture to the first.
  public static func sequence(
    _ pattern: String, rate: FrameRate? = nil, start: Rational? = nil, speed: Rational = 1, loop: SequenceLoop = .none,
    missing: MissingPictures = .error
  ) throws -> Image {
    var timing = SequenceTiming()
    (timing.rate, timing.start, timing.speed) = (rate, start, speed)
    timing.loop =
      switch loop {
      case .none: .none
      case .repeat: .repeat
      case .pingPong: .pingPong
      }
    timing.missing =
      switch missing {
      case .error: .error
      case .hold: .hold
      case .black: .black
      }
    let files = try FramePattern(pattern, option: "sequence")
    guard files.hasNumber else {
      throw DiagnosticsError(
        Diagnostic(
          "pattern.no-number", "'\(pattern)' has no place for the number of the picture",
          help: ["write '####' for the number, or read a single picture with 'Image(contentsOf:)'"]))
    }
    let sequence = try ImageSequence(files, timing)
    let recipe = ImageRecipe(.stream(ImageStream(name: sequence.name, model: sequence.model)), label: files.fileName)
    return Image(recipe, streams: [sequence.name: sequence])
  }
}
