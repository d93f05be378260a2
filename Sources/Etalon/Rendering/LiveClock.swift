internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Synchronization

/// The frames of a shot that a live stream has given at last, and when they are.
///
/// **Concurrency**: an immutable value.
struct LiveWindow: Sendable {
  /// The wanted frames among them.
  let numbers: [Int]
  /// The number of the first and of the last frame.
  let first: Int
  /// By the frames from the first one on; empty where the clock says it.
  let times: [Rational]
  let last: Int

  func time(ofFrame frame: Int) -> Rational? {
    times.indices.contains(frame - first) ? times[frame - first] : nil
  }
}

/// What a shot needs that goes on while a live stream does.
struct LiveShot: Sendable {
  let clock: LiveClock
  /// Checks the values of the next frames and finds their plans.
  let animate: @Sendable (RenderRequest) throws -> ShotAnimation
}

/// The clock of a shot that follows a live stream: its frames are known only as they come.
///
/// Without a rate of its own the shot has a frame for each picture of the stream, at its time stamp; with one, frames follow each other evenly, as far as
/// pictures have come.
///
/// **Concurrency**: used by one thread at a time.
final class LiveClock: Sendable {
  private let request: RenderRequest
  private let frames: LiveFrames
  /// The frames that are wanted; nil for all.
  private let wanted: Set<Int>?
  private let lastWanted: Int?
  /// When the shot ends; nil for with the stream.
  private let end: Rational?
  private let next: Mutex<Int>

  /// Frames of the even clock that are rendered in one go.
  private static let mostFrames = 8

  /// Nil where the shot does not follow a live stream, or is a single picture.
  init?(_ request: RenderRequest, _ built: BuiltGraph) throws {
    guard let video = built.leadingStream, let live = video.file.live else { return nil }
    if !request.streams.showsNow, case .single = request.frames, request.following == nil { return nil }
    guard built.image.readMoments.isEmpty else {
      throw RenderError(
        .invalidInput,
        "\(video.name) gives its pictures once, and '\(built.image.readMoments[0].name)' reads those before and after a frame",
        help: ["record the stream first, and render the file"])
    }
    if request.streams.showsNow { return nil }
    if !request.followsTimeStamps, request.late == .drop {
      throw DiagnosticsError(
        Diagnostic(
          "usage.late", "'--late drop' leaves frames out, and a rate of its own asks for all of them",
          help: ["leave '--rate' out, so that each picture that is rendered is a frame at its own time; or type '--late wait'"]))
    }
    live.begin()
    (self.request, frames) = (request, live)
    let isDuration = request.shot.map { shot in
      if case .range(let range) = request.frames { range.bounds == shot && range.count == shot.count } else { true }
    }
    if request.following == nil, isDuration != true, case .range(let range) = request.frames {
      (wanted, lastWanted) = (Set(range.frames), range.bounds.upperBound)
    } else {
      (wanted, lastWanted) = (nil, nil)
    }
    end = request.shot.map { request.clock.start + Rational($0.count) * request.clock.rate.frameDuration }
    next = Mutex(request.clock.first)
  }

  /// The request for the next frames; nil where there are none.
  func advance() -> RenderRequest? {
    while let window = window() {
      guard !window.numbers.isEmpty else { continue }
      var request = request
      request.window = window
      request.following = nil
      request.checkpoints = nil
      // How long it lasts is not known, so that progress stays at the beginning.
      request.shot = request.shot ?? request.clock.first...request.clock.first + Self.endless
      return request
    }
    return nil
  }

  private static let endless = 100_000_000

  private func window() -> LiveWindow? {
    let first = next.withLock(\.self)
    if let lastWanted, first > lastWanted { return nil }
    let times = request.followsTimeStamps ? taken() : even(from: first)
    guard let times, !times.isEmpty else { return nil }
    next.withLock { $0 = first + times.count }
    let numbers = (first..<first + times.count).filter { wanted?.contains($0) ?? true }
    return LiveWindow(numbers: numbers, first: first, times: times, last: first + times.count - 1)
  }

  /// When the pictures are that have come.
  private func taken() -> [Rational]? {
    frames.take(isInterrupted: isInterrupted)?.map { request.clock.start + $0 }.filter { time in end.map { time < $0 } ?? true }
  }

  /// The times of the even clock that are not after the newest picture.
  private func even(from first: Int) -> [Rational]? {
    let start = request.clock.time(ofFrame: first)
    if let end, start >= end { return nil }
    // A picture shows until the next one.
    guard let newest = frames.newest(after: start - request.clock.start, isInterrupted: isInterrupted) else {
      return nil
    }
    var times: [Rational] = []
    for frame in first..<first + Self.mostFrames {
      let time = request.clock.time(ofFrame: frame)
      guard time - request.clock.start < newest, end.map({ time < $0 }) ?? true else { break }
      times.append(time)
    }
    return times
  }

  private func isInterrupted() -> Bool { request.cancellation?.isCancelled ?? false }

  /// Why the stream ended before its end; nil where it did not.
  var failure: RenderError? { frames.failure }
}

extension RenderRequest {
  /// Refuses to leave out pictures of what gives none that could be late.
  func checkLate(_ built: BuiltGraph) throws {
    let isLive = built.sources.values.contains { (($0 as? any ShotLeader)?.whole as? VideoSource)?.file.live != nil }
    guard late == .drop, !isLive else { return }
    throw DiagnosticsError(
      Diagnostic(
        "usage.late", "'--late drop' is for live streams and cameras, and no input is one", help: ["leave '--late' out"]))
  }
}
