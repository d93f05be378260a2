internal import CLaneKernels

// MARK: - Regions

extension Emitter {
  /// Emits a region and returns the lanes that reach its end.
  mutating func emitRegion(_ region: Int, _ start: Mask) -> Mask {
    var mask = start
    var endMask: Int32?
    let end = code.newLabel()
    let items = graph.regions[region]
    for (position, item) in items.enumerated() {
      let before = mask
      switch item {
      case .operation(let value): emitOperation(value, mask)
      case .branch(let index): mask = emitBranch(graph.branches[index], mask)
      case .scope(let index): mask = emitScope(index, mask)
      case .exit(let index): mask = emitExit(graph.exits[index], mask)
      }
      if mask == .unreachable || mask == .empty { break }
      if mask != before, position < items.count - 1, case .register(let register) = mask, isWorthSkipping(items[(position + 1)...]) {
        let kept = endMask ?? code.register(.vector)
        endMask = kept
        move(register, to: kept)
        jump(LANE_OP_jump_if_none, to: end, testing: kept)
        mask = .register(kept)
      }
    }
    guard let endMask else { return mask }
    if mask != .unreachable { move(maskRegister(mask), to: endMask) }
    code.place(end)
    return .register(endMask)
  }

  private func isWorthSkipping(_ items: ArraySlice<ShaderGraph.Item>) -> Bool {
    var cost = 0
    for item in items {
      switch item {
      case .operation(let value): cost += uniformity[value] == .lane ? graph[value].operation.cost : 0
      case .branch(let index): cost += traits[graph.branches[index].accept].cost + traits[graph.branches[index].reject].cost
      case .scope: return true
      case .exit: break
      }
      if cost >= 16 { return true }
    }
    return false
  }

  // MARK: Branches

  mutating func emitBranch(_ branch: ShaderGraph.Branch, _ mask: Mask) -> Mask {
    uniformity.rate(of: branch.condition) == .lane ? emitDivergent(branch, mask) : emitUniform(branch, mask)
  }

  private mutating func emitUniform(_ branch: ShaderGraph.Branch, _ mask: Mask) -> Mask {
    let accept = traits[branch.accept], reject = traits[branch.reject]
    frames.append(.branch(isDivergent: false))
    defer { frames.removeLast() }
    if !accept.hasEffects, !reject.hasEffects, accept.cost + reject.cost <= 4 {
      _ = emitRegion(branch.accept, mask)
      _ = emitRegion(branch.reject, mask)
      for merge in branch.merges { emitSelection(merge, branch.condition) }
      return mask
    }
    let end = emitArms(branch, mask, accept, reject)
    // The preamble runs both arms: the values that it selects from are computed there first.
    for merge in branch.merges where uniformity[merge.variable] == .frame { emitSelection(merge, branch.condition) }
    return end
  }

  /// One arm of a uniform branch is run, the other one is jumped over.
  private mutating func emitArms(_ branch: ShaderGraph.Branch, _ mask: Mask, _ accept: RegionTraits.Traits, _ reject: RegionTraits.Traits)
    -> Mask
  {
    let merges = branch.merges.filter { uniformity[$0.variable] != .frame }
    if let label = target(ofJump: branch.reject) {
      jump(LANE_OP_jump_if_false, to: label, testing: register(branch.condition))
      return emitRegion(branch.accept, mask)
    }
    if let label = target(ofJump: branch.accept) {
      jump(LANE_OP_jump_if_true, to: label, testing: register(branch.condition))
      return emitRegion(branch.reject, mask)
    }
    let rejectLabel = code.newLabel(), end = code.newLabel()
    jump(LANE_OP_jump_if_false, to: rejectLabel, testing: register(branch.condition))
    let accepted = emitRegion(branch.accept, mask)
    // Control reaches the end of an arm even where the arm ends in a jump of its lanes: no lane is left, and what follows is skipped.
    let needsMerge = accepted != .unreachable && (accept.hasMaskedExit || reject.hasMaskedExit)
    let merged = needsMerge ? code.register(.vector) : nil
    if accepted != .unreachable {
      for merge in merges { move(register(merge.accepted), to: register(merge.variable)) }
      if let merged { move(maskRegister(accepted), to: merged) }
      if !merges.isEmpty || merged != nil || !graph.regions[branch.reject].isEmpty { jump(LANE_OP_jump, to: end) }
    }
    code.place(rejectLabel)
    let rejected = emitRegion(branch.reject, mask)
    if rejected != .unreachable {
      for merge in merges { move(register(merge.rejected), to: register(merge.variable)) }
      if let merged { move(maskRegister(rejected), to: merged) }
    }
    code.place(end)
    if accepted == .unreachable { return rejected }
    if rejected == .unreachable { return accepted }
    return merged.map { .register($0) } ?? accepted
  }

