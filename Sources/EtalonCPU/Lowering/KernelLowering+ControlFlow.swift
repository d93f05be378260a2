internal import CLaneKernels
internal import EtalonSPIRV

/// A scope of the graph whose body is being built.
struct OpenScope {
  enum Kind { case function, loop, switching }
  let kind: Kind
  let number: Int
  /// The level of the slots that was opened with it.
  let level: Int
  /// The level of a loop's body, where it differs.
  var bodyLevel: Int
  /// The exits to its end and to its continuing region, with what had changed.
  var leaves: [(exit: Int, changes: SlotStore.Changes)] = []
  var continues: [(exit: Int, changes: SlotStore.Changes)] = []
}

/// The exits that mean no more than going on, at the end of a region.
struct TailExits: OptionSet {
  let rawValue: Int
  static let functionEnd = TailExits(rawValue: 1)
  static let switchEnd = TailExits(rawValue: 2)
}

extension KernelLowering {
  typealias Tree = StructuredControlFlow

  /// Lowers a region into the present one; says whether control can reach its end.
  func lower(_ region: Tree.RegionId, in activation: Activation, tail: TailExits) throws(Unsupported) -> Bool {
    try lower(activation.scan.flow[region][...], in: activation, tail: tail)
  }

  private func lower(
    _ statements: ArraySlice<Tree.Statement>, in activation: Activation, tail: TailExits
  ) throws(Unsupported) -> Bool {
    for (position, statement) in zip(statements.indices, statements) {
      let rest = statements[(position + 1)...]
      switch statement {
      case .block(let block): try lowerBlock(activation.function.blocks[block], in: activation)
      case .edge(let from, let to): try assignPhis(from: from, to: to, in: activation)
      case .exit(let exit): return try lower(exit, in: activation, tail: tail)
      case .selection(let selection):
        if let falls = try lower(selection, rest: rest, in: activation, tail: tail) { return falls }
      case .loop(let loop): guard try lower(loop, in: activation) else { return false }
      case .switching(let cases):
        guard try lower(cases, in: activation, tail: rest.isEmpty ? tail : []) else { return false }
      }
    }
    return true
  }

  // MARK: Selections

  /// Lowers a selection; where one arm never comes back, what follows the selection becomes part of the other arm.
  ///
  /// Returns nil when the rest has yet to be lowered, and otherwise whether control can reach the end of the rest.
  private func lower(
    _ selection: Tree.Selection, rest: ArraySlice<Tree.Statement>, in activation: Activation, tail: TailExits
  ) throws(Unsupported) -> Bool? {
    let terminator = activation.function.blocks[selection.block].terminator
    let condition = try scalar(selection.condition, at: terminator)
    watchCondition(selection.condition, at: terminator)
    let acceptFalls = activation.scan.fallsThrough(selection.accept), rejectFalls = activation.scan.fallsThrough(selection.reject)
    let takesRest = acceptFalls != rejectFalls
    func arm(_ region: Tree.RegionId, falls: Bool) throws(Unsupported) -> Bool {
      // Where the rest follows the arm, a return is not at the end: it has to jump over the rest.
      let isEnd = rest.isEmpty || (takesRest && !falls)
      guard try lower(region, in: activation, tail: isEnd ? tail : []) else { return false }
      return takesRest && falls ? try lower(rest, in: activation, tail: tail) : true
    }
    let falls = try branch(
      on: condition,
      accept: { () throws(Unsupported) in try arm(selection.accept, falls: acceptFalls) },
      reject: { () throws(Unsupported) in try arm(selection.reject, falls: rejectFalls) })
    return takesRest || !falls ? falls : nil
  }

