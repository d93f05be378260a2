internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation
internal import Synchronization

/// What happens where rendering is slower than a stream gives its pictures (`--late`).
package enum LatePolicy: String, Sendable, Hashable, CaseIterable {
  /// Every picture is rendered; the stream is read more slowly.
  case wait
  /// The newest pictures are rendered; those that were not in time are left out and counted.
  case drop
}

/// The pictures of a stream that come once: a thread decodes them, and keeps those that wait for being rendered.
///
/// **Concurrency**: usable from every thread.
final class LiveFrames: Sendable {
  let description: VideoDescription
  private let buffer: LiveBuffer

  /// Begins to read a stream.
  ///
  /// - Parameters:
  ///   - late: what happens where rendering is slower; nil where each frame shows the picture of now.
  ///   - prepare: makes planes of a picture.
  init(_ reader: LiveReader, late: LatePolicy?, prepare: @escaping @Sendable (VideoFrame) -> [FramePicture]) throws(RenderError) {
    description = reader.description
    buffer = LiveBuffer(reader, late, prepare)
    let buffer = buffer
    try SystemThread.start { buffer.fill() }
  }

  /// Makes room for as many pictures as one frame reads, beside those that wait.
  func keep(_ count: Int) { buffer.keep(count) }

  /// Gives those that were taken out again, as far as they are still there: nothing was rendered of them.
  func begin() { buffer.begin() }

  /// The time stamps of the pictures that have come and were not taken, at least of one, and no more than a few; nil at the end of the stream, and where
  /// it is not waited for any longer.
  func take(isInterrupted: () -> Bool) -> [Rational]? { buffer.take(isInterrupted) }

  /// The time of the newest picture, once that is later than another time; nil where no such picture comes any more.
  func newest(after time: Rational, isInterrupted: () -> Bool) -> Rational? { buffer.newest(after: time, isInterrupted) }

  /// The picture that shows at a time: the last one that is not after it.
  ///
  /// It is waited for; the last one of a stream shows for ever.
  func frame(at time: Rational) throws(RenderError) -> [FramePicture] { try buffer.frame(at: time) }

  /// Why the stream ended before its end; nil where it did not.
  var failure: RenderError? { buffer.failure }

  /// How long ago the picture came that shows now; nil behind the end of the stream.
  var delay: Duration? { buffer.delay }

  /// What became of the stream so far, and how many pictures were left out because rendering was slow.
  var report: (LiveReader.Report, dropped: Int) { buffer.report }

  deinit { buffer.close() }
}

/// A picture that has come.
private struct LivePicture {
  let timeStamp: Rational
  let planes: [FramePicture]
  let arrival: ContinuousClock.Instant
}

/// What the thread that reads shares with those who render.
private final class LiveBuffer: @unchecked Sendable {
  private let reader: LiveReader
  private let late: LatePolicy?
  private let prepare: @Sendable (VideoFrame) -> [FramePicture]
  /// Guards everything below.
  private let condition = NSCondition()
  /// By their time stamps: those that frames still read, then those that wait.
  private var frames: [LivePicture] = []
  /// Where each frame shows the picture of now.
  private var pace: LivePace?
  /// The time of the shot that was rendered last, and its picture: all planes of a frame, in all its forms, are of the same one.
  private var shown: (time: Rational, picture: LivePicture)?
  /// Pictures up to this time were taken.
  private var taken: Rational?
  private var capacity = 1
  private var dropped = 0
  private var isEnded = false
  private var isClosed = false
  private var error: RenderError?

  /// So many pictures wait at most, fewer where they are large.
  private static let mostWaiting = 16
  private static let mostBytes = 1 << 28
  private static let mostTaken = 8
  private static let interval = 0.05

  private var usualStep: Rational { Rational(1) / (reader.description.averageRate ?? 25) }
  /// Containers round times to their ticks.
  private var tick: Rational { reader.description.timeBase }

