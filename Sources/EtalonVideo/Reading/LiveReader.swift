internal import CFFmpeg
package import EtalonDiagnostics
internal import EtalonSystem
internal import EtalonTypes
import Synchronization

/// Reads the pictures of what gives them once: pipes, live streams, cameras.
///
/// Time 0 is the first picture. Each picture is given out once, in order, at its own time stamp. Where the stream has begun to count anew, its times go
/// on where they were; pictures whose times go back a little are left out and counted.
///
/// **Concurrency**: usable from every thread; one of them decodes at a time.
package final class LiveReader: Sendable {
  /// What the stream says about itself.
  package let description: VideoDescription
  private let decoder: Decoder
  private let name: String
  private let state: Mutex<State>

  /// What became of the stream so far.
  package struct Report: Sendable {
    package var gaps: StreamGaps
    /// Pictures whose times went back.
    package var leftOut = 0
    package var damagedPackets = 0
    package var reconnections = 0
    package var lostParts = 0
    /// Why the last part was lost, or the last attempt to connect failed.
    package var reason: String?
  }

  private struct State {
    var following: DecodedPicture?
    var report: Report
    /// The last picture: by the clock of the stream, and since the first picture.
    var last: (stamp: Int64, time: Int64)?
    var reconnections = 0
    var arrival = ContinuousClock.now
  }

  /// A jump by more seconds is no gap: the stream has another clock.
  static let longestGap: Int64 = 60

  private let isRTSP: Bool
  private let base: Rational
  private let usualStep: Int64

  /// Opens a stream and decodes its first picture.
  package init(_ path: String, stream: Int? = nil, options: VideoReader.Options = .init()) throws(RenderError) {
    decoder = try Decoder(path, stream: stream, sound: false, options: options)
    name = decoder.name
    isRTSP = StreamAddress(path)?.kind == .rtsp
    var first = try decoder.next()
    // A stream that is entered in the middle begins with pictures that lack those before.
    var tried = 0
    while let picture = first, unsafe picture.info.is_corrupt, tried < 250 { (first, tried) = (try decoder.next(), tried + 1) }
    guard let first else {
      throw RenderError(.invalidInput, "'\(decoder.name)' has no picture that can be decoded")
    }
    description = VideoDescription(decoder, start: unsafe first.info.time_stamp == .min ? 0 : first.info.time_stamp)
    base = description.timeBase
    usualStep = StreamGaps.step(description.averageRate ?? 25, base)
    state = Mutex(State(following: first, report: Report(gaps: StreamGaps(base: base, usualStep: usualStep))))
  }

  /// What became of the stream so far.
  package var report: Report {
    state.withLock { state in
      var report = state.report
      let connection = decoder.connection
      (report.reconnections, report.lostParts, report.reason) = (connection.reconnections, connection.lostParts, connection.reason)
      report.damagedPackets = decoder.damaged > 0 ? decoder.damaged : decoder.complaints
      return report
    }
  }

  /// The next picture; nil at the end of the stream.
  package func next() throws(RenderError) -> VideoFrame? {
    try state.withLock { state throws(RenderError) in
      while let decoded = try picture(&state) {
        if state.last != nil { try check(decoded, against: description) }
        guard let time = place(decoded, &state) else {
          state.report.leftOut += 1
          continue
        }
        let info = unsafe decoded.info
        let pixels = description.pixels
        return unsafe VideoFrame(
          timeStamp: base * Rational(Int(time)), duration: base * Rational(Int(max(0, info.duration))),
          planes: (0..<pixels.planeCount).map { decoded.plane($0, bits: pixels.bits) },
          isKeyframe: info.is_key, isInterlaced: info.is_interlaced, topFieldFirst: info.top_field_first, isLast: false)
      }
      return nil
    }
  }

  private func picture(_ state: inout State) throws(RenderError) -> DecodedPicture? {
    defer { state.following = nil }
    if let first = state.following { return first }
    return try decoder.next()
  }

  private func check(_ picture: DecodedPicture, against expected: VideoDescription) throws(RenderError) {
    let info = unsafe picture.info
    let pixels = unsafe info.pixel_format_name.map { unsafe String(cString: $0) } ?? "unknown"
    guard unsafe Size(Int(info.width), Int(info.height)) != expected.size || pixels != expected.pixels.name else { return }
    throw RenderError(
      .invalidInput, "the stream '\(name)' changes from \(expected.size) \(expected.pixels.name) to \(picture.format)",
      help: ["run the command again for what follows, with another name for the result"])
  }

  /// When a picture shows, in units of the clock since the first one; nil where it is too late for that.
  private func place(_ picture: DecodedPicture, _ state: inout State) -> Int64? {
    let now = ContinuousClock.now
    let waited = state.arrival.duration(to: now)
    state.arrival = now
    let said = unsafe picture.info.time_stamp
    guard let last = state.last else {
      state.last = (said == .min ? 0 : said, 0)
      return 0
    }
    let stamp = said == .min ? last.stamp + usualStep : said
    let second = Int64(max(1, (1 / base).floor))
    let (step, overflows) = stamp.subtractingReportingOverflow(last.stamp)
    let connection = decoder.connection.reconnections
    let isReconnected = connection > state.reconnections
    // The first packets of RTSP have no times.
    if said != .min { state.reconnections = connection }
    // RTSP begins to count anew with each connection.
    let isRestart = overflows || step < -second || step > Self.longestGap * second || isRTSP && isReconnected && step <= 0
    guard isRestart || step > 0 else { return nil }
    var length = step
    if isRestart {
      // Without the connection, time went on; otherwise a source has begun anew at once.
      let seconds = isReconnected ? Rational(Int(waited / .milliseconds(1)), 1000) : .zero
      length = max(usualStep, Int64((seconds / base).floor))
    }
    let time = last.time + length
    state.report.gaps.add(from: last.time, to: time, isRestart: isRestart)
    state.last = (stamp, time)
    return time
  }
}
