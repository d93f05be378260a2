internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// Lowers a loop; says whether control can get past it.
  func lower(_ loop: Tree.Loop, in activation: Activation) throws(Refusal) -> Bool {
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
  ) throws(Refusal) {
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
  func assignPhis(from: Int, to: Int, in activation: Activation) throws(Refusal) {
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