  init(_ reader: LiveReader, _ late: LatePolicy?, _ prepare: @escaping @Sendable (VideoFrame) -> [FramePicture]) {
    (self.reader, self.late, self.prepare) = (reader, late, prepare)
    if late == nil { pace = LivePace() }
  }

  // MARK: reading

  /// Reads until the end of the stream.
  func fill() {
    do throws(RenderError) {
      while let frame = try reader.next() { guard add(frame) else { break } }
      end(nil)
    } catch {
      end(error)
    }
  }

  /// Adds a picture once there is room; false where none is wanted any more.
  private func add(_ frame: VideoFrame) -> Bool {
    let planes = prepare(frame)
    let bytes = planes.reduce(0) { $0 + $1.pixels.bytes.count }
    let limit = late == .drop ? 2 : max(2, min(Self.mostWaiting, Self.mostBytes / max(bytes, 1)))
    condition.lock()
    defer { condition.unlock() }
    let now = ContinuousClock.now
    while !isClosed, waiting.count >= limit {
      if late == .drop {
        frames.remove(at: waiting.startIndex)
        dropped += 1
      } else if late == nil {
        // Time goes on while nobody looks.
        guard let next = pace?.due(frames[1].timeStamp), next > .now else {
          frames.removeFirst()
          continue
        }
        _ = condition.wait(until: Date(timeIntervalSinceNow: (next - .now) / .seconds(1)))
      } else {
        condition.wait()
      }
    }
    frames.append(LivePicture(timeStamp: frame.timeStamp, planes: planes, arrival: now))
    pace?.arrived(frame.timeStamp, at: now)
    condition.broadcast()
    return !isClosed
  }

  private func end(_ error: RenderError?) {
    condition.lock()
    (isEnded, self.error) = (true, error?.code == .interrupted ? nil : error)
    condition.broadcast()
    condition.unlock()
  }

  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }

  // MARK: rendering

  private var waiting: ArraySlice<LivePicture> {
    guard let taken else { return frames[...] }
    return frames.drop { $0.timeStamp <= taken }
  }

  func keep(_ count: Int) {
    condition.lock()
    capacity = max(capacity, count)
    condition.unlock()
  }

  func begin() {
    condition.lock()
    taken = nil
    condition.unlock()
  }

  func take(_ isInterrupted: () -> Bool) -> [Rational]? {
    condition.lock()
    defer { condition.unlock() }
    // Frames that are left out ask for no picture.
    if let taken { forget(before: taken) }
    while waiting.isEmpty, !isEnded {
      if isInterrupted() { return nil }
      _ = condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
    }
    let found = waiting.prefix(Self.mostTaken).map(\.timeStamp)
    guard let last = found.last, !isInterrupted() else { return nil }
    taken = last
    condition.broadcast()
    return found
  }

  func newest(after time: Rational, _ isInterrupted: () -> Bool) -> Rational? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      // The last picture of a stream shows as long as the others.
      if let last = frames.last.map({ isEnded ? $0.timeStamp + usualStep : $0.timeStamp }), last > time { return last }
      if isEnded || isInterrupted() { return nil }
      forget(before: time)
      _ = condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
    }
  }

  func frame(at time: Rational) throws(RenderError) -> [FramePicture] {
    condition.lock()
    defer { condition.unlock() }
    if late == nil { return try current(time) }
    // A time that was rounded up is still the same one.
    let time = time + tick / Rational(2)
    while true {
      forget(before: time)
      let place = frames.lastIndex { $0.timeStamp <= time } ?? 0
      let isKnown = place + 1 < frames.count || frames.indices.contains(place) && (frames[place].timeStamp + tick > time || isEnded)
      let isFrozen = isEnded && error != nil && place + 1 == frames.count && frames[place].timeStamp + usualStep + usualStep < time
      if isKnown, !isFrozen { return frames[place].planes }
      guard !isEnded else {
        throw error ?? RenderError(.interrupted, "the stream was left before its first picture")
      }
      condition.wait()
    }
  }

  /// The picture of now; another one for another time of the shot only.
  private func current(_ time: Rational) throws(RenderError) -> [FramePicture] {
    if let shown, shown.time == time { return shown.picture.planes }
    while frames.isEmpty, !isEnded { condition.wait() }
    let now = ContinuousClock.now
    let place = frames.lastIndex { picture in pace?.due(picture.timeStamp).map { $0 <= now } ?? true } ?? 0
    if place > 0 { frames.removeFirst(place) }
    guard let picture = frames.first, error == nil || frames.count > 1 || shown?.picture.arrival != picture.arrival else {
      throw error ?? RenderError(.interrupted, "the stream was left before its first picture")
    }
    shown = (time, picture)
    condition.broadcast()
    return picture.planes
  }

  var delay: Duration? {
    condition.lock()
    defer { condition.unlock() }
    guard let shown, !isEnded || frames.count > 1 else { return nil }
    return .now - shown.picture.arrival
  }

  /// Makes room: what is long before a time is read no more.
  private func forget(before time: Rational) {
    let place = frames.lastIndex { $0.timeStamp <= time } ?? 0
    if place > capacity - 1 { frames.removeFirst(place - (capacity - 1)) }
    if let shown = frames.last(where: { $0.timeStamp <= time })?.timeStamp, taken.map({ $0 < shown }) ?? true { taken = shown }
    condition.broadcast()
  }

  var failure: RenderError? {
    condition.lock()
    defer { condition.unlock() }
    return error
  }

  var report: (LiveReader.Report, dropped: Int) {
    condition.lock()
    let dropped = dropped
    condition.unlock()
    return (reader.report, dropped)
  }
}

