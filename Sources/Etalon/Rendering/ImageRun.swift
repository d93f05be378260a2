internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import Synchronization

/// An image on some frames of a shot: checked, planned, and rendered frame by frame.
///
/// **Concurrency**: frames are submitted and taken by one thread at a time.
final class ImageRun: Sendable {
  /// How many frames the device works on while one is taken.
  private static let framesAhead = 2

  /// The plan of some frames, allocated.
  private struct Turn {
    let plan: SharedPlan
    let prepared: PreparedPlan
    /// Frames with this key leave the same to the next ones when this plan renders them.
    let stateKey: [Value]

    var execution: any PlanExecution { prepared.execution }
  }

  /// What a run holds while it lasts.
  private struct State {
    /// The plan that was used last.
    var turn: Turn?
    /// Frames that were submitted and not taken.
    var ahead: [(frame: Int, pending: any PendingFrame)] = []
    var next = 0
    /// How many frames were rendered only for those after them.
    var earlierCount = 0

    /// Whether another frame can be submitted before one is taken: one always, more where their memory is there.
    var hasRoom: Bool { ahead.isEmpty || ahead.count < min(ImageRun.framesAhead, turn?.execution.framesInFlight ?? 1) }
  }

  let request: RenderRequest
  let output: Plan.Output
  let recipe: String
  private let label: String
  /// The values that filters were given, as written.
  private let values: [String: String]
  private let engine: RenderEngine
  private let graph: ImageGraph
  private let outline: GraphOutline
  private let animation: GraphAnimation
  private let sources: [String: any PictureSource]
  private let recipes: FrameRecipes
  private let sounds: SoundState
  private let hasState: Bool
  private let checkpoints: ShotCheckpoints?
  /// Ends the frame that is being rendered.
  let cancellation = Cancellation()
  private let state = Mutex(State())

  /// Checks and plans; mistakes in values and sizes on any of the frames are thrown as diagnostics.
  init(_ image: Image, _ settings: RenderSettings, _ frames: RenderRequest.Frames, on engine: RenderEngine) throws {
    let request = try settings.request(frames, checkpoints: engine.checkpoints)
    let graph = try engine.settled(settings.graph(of: image)).fitted(for: request, engine.evaluator)
    let outline = GraphOutline(graph)
    let readings = try request.readings(hasState: graph.keepsState)
    let animation = try GraphAnimation(graph, at: readings, clock: request.clock, evaluator: engine.evaluator)
    let plan = try Self.checkedPlan(graph, outline, animation, readings, engine)
    let sources = try image.supplies.streams.mapValues { source throws(RenderError) in try source.opened(for: request) }
    self.sources = sources
    sounds = SoundState(playing: sources)
    hasState = plan.plan.hasState
    try request.check(sources, hasState: hasState)
    output = plan.plan.plan.plan.outputs[0]
    recipe = RecipeHash.hash(request: request, graph: graph, events: nil, size: output.size, device: engine.backend.identity).description
    recipes = FrameRecipes(
      shot: recipe, sources: sources.sorted { $0.key < $1.key }.map(\.value), firstOfState: hasState ? request.clock.first : nil,
      changes: graph.changesWithTime
    ) { request.time(ofFrame: $0) }
    checkpoints = ShotCheckpoints(
      of: request, graph, sources: sources, plan: plan.plan.plan.plan, events: nil, size: output.size, device: engine.backend.identity)
    label = image.recipe.label
    values = graph.givenValues
    (self.request, self.engine, self.graph, self.outline, self.animation) = (request, engine, graph, outline, animation)
  }

  deinit { finish() }

  /// The plan of the first frame; the others are made, too, where sizes change.
  private static func checkedPlan(
    _ graph: ImageGraph, _ outline: GraphOutline, _ animation: GraphAnimation, _ readings: [ClockReading], _ engine: RenderEngine
  ) throws -> SharedPlan {
    var first: SharedPlan?
    var known: Set<PlanKey> = []
    for reading in animation.isConstant ? readings.prefix(1) : readings[...] {
      let changing = animation.values(onFrame: reading.frame)
      let values = outline.values(changing)
      guard known.insert(PlanKey(structure: outline.structure, sizes: outline.sizes(values))).inserted else { continue }
      let plan: SharedPlan
      do { plan = try engine.plan(graph, outline, values, changing: changing) } catch let error as DiagnosticsError {
        throw animation.isConstant ? error : DiagnosticsError(error.diagnostics.map { $0.on(reading) })
      }
      if let first { try animation.check(plan.plan, on: reading, against: first.plan) }
      first = first ?? plan
    }
    guard let first else { preconditionFailure("a run without frames") }
    return first
  }

