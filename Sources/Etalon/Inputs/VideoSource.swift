internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonPlan
internal import EtalonTypes
internal import EtalonVideo

/// A video as the source of an image input: which of its frames show at which time of a shot.
///
/// **Concurrency**: usable from every thread.
final class VideoSource: InputSource, ShotLeader {
  let file: VideoFile
  private let timing: VideoTiming
  private let schedule: VideoSchedule
  /// The path in a graph, with its place; nil where it was not written there.
  private let written: GraphText.Word?

  /// Refuses times between which the video shows nothing.
  init(_ file: VideoFile, _ timing: VideoTiming, in clock: ShotClock, written: GraphText.Word? = nil) throws(RenderError) {
    if file.live != nil { try Self.check(timing, ofLive: file.name, written) }
    guard let schedule = timing.schedule(in: clock, duration: file.duration) else {
      throw RenderError(
        .missingInput, "the video '\(file.path)' shows nothing from \(timing.from?.secondsText ?? "its beginning") on",
        help: ["it is \(file.duration.secondsText) long: type 'from=0s', or an earlier time"])
    }
    (self.file, self.timing, self.schedule, self.written) = (file, timing, schedule, written)
  }

  /// Refuses what needs another moment than the one that is shown.
  private static func check(_ timing: VideoTiming, ofLive name: String, _ written: GraphText.Word?) throws(RenderError) {
    let said = [
      ("from", timing.from != nil), ("to", timing.to != nil), ("start", timing.start != nil), ("speed", timing.speed != Rational(1)),
      ("loop", timing.loop != .none),
    ]
    guard let key = said.first(where: \.1)?.0 else { return }
    let error = RenderError(
      .invalidInput, "'\(key)' cannot be said of '\(name)', whose pictures come once", help: ["leave it out, or record the stream first"])
    throw written.map { error.asked(at: $0.label("comes once")) } ?? error
  }

  func stream(named name: String) -> ImageStream { ImageStream(name: name, size: file.size, planes: file.planes) }

  func sources(of stream: ImageStream) -> [String: any PictureSource] {
    let planes = file.planes.form.planes.enumerated()
    return Dictionary(uniqueKeysWithValues: planes.map { (stream.name(of: $1), VideoPlane(self, $0)) })
  }

  func opened(for request: RenderRequest) throws(RenderError) -> VideoSource {
    try VideoSource(file, timing, in: request.clock, written: written)
  }

  // MARK: how long it shows

  var name: String { "the \(file.live == nil ? "video" : "stream") '\(file.name)'" }
  var rate: FrameRate? { file.rate }
  func firstNumber(in clock: ShotClock) -> Int? { nil }
  func end(in clock: ShotClock) -> Rational? { timing.schedule(in: clock, duration: file.duration)?.endOfRound }

  func frameTimes(in clock: ShotClock) -> [Rational]? {
    guard file.live == nil, !file.isEven, timing.loop == .none, timing.speed > .zero,
      let schedule = timing.schedule(in: clock, duration: file.duration)
    else { return nil }
    let first = file.timeStamp(at: schedule.from)
    var times: [Rational] = []
    // Of frames that begin at once the first one counts: no video could show the others.
    for stamp in file.timeStamps where stamp >= first && stamp < schedule.to {
      let time = schedule.start + max(stamp - schedule.from, .zero) / schedule.speed
      if times.last.map({ time - $0 >= file.description.timeBase }) ?? true { times.append(time) }
    }
    return times
  }

  /// From when to when it shows between two times of the shot, in seconds of the video; nil where it does not go on from one to the other at its own speed.
  func part(from first: Rational, to last: Rational) -> (start: Rational, end: Rational)? {
    guard schedule.speed == Rational(1), case .time(let start) = schedule.place(at: first), case .time(let end) = schedule.place(at: last),
      end - start == last - first
    else { return nil }
    return (start, end)
  }

