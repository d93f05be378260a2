internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

extension Image {
  /// What a sequence or a video shows beyond its last picture, and before its first.
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
    (timing.loop, timing.missing) = (loop.timing, missing.timing)
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

  /// A video.
  ///
  /// ```swift
  /// let clip = try Image.video("clip.mp4", from: 10, loop: .repeat)
  /// ```
  /// Shown at a time is the last frame whose time stamp is not after it. Pictures are upright and have square pixels; their colors are what the file says
  /// about its range, its matrix, its curve and its primaries. Throws `RenderError` for a file that is missing, damaged or no video, and where the libraries
  /// of FFmpeg are missing.
  ///
  /// - Parameter path: the file.
  /// - Parameter from: the first time that shows, in seconds of the video; nil means its beginning.
  /// - Parameter to: the end of what shows, in seconds of the video; nil means its end.
  /// - Parameter start: when it begins, in seconds of the shot's clock; nil means with the shot.
  /// - Parameter speed: how fast it shows; below zero it shows from the end to the beginning.
  /// - Parameter stream: which of several videos of the file, from 0; nil means the main one.
  public static func video(
    _ path: String, from: Rational? = nil, to: Rational? = nil, start: Rational? = nil, speed: Rational = 1, loop: SequenceLoop = .none,
    missing: MissingPictures = .error, stream: Int? = nil
  ) throws -> Image {
    guard [from, to, start].compactMap(\.self).allSatisfy(ShotClock.holds), speed >= -1000, speed <= 1000 else {
      throw DiagnosticsError(
        Diagnostic(
          "video.timing", "a video cannot show from \(from ?? 0) s to \(to ?? 0) s with a speed of \(speed)",
          help: ["give times of at most \(ShotClock.longestTime) seconds, and a speed from -1000 to 1000"]))
    }
    var timing = VideoTiming()
    (timing.from, timing.to, timing.start, timing.speed, timing.stream) = (from, to, start, speed, stream)
    (timing.loop, timing.missing) = (loop.timing, missing.timing)
    let source = try VideoSource(VideoFile(path, stream: stream), timing, in: ShotClock())
    return Image(stream: "\(path) \(timing)", source, label: path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// The picture that comes with each frame.
  init(stream name: String, _ source: any InputSource, label: String) {
    let stream = source.stream(named: name)
    self.init(ImageRecipe(.stream(stream), label: label), supplies: ImageSupplies(streams: source.sources(of: stream)))
  }
}

extension Image.SequenceLoop {
  fileprivate var timing: SequenceTiming.Loop {
    switch self {
    case .none: .none
    case .repeat: .repeat
    case .pingPong: .pingPong
    }
  }
}

extension Image.MissingPictures {
  fileprivate var timing: SequenceTiming.Missing {
    switch self {
    case .error: .error
    case .hold: .hold
    case .black: .black
    }
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

// MARK: sounds

extension Image {
  /// A sound for inputs that listen: those of ISF's types `audio` and `audioFFT`, and channels of ShaderToys.
  ///
  /// ```swift
  /// let bars = try Image(library["bars"], inputs: ["spectrum": .sound("song.wav")])
  /// ```
  /// It plays once, from the time 0 of the shot. What an input sees of it, the input says; where it only is an image, it is as ShaderToy shows sounds:
  /// 512×2 pixels, frequencies below samples. Throws `RenderError` for a file that is missing, damaged or has no sound.
  /// WAV files are read without FFmpeg.
  public static func sound(_ path: String) throws(RenderError) -> Image {
    let file = try SoundFile(path)
    let source = SoundSource(file, for: "sound", as: .player)
    var image = Image(stream: source.name, source, label: file.name)
    image.sound = file
    return image
  }
}

// MARK: earlier frames

extension Image {
  /// How many images with feedback are being made around the one that is being made now.
  @TaskLocal private static var depth = 0

  /// An image that is made of what it showed a frame ago.
  ///
  /// ```swift
  /// let trail = try Image.feedback { before in
  ///   try disk.composited(over: before.applying(library["affine"], ["scale": [0.98, 0.98]]))
  /// }
  /// ```
  /// On the first frame of a shot, `before` is transparent. Frames are rendered in their order; one alone has those before it rendered first.
  ///
  /// - Parameter make: makes the image of what it showed a frame ago, which covers as much as the whole result; it is called once.
  public static func feedback(_ make: (_ before: Image) throws -> Image) rethrows -> Image {
    let placeholder = "feedback \(depth)"
    let before = Image(ImageRecipe(.before(placeholder), label: "before"))
    let image = try $depth.withValue(depth + 1) { try make(before) }
    return image.closing(placeholder)
  }

  /// The same image with names of feedback that are hashes of its content: equal images get equal names, others different ones.
  private func closing(_ placeholder: String) -> Image {
    var hasher = ContentHasher()
    hasher.add("image", recipe.digest.description)
    for (name, image) in supplies.feedback.sorted(by: { $0.key < $1.key }) { hasher.add(name, image.digest.description) }
    let own = "feedback-\(hasher.finish().description.prefix(16))"
    // Feedback inside that reads this image depends on it, so its name does, too.
    let dependent = supplies.feedback.filter { $0.value.renamingFeedback([placeholder: own]) != $0.value }.keys
    let names = Dictionary(dependent.map { ($0, "\(own)/\($0)") }) { first, _ in first }.merging([placeholder: own]) { $1 }
    let closed = recipe.renamingFeedback(names)
    var supplies = supplies
    supplies.feedback = Dictionary(
      uniqueKeysWithValues: supplies.feedback.map { (names[$0.key] ?? $0.key, $0.value.renamingFeedback(names)) })
    supplies.feedback[own] = closed
    return Image(closed, supplies: supplies, continuesBeyondEdges: continuesBeyondEdges)
  }
}
