internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// How large and how exact the frames of an image are, and which clock they follow.
///
/// ```swift
/// var settings = RenderSettings()
/// settings.size = Size(1920, 1080)
/// settings.depth = .sixteen
/// ```
///
/// **Concurrency**: an immutable value.
public struct RenderSettings: Sendable, Hashable {
  /// How the channels of a frame are stored.
  public enum Depth: Sendable, Hashable, CaseIterable {
    /// Bytes: clamped, NaN is 0, times 255, halves to the even number.
    case eight
    /// 16-bit words, likewise; images between filters then have 32-bit floats.
    case sixteen
    /// 32-bit floats as the filters give them, also below 0 and above 1; for looking at numbers, PNG cannot hold them.
    case float
  }

  /// Width and height in pixels; nil means what the image covers, and 1280×720 for generators.
  public var size: Size?
  /// What the numbers of images mean while filters compute with them.
  public enum WorkingSpace: Sendable, Hashable, CaseIterable {
    /// sRGB-encoded, as files have them and as ShaderToy and ISF expect.
    case encoded
    /// Proportional to light: images are decoded as they come in and encoded as they leave, for filters that do not say otherwise.
    case linear
  }

  /// How much smaller than said everything is computed, to see soon what it will look like: `Rational(1, 2)` is a proxy with half as many columns and rows.
  ///
  /// ``size`` stays as it is, and so do images and values: those that measure pixels are made smaller with the rest.
  public var scale: Rational = 1
  /// How channels are stored.
  public var depth: Depth = .eight
  /// How images between filters are stored; nil is `rgba16f`, and `rgba32f` for frames of sixteen bits.
  public var workingFormat: PixelFormat?
  /// What the numbers of images mean while filters compute with them.
  public var workingSpace: WorkingSpace = .encoded
  /// What the fourth channel of a frame says; nil is what suits the image: opaque for a ShaderToy, else straight.
  public var alpha: AlphaMode?
  /// Frames a second; ``RenderContext/frames(of:in:rate:settings:)`` and ``RenderContext/write(_:frames:rate:to:settings:overwriting:)`` have their own.
  public var rate: FrameRate = .sixty
  /// The number of the shot's first frame, from which counters and state count.
  public var first = 0
  /// The time of the first frame, in seconds.
  public var start: Rational = 0
  /// The length of the shot in seconds, of which any frames may be rendered: what progress and duration measure.
  ///
  /// Nil means that the frames that are asked for at once are the whole shot; a single frame has a progress of 0 then.
  public var duration: Rational?

  /// The usual settings: bytes, as large as the image, 60 frames a second from frame 0 at 0 seconds.
  public init() {}

  var format: PixelFormat {
    switch depth {
    case .eight: .rgba8
    case .sixteen: .rgba16
    case .float: .rgba32f
    }
  }

  /// The same as a request for frames of a graph.
  func request(_ frames: RenderRequest.Frames, checkpoints: CheckpointFolder?) throws(DiagnosticsError) -> RenderRequest {
    guard scale <= 1, scale >= Rational(1, 64) else {
      throw DiagnosticsError(
        Diagnostic(
          "settings.scale", "a proxy is smaller than the whole, down to 1/64, not \(scale) times as large",
          help: ["write 'settings.scale = Rational(1, 2)'", "larger pictures: 'settings.size'"]))
    }
    try checkNumbers(frames)
    var request = RenderRequest(filter: .standardInput)
    request.proxy = ProxyScale(scale)
    request.checkpoints = checkpoints
    request.size = size
    request.alpha = alpha
    request.clock = ShotClock(first: first, start: start, rate: rate)
    request.frames = frames
    request.shot = try shot(request.clock)
    try request.refuseFramesOutsideShot { "write 'settings.duration = \(Rational($0) / rate.framesPerSecond)'" }
    switch depth {
    case .eight: request.bits = 8
    case .sixteen: request.bits = 16
    case .float: request.bits = 32
    }
    return request
  }

  /// Refuses numbers and times so large that the times of frames would not be exact.
  private func checkNumbers(_ frames: RenderRequest.Frames) throws(DiagnosticsError) {
    let largest = FrameRange.largestFrame
    guard FrameRange(frame: first) != nil else {
      throw DiagnosticsError(
        Diagnostic(
          "settings.first", "a shot cannot begin with frame \(first)",
          help: ["give a number between -\(largest) and \(largest), as in 'settings.first = 1001'"]))
    }
    var times = [start]
    if case .single(let time?) = frames { times.append(time) }
    guard let far = times.first(where: { !ShotClock.holds($0) }) else { return }
    throw DiagnosticsError(
      Diagnostic(
        "settings.time", "times end at \(ShotClock.longestTime) seconds, and \(far) s lies beyond",
        help: ["give a nearer one, as in '.seconds(2.5)' and 'settings.start = 2'"]))
  }

  private func shot(_ clock: ShotClock) throws(DiagnosticsError) -> ClosedRange<Int>? {
    guard let duration else { return nil }
    if let shot = clock.frames(lasting: duration) { return shot }
    throw DiagnosticsError(
      Diagnostic(
        "settings.duration", "a shot cannot last \(duration) s at \(rate) frames a second",
        help: ["give a length above 0 with at most \(FrameRange.mostFrames) frames, as in 'settings.duration = 2'"]))
  }

  /// An image as a graph with one output.
  func graph(of image: Image) -> ImageGraph {
    var usual = AlphaMode.straight
    if case .filter(let use) = image.recipe.operation { usual = use.filter.manifest.usualAlpha }
    let output = ImageGraph.Output(image: image.recipe, format: format, alpha: alpha ?? usual)
    var graph = ImageGraph(
      outputs: [output], feedback: image.supplies.feedback, size: size, format: workingFormat ?? (depth == .sixteen ? .rgba32f : .rgba16f))
    graph.proxy = ProxyScale(scale)
    graph.workingSpace = workingSpace == .linear ? .linear : .encoded
    return graph
  }
}
