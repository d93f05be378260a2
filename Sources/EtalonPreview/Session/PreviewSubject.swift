internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonTypes

/// How large, and how exact, pictures of a subject are rendered.
struct PictureForm: Hashable {
  /// How much smaller than a render.
  var proxy = ProxyScale.whole
  /// Whether pixels are floats as the filter gives them, and not 8 bits a channel.
  var isFloat = false
}

/// What is shown: a request that could be prepared, as files and values were, with a shot for each form of its pictures.
final class PreviewSubject {
  /// A shot, and the picture that it rendered last.
  final class Prepared {
    let shot: Shot
    var last: RenderedPicture?
    /// How long the last frame took.
    var usualTime: Duration?

    init(_ shot: Shot) { self.shot = shot }
  }

  let request: RenderRequest
  let description: RequestDescription
  let clock: ShotClock
  let frames: ClosedRange<Int>
  /// Whether nothing says how long the shot is.
  let isEndless: Bool
  /// As large as a render.
  let size: Size
  let warnings: [Diagnostic]
  let deviceName: String
  /// Filters, includes, pictures and tracks, as paths that can be watched.
  let files: [String]
  var shots: [PictureForm: Prepared] = [:]

  /// - Parameter size: as large as a render.
  init(_ request: RenderRequest, _ description: RequestDescription, _ shot: Shot, form: PictureForm, isEndless: Bool, size: Size) {
    (self.request, self.description, self.isEndless, self.size) = (request, description, isEndless, size)
    (clock, warnings, deviceName, files) = (shot.clock, shot.warnings, shot.deviceName, shot.files)
    frames = (shot.frames.min() ?? 0)...(shot.frames.max() ?? 0)
    shots[form] = Prepared(shot)
  }

  /// Whether frames depend on those before.
  var hasState: Bool { shots.values.contains { $0.shot.hasState } }

  /// Gives the memory of all shots back.
  func finish() {
    for prepared in shots.values { prepared.shot.finish() }
    shots = [:]
  }
}

/// A picture in memory, with what it is of.
struct RenderedPicture {
  let pixels: PixelBuffer
  let frame: Int
  let revision: Int
  let duration: Duration
  /// Whether a render shows another one, because values changed while frames followed each other.
  let isLive: Bool
}
