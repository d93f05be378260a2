internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonTypes

/// How large, and how exact, pictures of a subject are rendered.
struct PreviewForm: Hashable {
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
  /// Those that can be shown; of a shot without an end those that were prepared so far.
  let frames: ClosedRange<Int>
  /// Those that were prepared: their values were checked.
  let prepared: ClosedRange<Int>
  /// Whether nothing says how long the shot is.
  let isEndless: Bool
  /// As large as a render.
  let size: Size
  let warnings: [Diagnostic]
  let deviceName: String
  /// Filters, includes, pictures and tracks, as paths that can be watched.
  let files: [String]
  /// Whether frames depend on those before.
  let hasState: Bool
  /// The length of the shot, where the session chose it because nothing says it; nil otherwise.
  let chosenDuration: String?
  var shots: [PreviewForm: Prepared] = [:]

  /// - Parameters:
  ///   - frames: those of the shot; nil for one without an end.
  ///   - size: as large as a render.
  ///   - chosenDuration: the length of the shot, where the session chose it.
  init(
    _ request: RenderRequest, _ description: RequestDescription, _ shot: Shot, form: PreviewForm, frames: ClosedRange<Int>?, size: Size,
    chosenDuration: String?
  ) {
    (self.request, self.description, self.size, self.chosenDuration) = (request, description, size, chosenDuration)
    (clock, warnings, deviceName, files) = (shot.clock, shot.warnings, shot.deviceName, shot.files)
    hasState = shot.hasState
    prepared = (shot.frames.min() ?? 0)...(shot.frames.max() ?? 0)
    isEndless = frames == nil && !shot.followsPictures
    self.frames = shot.followsPictures ? prepared : frames ?? min(clock.first, prepared.lowerBound)...prepared.upperBound
    shots[form] = Prepared(shot)
  }

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