  /// Builds a branch and merges what its arms changed; says whether control can get past it.
  func branch(
    on condition: ValueId, accept: () throws(Unsupported) -> Bool, reject: () throws(Unsupported) -> Bool
  ) throws(Unsupported) -> Bool {
    if let word = builder.graph.constantWord(condition) { return word != 0 ? try accept() : try reject() }
    try enterNesting(at: nil)
    defer { nesting -= 1 }
    func arm(_ body: () throws(Unsupported) -> Bool) throws(Unsupported) -> (region: Int, falls: Bool, changes: SlotStore.Changes) {
      slots.open()
      let region = builder.openRegion()
      let falls = try body()
      builder.closeRegion()
      return (region, falls, slots.close())
    }
    let accepted = try arm(accept), rejected = try arm(reject)
    var merges: [ShaderGraph.Merge] = []
    var after: SlotStore.Changes = [:]
    switch (accepted.falls, rejected.falls) {
    case (true, true):
      for slot in Set(accepted.changes.keys).union(rejected.changes.keys).sorted() {
        let a = accepted.changes[slot] ?? slots[slot], b = rejected.changes[slot] ?? slots[slot]
        if a == b {
          after[slot] = a
        } else {
          let variable = builder.variable()
          merges.append(ShaderGraph.Merge(variable: variable, accepted: a, rejected: b))
          after[slot] = variable
        }
      }
    case (true, false): after = accepted.changes
    case (false, true): after = rejected.changes
    case (false, false): break
    }
    builder.addBranch(
      ShaderGraph.Branch(
        condition: condition, accept: accepted.region, reject: rejected.region, merges: merges, acceptFallsThrough: accepted.falls,
        rejectFallsThrough: rejected.falls))
    for (slot, value) in after { slots[slot] = value }
    return accepted.falls || rejected.falls
  }

  // MARK: Exits

  private func lower(_ exit: Tree.Exit, in activation: Activation, tail: TailExits) throws(Unsupported) -> Bool {
    switch exit {
    case .returnValue(let id):
      for (slot, value) in zip(activation.resultSlots, try scalars(id)) { slots[slot] = value }
      if watch != nil { for (slot, value) in zip(activation.resultShadows, flags(id)) { slots[slot] = value } }
      if module.definition(id).opcode == .OpUndef { markMissingReturn(activation) }
      return leaveFunction(tail)
    case .return: return leaveFunction(tail)
    case .unreachable:
      markMissingReturn(activation)
      return leaveFunction(tail)
    case .leaveSwitch:
      if tail.contains(.switchEnd) { return true }
      leave(.switching)
      return false
    case .leaveLoop:
      leave(.loop)
      return false
    case .continueLoop:
      guard let index = scopes.lastIndex(where: { $0.kind == .loop }) else { preconditionFailure("a continue outside loops") }
      let number = builder.addExit(scope: scopes[index].number, isContinue: true)
      scopes[index].continues.append((number, slots.changes(since: scopes[index].bodyLevel)))
      return false
    case .kill: throw Unsupported("OpKill: compute shaders end by returning", at: activation.function.instruction)
    }
  }

  private func leaveFunction(_ tail: TailExits) -> Bool {
    if tail.contains(.functionEnd) { return true }
    leave(.function)
    return false
  }

  func leave(_ kind: OpenScope.Kind) {
    guard let index = scopes.lastIndex(where: { $0.kind == kind }) else { preconditionFailure("an exit from no \(kind)") }
    let number = builder.addExit(scope: scopes[index].number, isContinue: false)
    scopes[index].leaves.append((number, slots.changes(since: scopes[index].level)))
  }

  // MARK: Scopes

  func openScope(_ kind: OpenScope.Kind) -> Int {
    let number = builder.reserveScope(isLoop: kind == .loop)
    scopes.append(OpenScope(kind: kind, number: number, level: slots.depth, bodyLevel: slots.depth))
    slots.open()
    return builder.openRegion()
  }

  /// Ends a scope that is no loop; the present values flow together with those of its exits.
  func closePlainScope(_ body: Int, bodyFallsThrough: Bool) {
    let scope = scopes.removeLast()
    builder.closeRegion()
    let changes = slots.close()
    var assigned = scope.leaves.map(\.changes)
    if bodyFallsThrough { assigned.append(changes) }
    let (variables, after) = merge(assigned) { values in values.count == 1 }
    for (leave, changes) in scope.leaves { assign(variables, changes, toExit: leave) }
    let end = bodyFallsThrough ? assignments(variables, changes) : []
    builder.addScope(
      scope.number,
      ShaderGraph.Scope(isLoop: false, body: body, continuing: nil, end: end, bodyFallsThrough: bodyFallsThrough))
    for (slot, value) in after { slots[slot] = value }
  }