extension LiveFrames {
  /// What became of the stream, for people: gaps with their numbers, what was left out, connections.
  ///
  /// - Parameter name: what messages call the stream.
  func notes(_ name: String) -> [Diagnostic] {
    let (report, dropped) = report
    var notes = report.gaps.notes(name)
    func add(_ id: String, _ count: Int, _ text: String, help: [String] = []) {
      if count > 0 { notes.append(Diagnostic(id, text, severity: .warning, help: help)) }
    }
    let why = report.reason.map { ": \($0)" } ?? ""
    add(
      "stream.dropped", dropped,
      "\(dropped.of("picture")) of '\(name)' \(dropped == 1 ? "was" : "were") left out, because rendering was slower",
      help: ["'--late wait' keeps every picture; a smaller '--scale' renders faster"])
    add(
      "stream.order", report.leftOut,
      "\(report.leftOut.of("picture")) of '\(name)' came with an earlier time than the one before, and counts not")
    add("stream.reconnected", report.reconnections, "the connection to '\(name)' was made again \(report.reconnections.of("time"))\(why)")
    add("stream.lost", report.lostParts, "\(report.lostParts.of("part")) of '\(name)' could not be had\(why)")
    add(
      "video.damaged", report.damagedPackets,
      "'\(name)' has \(report.damagedPackets.of("damaged packet")); the decoder filled in what was missing")
    return notes
  }
}

extension StreamGaps {
  /// The gaps for people, numbered.
  func notes(_ name: String) -> [Diagnostic] {
    let notes = found.enumerated().map { number, gap in
      let text =
        gap.isRestart
        ? "the times of '\(name)' begin anew behind \(gap.from.secondsText), and go on at \(gap.to.secondsText)"
        : "'\(name)' has no picture from \(gap.from.secondsText) to \(gap.to.secondsText)"
      return Diagnostic("stream.gap", "gap \(number + 1): \(text)", severity: .note)
    }
    guard count > found.count else { return notes }
    return notes + [Diagnostic("stream.gap", "'\(name)' has \(count.of("gap")), of which the first are told", severity: .note)]
  }
}
