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
  /// A mouse that was clicked, for filters that read one; nil is a mouse that was never there.
  public var mouse: Mouse?
  /// The path of a CSV file that says what the mouse and the keys do frame by frame; nil where nothing happens.
  public var events: String?
  /// The date on the first frame, as `2024-06-01` or `2024-06-01T18:30:00`; nil is the first second of 2024, so that pictures are the same on every day.
  public var date: String?

  /// Where a mouse was clicked, in pixels from the lower left corner of the result, and whether its button is still held.
  public struct Mouse: Sendable, Hashable {
    /// Pixels from the left.
    public var x: Double
    /// Pixels from the bottom.
    public var y: Double
    /// Whether the button is held during the whole shot.
    public var isDown: Bool

    /// A mouse that was clicked at a place.
    public init(x: Double, y: Double, isDown: Bool = false) { (self.x, self.y, self.isDown) = (x, y, isDown) }
  }

  /// The usual settings: bytes, as large as the image, 60 frames a second from frame 0 at 0 seconds.
  public init() {}

  /// The same as a request for frames of images, the first of which is the result.
  func request(for images: [Image], _ frames: RenderRequest.Frames) throws(DiagnosticsError) -> RenderRequest {
    guard scale <= 1, scale >= Rational(1, 64) else {
      throw DiagnosticsError(
        Diagnostic(
          "settings.scale", "a proxy is smaller than the whole, down to 1/64, not \(scale) times as large",
          help: ["write 'settings.scale = Rational(1, 2)'", "larger pictures: 'settings.size'"]))
    }
    try checkNumbers(frames)
    var request = RenderRequest(images: images.enumerated().map { ($0 == 0 ? "main" : "output-\($0 + 1)", $1) })
    request.proxy = ProxyScale(scale)
    request.size = size
    request.format = workingFormat
    request.workingSpace = workingSpace == .linear ? .linear : .encoded
    request.pointer = mouse.map { PointerState(x: $0.x, y: $0.y, isDown: $0.isDown) }
    request.eventsFile = events
    if let date { request.date = try Self.moment(date) }
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

  private static func moment(_ text: String) throws(DiagnosticsError) -> CalendarDate {
    if let date = CalendarDate(text) { return date }
    throw DiagnosticsError(
      Diagnostic("settings.date", "'\(text)' is no date", help: ["write 'settings.date = \"2024-06-01T18:30:00\"'"]))
  }
}