  // MARK: what shows

  /// The time of the video that shows at a time; nil for black.
  fileprivate func shown(at time: Rational) -> Rational? {
    switch schedule.place(at: time) {
    case .time(let shown): shown
    case .before(let shown), .after(let shown): timing.missing == .hold ? shown : nil
    }
  }

  fileprivate func covers(_ time: Rational) -> Bool { if case .time = schedule.place(at: time) { true } else { false } }

  fileprivate func check(_ time: Rational, ofFrame frame: Int) throws(RenderError) {
    guard timing.missing == .error else { return }
    let subject = "frame \(frame), at \(time.secondsText), lies"
    let relation: String
    switch schedule.place(at: time) {
    case .time: return
    case .before: relation = "before \(name), which begins at \(schedule.start.secondsText)"
    case .after: relation = "behind \(name), which ends at \((schedule.end ?? .zero).secondsText)"
    }
    let isInDocument = written.map { !$0.isTyped } ?? false
    let help =
      isInDocument
      ? "write 'loop: repeat', 'loop: ping-pong', 'missing: hold' or 'missing: black' beside 'video:'"
      : "type 'loop=repeat', 'loop=ping-pong', 'missing=hold' or 'missing=black' behind the name"
    let cut = file.damage.text.map { ["\($0); export or download it again"] } ?? []
    let error = RenderError(.missingInput, "\(subject) \(relation)", help: cut + ["render other frames, or \(help)"])
    throw written.map { error.asked(at: $0.label("no picture")) } ?? error
  }
}

/// One plane of a video as the source of a stream.
private final class VideoPlane: PictureSource, ShotLeader {
  private let video: VideoSource
  /// Its place among the planes.
  private let index: Int

  init(_ video: VideoSource, _ index: Int) { (self.video, self.index) = (video, index) }

  /// The first plane speaks for all of them.
  private var speaks: Bool { index == 0 }

  func check(_ time: Rational, ofFrame frame: Int) throws(RenderError) { if speaks { try video.check(time, ofFrame: frame) } }

  func picture(at time: Rational) throws(RenderError) -> FramePicture {
    guard let shown = video.shown(at: time) else { return video.file.black[index] }
    return try video.file.frame(at: shown)[index]
  }

  func playTime(at time: Rational) -> Double { video.shown(at: time)?.double ?? 0 }

  func covers(_ time: Rational) -> Bool { video.covers(time) }

  func keep(_ count: Int) { video.file.keep(count) }

  func digest(at time: Rational) throws(RenderError) -> String {
    guard speaks else { return "" }
    guard let shown = video.shown(at: time) else { return "black" }
    return "\(video.file.digest) \(video.file.timeStamp(at: shown))"
  }

  var notes: [Diagnostic] {
    guard speaks else { return [] }
    let (path, count) = (video.file.name, video.file.damagedPackets)
    let cut = [video.file.damage.diagnostic("video.damaged")].compactMap(\.self) + video.file.streamNotes
    guard count > 0 else { return cut }
    return cut + [
      Diagnostic(
        "video.damaged", "'\(path)' has \(count.of("damaged packet")); the decoder filled in what was missing", severity: .warning,
        help: FileDamage.help)
    ]
  }

  func files(at times: [Rational]) -> [String] { speaks && !VideoFile.isStream(video.file.path) ? [video.file.path] : [] }

  func opened(for request: RenderRequest) throws(RenderError) -> any PictureSource { VideoPlane(try video.opened(for: request), index) }

  var name: String { video.name }
  var rate: FrameRate? { video.rate }
  func firstNumber(in clock: ShotClock) -> Int? { video.firstNumber(in: clock) }
  func end(in clock: ShotClock) -> Rational? { video.end(in: clock) }
  func frameTimes(in clock: ShotClock) -> [Rational]? { video.frameTimes(in: clock) }
  var whole: any ShotLeader { video }
}
