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
    else { throw ModuleMistake.error("type", "the type of the function does not fit", opening) }
    let parameters = try readParameters(opening, parameterTypes)
    var drafts: [BlockDraft] = []
    var instruction = try next("a function")
    while instruction.opcode == .OpLabel {
      drafts.append(try readBlock(instruction))
      instruction = try next("a function")
    }
    guard instruction.opcode == .OpFunctionEnd else { throw ModuleMistake.error("block", "it is outside of any block", instruction) }
    guard !drafts.isEmpty else { throw ModuleMistake.error("block", "the function has no body", opening) }
    let linker = BlockLinker(instructions, types, drafts)
    let blocks = try linker.link()
    let function = Function(
      id: id, instruction: opening.index, resultType: resultType, parameters: parameters, blocks: blocks,
      positions: linker.positions)
    return (function, position)
  }

  private mutating func next(_ what: String) throws(DiagnosticsError) -> Instruction {
    guard position < instructions.records.count else { throw ModuleMistake.error("truncated", "the module ends inside \(what)") }
    position += 1
    return instructions.instruction(position - 1)
  }

  private mutating func readParameters(_ opening: Instruction, _ types: [Id]) throws(DiagnosticsError) -> [Id] {
    var parameters: [Id] = []
    for type in types {
      let parameter = try next("a function")
      guard parameter.opcode == .OpFunctionParameter, parameter.resultType == type, let id = parameter.result else {
        throw ModuleMistake.error("type", "the parameters of the function are not those of its type", opening)
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
          throw ModuleMistake.error("block", "it comes after other instructions", instruction)
        }
        firstAfterPhis += 1
      case .OpLabel, .OpFunction, .OpFunctionEnd, .OpFunctionParameter:
        throw ModuleMistake.error("block", "the block before it has no end", instruction)
      case .OpSelectionMerge, .OpLoopMerge: merge = instruction
      default: break
      }
      if let merge, merge.index != instruction.index, !instruction.opcode.endsBlock || merge.index != instruction.index - 1 {
        throw ModuleMistake.error("block", "it is not right before the end of its block", merge)
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
struct BlockDraft {
  let label: Instruction
  let phis: Range<Int>
  let body: Range<Int>
  let merge: Instruction?
  let terminator: Instruction
}