  /// The value of a variable where both arms have run, or need not run.
  private mutating func emitSelection(_ merge: ShaderGraph.Merge, _ condition: ValueId) {
    var instruction = LinearCode.Instruction(LANE_OP_select)
    instruction.read(.a, register(condition))
    instruction.read(.b, register(merge.accepted))
    instruction.read(.c, register(merge.rejected))
    instruction.write(.d, register(merge.variable))
    if uniformity[merge.variable] == .frame { code.preamble.append(instruction) } else { append(instruction) }
  }

  private mutating func emitDivergent(_ branch: ShaderGraph.Branch, _ mask: Mask) -> Mask {
    frames.append(.branch(isDivergent: true))
    defer { frames.removeLast() }
    let condition = register(branch.condition)
    let accepted = emitArm(branch.accept, mask, condition, isAccepted: true)
    let rejected = emitArm(branch.reject, mask, condition, isAccepted: false)
    for merge in branch.merges { emitSelection(merge, branch.condition) }
    switch (accepted, rejected) {
    case (.whole, .whole): return mask
    case (.some(.empty), .some(.empty)): return .empty
    case (.some(.empty), let other), (let other, .some(.empty)):
      let isAccepted = accepted != .some(.empty)
      return .register(laneRegister(other, mask, condition, isAccepted: isAccepted))
    default:
      let a = laneRegister(accepted, mask, condition, isAccepted: true)
      let b = laneRegister(rejected, mask, condition, isAccepted: false)
      return .register(binary(LANE_OP_or, a, b))
    }
  }

  /// What is left of the lanes of an arm at its end: all of them, or those of a mask.
  private enum ArmEnd: Equatable {
    /// The register of its lanes, where one had to be made.
    case whole(Int32?)
    case some(Mask)
  }

  private mutating func laneRegister(_ end: ArmEnd, _ mask: Mask, _ condition: Int32, isAccepted: Bool) -> Int32 {
    if case .some(.register(let register)) = end { return register }
    if case .whole(let register?) = end { return register }
    return armMask(mask, condition, isAccepted: isAccepted)
  }

  private mutating func armMask(_ mask: Mask, _ condition: Int32, isAccepted: Bool) -> Int32 {
    if case .all = mask { return isAccepted ? condition : binary(LANE_OP_xor, condition, constantRegister(UInt32.max)) }
    return binary(isAccepted ? LANE_OP_and : LANE_OP_andnot, maskRegister(mask), condition)
  }

  private mutating func emitArm(_ region: Int, _ mask: Mask, _ condition: Int32, isAccepted: Bool) -> ArmEnd {
    let traits = traits[region]
    guard !graph.regions[region].isEmpty else { return .whole(nil) }
    if leavesWithoutTrace(region) { return .some(.empty) }
    guard traits.isWorthSkipping else {
      let start: Mask = traits.needsMask ? .register(armMask(mask, condition, isAccepted: isAccepted)) : mask
      let end = emitRegion(region, start)
      guard end == start else { return .some(end) }
      if traits.needsMask, case .register(let register) = start { return .whole(register) }
      return .whole(nil)
    }
    let lanes = code.register(.vector)
    let skip = code.newLabel()
    emitTest(mask, condition, isAccepted: isAccepted, to: lanes, skip: skip)
    let end = emitRegion(region, .register(lanes))
    switch end {
    case .register(lanes), .all: break
    case .empty, .unreachable: break
    case .register(let register): move(register, to: lanes)
    }
    code.place(skip)
    switch end {
    case .register(lanes), .all: return .whole(lanes)
    case .empty, .unreachable: return .some(.empty)
    case .register: return .some(.register(lanes))
    }
  }

  /// Whether lanes leave in a region without an assignment and without being counted.
  private mutating func leavesWithoutTrace(_ region: Int) -> Bool {
    guard graph.regions[region].count == 1, case .exit(let index) = graph.regions[region][0] else { return false }
    let exit = graph.exits[index]
    guard !exit.isContinue, exit.assignments.allSatisfy({ register($0.value) == register($0.variable) }) else { return false }
    guard case .scope(let innermost)? = frames.last(where: { if case .scope = $0 { true } else { false } }) else { return false }
    return innermost == exit.scope
  }

  /// lanes = the lanes of an arm; jumps where there are none.
  private mutating func emitTest(_ mask: Mask, _ condition: Int32, isAccepted: Bool, to lanes: Int32, skip: Int) {
    let whole: Int32
    if case .register(let register) = mask {
      whole = register
    } else if isAccepted {
      move(condition, to: lanes)
      jump(LANE_OP_jump_if_none, to: skip, testing: lanes)
      return
    } else {
      _ = binary(LANE_OP_xor, condition, constantRegister(UInt32.max), to: lanes)
      jump(LANE_OP_jump_if_none, to: skip, testing: lanes)
      return
    }
    var instruction = LinearCode.Instruction(isAccepted ? LANE_OP_and_jump_if_none : LANE_OP_andnot_jump_if_none)
    instruction.read(.a, whole)
    instruction.read(.b, condition)
    instruction.write(.d, lanes)
    instruction.label = skip
    append(instruction)
  }
}

// MARK: - Scopes

