internal import CLaneKernels

extension Emitter {
  /// Emits a scope and returns the lanes that go on after it.
  mutating func emitScope(_ number: Int, _ mask: Mask) -> Mask {
    let scope = graph.scopes[number], state = uniformity.scopes[number]
    var context = ScopeContext(
      exitLabel: code.newLabel(), continueLabel: code.newLabel(), loopDepth: loopDepth + (scope.isLoop ? 1 : 0))
    if state.outerExitsDiverge { context.left = zeroMask() }
    contexts[number] = context
    frames.append(.scope(number))
    let end = scope.isLoop ? emitLoop(number, scope, state, mask) : emitOnce(scope, state, mask)
    frames.removeLast()
    code.place(context.exitLabel)
    contexts[number] = nil
    _ = end
    guard let left = context.left else { return mask }
    if case .register(let register) = mask { return .register(binary(LANE_OP_andnot, register, left)) }
    return .register(binary(LANE_OP_xor, left, constantRegister(UInt32.max)))
  }

  private mutating func zeroMask() -> Int32 {
    let register = code.register(.vector)
    move(constantRegister(0), to: register)
    return register
  }

  private mutating func emitOnce(_ scope: ShaderGraph.Scope, _ state: Uniformity.ScopeState, _ mask: Mask) -> Mask {
    let end = emitRegion(scope.body, mask)
    if end != .unreachable { assign(scope.end, end, isMasked: state.leavesDiverge, depth: loopDepth) }
    return end
  }

  // MARK: Loops

  private mutating func emitLoop(
    _ number: Int, _ scope: ShaderGraph.Scope, _ state: Uniformity.ScopeState, _ mask: Mask
  ) -> Mask {
    guard let context = contexts[number] else { return mask }
    if case .register(let register) = mask { jump(LANE_OP_jump_if_none, to: context.exitLabel, testing: register) }
    for carried in scope.carried {
      let variable = register(carried.variable)
      move(register(carried.initial), to: variable)
      // The variable after the loop lives in the same place: lanes that have left are not written any more.
      if let after = carried.after, uniformity[after] == uniformity[carried.variable] { registerOf[after.position] = variable }
    }
    var live: Int32?
    var inner = mask
    if state.needsMask {
      let register = code.register(.vector)
      move(maskRegister(mask), to: register)
      live = register
      inner = .register(register)
    }
    loopDepth += 1
    let loop = code.loops.count
    code.loops.append(LinearCode.Loop(start: code.body.count, end: 0))
    let head = code.newLabel()
    code.place(head)
    let end = emitRound(number, scope, state, inner)
    if end != .unreachable {
      emitBackEdge(scope, end, live: live, head: head)
    }
    code.loops[loop].end = code.body.count
    loopDepth -= 1
    return end
  }

  /// The body and the continuing region of a loop.
  private mutating func emitRound(
    _ number: Int, _ scope: ShaderGraph.Scope, _ state: Uniformity.ScopeState, _ mask: Mask
  ) -> Mask {
    guard let continuing = scope.continuing, let context = contexts[number] else { return emitRegion(scope.body, mask) }
    if state.continuesDiverge {
      let waiting = zeroMask()
      contexts[number]?.waiting = waiting
    } else if state.needsMask {
      let kept = code.register(.vector)
      contexts[number]?.continueMask = kept
    }
    let end = emitRegion(scope.body, mask)
    if end != .unreachable {
      assign(scope.bodyEnd, end, isMasked: state.continuesDiverge, depth: Int.max)
      if let kept = contexts[number]?.continueMask { move(maskRegister(end), to: kept) }
    }
    code.place(context.continueLabel)
    var start = mask
    if let waiting = contexts[number]?.waiting {
      if case .register(let register) = end { start = .register(binary(LANE_OP_or, register, waiting)) } else { start = .register(waiting) }
    } else if let kept = contexts[number]?.continueMask {
      start = .register(kept)
    }
    return emitRegion(continuing, start)
  }

