import EtalonDiagnostics

/// Divides a function into blocks and checks their shape.
struct FunctionReader {
  private let instructions: InstructionTable
  private let types: TypeTable
  private var position: Int

  /// A function that starts at a position.
  init(_ instructions: InstructionTable, _ types: TypeTable, at position: Int) {
    self.instructions = instructions
    self.types = types
    self.position = position
  }

  /// The function, and the position after its end.
  mutating func read() throws(DiagnosticsError) -> (function: Function, end: Int) {
    let opening = try next("a function")
    guard let id = opening.result, let resultType = opening.resultType,
      case .function(let result, let parameterTypes) = types[opening.id(1)],
      result == resultType
    else { throw ModuleDiagnostic.error("type", "the type of the function does not fit", opening) }
    let parameters = try readParameters(opening, parameterTypes)
    var drafts: [BlockDraft] = []
    var instruction = try next("a function")
    while instruction.opcode == .OpLabel {
      drafts.append(try readBlock(instruction))
      instruction = try next("a function")
    }
    guard instruction.opcode == .OpFunctionEnd else { throw ModuleDiagnostic.error("block", "it is outside of any block", instruction) }
    guard !drafts.isEmpty else { throw ModuleDiagnostic.error("block", "the function has no body", opening) }
    let linker = BlockLinker(instructions, types, drafts)
    let blocks = try linker.link()
    let function = Function(
      id: id, instruction: opening.index, resultType: resultType, parameters: parameters, blocks: blocks,
      positions: linker.positions)
    return (function, position)
  }

  private mutating func next(_ what: String) throws(DiagnosticsError) -> Instruction {
    guard position < instructions.records.count else { throw ModuleDiagnostic.error("truncated", "the module ends inside \(what)") }
    position += 1
    return instructions.instruction(position - 1)
  }

  private mutating func readParameters(_ opening: Instruction, _ types: [Id]) throws(DiagnosticsError) -> [Id] {
    var parameters: [Id] = []
    for type in types {
      let parameter = try next("a function")
      guard parameter.opcode == .OpFunctionParameter, parameter.resultType == type, let id = parameter.result else {
        throw ModuleDiagnostic.error("type", "the parameters of the function are not those of its type", opening)
      }
      parameters.append(id)
    }
    return parameters
  }

  private mutating func readBlock(_ label: Instruction) throws(DiagnosticsError) -> BlockDraft {
    let first = position
    var firstAfterPhis = first
    var merge: Instruction?
    while true {
      let instruction = try next("a block")
      switch instruction.opcode {
      case .OpPhi:
        guard instruction.index == firstAfterPhis else {
          throw ModuleDiagnostic.error("block", "it comes after other instructions", instruction)
        }
        firstAfterPhis += 1
      case .OpLabel, .OpFunction, .OpFunctionEnd, .OpFunctionParameter:
        throw ModuleDiagnostic.error("block", "the block before it has no end", instruction)
      case .OpSelectionMerge, .OpLoopMerge: merge = instruction
      default: break
      }
      if let merge, merge.index != instruction.index, !instruction.opcode.endsBlock || merge.index != instruction.index - 1 {
        throw ModuleDiagnostic.error("block", "it is not right before the end of its block", merge)
      }
      if instruction.opcode.endsBlock {
        return BlockDraft(
          label: label, phis: first..<firstAfterPhis, body: firstAfterPhis..<(merge?.index ?? instruction.index), merge: merge,
          terminator: instruction)
      }
    }
  }
}

/// A block whose branches still go to labels.
private struct BlockDraft {
  let label: Instruction
  let phis: Range<Int>
  let body: Range<Int>
  let merge: Instruction?
  let terminator: Instruction
}

// MARK: - Branches

/// Finds the blocks that branches, merges and `OpPhi`s of a function name.
private struct BlockLinker {
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
    guard predecessors[0].isEmpty else { throw ModuleDiagnostic.error("block", "the first block is branched to", drafts[0].label) }
    var blocks: [Block] = []
    for (position, draft) in drafts.enumerated() {
      for phi in draft.phis { try check(instructions.instruction(phi), against: predecessors[position]) }
      for index in draft.body where position > 0 && instructions.records[index].code.opcode == .OpVariable {
        throw ModuleDiagnostic.error("block", "it is not in the first block", instructions.instruction(index))
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
        throw ModuleDiagnostic.error("operands", "there are either two weights or none", terminator)
      }
      return [try block(terminator, terminator.id(1)), try block(terminator, terminator.id(2))]
    case .OpSwitch:
      let selectorType = instructions.typeOfValue(terminator.id(0)).flatMap { types[$0] }
      guard case .int = selectorType else { throw ModuleDiagnostic.error("type", "the selector is no integer", terminator) }
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
      throw ModuleDiagnostic.error("block", "\(phi.operandCount / 2) values for \(predecessors.count) ways into the block", phi)
    }
    var seen: Set<Int> = []
    for index in stride(from: 1, to: phi.operandCount, by: 2) {
      let parent = try block(phi, phi.id(index))
      guard predecessors.contains(parent), seen.insert(parent).inserted else {
        throw ModuleDiagnostic.error("block", "\(phi.id(index)) is not a way into the block, or named twice", phi)
      }
    }
  }

  private func block(_ instruction: Instruction, _ label: Id) throws(DiagnosticsError) -> Int {
    guard let position = positions[label] else {
      throw ModuleDiagnostic.error("block", "\(label) is no block of this function", instruction)
    }
    return position
  }
}
