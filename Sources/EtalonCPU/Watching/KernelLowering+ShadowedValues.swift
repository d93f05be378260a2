internal import CLaneKernels
internal import EtalonSPIRV

/// Shadows of values: what becomes of them in instructions.
extension KernelLowering {
  /// Keeps the shadow of a value, unless every scalar was written or it has to outlive a loop.
  func keep(_ parts: [LoweringWatch.Part?], of id: Id) {
    watch?.shadows[id] = carriers[id] == nil && parts.contains { $0 != nil } ? parts : nil
  }

  /// The flags of a value.
  func flags(_ id: Id) -> [ValueId] {
    if let parts = watch?.shadows[id] { return parts.map { $0?.flag ?? written } }
    guard let type = module.typeOfValue(id) else { return [] }
    return [ValueId](repeating: written, count: module.scalarCount(type))
  }

  private static let moving: Set<Opcode> = [
    .OpCompositeConstruct, .OpCompositeExtract, .OpCompositeInsert, .OpVectorShuffle, .OpTranspose, .OpCopyLogical,
  ]

  /// What becomes of the shadows of the operands of an instruction with a result.
  func watchResult(of instruction: Instruction, type: Id) throws(Refusal) {
    guard let watch, let result = instruction.result else { return }
    self.watch?.shadows[result] = nil
    let shadowed = module.idOperands(instruction).filter { watch.shadows[$0] != nil }
    guard !shadowed.isEmpty else { return }
    if Self.moving.contains(instruction.opcode) { return keep(try moved(instruction, type: type), of: result) }
    let results = try scalars(result, at: instruction.index)
    guard instruction.opcode == .OpSelect else {
      for id in shadowed { report(watch.shadows[id], watching: results) }
      return
    }
    report(watch.shadows[instruction.id(0)], watching: results)
    keep(try selected(instruction), of: result)
  }

  private func selected(_ instruction: Instruction) throws(Refusal) -> [LoweringWatch.Part?] {
    let conditions = try scalars(instruction.id(0), at: instruction.index)
    let a = flags(instruction.id(1)), b = flags(instruction.id(2))
    let parts = (watch?.shadows[instruction.id(1)], watch?.shadows[instruction.id(2)])
    guard a.count == b.count, !conditions.isEmpty else { throw misfit(instruction) }
    return a.indices.map { place in
      guard let known = parts.0?[place] ?? parts.1?[place] else { return nil }
      let flag = add(LANE_OP_select, conditions[min(place, conditions.count - 1)], a[place], b[place])
      return .init(flag: flag, name: known.name, origin: known.origin)
    }
  }

  /// The parts of a composite: it is put together from numbers that stand for the parts of its operands.
  private func moved(_ instruction: Instruction, type: Id) throws(Refusal) -> [LoweringWatch.Part?] {
    watch?.moved = []
    defer { watch?.moved = nil }
    let numbers = try composite(instruction, type: type) ?? []
    let parts = watch?.moved ?? []
    return numbers.map { number in
      let place = -2 - Int(number.index)
      return parts.indices.contains(place) ? parts[place] : nil
    }
  }

  /// Numbers for the parts of a value that is being moved.
  func movedScalars(_ id: Id, at instruction: Int?) throws(Refusal) -> [ValueId] {
    guard let type = module.typeOfValue(id) else { throw Refusal("a value without a type", at: instruction) }
    let start = watch?.moved?.count ?? 0, count = try scalarCount(type, at: instruction)
    let parts = watch?.shadows[id] ?? [LoweringWatch.Part?](repeating: nil, count: count)
    watch?.moved? += parts
    return (0..<count).map { ValueId(raw: Int32(-2 - start - $0)) }
  }
}
