internal import EtalonDiagnostics
internal import EtalonGraph
package import EtalonSystem
internal import EtalonVideo
internal import Synchronization

/// The streams, pipes and cameras that a request has opened: each is opened once, because its pictures come once.
///
/// **Concurrency**: usable from every thread; the others wait while one opens a stream.
package final class StreamStore: Sendable {
  private struct Opened {
    var streams: [String: Result<VideoFile, RenderError>] = [:]
    /// What the first input says of a pipe or a camera, which is read once for all.
    var timings: [String: VideoTiming] = [:]
    /// Those that were asked for since the last `beginUse()`.
    var used: Set<String> = []
  }

  private let opened = Mutex(Opened())
  /// Whether a frame shows the picture of now, and not each picture is a frame.
  package let showsNow: Bool
  /// Ends opening and reading streams; nil where that of a request does.
  private let cancellation: Cancellation?

  package init() { (showsNow, cancellation) = (false, nil) }

  /// Streams that are shown as they come, by requests that follow each other, until a cancellation.
  package init(showingNowUntil cancellation: Cancellation) { (showsNow, self.cancellation) = (true, cancellation) }

  /// The stream of a path; the same one, or the same failure, each time.
  func video(_ path: String, _ timing: VideoTiming, for request: RenderRequest) throws(RenderError) -> VideoFile {
    let address = StreamAddress(path)
    let isOne = address.map { $0.kind == .pipe || $0.kind == .camera } ?? true
    let key = isOne ? address.map { "\($0.kind) \($0.place)" } ?? path : "\(path) \(timing)"
    return try opened.withLock { opened throws(RenderError) in
      guard !isOne || opened.timings[key, default: timing] == timing else {
        throw RenderError(
          .invalidInput, "'\(address?.name ?? path)' is read by two inputs with different options, and its pictures come once",
          help: ["give both inputs the same options"])
      }
      opened.timings[key] = timing
      opened.used.insert(key)
      if let known = opened.streams[key] { return try known.get() }
      let result = Result { () throws(RenderError) in
        try VideoFile(path, timing, for: request, cancellation: cancellation ?? request.cancellation)
      }
      opened.streams[key] = result
      return try result.get()
    }
  }

  /// Looks from now on which streams are asked for, and opens those again that could not be opened.
  package func beginUse() {
    opened.withLock { opened in
      (opened.used, opened.timings) = ([], [:])
      opened.streams = opened.streams.filter { if case .success = $0.value { true } else { false } }
    }
  }

  /// Closes the streams that were not asked for since then.
  package func endUse() {
    opened.withLock { opened in opened.streams = opened.streams.filter { opened.used.contains($0.key) } }
  }

  /// How long ago the pictures came that show now, of the streams the longest; nil where none goes on.
  package var delay: Duration? {
    opened.withLock { $0.streams.values.compactMap { try? $0.get().live?.delay }.max() }
  }
}

extension VideoFile {
  /// Opens the video of an input.
  ///
  /// - Parameter cancellation: ends reading it; nil for that of the request.
  convenience init(
    _ path: String, _ timing: VideoTiming, for request: RenderRequest, cancellation: Cancellation? = nil
  ) throws(RenderError) {
    try self.init(
      path, stream: timing.stream, deinterlace: timing.deinterlace, orientation: timing.orientation, camera: timing.camera,
      late: request.streams.showsNow ? nil : request.late, patience: request.timeout, isStrict: request.isStrict,
      cancellation: cancellation ?? request.cancellation)
  }
}

extension VideoTiming {
  /// What a camera is asked for.
  fileprivate var camera: CameraSettings {
    var settings = CameraSettings()
    (settings.size, settings.rate, settings.format) = (cameraSize, cameraRate, cameraFormat)
    return settings
  }
}