  /// What slots are after several pieces of control flow that changed them: a variable, or the value itself where all agree on one that
  /// `isStable`.
  func merge(
    _ changes: [SlotStore.Changes], isStable: (Set<ValueId>) -> Bool
  ) -> (variables: [(slot: Int, variable: ValueId)], after: SlotStore.Changes) {
    var variables: [(slot: Int, variable: ValueId)] = []
    var after: SlotStore.Changes = [:]
    let all = changes.reduce(into: Set<Int>()) { $0.formUnion($1.keys) }
    work += all.count * changes.count
    for slot in all.sorted() {
      let values = Set(changes.map { $0[slot] ?? slots[slot] })
      if values.count == 1, let value = values.first, isStable(values) {
        after[slot] = value
      } else {
        let variable = builder.variable()
        variables.append((slot, variable))
        after[slot] = variable
      }
    }
    return (variables, after)
  }

  func assignments(_ variables: [(slot: Int, variable: ValueId)], _ changes: SlotStore.Changes) -> [ShaderGraph.Assignment] {
    variables.map { ShaderGraph.Assignment(variable: $0.variable, value: changes[$0.slot] ?? slots[$0.slot]) }
  }

  func assign(_ variables: [(slot: Int, variable: ValueId)], _ changes: SlotStore.Changes, toExit exit: Int) {
    builder.setAssignments(assignments(variables, changes), ofExit: exit)
  }
}

// MARK: - Loops

extension KernelLowering {
  /// Lowers a loop; says whether control can get past it.
  func lower(_ loop: Tree.Loop, in activation: Activation) throws(Unsupported) -> Bool {
    try enterNesting(at: nil)
    defer { nesting -= 1 }
    let rounds = startCounting()
    let slotsWritten = slotsWritten(in: loop, activation) + (rounds.map { [$0] } ?? [])
    let firstNode = builder.graph.nodes.count
    let body = openScope(.loop)
    var carried: [ShaderGraph.Scope.Carried] = []
    for slot in slotsWritten {
      let variable = builder.variable()
      carried.append(ShaderGraph.Scope.Carried(variable: variable, initial: slots[slot], next: variable))
      slots[slot] = variable
    }
    let number = scopes[scopes.count - 1].number
    var scope = ShaderGraph.Scope(isLoop: true, body: body)
    if activation.scan.continues(loop.body) {
      try lowerRoundWithContinue(loop, rounds, in: activation, &scope)
    } else {
      var falls = try lower(loop.body, in: activation, tail: [])
      if falls { falls = try lower(loop.continuing, in: activation, tail: []) }
      if falls, let rounds { try watchRound(of: loop, rounds, in: activation) }
      scope.bodyFallsThrough = falls
      scope.continuingFallsThrough = falls
      builder.closeRegion()
    }
    for index in carried.indices { carried[index].next = slots[slotsWritten[index]] }
    scope.carried = carried
    let open = scopes.removeLast()
    _ = slots.close()
    let (variables, after) = merge(open.leaves.map(\.changes)) { values in
      values.allSatisfy { $0.position < firstNode || builder.graph.constantWord($0) != nil }
    }
    for (leave, changes) in open.leaves { assign(variables, changes, toExit: leave) }
    let continued = Dictionary(uniqueKeysWithValues: variables.map { ($0.slot, $0.variable) })
    for index in scope.carried.indices { scope.carried[index].after = continued[slotsWritten[index]] }
    builder.addScope(number, scope)
    for (slot, value) in after { slots[slot] = value }
    return !open.leaves.isEmpty
  }

  /// The body and then the continuing region, where the values of all `continue`s flow together.
  private func lowerRoundWithContinue(
    _ loop: Tree.Loop, _ rounds: Int?, in activation: Activation, _ scope: inout ShaderGraph.Scope
  ) throws(Unsupported) {
    let index = scopes.count - 1
    scopes[index].bodyLevel = slots.depth
    slots.open()
    scope.bodyFallsThrough = try lower(loop.body, in: activation, tail: [])
    builder.closeRegion()
    let changes = slots.close()
    let continues = scopes[index].continues
    var assigned = continues.map(\.changes)
    if scope.bodyFallsThrough { assigned.append(changes) }
    let (variables, after) = merge(assigned) { _ in true }
    for (exit, changes) in continues { assign(variables, changes, toExit: exit) }
    if scope.bodyFallsThrough { scope.bodyEnd = assignments(variables, changes) }
    for (slot, value) in after { slots[slot] = value }
    scope.continuing = builder.openRegion()
    scope.continuingFallsThrough = try lower(loop.continuing, in: activation, tail: [])
    if scope.continuingFallsThrough, let rounds { try watchRound(of: loop, rounds, in: activation) }
    builder.closeRegion()
  }

