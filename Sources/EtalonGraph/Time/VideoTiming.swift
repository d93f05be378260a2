package import EtalonDiagnostics
package import EtalonTypes

/// What shows of a video and when, as a person states it; what is not stated follows from the shot and the file.
///
/// ```
/// clip.mp4,from=10s,to=12.5s,start=1s,speed=1/2,loop=repeat,stream=1
/// ```
///
/// **Concurrency**: an immutable value.
package struct VideoTiming: Sendable, Hashable {
  /// What becomes of material whose frames are two fields.
  package enum Deinterlacing: String, Sendable, Hashable, CaseIterable {
    /// Frames that say so are deinterlaced.
    case auto
    /// All frames are.
    case on
    /// None is.
    case off
  }

  /// When it begins, in seconds of the shot's clock; nil means with the shot.
  package var start: Rational?
  /// The first time that shows, in seconds of the video; nil means its beginning.
  package var from: Rational?
  /// The end of what shows, in seconds of the video; nil means its end.
  package var to: Rational?
  /// How fast it shows; below zero it shows from the end to the beginning.
  package var speed = Rational(1)
  package var loop = SequenceTiming.Loop.none
  /// What a frame shows before the video has begun and when it is over.
  package var missing = SequenceTiming.Missing.error
  /// Which of several videos of a file, counted from 0; nil means the one that players choose.
  package var stream: Int?
  package var deinterlace = Deinterlacing.auto
  /// How its pictures are turned for showing, 1 to 8 as in Exif; nil means as the file says.
  package var orientation: Int?
  /// What a camera is asked for: its size, its rate, and the libraries' name of a pixel format or a codec; nil means what its driver gives.
  package var cameraSize: Size?
  package var cameraRate: FrameRate?
  package var cameraFormat: String?

  package init() {}

  /// What shows in a shot; nil where nothing of the video lies between the two times.
  ///
  /// - Parameter duration: how long the video is, in seconds.
  package func schedule(in clock: ShotClock, duration: Rational) -> VideoSchedule? {
    let first = from ?? .zero, end = min(to ?? duration, duration)
    guard first < end else { return nil }
    return VideoSchedule(from: first, to: end, start: start ?? clock.start, speed: speed, loop: loop)
  }
}

/// Tells which time of a video shows at a time of the shot, in exact arithmetic.
///
/// **Concurrency**: an immutable value.
package struct VideoSchedule: Sendable, Hashable {
  /// In seconds of the video; the end does not show.
  package let from: Rational
  package let to: Rational
  /// In seconds of the shot.
  package let start: Rational
  package let speed: Rational
  package let loop: SequenceTiming.Loop

  /// What shows at a time, in seconds of the video.
  package enum Place: Sendable, Hashable {
    case time(Rational)
    /// The video has not begun; with the time that shows first.
    case before(Rational)
    /// The video is over; with the time that showed last.
    case after(Rational)
  }

  /// A time before the end of a frame that shows until then: shorter than any frame.
  private static let instant = Rational(1, 1_000_000)

  private var length: Rational { to - from }

  /// Whether it shows from the end to the beginning.
  package var isReversed: Bool { speed < .zero }

  private var magnitude: Rational { isReversed ? Rational.zero - speed : speed }

  /// The place of a time, in seconds of the shot's clock.
  package func place(at time: Rational) -> Place {
    let position = (time - start) * magnitude
    switch loop {
    case .none:
      if position < .zero { return .before(self.time(at: .zero)) }
      return position < length ? .time(self.time(at: position)) : .after(self.time(at: length - Self.instant))
    case .repeat: return .time(self.time(at: position - length * Rational((position / length).floor)))
    case .pingPong:
      let turn = length + length
      let step = position - turn * Rational((position / turn).floor)
      return .time(step < length ? self.time(at: step) : self.time(at: max(turn - step - Self.instant, .zero)))
    }
  }

  /// The time of the video after it has shown for so long.
  private func time(at position: Rational) -> Rational {
    isReversed ? max(to - position - Self.instant, from) : from + position
  }

  /// When a video that does not loop is over; nil when it never is.
  package var end: Rational? { loop == .none ? endOfRound : nil }

  /// When all of it has shown for the first time, of a video that goes to and fro both ways; nil for a still.
  package var endOfRound: Rational? {
    guard speed != .zero else { return nil }
    return start + (loop == .pingPong ? length + length : length) / magnitude
  }
}