extension Emitter {
  /// Emits a scope and returns the lanes that go on after it.
  private mutating func emitScope(_ number: Int, _ mask: Mask) -> Mask {
    let scope = graph.scopes[number], state = uniformity.scopes[number]
    var context = ScopeContext(
      exitLabel: code.newLabel(), continueLabel: code.newLabel(), loopDepth: loopDepth + (scope.isLoop ? 1 : 0))
    if state.outerExitsDiverge { context.left = zeroMask() }
    contexts[number] = context
    frames.append(.scope(number))
    if scope.isLoop { emitLoop(number, scope, state, mask) } else { emitOnce(scope, state, mask) }
    frames.removeLast()
    code.place(context.exitLabel)
    contexts[number] = nil
    guard let left = context.left else { return mask }
    if case .register(let register) = mask { return .register(binary(LANE_OP_andnot, register, left)) }
    return .register(binary(LANE_OP_xor, left, constantRegister(UInt32.max)))
  }

  private mutating func zeroMask() -> Int32 {
    let register = code.register(.vector)
    move(constantRegister(0), to: register)
    return register
  }

  private mutating func emitOnce(_ scope: ShaderGraph.Scope, _ state: Uniformity.ScopeState, _ mask: Mask) {
    let end = emitRegion(scope.body, mask)
    if end != .unreachable { assign(scope.end, end, isMasked: state.leavesDiverge, depth: loopDepth) }
  }

  // MARK: Loops

  private mutating func emitLoop(_ number: Int, _ scope: ShaderGraph.Scope, _ state: Uniformity.ScopeState, _ mask: Mask) {
    guard let context = contexts[number] else { return }
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

  private mutating func emitExit(_ exit: ShaderGraph.Exit, _ mask: Mask) -> Mask {
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

// MARK: - What is known of regions

/// What emission has to know about a region before it emits it.
struct RegionTraits {
  struct Traits {
    /// Roughly how many additions it takes as long as, up to a number beyond which more makes no difference.
    private(set) var cost = 0
    private static let highestCost = 1 << 20
    /// Whether lanes must be masked in it.
    var needsMask = false
    /// Whether it holds scopes, exits or writes, so that it cannot run when it should not.
    var hasEffects = false
    /// Whether it is worth a test for lanes that need it.
    var isWorthSkipping: Bool { cost >= 6 || hasLoop }
    var hasLoop = false
    /// Whether some lanes may leave it early while others stay.
    var hasMaskedExit = false

    /// Counts work that runs so many times.
    mutating func add(cost more: Int, times: Int = 1) {
      cost = min(cost + min(more, Self.highestCost) * times, Self.highestCost)
    }
  }

  /// How often the body of a loop is taken to run.
  private static let roundsOfLoop = 8

  private(set) var traits: [Traits]

  init(_ graph: ShaderGraph, _ uniformity: Uniformity) {
    traits = [Traits](repeating: Traits(), count: graph.regions.count)
    // Inner regions have higher numbers than the regions around them.
    for region in graph.regions.indices.reversed() {
      var sum = Traits()
      for item in graph.regions[region] {
        switch item {
        case .operation(let value):
          let operation = graph[value].operation
          guard uniformity[value] != .frame || graph[value].isOrdered else { continue }
          sum.add(cost: uniformity[value] == .lane ? operation.cost : 1)
          sum.needsMask = sum.needsMask || operation.needsMask
          sum.hasEffects = sum.hasEffects || (graph[value].isOrdered && operation.needsMask)
        case .exit(let index):
          sum.hasMaskedExit = sum.hasMaskedExit || uniformity.exitDiverges[index]
          sum.needsMask = true
          sum.hasEffects = true
        case .scope(let index):
          let scope = graph.scopes[index]
          let inner = [traits[scope.body]] + (scope.continuing.map { [traits[$0]] } ?? [])
          for part in inner { sum.add(cost: part.cost, times: scope.isLoop ? Self.roundsOfLoop : 1) }
          sum.needsMask = true
          sum.hasEffects = true
          sum.hasLoop = sum.hasLoop || scope.isLoop || inner.contains { $0.hasLoop }
          sum.hasMaskedExit = sum.hasMaskedExit || inner.contains { $0.hasMaskedExit }
        case .branch(let index):
          let branch = graph.branches[index]
          let accept = traits[branch.accept], reject = traits[branch.reject]
          let isDivergent = uniformity[branch.condition] == .lane
          sum.add(cost: accept.cost + reject.cost + branch.merges.count)
          let skips = isDivergent && (accept.isWorthSkipping || reject.isWorthSkipping)
          sum.needsMask = sum.needsMask || accept.needsMask || reject.needsMask || skips
          sum.hasEffects = sum.hasEffects || accept.hasEffects || reject.hasEffects
          sum.hasLoop = sum.hasLoop || accept.hasLoop || reject.hasLoop
          sum.hasMaskedExit = sum.hasMaskedExit || accept.hasMaskedExit || reject.hasMaskedExit
        }
      }
      traits[region] = sum
    }
  }

  subscript(region: Int) -> Traits { traits[region] }
}
