internal import EtalonDiagnostics
internal import EtalonTypes
internal import Synchronization

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