  /// The numbers of the frames in the order in which they are rendered.
  var frames: [Int] { request.frameNumbers }

  /// Gives the memory back; frames that were submitted and not taken are dropped.
  func finish() {
    let (ahead, prepared) = state.withLock { state in
      defer { (state.ahead, state.turn, state.next) = ([], nil, .max) }
      return (state.ahead.map(\.pending), state.turn?.prepared)
    }
    for pending in ahead {
      try? pending.wait()
      pending.release()
    }
    if let prepared {
      if !ahead.isEmpty { prepared.forget() }
      engine.pool.giveBack(prepared)
    }
  }

  // MARK: what frames say about themselves

  /// What the file of a frame says about itself.
  func provenance(of frame: Int) throws(RenderError) -> FrameProvenance {
    FrameProvenance(
      recipe: try recipes.recipe(of: frame), filter: label, values: values, frame: frame,
      time: request.time(ofFrame: frame), rate: request.clock.rate, version: EtalonVersion.current, scale: request.proxy.factor)
  }
}

extension GraphOutline {
  /// The values of every filter on a frame.
  func values(_ changing: [ContentHash: ParameterValues]) -> [ParameterValues] {
    members.map { changing[$0.recipe] ?? $0.use.values }
  }
}

extension ImageGraph {
  /// What filters were given for their parameters, as it is written: by the parameter where there is one filter with values, else by
  /// `filter.parameter`, with a number behind the name of a filter that is there again.
  fileprivate var givenValues: [String: String] {
    var given: [(name: String, values: [String: String])] = []
    var counts: [String: Int] = [:]
    for use in uses {
      let name = use.filter.manifest.name
      counts[name, default: 0] += 1
      let values = use.givenValues
      if !values.isEmpty { given.append((counts[name] == 1 ? name : "\(name)-\(counts[name] ?? 1)", values)) }
    }
    if given.count == 1 { return given[0].values }
    return Dictionary(given.flatMap { name, values in values.map { ("\(name).\($0.key)", $0.value) } }) { first, _ in first }
  }
}

extension FilterUse {
  /// The values that are not those of the filter itself, by the parameter.
  fileprivate var givenValues: [String: String] {
    let own = ParameterValues(defaultsOf: filter.manifest)
    var values = animated.mapValues(\.description)
    for parameter in filter.manifest.parameters where animated[parameter.name] == nil {
      guard let value = self.values[parameter.name], value != own[parameter.name] else { continue }
      values[parameter.name] = AnimatedValue.literal(value).description
    }
    return values
  }
}

// MARK: frames

/// Frames one after the other, each with the plan that fits its values and what the frames before it left.
extension ImageRun {
  /// The next frame with its number, complete, while the device goes on with those after it; nil behind the last.
  ///
  /// The frame has to be released before the run ends.
  func next(isInterrupted: () -> Bool) throws -> (frame: Int, pending: any PendingFrame)? {
    let frames = frames
    while true {
      let wanted = state.withLock { $0.hasRoom && $0.next < frames.count ? frames[$0.next] : nil }
      guard let wanted else { break }
      let submitted: (any PendingFrame)?
      do { submitted = try submit(wanted, isInterrupted: isInterrupted) } catch let error as RenderError where error.code == .interrupted {
        submitted = nil
      }
      guard let pending = submitted else { throw CancellationError() }
      state.withLock { state in
        state.ahead.append((wanted, pending))
        state.next += 1
      }
    }
    guard let first = state.withLock({ $0.ahead.isEmpty ? nil : $0.ahead.removeFirst() }) else { return nil }
    if state.withLock({ $0.ahead.isEmpty && $0.next == frames.count }) { keepState() }
    do throws(RenderError) { try first.pending.wait() } catch {
      first.pending.release()
      throw error
    }
    return first
  }

