internal import CLaneKernels
internal import EtalonSPIRV

/// What a watched kernel reports while its instructions are lowered; operations are watched in `GraphWatch`.
extension KernelLowering {
  /// Says where the nodes that follow come from, and watches operands of instructions without a result.
  func watchOperands(of instruction: Instruction) throws(Refusal) {
    guard watch != nil, let origin = watch?.table.origin(of: instruction.index) else { return }
    builder.origin = Int32(origin)
    guard let watch else { return }
    switch instruction.opcode {
    case .OpAccessChain, .OpInBoundsAccessChain:
      for index in instruction.ids(from: 1) {
        report(watch.shadows[index], watching: nil)
      }
    case .OpImageWrite, .OpAtomicStore:
      for operand in module.idOperands(instruction) {
        report(watch.shadows[operand], watching: nil)
      }
    default: break
    }
  }

  /// Lowers a call; what it does is reported at its line too.
  func watchingCall(_ call: Instruction, _ body: () throws(Refusal) -> [ValueId]) throws(Refusal) -> [ValueId] {
    guard watch != nil else { return try body() }
    let origin = builder.origin
    watch?.table.enter(call: call.index)
    noteResultFunction(module.function(call.id(0)))
    let values = try body()
    watch?.table.leaveCall()
    builder.origin = origin
    guard let result = call.result, let returned = watch?.returned else { return values }
    watch?.returned = []
    let name = module.name(call.id(0)).prefix { $0 != "(" } + "()", type = module.function(call.id(0)).resultType
    let place = origin.map(Int.init) ?? -1
    let parts = returned.enumerated().map { part, flag -> LoweringWatch.Part? in
      flag == word(0) ? nil : .init(flag: flag, name: name + module.partName(of: part, in: type), origin: place)
    }
    keep(parts, of: result)
    return values
  }

  /// Keeps in mind the author's function that the entry point calls.
  private func noteResultFunction(_ function: Function) {
    // The entry point itself is the first that is entered.
    guard nesting == 1, let line = module.location(function.instruction)?.line, watch?.isAuthored(line) ?? false else { return }
    let origin = watch?.table.origin(of: function.instruction)
    watch?.resultOrigin = origin
  }

  // MARK: Returns

  /// Notes that lanes leave a function here without a result.
  func markMissingReturn(_ activation: Activation) {
    if let slot = activation.missingReturn { slots[slot] = unwritten }
  }

  /// Watches the results that no `return` gave, where they lead anywhere.
  func watchReturn(of function: Function, isMissing: ValueId, _ results: [ValueId]) {
    guard isMissing != written, let origin = watch?.table.origin(of: function.instruction) else { return }
    let before = builder.origin
    builder.origin = Int32(origin)
    for result in results { note(.missingReturn, isMissing, origin: origin, variable: name(of: function), watched: result) }
    builder.origin = before
  }

  /// What the author calls a function: `shade()`.
  private func name(of function: Function) -> String { module.name(function.id).prefix { $0 != "(" } + "()" }

  // MARK: Conditions and indices

  /// Watches the condition of a branch.
  func watchCondition(_ id: Id, at terminator: Int) {
    guard let shadow = watch?.shadows[id] else { return }
    if let origin = watch?.table.origin(of: terminator) { builder.origin = Int32(origin) }
    report(shadow, watching: nil)
  }

  /// Watches an index that has to be below a number.
  func watchIndex(_ index: ValueId, limit: Int, at instruction: Int) {
    guard let origin = watch?.table.origin(of: instruction) else { return }
    let operands = [
      (WatchSite.Operand(name: "index", scalar: .signed), index), (WatchSite.Operand(name: "length", scalar: .unsigned), word(limit)),
    ]
    note(.index, add(LANE_OP_ule, word(limit), index), origin: origin, operands: operands)
  }

  /// Watches the level that is asked for of a texture.
  func watchLevel(_ texture: Int, _ level: ValueId, at instruction: Int) {
    guard let origin = watch?.table.origin(of: instruction), builder.graph.constantWord(level) != 0 else { return }
    let count = textureSize(texture, level: word(0), axis: 3)
    let operands = [
      (WatchSite.Operand(name: "lod", scalar: .signed), level), (WatchSite.Operand(name: "levels", scalar: .signed), count),
    ]
    note(.level, add(LANE_OP_ule, count, level), origin: origin, operands: operands)
  }

  /// Watches the texel that a fetch reads.
  func watchTexel(_ texture: Int, _ position: [ValueId], level: ValueId, axes: Int, at instruction: Int) {
    guard let origin = watch?.table.origin(of: instruction) else { return }
    var outside = word(0)
    for axis in 0..<axes {
      outside = add(LANE_OP_or, outside, add(LANE_OP_ule, textureSize(texture, level: level, axis: axis), position[axis]))
    }
    let names = ["x", "y", "z"]
    let operands = (0..<axes).map { (WatchSite.Operand(name: names[$0], scalar: .signed), position[$0]) }
    note(.texel, outside, origin: origin, operands: operands)
  }
}
