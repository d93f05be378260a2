import EtalonDiagnostics

/// Checks that a function uses values only where they exist: operands are values, and definitions dominate uses.
struct FunctionChecker {
  private let instructions: InstructionTable
  private let types: TypeTable
  /// The position of the first `OpFunction`.
  private let firstFunction: Int
  private let function: Function
  private let dominators: DominatorTree
  /// The positions of all instructions of the function.
  private let extent: Range<Int>
  /// From a position, less the first of `extent`, to the block that holds it; -1 for parameters.
  private var blockOfInstruction: [Int32]

  init(_ instructions: InstructionTable, _ types: TypeTable, firstFunction: Int, _ function: Function, end: Int) {
    self.instructions = instructions
    self.types = types
    self.firstFunction = firstFunction
    self.function = function
    extent = function.instruction..<end
    dominators = DominatorTree(successors: function.blocks.map(\.successors))
    blockOfInstruction = [Int32](repeating: -1, count: extent.count)
    for (block, content) in function.blocks.enumerated() {
      for position in content.phis.lowerBound...content.terminator { blockOfInstruction[position - extent.lowerBound] = Int32(block) }
    }
  }

  /// Checks all instructions and returns the functions that are called.
  func check() throws(DiagnosticsError) -> [Id] {
    var callees: [Id] = []
    for (block, content) in function.blocks.enumerated() {
      for phi in content.phis { try check(phi: instructions.instruction(phi)) }
      for position in content.phis.upperBound...content.terminator {
        let instruction = instructions.instruction(position)
        try check(instruction, in: block)
        if instruction.opcode == .OpFunctionCall { callees.append(instruction.id(0)) }
      }
    }
    return callees
  }

  private func check(_ instruction: Instruction, in block: Int) throws(DiagnosticsError) {
    if let type = instruction.resultType, !types.isType(type) {
      throw ModuleMistake.error("type", "\(type) is no type", instruction)
    }
    switch instruction.opcode {
    case .OpBranch, .OpSelectionMerge, .OpLoopMerge: return
    case .OpBranchConditional, .OpSwitch: try use(instruction.id(0), in: block, by: instruction)
    case .OpFunctionCall:
      try check(call: instruction)
      for argument in instruction.ids(from: 1) { try use(argument, in: block, by: instruction) }
    case .OpExtInst:
      guard instructions.definition(instruction.id(0))?.opcode == .OpExtInstImport else {
        throw ModuleMistake.error("type", "\(instruction.id(0)) is no instruction set", instruction)
      }
      try checkExtended(instruction, in: block)
    default:
      _ = try instructions.forEachId(instructions.records[instruction.index].code, start: instruction.start) {
        id throws(DiagnosticsError) in
        try use(Id(id), in: block, by: instruction)
      }
    }
  }

  /// Debug information may name types and texts, so only real sets are held to values.
  private func checkExtended(_ instruction: Instruction, in block: Int) throws(DiagnosticsError) {
    if instructions.definition(instruction.id(0))?.string(0).hasPrefix("NonSemantic.") == true { return }
    for argument in instruction.ids(from: 2) { try use(argument, in: block, by: instruction) }
  }

  private func check(call: Instruction) throws(DiagnosticsError) {
    guard let callee = instructions.definition(call.id(0)), callee.opcode == .OpFunction,
      case .function(let result, let parameters) = types[callee.id(1)]
    else { throw ModuleMistake.error("type", "\(call.id(0)) is no function", call) }
    let arguments = call.ids(from: 1).map { instructions.typeOfValue($0) }
    guard result == call.resultType, arguments == parameters else {
      throw ModuleMistake.error("type", "the arguments or the result do not fit the function \(call.id(0))", call)
    }
  }

  private func check(phi: Instruction) throws(DiagnosticsError) {
    if let type = phi.resultType, !types.isType(type) { throw ModuleMistake.error("type", "\(type) is no type", phi) }
    for index in stride(from: 0, to: phi.operandCount, by: 2) {
      guard let parent = function.blockPosition(phi.id(index + 1)) else { continue }
      guard instructions.typeOfValue(phi.id(index)) == phi.resultType else {
        throw ModuleMistake.error("type", "\(phi.id(index)) has another type", phi)
      }
      try use(phi.id(index), in: parent, by: phi, atEnd: true)
    }
  }

  /// Checks one use of a value in a block (of an `OpPhi`: at the end of the block that control comes from).
  private func use(_ id: Id, in block: Int, by instruction: Instruction, atEnd: Bool = false) throws(DiagnosticsError) {
    guard let position = instructions.position(id), case let code = instructions.records[position].code, code.hasResultType,
      code.opcode != .OpFunction
    else { throw ModuleMistake.error("type", "\(id) is no value", instruction) }
    if position < firstFunction { return }
    guard extent.contains(position) else { throw ModuleMistake.error("undefined-id", "\(id) belongs to another function", instruction) }
    let home = Int(blockOfInstruction[position - extent.lowerBound])
    if home < 0 || !dominators.isReachable(block) { return }
    let comesBefore =
      home == block ? atEnd || position < instruction.index : dominators.isReachable(home) && dominators.dominates(home, block)
    guard comesBefore else { throw ModuleMistake.error("undefined-id", "\(id) is not defined on every way here", instruction) }
  }
}
