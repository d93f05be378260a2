internal import CLaneKernels

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
    // The preamble runs both arms, so that what it selects from has to stand there first.
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
    // An arm that ends in a jump has an end all the same, where what is left of it is skipped because no lane is left.
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

  /// Whether lanes leave in a region without having anything to assign or to be counted.
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
