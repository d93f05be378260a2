package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonTypes

extension RenderRequest {
  /// The numbers of the wanted frames in the order in which they are rendered.
  var frameNumbers: [Int] {
    switch frames {
    case .range(let range): range.frames
    case .single(let time): [time.map { clock.frame(at: $0) } ?? clock.first]
    }
  }

  /// From the first to the last of the wanted frames.
  var wantedRange: ClosedRange<Int> {
    switch frames {
    case .range(let range): return range.bounds
    case .single(let time):
      let frame = time.map { clock.frame(at: $0) } ?? clock.first
      return frame...frame
    }
  }

  /// The first and the last frame of the shot; those of the wanted ones where nothing says how long it is.
  package var shotRange: ClosedRange<Int> { shot ?? wantedRange }

  /// Refuses wanted frames that are not in the shot, where it is said how long that is.
  ///
  /// - Parameter labels: where it stands which frames are wanted.
  /// - Parameter help: what to write for a shot of a number of frames, as in `type '--duration 48f'`.
  package func refuseFramesOutsideShot(_ labels: [Diagnostic.Label] = [], help: (Int) -> String) throws(DiagnosticsError) {
    guard let shot, let outside = frameNumbers.first(where: { !shot.contains($0) }) else { return }
    var time = "frame \(outside)"
    if case .single(let moment?) = frames { time = "\(ClockReading.short(moment.double)) s, in \(time)," }
    let range = shot.count == 1 ? "is frame \(shot.lowerBound)" : "is frames \(shot.lowerBound) to \(shot.upperBound)"
    let longer = outside > shot.upperBound ? " for a longer shot" : ""
    throw DiagnosticsError(
      Diagnostic(
        "frames.outside-shot", "\(time) lies outside of the shot, which \(range)", labels: labels,
        help: ["ask for frames of the shot, or \(help(max(wantedRange.upperBound, shot.upperBound) - clock.first + 1))\(longer)"]))
  }

  /// When a frame is, in seconds of the shot's clock.
  func time(ofFrame frame: Int) -> Rational {
    if case .single(let time?) = frames, frame == clock.frame(at: time) { return time }
    return clock.time(ofFrame: frame)
  }

  /// When the first and the last of the frames are that may be rendered; those before the wanted ones bring state forward.
  var wantedTimes: ClosedRange<Rational> {
    let range = wantedRange
    return min(clock.start, time(ofFrame: range.lowerBound))...max(clock.start, time(ofFrame: range.upperBound))
  }

  /// So many frames, with those before them, may depend on each other: the values of all of them are checked before the first is rendered.
  private static let mostEarlierFrames = 10_000_000

  /// What the clocks show on the frames that are rendered, in their order; too many that depend on each other are refused.
  ///
  /// - Parameter hasState: whether the frames before the wanted ones are rendered, too.
  func readings(hasState: Bool) throws(DiagnosticsError) -> [ClockReading] {
    let wanted = wantedRange
    guard !hasState || wanted.upperBound - min(clock.first, wanted.lowerBound) < Self.mostEarlierFrames else {
      throw DiagnosticsError(
        Diagnostic(
          "frames.too-many-earlier",
          "frame \(wanted.upperBound) depends on all frames from \(clock.first) on, which are more than \(Self.mostEarlierFrames)",
          help: ["ask for an earlier frame, or number the shot from a later one: '--first', in Swift 'settings.first'"]))
    }
    let numbers = hasState ? Array(min(clock.first, wanted.lowerBound)...wanted.upperBound) : frameNumbers.sorted()
    return numbers.map { ClockReading(frame: $0, clock: clock, time: time(ofFrame: $0), range: shotRange) }
  }

  /// Fails when a frame that will be rendered has no picture of some source; of every source the first such frame is told.
  ///
  /// - Parameter hasState: whether the frames before the wanted ones are rendered, too.
  func check(_ sources: [String: any PictureSource], hasState: Bool) throws {
    guard !sources.isEmpty else { return }
    let earlier = hasState ? Array(clock.first..<max(clock.first, wantedRange.upperBound)) : []
    var collector = MistakeCollector()
    for (_, source) in sources.sorted(by: { $0.key < $1.key }) {
      try collector.attempt { for frame in (earlier + frameNumbers).sorted() { try source.check(time(ofFrame: frame), ofFrame: frame) } }
    }
    try collector.check()
  }
}
