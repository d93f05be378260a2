package import Etalon
package import EtalonDiagnostics
package import EtalonGraph
package import EtalonManifest
package import EtalonTypes

/// How filters are rendered that are looked into: all of them the same way.
package struct InspectionSettings: Sendable {
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
  /// What stands in where a filter reads pictures of a player's site; test cards do where it reads none.
  package var standIns: StandIns = .testCards
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

  /// What filters are rendered at unless something else is said.
  package static let usualSize = Size(320, 180)

  /// The request for one filter, as it is watched; frames and inputs that are named by nothing are chosen.
  package func request(of path: String) throws -> RenderRequest {
    let manifest = try FilterFile.read(path, dialect: dialect).manifest
    var request = request(of: path, manifest, frames: Self.usualFrames(of: manifest).map { $0 + clock.first })
    // As files are written: values that files cannot hold are not told of.
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

  /// The request for a filter that was read, with the pictures for its inputs in their order.
  ///
  /// - Parameter frames: which frames, where the settings say nothing about that.
  package func request(of path: String, _ manifest: FilterManifest, frames: [Int]) -> RenderRequest {
    var request = RenderRequest(filter: .file(path))
    (request.dialect, request.size, request.assets) = (dialect, size ?? Self.usualSize, assets)
    request.inputs = Self.inputs(of: manifest, pictures)
    request.standIns = manifest.inputs.contains(where: \.isAsset) ? standIns : standIns.union(.testCards)
    if let time {
      request.frames = .single(time: time)
    } else if let range = self.frames ?? FrameRange(Self.chosen(frames, of: manifest, in: shot)) {
      request.frames = .range(range)
    }
    request.shot = shot
    // Frames that were chosen here are a shot of their own.
    if shot == nil, self.frames == nil, time == nil { request.shot = request.shotRange }
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

// MARK: what is chosen

extension InspectionSettings {
  /// The frames to look at where nothing says which: the first one; a later one as well where frames follow from each other; the start, the middle
  /// and the end of a transition.
  package static func usualFrames(of manifest: FilterManifest) -> [Int] {
    if manifest.kind == .transition { return [0, 5, 10] }
    let hasState = manifest.targets.contains(where: \.isPersistent) || manifest.buffers.contains(where: \.isPersistent)
    return hasState ? [0, 10] : [0]
  }

  /// The frames to look at, in the shot where one was given: of transitions its ends and its middle.
  private static func chosen(_ frames: [Int], of manifest: FilterManifest, in shot: ClosedRange<Int>?) -> [Int] {
    guard let shot else { return frames }
    if manifest.kind == .transition { return [shot.lowerBound, (shot.lowerBound + shot.upperBound) / 2, shot.upperBound] }
    let inside = frames.filter(shot.contains)
    return inside.isEmpty ? [shot.upperBound] : inside
  }

  /// Sounds for inputs that show sounds, pictures for the others.
  private static func inputs(of manifest: FilterManifest, _ paths: [String]) -> [RenderRequest.InputPicture] {
    let sounds = paths.filter { $0.lowercased().hasSuffix(".wav") }
    let inputs = manifest.inputs.filter { $0.isRead && $0.origin == .user && $0.shape == .flat }
    return assign(paths.filter { !sounds.contains($0) }, to: inputs.filter { $0.sound == nil })
      + assign(sounds, to: inputs.filter { $0.sound != nil })
  }

  /// The last file is for all inputs that follow.
  private static func assign(_ paths: [String], to inputs: [FilterInput]) -> [RenderRequest.InputPicture] {
    guard let last = paths.last else { return [] }
    return inputs.enumerated().map { index, input in .init(input: input.name, path: index < paths.count ? paths[index] : last) }
  }
}

extension FilterInput {
  /// Whether it shows one of the pictures that a player's site offers.
  package var isAsset: Bool { if case .asset = origin { true } else { false } }
}

extension RenderRequest {
  /// The same on the CPU executor, every pass by itself in every frame: what happens is found where its author wrote it.
  var observed: RenderRequest {
    var request = self
    request.device = DeviceList.cpuName
    request.planOptions.fuses = false
    request.planOptions.hoists = false
    request.planOptions.statesReach = true
    // Texts that read regions read other pixels at their edges than what was written.
    request.planOptions.crops = false
    return request
  }
}
