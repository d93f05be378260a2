package import EtalonManifest

/// Another moment of a picture: what it shows some frames before or after the one that is rendered.
///
/// Several of them are made one after the other, the first from the frame that is rendered.
///
/// **Concurrency**: an immutable value.
package struct Moment: Sendable, Hashable {
  /// How many frames later it is; below zero before.
  package let offset: Int
  /// What shows where there is no such frame.
  package let ends: FrameWindow.Ends
  /// The streams between whose first and last pictures there are frames, by their names.
  package let streams: [String]
  /// Whether filters make the picture, whose frames begin with the shot.
  package let isComputed: Bool

  package init(_ offset: Int, ends: FrameWindow.Ends, streams: [String], isComputed: Bool) {
    (self.offset, self.ends, self.streams, self.isComputed) = (offset, ends, streams, isComputed)
  }

  /// For prints: `[-2]`.
  package var label: String { "[\(FrameWindow.text(offset))]" }

  /// Tells it from others of the same picture.
  var identity: String {
    "[\(FrameWindow.text(offset))\(ends == .hold ? "" : " \(ends.rawValue)")\(isComputed ? " of \(streams.joined(separator: ", "))" : "")]"
  }

  /// The frame that shows, counted from one that does.
  ///
  /// - Parameter isThere: whether the picture has a frame.
  /// - Returns: the frame, and whether it is the wanted one.
  package func frame(from start: Int, isThere: (Int) -> Bool) -> (frame: Int, isThere: Bool) {
    let wanted = start + offset, step = offset.signum()
    if isThere(wanted) { return (wanted, true) }
    var last = start
    while last + step != wanted, isThere(last + step) { last += step }
    guard ends == .mirror else { return (last, false) }
    let beyond = abs(wanted - last)
    var span = 0
    while span < beyond, isThere(last - step * (span + 1)) { span += 1 }
    guard span > 0 else { return (last, false) }
    let turn = beyond % (2 * span)
    return (last - step * (turn > span ? 2 * span - turn : turn), false)
  }
}

/// Tells which frame shows at another moment.
///
/// **Concurrency**: an immutable value.
package struct MomentFinder: Sendable {
  private let first: Int
  /// What the clocks show on a frame that is read for another one.
  private let readings: @Sendable (_ frame: Int, _ rendered: Int) -> ClockReading
  private let shows: @Sendable (_ stream: String, _ frame: Int, _ rendered: Int) -> Bool

  /// - Parameters:
  ///   - first: the first frame of the shot.
  ///   - readings: what the clocks show on a frame that is read for another one.
  ///   - shows: whether a stream has a picture on a frame that is read for another one.
  package init(
    first: Int, readings: @escaping @Sendable (_ frame: Int, _ rendered: Int) -> ClockReading,
    shows: @escaping @Sendable (_ stream: String, _ frame: Int, _ rendered: Int) -> Bool
  ) {
    (self.first, self.readings, self.shows) = (first, readings, shows)
  }

  /// For graphs of which every stream has a picture on every frame of an even clock.
  package init(_ clock: ShotClock, range: ClosedRange<Int>? = nil) {
    self.init(
      first: clock.first, readings: { frame, _ in ClockReading(frame: frame, clock: clock, range: range) }, shows: { _, _, _ in true })
  }

  /// The frame that shows on a frame, at one moment after the other.
  ///
  /// - Returns: the frame, and whether the last of the moments has one.
  package func frame(_ rendered: Int, at moments: [Moment]) -> (frame: Int, isThere: Bool) {
    var found = (frame: rendered, isThere: true)
    for moment in moments {
      let start = found.frame
      found = moment.frame(from: start) { frame in
        // What is over already goes on as it does without other moments.
        if moment.isComputed, frame < first, start >= first { return false }
        return moment.streams.allSatisfy { shows($0, frame, rendered) || !shows($0, start, rendered) }
      }
    }
    return found
  }

  /// What the clocks show at other moments of a frame.
  func reading(_ rendered: Int, at moments: [Moment]) -> ClockReading { readings(frame(rendered, at: moments).frame, rendered) }
}
