package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
package import EtalonTypes

/// What a sanitizer renders of filters: the same of all of them.
package struct SanitizeSettings: Sendable {
  /// Nil is 320x180, and what a graph says.
  package var size: Size?
  /// Nil chooses: the first frame, two of filters with state, three of transitions.
  package var frames: FrameRange?
  /// The shot that the frames are a part of; nil is what graphs say, else the frames alone.
  package var shot: ClosedRange<Int>?
  /// A single moment instead of frames, in seconds.
  package var time: Rational?
  /// For the image inputs in their order, WAV files for those that show sounds; the last one of each is for all that follow.
  package var pictures: [String] = []
  /// A folder with the pictures that a player's site offers.
  package var assets: String?
  /// For inputs by their names.
  package var inputs: [RenderRequest.InputPicture] = []
  package var values: [RenderRequest.Setting] = []
  /// The shot of a filter; graphs say it themselves.
  package var clock = ShotClock()
  package var pointer: PointerState?
  package var date: CalendarDate = .fixed
  /// The name of what loose texts are written in; nil tells it from their content.
  package var dialect: String?
  /// Seconds that compiling, and each frame, may take; nil means no limit.
  package var timeout: Double?

  package init() {}

  /// The request for one filter; test cards stand in for pictures that nobody gave.
  package func request(of path: String) throws -> RenderRequest {
    let manifest = try FilterFile.read(path, dialect: dialect).manifest
    var survey = SurveySettings()
    if let size { survey.size = size }
    survey.shot = shot
    (survey.frames, survey.time, survey.pictures, survey.assets, survey.dialect) = (frames, time, pictures, assets, dialect)
    survey.standsInWithTestCards = true
    var request = SurveyPlan(path: path, manifest, frames: SurveyFrames.usual(for: manifest).map { $0 + clock.first }, survey).request
    // As files are written, so that what they do not hold is not told of.
    request.bits = 8
    let named = Set(inputs.map(\.input))
    request.inputs = try request.inputs.filter { !named.contains($0.input) }.map {
      try InputText.picture($0.path, for: $0.input, option: "-i")
    }
    request.inputs += inputs
    (request.settings, request.clock, request.pointer, request.date) = (values, clock, pointer, date)
    request.timeout = timeout
    return request
  }

  /// The request of a graph with what was asked for beside it.
  package func applied(to graph: RenderRequest) throws(DiagnosticsError) -> RenderRequest {
    var request = graph
    if let size { request.size = size }
    request.shot = shot ?? request.shot
    if let frames {
      request.frames = .range(frames)
    } else if let time {
      request.frames = .single(time: time)
    } else if case .range(let range) = request.frames, let first = FrameRange([range.first]) {
      request.frames = .range(first)
    }
    request.settings += values
    request.timeout = timeout
    try request.refuseFramesOutsideShot { "type '--duration \($0)f'" }
    return request
  }

  /// Refuses frames, or a moment, that are not in the shot.
  package func refuseFramesOutsideShot(_ labels: [Diagnostic.Label]) throws(DiagnosticsError) {
    var request = RenderRequest(filter: .standardInput)
    (request.clock, request.shot) = (clock, shot)
    request.frames = frames.map { .range($0) } ?? .single(time: time)
    try request.refuseFramesOutsideShot(labels) { "type '--duration \($0)f'" }
  }
}
