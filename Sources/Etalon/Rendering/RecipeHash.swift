internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes
internal import Synchronization

/// The identity of a render: equal recipes give equal frames.
///
/// It covers everything that pixels depend on — texts, values, pictures, samplers, size, clock, encoding, executor and driver — and nothing else:
/// neither the names of files nor the range of frames; and the range of the shot only where a filter measures its progress through it.
enum RecipeHash {
  static func hash(request: RenderRequest, graph: ImageGraph, events: InputEvents?, size: Size, device: String) -> ContentHash {
    var hasher = ContentHasher()
    hasher.add("etalon", EtalonVersion.current)
    hasher.add("device", device)
    // The pixels of an output do not depend on which others of the filter are wanted.
    for output in graph.outputs where output.furtherOutput == nil {
      hasher.add("output", output.name)
      hasher.add("image", output.image.digest.description)
      hasher.add("encoding", "\(output.format) \(output.alpha)")
      if output.isLight { hasher.add("space", WorkingSpace.linear.rawValue) }
      if let planes = output.planes { hasher.add("planes", planes.digestText) }
    }
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) {
      hasher.add("feedback", name)
      hasher.add("image", image.digest.description)
    }
    hasher.add("format", graph.format.rawValue)
    if graph.workingSpace != .encoded { hasher.add("space", graph.workingSpace.rawValue) }
    if !graph.proxy.isWhole { hasher.add("proxy", "\(graph.proxy.factor)") }
    hasher.add("size", "\(size)")
    hasher.add("clock", "\(request.clock.first) \(request.clock.start) \(request.clock.rate)")
    hasher.add("pointer", request.pointer.map { "\($0.x) \($0.y) \($0.isDown)" } ?? "none")
    if let events { hasher.add("events", events.description) }
    hasher.add("date", "\(request.date.year) \(request.date.month) \(request.date.day) \(request.date.seconds)")
    if case .single(let time?) = request.frames { hasher.add("time", "\(time)") }
    if graph.dependsOnRange { hasher.add("range", "\(request.shotRange)") }
    if let warmUp = request.warmUp, graph.keepsState { hasher.add("warm-up", "\(warmUp)") }
    return hasher.finish()
  }
}

extension ImageGraph {
  /// Whether a frame looks different in a shot of another range.
  var dependsOnRange: Bool { uses.contains(where: \.dependsOnRange) }
}

extension FilterUse {
  /// Whether a frame looks different in a shot of another range.
  var dependsOnRange: Bool {
    func depends(_ meaning: Uniform.Meaning) -> Bool {
      switch meaning {
      case .progress, .duration: true
      case .parameterOr(let name, let clock): values[name] == nil && animated[name] == nil && depends(clock)
      default: false
      }
    }
    return filter.manifest.passes.contains { $0.uniforms.contains { depends($0.meaning) } }
      || animated.contains { $0.value.dependsOnRange(as: $0.key, of: filter.manifest) }
  }
}

// MARK: recipes of frames

/// The identity of each frame of a shot whose pictures change over time: the recipe of the shot together with what the frame shows.
///
/// Files count by their content, frame by frame: when one picture of a sequence is replaced, only the frames that it shows in are rendered again,
/// and, where frames depend on those before, the ones after.
///
/// **Concurrency**: usable from every thread.
final class FrameRecipes: Sendable {
  private let shot: String
  private let sources: [any PictureSource]
  private let time: @Sendable (Int) -> Rational
  /// The first frame of the shot, where each depends on the ones before it.
  private let firstOfState: Int?
  /// Whether frames differ in more than in what they show of the sources.
  private let changes: Bool
  /// The recipes that were computed where each depends on the one before.
  private let known = Mutex<[Int: String]>([:])

  /// - Parameter changes: whether a frame looks different at another time.
  /// - Parameter time: when a frame is.
  init(
    shot: String, sources: [any PictureSource], firstOfState: Int?, changes: Bool = false, time: @escaping @Sendable (Int) -> Rational
  ) {
    self.changes = changes
    self.shot = shot
    self.sources = sources
    self.time = time
    self.firstOfState = firstOfState
  }

  /// The recipe of a frame: equal ones mean equal pixels.
  func recipe(of frame: Int) throws(RenderError) -> String {
    let pictures = try recipe(ofPicturesOn: frame)
    guard changes else { return pictures }
    var hasher = ContentHasher()
    hasher.add("recipe", pictures)
    hasher.add("frame", "\(frame) \(time(frame))")
    return hasher.finish().description
  }

  private func recipe(ofPicturesOn frame: Int) throws(RenderError) -> String {
    guard !sources.isEmpty else { return shot }
    guard let firstOfState else { return try recipe(of: frame, after: shot) }
    return try known.withLock { known throws(RenderError) in
      var begin = min(frame, firstOfState), recipe = shot
      for earlier in stride(from: frame, through: begin, by: -1) {
        guard let found = known[earlier] else { continue }
        (begin, recipe) = (earlier + 1, found)
        break
      }
      for next in begin..<max(begin, frame + 1) {
        recipe = try self.recipe(of: next, after: recipe)
        known[next] = recipe
      }
      return recipe
    }
  }

  private func recipe(of frame: Int, after earlier: String) throws(RenderError) -> String {
    var hasher = ContentHasher()
    hasher.add("recipe", earlier)
    for source in sources { hasher.add("picture", try source.digest(at: time(frame))) }
    return hasher.finish().description
  }
}
