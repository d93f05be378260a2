internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonSystem
internal import EtalonVideo
internal import Synchronization

/// The streams, pipes and cameras that a request has opened: each is opened once, because its pictures come once.
///
/// **Concurrency**: usable from every thread; the others wait while one opens a stream.
package final class StreamStore: Sendable {
  private let opened = Mutex<[String: Result<VideoFile, RenderError>]>([:])

  package init() {}

  /// The stream of a path; the same one, or the same failure, each time.
  func video(_ path: String, _ timing: VideoTiming, for request: RenderRequest) throws(RenderError) -> VideoFile {
    let key = "\(path) \(timing)"
    return try opened.withLock { opened throws(RenderError) in
      if let known = opened[key] { return try known.get() }
      let result = Result { () throws(RenderError) in try VideoFile(path, timing, for: request) }
      opened[key] = result
      return try result.get()
    }
  }
}

extension VideoFile {
  /// Opens the video of an input.
  convenience init(_ path: String, _ timing: VideoTiming, for request: RenderRequest) throws(RenderError) {
    try self.init(
      path, stream: timing.stream, deinterlace: timing.deinterlace, orientation: timing.orientation, camera: timing.camera,
      late: request.late, patience: request.timeout, isStrict: request.isStrict, cancellation: request.cancellation)
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
