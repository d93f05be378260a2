internal import EtalonGraph
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

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

  /// Keeps what the last frame leaves to the next, where getting there was work.
  private func keepState() {
    guard hasState, let turn = state.withLock({ $0.earlierCount + $0.next > 1 ? $0.turn : nil }) else { return }
    // A device that fails now has nothing left to do, and its failure is not one of a frame.
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
    // Frames of other sizes may still be worked on: they keep the memory of their plan, which nobody else may use before.
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
