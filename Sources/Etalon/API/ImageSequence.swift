internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

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
    guard start.map(ShotClock.holds) ?? true, speed >= -1000, speed <= 1000 else {
      throw DiagnosticsError(
        Diagnostic(
          "sequence.timing", "a sequence cannot start at \(start ?? 0) s with a speed of \(speed)",
          help: ["give a start of at most \(ShotClock.longestTime) seconds, and a speed from -1000 to 1000"]))
    }
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
    let source = try SequenceSource(files, timing, for: SequenceSource.asItIs, in: ShotClock(), times: .zero ... .zero)
    return Image(stream: timing.name(of: files), source, label: files.fileName)
  }

  /// What comes with each frame.
  init(stream name: String, _ source: any PictureSource, label: String) {
    self.init(
      ImageRecipe(.stream(ImageStream(name: name, model: source.model)), label: label), supplies: ImageSupplies(streams: [name: source]))
  }
}

extension SequenceTiming {
  /// Tells a sequence from others: equal texts are equal sequences.
  fileprivate func name(of pattern: FramePattern) -> String {
    let numbers = [first, last].map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
    let times = "\(rate.map(\.description) ?? "-") \(start.map(\.description) ?? "-") \(speed)"
    return "\(pattern) \(numbers) \(times) \(loop.rawValue) \(missing.rawValue)"
  }
}