  private mutating func emitBackEdge(_ scope: ShaderGraph.Scope, _ end: Mask, live: Int32?, head: Int) {
    let targets = scope.carried.map { register($0.variable) }
    let sources = simultaneous(scope.carried.map { register($0.next) }, targets: targets)
    for (source, variable) in zip(sources, targets) {
      if live != nil, isVector(variable) { blend(source, to: variable, end) } else { move(source, to: variable) }
    }
    guard let live else {
      jump(LANE_OP_loop, to: head)
      return
    }
    guard end != .empty else { return }
    guard case .register(let lanes) = end else { preconditionFailure("a loop that keeps track of its lanes without a mask") }
    var instruction = LinearCode.Instruction(LANE_OP_loop_while_any)
    instruction.read(.a, lanes)
    instruction.write(.d, live)
    instruction.label = head
    append(instruction)
  }

  // MARK: Exits

  mutating func emitExit(_ exit: ShaderGraph.Exit, _ mask: Mask) -> Mask {
    let (diverges, passed) = path(of: exit)
    let state = uniformity.scopes[exit.scope]
    guard let context = contexts[exit.scope] else { return .unreachable }
    let isMasked = exit.isContinue ? state.continuesDiverge : state.leavesDiverge
    assign(
      exit.assignments, mask, isMasked: isMasked, depth: exit.isContinue || graph.scopes[exit.scope].isLoop ? Int.max : context.loopDepth)
    guard diverges else {
      if exit.isContinue, let kept = context.continueMask { move(maskRegister(mask), to: kept) }
      jump(LANE_OP_jump, to: exit.isContinue ? context.continueLabel : context.exitLabel)
      return .unreachable
    }
    for number in passed {
      if let left = contexts[number]?.left { addLanes(mask, to: left) }
    }
    if exit.isContinue, let waiting = context.waiting { addLanes(mask, to: waiting) }
    return .empty
  }

  /// Where a region that is nothing but a jump goes, nil when it has to do more.
  mutating func target(ofJump region: Int) -> Int? {
    guard graph.regions[region].count == 1, case .exit(let index) = graph.regions[region][0], !uniformity.exitDiverges[index] else {
      return nil
    }
    let exit = graph.exits[index]
    guard let context = contexts[exit.scope], exit.assignments.allSatisfy({ register($0.value) == register($0.variable) }) else {
      return nil
    }
    guard exit.isContinue else { return context.exitLabel }
    return context.continueMask == nil ? context.continueLabel : nil
  }

  private mutating func addLanes(_ mask: Mask, to register: Int32) {
    _ = binary(LANE_OP_or, register, maskRegister(mask), to: register)
  }

  /// Whether some lanes may stay behind, and the scopes between an exit and its target; as `Uniformity` decided it.
  private func path(of exit: ShaderGraph.Exit) -> (diverges: Bool, passed: [Int]) {
    var diverges = false
    var passed: [Int] = []
    for frame in frames.reversed() {
      switch frame {
      case .branch(let isDivergent): diverges = diverges || isDivergent
      case .scope(let number) where number == exit.scope:
        if uniformity.scopes[number].continuesDiverge { diverges = true }
        return (diverges, passed)
      case .scope(let number):
        passed.append(number)
        if uniformity.scopes[number].needsMask { diverges = true }
      }
    }
    return (diverges, passed)
  }

  /// Gives variables their values in the lanes of a mask.
  ///
  /// - Parameter depth: the number of loops around the scope; the first assignment that cannot be repeated may write all lanes.
  private mutating func assign(_ assignments: [ShaderGraph.Assignment], _ mask: Mask, isMasked: Bool, depth: Int) {
    let targets = assignments.map { register($0.variable) }
    let sources = simultaneous(assignments.map { register($0.value) }, targets: targets)
    for (index, assignment) in assignments.enumerated() {
      let isNew = assigned.insert(assignment.variable.index).inserted
      let isFirst = isNew && depth == loopDepth
      if isMasked, isVector(targets[index]), !isFirst {
        blend(sources[index], to: targets[index], mask)
      } else {
        move(sources[index], to: targets[index])
      }
    }
  }

  /// Registers that keep their values while the targets are written one after the other.
  private mutating func simultaneous(_ sources: [Int32], targets: [Int32]) -> [Int32] {
    var written: Set<Int32> = []
    var kept = sources
    for index in sources.indices {
      if written.contains(sources[index]) {
        let copy = code.register(isVector(sources[index]) ? .vector : .scalar)
        kept[index] = copy
      }
      written.insert(targets[index])
    }
    for index in sources.indices where kept[index] != sources[index] { move(sources[index], to: kept[index]) }
    return kept
  }
}