  /// The slots that a round of the loop may change, in order.
  private func slotsWritten(in loop: Tree.Loop, _ activation: Activation) -> [Int] {
    var written: Set<Int> = []
    let blocks = activation.scan.blocks(loop.body) + activation.scan.blocks(loop.continuing)
    let variables = blocks.reduce(into: Set<Id>()) { $0.formUnion(activation.summary.writtenByBlock[$1]) }
    for variable in variables {
      guard case .pointer(let pointer) = self[variable], case .slots(let first, let count) = pointer.root else { continue }
      let whole = pointer.dynamic != nil
      let start = whole ? first : first + pointer.offset
      let range = start..<start + (whole ? count : module.scalarCount(pointer.type))
      written.formUnion(range)
      if let shadow = watch?.shadowSlots[first] { written.formUnion(range.lowerBound + shadow - first..<range.upperBound + shadow - first) }
    }
    let phiBlocks = activation.scan.phiBlocks(loop.body).union(activation.scan.phiBlocks(loop.continuing))
    for block in phiBlocks {
      for phi in module[activation.function.blocks[block].phis] {
        guard let id = phi.result, let type = phi.resultType, let first = activation.phiSlots[id] else { continue }
        written.formUnion(first..<first + module.scalarCount(type))
      }
    }
    return written.sorted()
  }

  /// Gives the `OpPhi`s of a block their values, all at once.
  private func assignPhis(from: Int, to: Int, in activation: Activation) throws(Unsupported) {
    let label = activation.function.blocks[from].label
    var assigned: [(slot: Int, values: [ValueId])] = []
    for phi in module[activation.function.blocks[to].phis] {
      guard let id = phi.result, let slot = activation.phiSlots[id] else { continue }
      let operands = phi.ids(from: 0)
      for pair in stride(from: 0, to: operands.count - 1, by: 2) where operands[pair + 1] == label {
        let values = try scalars(operands[pair], at: phi.index)
        guard let type = phi.resultType, values.count == module.scalarCount(type) else { throw misfit(phi) }
        assigned.append((slot, values))
      }
    }
    for (slot, values) in assigned {
      for (offset, value) in values.enumerated() { slots[slot + offset] = value }
    }
  }
}

// MARK: - Switches

extension KernelLowering {
  /// Lowers a switch; says whether control can get past it.
  func lower(_ cases: Tree.Switch, in activation: Activation, tail: TailExits) throws(Unsupported) -> Bool {
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
  ) throws(Unsupported) -> Bool {
    guard let arm = cases.first, let condition = conditions.first else { return true }
    return try branch(
      on: condition, accept: { () throws(Unsupported) in try lower(arm.body, in: activation, tail: tail) },
      reject: { () throws(Unsupported) in try lowerArms(cases.dropFirst(), conditions.dropFirst(), in: activation, tail: tail) })
  }

  /// Cases that may go on with the next one: one after the other, with a variable that says whether the one before falls through.
  private func lowerFalling(_ cases: Tree.Switch, _ conditions: [ValueId], in activation: Activation) throws(Unsupported) -> Bool {
    let isFalling = slots.allocate([word(0)])
    for (arm, condition) in zip(cases.cases, conditions) {
      let runs = add(LANE_OP_or, condition, slots[isFalling])
      let falls = try branch(
        on: runs,
        accept: { () throws(Unsupported) in
          let reachesEnd = try lower(arm.body, in: activation, tail: [])
          if reachesEnd && arm.fallsThrough {
            slots[isFalling] = word(-1)
          } else if reachesEnd {
            let index = scopes.count - 1
            let number = builder.addExit(scope: scopes[index].number, isContinue: false)
            scopes[index].leaves.append((number, slots.changes(since: scopes[index].level)))
          }
          return reachesEnd && arm.fallsThrough
        }, reject: { () throws(Unsupported) in true })
      if !falls { return false }
    }
    return true
  }
}
