import EtalonDiagnostics

/// Finds the blocks that branches, merges and `OpPhi`s of a function name.
struct BlockLinker {
  private let tables: ModuleTables
  private let drafts: [BlockDraft]
  private let positions: [Id: Int]

  init(_ tables: ModuleTables, _ drafts: [BlockDraft]) {
    self.tables = tables
    self.drafts = drafts
    positions = Dictionary(
      drafts.enumerated().map { ($1.label.result ?? Id(0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func link() throws(DiagnosticsError) -> [Block] {
    var successors: [[Int]] = []
    var predecessors = [Set<Int>](repeating: [], count: drafts.count)
    for (position, draft) in drafts.enumerated() {
      successors.append(try targets(draft.terminator))
      for successor in successors[position] { predecessors[successor].insert(position) }
    }
    guard predecessors[0].isEmpty else { throw ModuleMistake.error("block", "the first block is branched to", drafts[0].label) }
    var blocks: [Block] = []
    for (position, draft) in drafts.enumerated() {
      for phi in draft.phis { try check(tables.instruction(phi), against: predecessors[position]) }
      for index in draft.body where position > 0 && tables.instruction(index).opcode == .OpVariable {
        throw ModuleMistake.error("block", "it is not in the first block", tables.instruction(index))
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
      var targets = [try block(terminator, terminator.id(1))]
      for target in SwitchTargets(terminator, tables: tables) { targets.append(try block(terminator, target.label)) }
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

  private func check(_ phi: Instruction, against predecessors: Set<Int>) throws(DiagnosticsError) {
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
