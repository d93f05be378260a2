internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonPlan
internal import EtalonTypes

/// What a stream shows at another moment than the frame that is rendered.
///
/// **Concurrency**: usable from every thread.
final class MomentSource: PictureSource {
  private let source: any PictureSource
  private let moments: [Moment]
  private let clock: MomentClock

  init(_ source: any PictureSource, at moments: [Moment], _ clock: MomentClock) {
    (self.source, self.moments, self.clock) = (source, moments, clock)
  }

  func shownTime(at time: Rational) -> Rational { clock.place(at: time, moments).time }

  /// The frames of other moments have states of their own, with their times.
  func playTime(at time: Rational) -> Double { source.playTime(at: time) }

  func covers(_ time: Rational) -> Bool { source.covers(shownTime(at: time)) }

  func check(_ time: Rational, ofFrame frame: Int) throws(RenderError) {
    let place = clock.place(at: time, moments)
    try source.check(place.time, ofFrame: place.frame)
  }

  func picture(at time: Rational) throws(RenderError) -> FramePicture { try source.picture(at: shownTime(at: time), ofFrameAt: time) }

  func digest(at time: Rational) throws(RenderError) -> String { try source.digest(at: shownTime(at: time)) }

  func files(at times: [Rational]) -> [String] { source.files(at: times.map(shownTime)) }

  var notes: [Diagnostic] { source.notes }

  func opened(for request: RenderRequest) throws(RenderError) -> any PictureSource {
    MomentSource(try source.opened(for: request), at: moments, clock)
  }
}

/// When the frames are that are read for others.
///
/// **Concurrency**: an immutable value.
struct MomentClock: Sendable {
  private let request: RenderRequest
  let finder: MomentFinder

  /// - Parameter sources: what the streams show, by their names.
  init(_ request: RenderRequest, _ sources: [String: any PictureSource]) {
    self.request = request
    let range = request.shotRange
    finder = MomentFinder(
      first: request.clock.first,
      readings: { frame, rendered in
        ClockReading(frame: frame, clock: request.clock, time: request.time(ofFrame: frame, readFor: rendered), range: range)
      },
      shows: { stream, frame, rendered in sources[stream]?.covers(request.time(ofFrame: frame, readFor: rendered)) ?? true })
  }

  /// The frame that shows at other moments of a frame, and when that is.
  func place(at time: Rational, _ moments: [Moment]) -> (frame: Int, time: Rational) {
    let rendered = request.frame(at: time)
    let frame = finder.frame(rendered, at: moments).frame
    return (frame, request.time(ofFrame: frame, readFor: rendered))
  }
}

extension RenderRequest {
  /// When a frame is that is read for another one: a picture between two frames reads what lies as far behind the others.
  func time(ofFrame frame: Int, readFor rendered: Int) -> Rational {
    frame == rendered ? time(ofFrame: frame) : evenTime(ofFrame: frame) + time(ofFrame: rendered) - evenTime(ofFrame: rendered)
  }

  /// The number of the frame that shows at a time.
  fileprivate func frame(at time: Rational) -> Int {
    guard let first = frameTimes.first, time >= first, let next = frameTimes.firstIndex(where: { $0 > time }) else {
      return frameTimes.last == time ? clock.first + frameTimes.count - 1 : clock.frame(at: time)
    }
    return clock.first + next - 1
  }
}

extension BuiltGraph {
  /// The same with the streams that filters read at other frames.
  ///
  /// - Parameter clock: made of the streams that show the frames that are rendered.
  func addingMoments(_ clock: MomentClock) -> BuiltGraph {
    var found: [ImageStream] = []
    var seen: Set<ImageRecipe> = []
    for root in image.outputs.map(\.image) + image.feedback.values {
      for part in root.parts(besides: { seen.contains($0) }) where seen.insert(part).inserted {
        if case .stream(let stream) = part.operation, !stream.moments.isEmpty { found.append(stream) }
      }
    }
    guard !found.isEmpty else { return self }
    var all = self
    var spans: [String: ClosedRange<Int>] = [:]
    for stream in found {
      for (name, own) in stream.parts {
        guard let source = sources[own] else { preconditionFailure("a stream '\(own)' without a source") }
        all.sources[name] = MomentSource(source, at: stream.moments, clock)
        let offset = stream.moments.reduce(0) { $0 + $1.offset }
        let span = spans[own] ?? 0...0
        spans[own] = min(span.lowerBound, offset)...max(span.upperBound, offset)
      }
    }
    // Each picture is read once and kept until no frame reads it any more, those between the ones that are read as well.
    for (own, span) in spans { sources[own]?.keep(span.count) }
    return all
  }
}
