internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonSystem
package import EtalonTypes
import Synchronization

/// Reads the pictures of a video by time.
///
/// Time 0 is the time stamp of the first picture that is shown, whatever the file calls it, so that negative starts and edit lists need no care. The
/// frame at a time is the last one whose time stamp is not after it: a picture is held until the next one, and the last one for ever. Times before 0 give
/// the first frame. Frames are the same, to the bit, in whatever order they are asked for. Asking in the order of time decodes every picture once.
///
/// ```
/// let video = try VideoReader("video.mp4")
/// let frame = try video.frame(at: Rational(5, 2))
/// print(video.description.size, frame.planes.count)
/// ```
///
/// **Concurrency**: usable from every thread; one of them decodes at a time.
package final class VideoReader: Sendable {
  /// What the video says about itself.
  package let description: VideoDescription
  private let path: String
  private let stream: Int?
  private let options: Options
  private let decoder: Decoder
  private let state: Mutex<State>

  /// How videos are read.
  package struct Options: Sendable {
    /// The threads of the decoder; 0 for as many as there are cores.
    package var threads = 0
    /// Whether a damaged picture is an error; otherwise it is counted.
    package var isStrict = false
    /// How long a pipe or a stream may have nothing to read.
    package var patienceSeconds = 10
    /// What a camera is asked for.
    package var camera = CameraSettings()
    /// Ends reading with an error.
    package var cancellation: Cancellation?
    /// The most pixels of a side, and of a picture.
    package var mostSide = 16384
    package var mostPixels = 1 << 28
    /// The libraries; nil for those that the system finds.
    package var library: VideoLibrary?

    package init() {}

    func openLibrary() throws(RenderError) -> VideoLibrary {
      if let library { return library }
      return try .system()
    }
  }

  private struct State {
    var finder: FrameFinder
    /// The frame that was given out last.
    var last: (stamp: Int64, frame: VideoFrame)?
    var timeStamps: [Rational]?
    var content: UInt64 = 0
    var beginsAnew = false
  }

  /// Opens a video.
  ///
  /// - Parameter stream: which of its video streams, from 0; nil for the main one.
  package init(_ path: String, stream: Int? = nil, options: Options = Options()) throws(RenderError) {
    decoder = try Decoder(path, stream: stream, sound: false, options: options)
    let finder = try FrameFinder(decoder, isStrict: options.isStrict)
    description = VideoDescription(decoder, start: finder.first.stamp)
    state = Mutex(State(finder: finder))
    self.path = path
    self.stream = stream
    self.options = options
  }

  /// The last frame that is not after a time in seconds.
  package func frame(at time: Rational) throws(RenderError) -> VideoFrame {
    try state.withLock { state throws(RenderError) in
      let (picture, end) = try state.finder.find(stamp(of: time))
      if let last = state.last, last.stamp == picture.stamp { return last.frame }
      let frame = frame(picture, end)
      state.last = (picture.stamp, frame)
      return frame
    }
  }

  /// How often damaged packets and pictures were met, each as often as it was decoded.
  package var damagedPackets: Int { state.withLock { $0.finder.damaged } }

  /// The time stamps of all frames, in their order.
  ///
  /// The first call reads the whole file, without decoding it where the container has times for all packets; pictures that turn out to be damaged are
  /// among those.
  package func timeStamps() throws(RenderError) -> [Rational] {
    try state.withLock { state throws(RenderError) in
      if let known = state.timeStamps { return known }
      guard description.canSeek else {
        throw RenderError(.missingInput, "cannot read '\(path)'", underlying: "a pipe cannot be read twice", help: ["name a file"])
      }
      let stamps: [Rational]
      let found = try Decoder.timeStamps(path, stream: stream, options: options)
      state.content = found.content
      if let found = found.stamps {
        state.beginsAnew = beginsAnew(found)
        stamps = found.sorted().map(time(of:)).filter { $0 >= 0 }
      } else {
        stamps = try decodedTimeStamps()
      }
      state.timeStamps = stamps
      return stamps
    }
  }

  /// Whether the times of a playlist begin anew on the way, once time stamps were asked for: then pictures can be read in their order only.
  package var beginsAnew: Bool { state.withLock { $0.beginsAnew } }

  /// Pictures are reordered within a few of them; more than that, and jumps forward by more than a minute, are another clock.
  private func beginsAnew(_ stamps: [Int64]) -> Bool {
    guard description.container.contains("hls") else { return false }
    let rate = description.averageRate ?? 25
    let back = Self.ticks(max(1, 32 / rate), description.timeBase)
    let forward = Self.ticks(Rational(Int(LiveReader.longestGap)), description.timeBase)
    var latest: Int64?
    for stamp in stamps {
      if let latest {
        let (step, overflows) = stamp.subtractingReportingOverflow(latest)
        if overflows || step < -back || step > forward { return true }
      }
      latest = max(latest ?? stamp, stamp)
    }
    return false
  }

  private static func ticks(_ seconds: Rational, _ base: Rational) -> Int64 { Int64(max(1, (seconds / base).floor)) }

  /// A number that tells the content of a recorded stream from another, once its time stamps were asked for.
  package var contentNumber: UInt64 { state.withLock { $0.content } }

  /// What became of the connection of a stream.
  package var lostParts: (count: Int, reason: String?) { (decoder.connection.lostParts, decoder.connection.reason) }

  private func decodedTimeStamps() throws(RenderError) -> [Rational] {
    let decoder = try Decoder(path, stream: stream, sound: false, options: options)
    var finder = try FrameFinder(decoder, isStrict: options.isStrict)
    var stamps = [finder.first.stamp]
    while let last = stamps.last, let next = try finder.find(last).end { stamps.append(next) }
    return stamps.map(time(of:))
  }

  private func frame(_ picture: FrameFinder.Picture, _ end: Int64?) -> VideoFrame {
    let info = unsafe picture.decoded.info
    let pixels = description.pixels
    let own = unsafe max(0, info.duration)
    return unsafe VideoFrame(
      timeStamp: time(of: picture.stamp),
      duration: description.timeBase * Rational(Int(end.map { $0 - picture.stamp } ?? own)),
      planes: (0..<pixels.planeCount).map { picture.decoded.plane($0, bits: pixels.bits) },
      isKeyframe: info.is_key, isInterlaced: info.is_interlaced, topFieldFirst: info.top_field_first, isLast: end == nil)
  }

  // MARK: Times

  private func time(of stamp: Int64) -> Rational { description.timeBase * Rational(Int(stamp)) - description.startTime }

  /// The last unit of the file's clock that is not after a time.
  private func stamp(of time: Rational) -> Int64 { Int64(((max(time, 0) + description.startTime) / description.timeBase).floor) }
}
