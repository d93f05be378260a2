internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// Lowers a switch; says whether control can get past it.
  func lower(_ cases: Tree.Switch, in activation: Activation, tail: TailExits) throws(Refusal) -> Bool {
    let terminator = activation.function.blocks[cases.block].terminator
    let selector = try scalar(cases.selector, at: terminator)
    watchCondition(cases.selector, at: terminator)
    let conditions = conditions(of: cases, selector: selector)
    let falling = cases.cases.contains { $0.fallsThrough }
    let body = openScope(.switching)
    let falls =
      falling
      ? try lowerFalling(cases, conditions, in: activation)
      : try lowerArms(cases.cases[...], conditions[...], in: activation, tail: tail.union(.switchEnd))
    let leaves = scopes[scopes.count - 1].leaves
    closePlainScope(body, bodyFallsThrough: falls)
    return falls || !leaves.isEmpty
  }

  /// For each case whether it is the one that the selector names.
  private func conditions(of cases: Tree.Switch, selector: ValueId) -> [ValueId] {
    var conditions: [ValueId?] = cases.cases.map { arm in
      let matches = arm.literals.map { add(LANE_OP_ieq, selector, word(Int(truncatingIfNeeded: $0))) }
      return matches.dropFirst().reduce(matches.first) { sum, match in sum.map { add(LANE_OP_or, $0, match) } }
    }
    let named = conditions.compactMap { $0 }
    let anyNamed = named.dropFirst().reduce(named.first ?? word(0)) { add(LANE_OP_or, $0, $1) }
    for (index, arm) in cases.cases.enumerated() where arm.isDefault {
      let others = add(LANE_OP_not, anyNamed)
      conditions[index] = conditions[index].map { add(LANE_OP_or, $0, others) } ?? others
    }
    return conditions.map { $0 ?? word(0) }
  }

  /// Cases that exclude each other: one arm within the other.
  private func lowerArms(
    _ cases: ArraySlice<Tree.Case>, _ conditions: ArraySlice<ValueId>, in activation: Activation, tail: TailExits
  ) throws(Refusal) -> Bool {
    guard let arm = cases.first, let condition = conditions.first else { return true }
    return try branch(
      on: condition, accept: { () throws(Refusal) in try lower(arm.body, in: activation, tail: tail) },
      reject: { () throws(Refusal) in try lowerArms(cases.dropFirst(), conditions.dropFirst(), in: activation, tail: tail) })
  }

  /// Cases that may go on with the next one: one after the other, with a variable that says whether the one before falls through.
  private func lowerFalling(_ cases: Tree.Switch, _ conditions: [ValueId], in activation: Activation) throws(Refusal) -> Bool {
    let isFalling = slots.allocate([word(0)])
    for (arm, condition) in zip(cases.cases, conditions) {
      let runs = add(LANE_OP_or, condition, slots[isFalling])
      let falls = try branch(
        on: runs,
        accept: { () throws(Refusal) in
          let reachesEnd = try lower(arm.body, in: activation, tail: [])
          if reachesEnd && arm.fallsThrough {
            slots[isFalling] = word(-1)
          } else if reachesEnd {
            let index = scopes.count - 1
            let number = builder.addExit(scope: scopes[index].number, isContinue: false)
            scopes[index].leaves.append((number, slots.changes(since: scopes[index].level)))
          }
          return reachesEnd && arm.fallsThrough
        }, reject: { () throws(Refusal) in true })
      if !falls { return false }
    }
    return true
  }
}
