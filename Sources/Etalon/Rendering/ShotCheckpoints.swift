internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes
internal import Synchronization

/// The checkpoints of one shot: which there are, and when to write another one.
///
/// **Concurrency**: usable from every thread; reading and writing block.
final class ShotCheckpoints: Sendable {
  private let folder: CheckpointFolder
  private let recipe: String
  private let recipes: FrameRecipes
  private let plan: Plan
  private let pace: Mutex<CheckpointPace>
  private let notes = Mutex<[Diagnostic]>([])
  /// Whether something could not be written; then no more is tried.
  private let isBroken = Mutex(false)

  /// Nil where a request wants none, or nothing outlives a frame.
  init?(
    of request: RenderRequest, _ graph: ImageGraph, sources: [String: any PictureSource], plan: Plan, events: InputEvents?, size: Size,
    device: String
  ) {
    guard let folder = request.checkpoints, plan.hasState else { return nil }
    let state = StateRecipe(graph)
    let streams = sources.filter { state.streams.contains($0.key) }.sorted { $0.key < $1.key }
    recipe = state.hash(request: request, plan: plan, events: events, size: size, device: device).description
    recipes = FrameRecipes(shot: recipe, sources: streams.map(\.value), firstOfState: request.clock.first) { request.time(ofFrame: $0) }
    pace = Mutex(CheckpointPace(shortest: folder.interval))
    self.folder = folder
    self.plan = plan
  }

  // MARK: Reading

  /// The last frame up to a wanted one, and after `begin`, that a checkpoint leads to; the content of the checkpoint is not read.
  func frame(after begin: Int, upTo wanted: Int) -> Int? { identities(after: begin, upTo: wanted).first { folder.has($0) }?.frame }

  /// The latest state from a checkpoint that leads to a wanted frame, or to an earlier one that comes after `begin`.
  func latest(after begin: Int, upTo wanted: Int) -> (frame: Int, state: PlanState)? {
    for identity in identities(after: begin, upTo: wanted) where folder.has(identity) {
      guard let opened = folder.open(identity) else { continue }
      if let file = CheckpointFile(opened, of: plan), file.identity == identity {
        folder.markAsUsed(identity)
        return (identity.frame, file.state)
      }
      folder.remove(identity)
      note("checkpoint.damaged", "the checkpoint '\(folder.path(of: identity))' is damaged, so that more frames are rendered first")
    }
    return nil
  }

  /// The identities that checkpoints of these frames would have, the last frame first.
  private func identities(after begin: Int, upTo wanted: Int) -> some Sequence<CheckpointIdentity> {
    folder.frames(of: recipe).lazy.filter { $0 > begin && $0 <= wanted }.compactMap { self.identity(at: $0) }
  }

  /// Nil when a picture of an earlier frame cannot be read.
  private func identity(at frame: Int) -> CheckpointIdentity? {
    guard let past = try? recipes.recipe(of: frame - 1) else { return nil }
    return CheckpointIdentity(recipe: recipe, frame: frame, past: past)
  }

  // MARK: Writing

  /// Keeps what an execution leaves to a frame, if enough time has passed since the last checkpoint.
  func keepIfDue(at frame: Int, of execution: any PlanExecution) throws(RenderError) {
    guard pace.withLock({ $0.isDue() }) else { return }
    try keep(at: frame, of: execution)
  }

  /// Keeps what an execution leaves to a frame, unless that is there already.
  ///
  /// A folder that cannot be written is noted; what the device did is thrown.
  func keep(at frame: Int, of execution: any PlanExecution) throws(RenderError) {
    guard !isBroken.withLock(\.self), folder.takes(CheckpointFile.byteCount(of: plan)), let identity = identity(at: frame),
      !folder.has(identity)
    else { return }
    let start = ContinuousClock.now
    let state = try execution.state()
    do throws(RenderError) { try folder.write(CheckpointFile(identity, state)) } catch {
      isBroken.withLock { $0 = true }
      let why = [error.message, error.underlying].compactMap(\.self).joined(separator: ": ")
      note("checkpoint.unwritable", "no checkpoint is kept, so that later runs begin with the first frame: \(why)")
    }
    pace.withLock { $0.wrote(in: ContinuousClock.now - start) }
  }

  /// Throws where there is no checkpoint that leads to a frame: the folder cannot be written, or takes none that large.
  func require(at frame: Int) throws(RenderError) {
    if let identity = identity(at: frame), folder.has(identity) { return }
    let notes = takeNotes().map(\.message)
    let size = CheckpointFile.byteCount(of: plan)
    throw RenderError(
      .cannotWrite, "cannot keep what frames remember before frame \(frame)",
      underlying: notes.first ?? "a checkpoint of \(size >> 20) MiB is too large for its folder",
      help: ["name a folder that you may write to and that has room: '--checkpoints DIR'"])
  }