// MARK: reading

extension VideoTiming {
  /// What can be said about a video.
  package static let keys = ["start", "from", "to", "speed", "loop", "missing", "stream", "deinterlace", "orientation"]

  /// What can be said about a camera besides.
  package static let cameraKeys = ["size", "rate", "format"]

  /// Reads what was said; all errors are thrown together.
  package init(_ fields: [SequenceField]) throws(DiagnosticsError) {
    var timing = VideoTiming()
    var diagnostics: [Diagnostic] = []
    var seen: Set<String> = []
    for field in fields {
      if !seen.insert(field.key).inserted {
        diagnostics.append(field.repetition(of: .video))
      } else if let diagnostic = timing.set(field) {
        diagnostics.append(diagnostic)
      }
    }
    if let from = timing.from, let to = timing.to, from >= to, let field = fields.first(where: { $0.key == "to" }) {
      diagnostics.append(
        field.diagnostic(
          "video.empty", "the end, \(to.double) s, does not lie behind the beginning, \(from.double) s", "too early",
          help: "type a later time; 'speed=-1' shows a video in reverse"))
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    self = timing
  }

  /// Fields that only a camera has; the others are for all videos.
  package static func isOfCamera(_ field: SequenceField) -> Bool { cameraKeys.contains(field.key) }

  /// Takes over one field; returns what is wrong with it.
  private mutating func set(_ field: SequenceField) -> Diagnostic? {
    switch field.key {
    case "start":
      start = field.seconds
      return start == nil ? field.diagnostic("seconds of the shot", "not a time", "start=1.5s", of: .video) : nil
    case "from":
      from = field.seconds.flatMap { $0 >= .zero ? $0 : nil }
      return from == nil ? field.diagnostic("a time of the video", "not a time", "from=10s' or 'from=1:30", of: .video) : nil
    case "to":
      to = field.seconds.flatMap { $0 > .zero ? $0 : nil }
      return to == nil ? field.diagnostic("a time of the video", "not a time", "to=12.5s' or 'to=1:30", of: .video) : nil
    case "speed":
      guard let value = field.speed else { return field.diagnostic("a speed from -1000 to 1000", "not a speed", "speed=1/2", of: .video) }
      speed = value
      return nil
    case "stream":
      stream = Int(field.value).flatMap { (0..<1000).contains($0) ? $0 : nil }
      return stream == nil ? field.diagnostic("the number of a stream, from 0", "not a number", "stream=1", of: .video) : nil
    case "loop": return field.choose(&loop, of: .video)
    case "missing": return field.choose(&missing, of: .video)
    case "deinterlace": return field.choose(&deinterlace, of: .video)
    case "orientation":
      orientation = Int(field.value).flatMap { (1...8).contains($0) ? $0 : nil }
      return orientation == nil ? field.diagnostic("a number from 1 to 8, as in Exif", "not a number", "orientation=6", of: .video) : nil
    case "size":
      cameraSize = field.size
      return cameraSize == nil ? field.diagnostic("a width and a height", "not a size", "size=640x480", of: .video) : nil
    case "rate":
      cameraRate = FrameRate(field.value)
      return cameraRate == nil ? field.diagnostic("pictures a second", "not a rate", "rate=30", of: .video) : nil
    case "format":
      let isName =
        !field.value.isEmpty && field.value.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
      cameraFormat = isName ? field.value : nil
      return isName ? nil : field.diagnostic("the name of a format", "not a name", "format=mjpeg", of: .video)
    default: return field.unknown(of: .video)
    }
  }
}
