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
  func lower(_ region: Tree.RegionId, in activation: Activation, tail: TailExits) throws(Refusal) -> Bool {
    try lower(activation.scan.flow[region][...], in: activation, tail: tail)
  }

  private func lower(
    _ statements: ArraySlice<Tree.Statement>, in activation: Activation, tail: TailExits
  ) throws(Refusal) -> Bool {
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
  ) throws(Refusal) -> Bool? {
    let terminator = activation.function.blocks[selection.block].terminator
    let condition = try scalar(selection.condition, at: terminator)
    watchCondition(selection.condition, at: terminator)
    let acceptFalls = activation.scan.fallsThrough(selection.accept), rejectFalls = activation.scan.fallsThrough(selection.reject)
    let takesRest = acceptFalls != rejectFalls
    func arm(_ region: Tree.RegionId, falls: Bool) throws(Refusal) -> Bool {
      // In front of the rest a return is no end: it has to jump over the rest.
      let isEnd = rest.isEmpty || (takesRest && !falls)
      guard try lower(region, in: activation, tail: isEnd ? tail : []) else { return false }
      return takesRest && falls ? try lower(rest, in: activation, tail: tail) : true
    }
    let falls = try branch(
      on: condition,
      accept: { () throws(Refusal) in try arm(selection.accept, falls: acceptFalls) },
      reject: { () throws(Refusal) in try arm(selection.reject, falls: rejectFalls) })
    return takesRest || !falls ? falls : nil
  }

  /// Builds a branch and merges what its arms changed; says whether control can get past it.
  func branch(
    on condition: ValueId, accept: () throws(Refusal) -> Bool, reject: () throws(Refusal) -> Bool
  ) throws(Refusal) -> Bool {
    if let word = builder.graph.constantWord(condition) { return word != 0 ? try accept() : try reject() }
    try enterNesting(at: nil)
    defer { nesting -= 1 }
    func arm(_ body: () throws(Refusal) -> Bool) throws(Refusal) -> (region: Int, falls: Bool, changes: SlotStore.Changes) {
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

  private func lower(_ exit: Tree.Exit, in activation: Activation, tail: TailExits) throws(Refusal) -> Bool {
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
    case .kill: throw Refusal("OpKill: compute shaders end by returning", at: activation.function.instruction)
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
