internal import EtalonTypes
internal import Foundation

/// Where a preview is in time: a frame, and whether and how fast it moves.
struct PlayHead {
  /// The frames of the shot; those that can be shown.
  private(set) var range: ClosedRange<Int>
  /// Whether the shot has no end, so that `range` only says how far it was looked at.
  private(set) var isEndless: Bool
  private(set) var framesPerSecond: Double
  /// The frame that is shown.
  private(set) var frame: Int
  private(set) var isPlaying = false
  /// 1 is the speed of the shot; below 0 it runs backwards.
  private(set) var rate = 1.0
  /// The frames between two marks.
  private(set) var loop: ClosedRange<Int>?
  /// Frames that were passed over.
  private(set) var dropped = 0
  private var anchor: (time: ContinuousClock.Instant, position: Double)

  init(_ range: ClosedRange<Int>, isEndless: Bool, framesPerSecond: Double) {
    (self.range, self.isEndless, self.framesPerSecond) = (range, isEndless, framesPerSecond)
    frame = range.lowerBound
    anchor = (.now, Double(range.lowerBound))
  }

  /// Takes over the frames of another shot and stays where it is, as far as that has the frame.
  mutating func change(_ range: ClosedRange<Int>, isEndless: Bool, framesPerSecond: Double) {
    (self.range, self.isEndless, self.framesPerSecond) = (range, isEndless, framesPerSecond)
    loop = loop.flatMap { $0.overlaps(range) ? $0.clamped(to: range) : nil }
    seek(frame)
  }

  /// Goes to a frame; to the nearest that the shot has.
  mutating func seek(_ wanted: Int) {
    frame = max(range.lowerBound, isEndless ? wanted : min(wanted, range.upperBound))
    anchor = (.now, Double(frame))
  }

  mutating func play(rate: Double, loop: ClosedRange<Int>?) {
    (self.rate, self.loop, isPlaying) = (rate, loop, true)
    if !isEndless, rate > 0, loop == nil, frame >= range.upperBound { frame = range.lowerBound }
    if let loop, !loop.contains(frame) { frame = rate < 0 ? loop.upperBound : loop.lowerBound }
    anchor = (.now, Double(frame))
  }

  mutating func pause() {
    isPlaying = false
    anchor = (.now, Double(frame))
  }

  /// Moves to where the clock on the wall is; true where the frame is another one.
  ///
  /// - Parameter follows: whether every frame has to be rendered because each depends on the one before; then the play head waits for rendering.
  mutating func advance(_ now: ContinuousClock.Instant = .now, follows: Bool) -> Bool {
    guard isPlaying else { return false }
    let place = anchor.position + (now - anchor.time).seconds * framesPerSecond * rate
    var next = Int(place.rounded(.down))
    if rate < 0 { next = Int(place.rounded(.up)) }
    guard next != frame else { return false }
    if follows, rate > 0, next > frame + 1 {
      next = frame + 1
      anchor = (now, Double(next))
    }
    if rate > 0, next > frame + 1 { dropped += next - frame - 1 }
    if rate < 0, next < frame - 1 { dropped += frame - next - 1 }
    let bounds = loop ?? range
    if next > bounds.upperBound, loop != nil || !isEndless {
      if loop != nil { next = bounds.lowerBound } else { (next, isPlaying) = (bounds.upperBound, false) }
      anchor = (now, Double(next))
    } else if next < bounds.lowerBound {
      if loop != nil { next = bounds.upperBound } else { (next, isPlaying) = (bounds.lowerBound, false) }
      anchor = (now, Double(next))
    }
    defer { frame = next }
    return next != frame || !isPlaying
  }

  /// When the next frame is due; nil while it stands.
  var nextFrame: ContinuousClock.Instant? {
    guard isPlaying, rate != 0 else { return nil }
    let target = rate > 0 ? Double(frame + 1) : Double(frame - 1)
    return anchor.time + .seconds((target - anchor.position) / (framesPerSecond * rate))
  }
}