  // MARK: Notes

  private func note(_ id: String, _ message: String) { notes.withLock { $0.append(Diagnostic(id, message, severity: .note)) } }

  /// What was found since it was asked last.
  func takeNotes() -> [Diagnostic] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }
}

// MARK: when one is due

/// How often checkpoints are written while frames are rendered: at most once in an interval, and so rarely that writing takes at most a twentieth of the time.
struct CheckpointPace {
  private let shortest: Duration
  /// How many times as long as writing takes rendering has to take.
  private static let worth = 20
  private var last: ContinuousClock.Instant?
  private var cost = Duration.zero

  init(shortest: Duration) { self.shortest = shortest }

  /// Whether another one is worth it; the time counts from when it is asked first.
  mutating func isDue(_ now: ContinuousClock.Instant = .now) -> Bool {
    if shortest == .zero { return true }
    guard let last else {
      last = now
      return false
    }
    return now - last >= max(shortest, cost * Self.worth)
  }

  /// Notes that one was written, and how long that took.
  mutating func wrote(in duration: Duration, _ now: ContinuousClock.Instant = .now) {
    (last, cost) = (now, duration)
  }
}

// MARK: what state depends on

/// What frames leave to the next, and everything that this depends on.
///
/// Only what state is made of counts: another picture at the end of a graph, or another form of the files, changes nothing about it.
private struct StateRecipe {
  /// The streams whose pictures state is made of.
  private(set) var streams: Set<String> = []
  /// The pictures that are read a frame later, and those whose filters keep targets or buffers.
  private var roots: Set<ContentHash> = []
  /// The applications of filters that state is made of.
  private var uses: [FilterUse] = []
  private let graph: ImageGraph

  init(_ graph: ImageGraph) {
    self.graph = graph
    roots = Set(graph.keepers.map(\.digest))
    for image in graph.imagesOfState {
      switch image.operation {
      case .filter(let use): uses.append(use)
      case .stream(let stream): streams.insert(stream.name)
      case .picture, .before: break
      }
    }
  }

  /// The hash of all that state depends on, save for what streams show.
  func hash(request: RenderRequest, plan: Plan, events: InputEvents?, size: Size, device: String) -> ContentHash {
    var hasher = ContentHasher()
    // Another build may make other plans of the same recipe.
    let program = FileStamp(path: "/proc/self/exe")
    hasher.add("etalon", "\(EtalonVersion.current) \(program?.size ?? 0) \(program?.modified ?? 0)")
    hasher.add("device", device)
    for root in roots.map(\.description).sorted() { hasher.add("image", root) }
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) {
      hasher.add("feedback", name)
      hasher.add("image", image.digest.description)
    }
    hasher.add("format", "\(graph.format.rawValue) \(graph.workingSpace.rawValue) \(graph.proxy.factor)")
    hasher.add("size", "\(size)")
    hasher.add("clock", "\(request.clock.first) \(request.clock.start) \(request.clock.rate)")
    hasher.add("pointer", request.pointer.map { "\($0.x) \($0.y) \($0.isDown)" } ?? "none")
    if let events { hasher.add("events", events.description) }
    hasher.add("date", "\(request.date.year) \(request.date.month) \(request.date.day) \(request.date.seconds)")
    if uses.contains(where: \.dependsOnRange) { hasher.add("range", "\(request.shotRange)") }
    if let warmUp = request.warmUp { hasher.add("warm-up", "\(warmUp)") }
    Self.add(plan, to: &hasher)
    return hasher.finish()
  }

  /// Which memory outlives a frame, and the kernels that fill it: what is fused into them decides about the rounding between filters.
  private static func add(_ plan: Plan, to hasher: inout ContentHasher) {
    for texture in plan.textures where texture.role == .persistent {
      hasher.add("texture", "\(texture.name) \(texture.pictureSize) \(texture.format)")
    }
    for buffer in plan.buffers where buffer.isPersistent { hasher.add("buffer", "\(buffer.name) \(buffer.byteCount)") }
    for (step, isNeeded) in zip(plan.steps, plan.stepsForState) where isNeeded {
      guard let pass = step.pass else { continue }
      hasher.add("pass", "\(pass.coverage) \(pass.region.map { "\($0)" } ?? "whole")")
      hasher.add("kernel", plan.kernels[pass.kernel].words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    }
  }
}
