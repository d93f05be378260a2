import EtalonDiagnostics

/// Finds the blocks that branches, merges and `OpPhi`s of a function name.
struct BlockLinker {
  private let instructions: InstructionTable
  private let types: TypeTable
  private let drafts: [BlockDraft]
  /// From the label of a block to its position.
  let positions: [Id: Int]

  init(_ instructions: InstructionTable, _ types: TypeTable, _ drafts: [BlockDraft]) {
    self.instructions = instructions
    self.types = types
    self.drafts = drafts
    positions = Dictionary(
      drafts.enumerated().map { ($1.label.result ?? Id(0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func link() throws(DiagnosticsError) -> [Block] {
    var successors: [[Int]] = []
    var predecessors = [[Int]](repeating: [], count: drafts.count)
    for (position, draft) in drafts.enumerated() {
      successors.append(try targets(draft.terminator))
      for successor in successors[position] where predecessors[successor].last != position { predecessors[successor].append(position) }
    }
    guard predecessors[0].isEmpty else { throw ModuleMistake.error("block", "the first block is branched to", drafts[0].label) }
    var blocks: [Block] = []
    for (position, draft) in drafts.enumerated() {
      for phi in draft.phis { try check(instructions.instruction(phi), against: predecessors[position]) }
      for index in draft.body where position > 0 && instructions.records[index].code.opcode == .OpVariable {
        throw ModuleMistake.error("block", "it is not in the first block", instructions.instruction(index))
      }
      blocks.append(
        Block(
          label: draft.label.result ?? Id(0), phis: draft.phis, body: draft.body, merge: try merge(draft.merge),
          terminator: draft.terminator.index,
          successors: successors[position]))
    }
    return blocks
  }

  /// The blocks that a terminator may go on with.
  private func targets(_ terminator: Instruction) throws(DiagnosticsError) -> [Int] {
    switch terminator.opcode {
    case .OpBranch: return [try block(terminator, terminator.id(0))]
    case .OpBranchConditional:
      guard terminator.operandCount == 3 || terminator.operandCount == 5 else {
        throw ModuleMistake.error("operands", "there are either two weights or none", terminator)
      }
      return [try block(terminator, terminator.id(1)), try block(terminator, terminator.id(2))]
    case .OpSwitch:
      let selectorType = instructions.typeOfValue(terminator.id(0)).flatMap { types[$0] }
      guard case .int = selectorType else { throw ModuleMistake.error("type", "the selector is no integer", terminator) }
      var targets = [try block(terminator, terminator.id(1))]
      for target in SwitchTargets(terminator, selectorType: selectorType) { targets.append(try block(terminator, target.label)) }
      return targets
    default: return []
    }
  }

  private func merge(_ merge: Instruction?) throws(DiagnosticsError) -> Block.Merge? {
    guard let merge else { return nil }
    _ = try block(merge, merge.id(0))
    guard merge.opcode == .OpLoopMerge else { return .selection(merge: merge.id(0)) }
    _ = try block(merge, merge.id(1))
    return .loop(merge: merge.id(0), continueTarget: merge.id(1))
  }

  private func check(_ phi: Instruction, against predecessors: [Int]) throws(DiagnosticsError) {
    guard phi.operandCount == 2 * predecessors.count else {
      throw ModuleMistake.error("block", "\(phi.operandCount / 2) values for \(predecessors.count) ways into the block", phi)
    }
    var seen: Set<Int> = []
    for index in stride(from: 1, to: phi.operandCount, by: 2) {
      let parent = try block(phi, phi.id(index))
      guard predecessors.contains(parent), seen.insert(parent).inserted else {
        throw ModuleMistake.error("block", "\(phi.id(index)) is not a way into the block, or named twice", phi)
      }
    }
  }

  private func block(_ instruction: Instruction, _ label: Id) throws(DiagnosticsError) -> Int {
    guard let position = positions[label] else {
      throw ModuleMistake.error("block", "\(label) is no block of this function", instruction)
    }
    return position
  }
}