  /// Starts a frame; where it depends on those before it, all of them are rendered first that were not yet and that no checkpoint stands for.
  ///
  /// Nil when it was interrupted between two of the earlier frames.
  private func submit(_ frame: Int, isInterrupted: () -> Bool) throws -> (any PendingFrame)? {
    var turn = try hasState ? state.withLock(\.turn) ?? self.turn(to: frame) : self.turn(to: frame)
    guard hasState else { return try engine.submit(values(of: frame, turn.plan), to: turn.execution) }
    defer { engine.add(notes: checkpoints?.takeNotes() ?? []) }
    let first = request.clock.first
    do {
      for earlier in try keeper(of: turn).begin(with: frame, on: turn.execution)..<frame {
        turn = try self.turn(to: earlier, onlyForState: true)
        if isInterrupted() {
          turn.prepared.forget()
          return nil
        }
        try keeper(of: turn).reach(earlier, on: turn.execution)
        let values = try values(of: earlier, turn.plan, startsState: earlier == first, writesOutputs: false)
        let pending = try engine.submit(values, to: turn.execution)
        defer { pending.release() }
        try pending.wait()
        state.withLock { $0.earlierCount += 1 }
      }
      turn = try self.turn(to: frame)
      // A picture between two frames is not what the next frame follows.
      if request.time(ofFrame: frame) == request.clock.time(ofFrame: frame) {
        try keeper(of: turn).reach(frame, on: turn.execution)
      } else {
        try keeper(of: turn).end(with: frame, on: turn.execution)
      }
      return try engine.submit(values(of: frame, turn.plan, startsState: frame == first), to: turn.execution)
    } catch {
      turn.prepared.forget()
      throw error
    }
  }

  /// Keeps the state that the last frame leaves to the next, where more than one frame had to be rendered for it.
  private func keepState() {
    guard hasState, let turn = state.withLock({ $0.earlierCount + $0.next > 1 ? $0.turn : nil }) else { return }
    // No more frames are rendered, so a failure of the device here is not one of a frame.
    try? keeper(of: turn).keep(on: turn.execution)
    engine.add(notes: checkpoints?.takeNotes() ?? [])
  }

  private func keeper(of turn: Turn) -> ShotState {
    ShotState(first: request.clock.first, order: turn.prepared.order(of: recipe), checkpoints: checkpoints)
  }

  /// The plan of a frame, allocated; it holds what the frames of the plan that was used last left to it.
  ///
  /// - Parameter onlyForState: whether the frame is only rendered for those after it, so that every plan will do that makes the same for them.
  private func turn(to frame: Int, onlyForState: Bool = false) throws -> Turn {
    let last = state.withLock(\.turn)
    let stateKey = animation.stateKey(onFrame: frame)
    if onlyForState, let last, last.stateKey == stateKey { return last }
    let changing = animation.values(onFrame: frame)
    let values = outline.values(changing)
    let plan = try engine.plan(graph, outline, values, changing: changing)
    // Within a run, what is computed once has the same values in all frames.
    if let last, last.plan.key == plan.key { return last }
    let prepared = try engine.pool.take(plan.plan, PreparedPlan.Key(plan, values), on: engine.backend)
    let next = Turn(plan: plan, prepared: prepared, stateKey: stateKey)
    if let last { try leave(last, for: next) }
    state.withLock { $0.turn = next }
    return next
  }

  private func leave(_ last: Turn, for next: Turn) throws(RenderError) {
    if hasState {
      try next.execution.restore(last.execution.state())
      next.prepared.order(of: recipe).follow(last.prepared.order(of: recipe))
      last.prepared.forget()
    }
    // Frames of other sizes may still be worked on: they keep the memory of their plan, which no other run may use before they are done.
    if state.withLock({ $0.ahead.isEmpty }) { engine.pool.giveBack(last.prepared) }
  }

  private func values(
    of frame: Int, _ plan: SharedPlan, startsState: Bool = false, writesOutputs: Bool = true
  ) throws(RenderError) -> FrameValues {
    var pictures: [FramePicture] = []
    for name in plan.plan.streams {
      guard let source = sources[name] else { preconditionFailure("a stream '\(name)' without a source") }
      pictures.append(try source.picture(at: request.time(ofFrame: frame)))
    }
    let state = FrameState(
      frame: frame, clock: request.clock, time: request.time(ofFrame: frame), range: request.shotRange, pointer: nil, date: request.date,
      sounds: sounds)
    var values = plan.plan.values(
      frame: frame, state: state, parameters: plan.parameters(outline.values(animation.values(onFrame: frame))), pictures: pictures,
      startsState: startsState, writesOutputs: writesOutputs)
    values.cancellation = cancellation
    return values
  }
}
