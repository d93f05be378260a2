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
      throw ModuleDiagnostic.error("type", "\(type) is no type", instruction)
    }
    switch instruction.opcode {
    case .OpBranch, .OpSelectionMerge, .OpLoopMerge: return
    case .OpBranchConditional, .OpSwitch: try use(instruction.id(0), in: block, by: instruction)
    case .OpFunctionCall:
      try check(call: instruction)
      for argument in instruction.ids(from: 1) { try use(argument, in: block, by: instruction) }
    case .OpExtInst:
      guard instructions.definition(instruction.id(0))?.opcode == .OpExtInstImport else {
        throw ModuleDiagnostic.error("type", "\(instruction.id(0)) is no instruction set", instruction)
      }
      try checkExtended(instruction, in: block)
    default:
      _ = try instructions.forEachId(instructions.records[instruction.index].code, start: instruction.start) {
        id throws(DiagnosticsError) in
        try use(Id(id), in: block, by: instruction)
      }
      try check(texture: instruction)
    }
  }

  /// Checks that operands are values, except in sets of debug information, whose operands may be types and texts.
  private func checkExtended(_ instruction: Instruction, in block: Int) throws(DiagnosticsError) {
    if instructions.definition(instruction.id(0))?.string(0).hasPrefix("NonSemantic.") == true { return }
    for argument in instruction.ids(from: 2) { try use(argument, in: block, by: instruction) }
  }

  private func check(call: Instruction) throws(DiagnosticsError) {
    guard let callee = instructions.definition(call.id(0)), callee.opcode == .OpFunction,
      case .function(let result, let parameters) = types[callee.id(1)]
    else { throw ModuleDiagnostic.error("type", "\(call.id(0)) is no function", call) }
    let arguments = call.ids(from: 1).map { instructions.typeOfValue($0) }
    guard result == call.resultType, arguments == parameters else {
      throw ModuleDiagnostic.error("type", "the arguments or the result do not fit the function \(call.id(0))", call)
    }
  }

  private func check(phi: Instruction) throws(DiagnosticsError) {
    if let type = phi.resultType, !types.isType(type) { throw ModuleDiagnostic.error("type", "\(type) is no type", phi) }
    for index in stride(from: 0, to: phi.operandCount, by: 2) {
      guard let parent = function.blockPosition(phi.id(index + 1)) else { continue }
      guard instructions.typeOfValue(phi.id(index)) == phi.resultType else {
        throw ModuleDiagnostic.error("type", "\(phi.id(index)) has another type", phi)
      }
      try use(phi.id(index), in: parent, by: phi, atEnd: true)
    }
  }

  /// Checks one use of a value in a block (of an `OpPhi`: at the end of the block that control comes from).
  private func use(_ id: Id, in block: Int, by instruction: Instruction, atEnd: Bool = false) throws(DiagnosticsError) {
    guard let position = instructions.position(id), case let code = instructions.records[position].code, code.hasResultType,
      code.opcode != .OpFunction
    else { throw ModuleDiagnostic.error("type", "\(id) is no value", instruction) }
    if position < firstFunction { return }
    guard extent.contains(position) else { throw ModuleDiagnostic.error("undefined-id", "\(id) belongs to another function", instruction) }
    let home = Int(blockOfInstruction[position - extent.lowerBound])
    if home < 0 || !dominators.isReachable(block) { return }
    let comesBefore =
      home == block ? atEnd || position < instruction.index : dominators.isReachable(home) && dominators.dominates(home, block)
    guard comesBefore else { throw ModuleDiagnostic.error("undefined-id", "\(id) is not defined on every way here", instruction) }
  }
}

// MARK: - Textures

extension FunctionChecker {
  /// Checks that a position in a texture, its slopes and its offset have a number of the right kind for each axis, and that levels are single numbers.
  private func check(texture instruction: Instruction) throws(DiagnosticsError) {
    let opcode = instruction.opcode
    let isProjective: Bool
    let maskPosition: Int
    switch opcode {
    case .OpImageSampleImplicitLod, .OpImageSampleExplicitLod, .OpImageFetch, .OpImageRead: (isProjective, maskPosition) = (false, 2)
    case .OpImageSampleProjImplicitLod, .OpImageSampleProjExplicitLod: (isProjective, maskPosition) = (true, 2)
    case .OpImageSampleDrefImplicitLod, .OpImageSampleDrefExplicitLod, .OpImageGather, .OpImageDrefGather, .OpImageWrite:
      (isProjective, maskPosition) = (false, 3)
    case .OpImageSampleProjDrefImplicitLod, .OpImageSampleProjDrefExplicitLod: (isProjective, maskPosition) = (true, 3)
    default: return
    }
    guard let image = image(instruction.id(0)) else {
      throw ModuleDiagnostic.error("type", "\(instruction.id(0)) is no texture", instruction)
    }
    let isWhole = [.OpImageFetch, .OpImageRead, .OpImageWrite].contains(opcode)
    let axes = image.axisCount
    try require(instruction.id(1), isInteger: isWhole, axes + (image.isArrayed ? 1 : 0) + (isProjective ? 1 : 0), by: instruction)
    guard instruction.operandCount > maskPosition else { return }
    let mask = instruction[maskPosition]
    var place = maskPosition + 1
    for bit in (0..<32).map({ UInt32(1) << $0 }) where mask & bit != 0 {
      switch bit {
      case 0x1, 0x2: try require(instruction.id(place), isInteger: isWhole, 1, by: instruction)
      case 0x4: for slope in 0..<2 { try require(instruction.id(place + slope), isInteger: false, axes, by: instruction) }
      case 0x8, 0x10: try require(instruction.id(place), isInteger: true, axes, by: instruction)
      default: break
      }
      place += OperandKind.imageOperands.parameters(of: bit).count
    }
  }

  private func image(_ id: Id) -> ImageType? {
    guard var type = instructions.typeOfValue(id) else { return nil }
    if case .sampledImage(let image) = types[type] { type = image }
    guard case .image(let image) = types[type] else { return nil }
    return image
  }

  private func require(_ id: Id, isInteger: Bool, _ count: Int, by instruction: Instruction) throws(DiagnosticsError) {
    var (type, found) = (instructions.typeOfValue(id), 1)
    if let vector = type, case .vector(let component, let count) = types[vector] { (type, found) = (component, count) }
    let isOfKind =
      switch type.flatMap({ types[$0] }) {
      case .int: isInteger
      case .float: !isInteger
      default: false
      }
    guard isOfKind, found >= count else {
      throw ModuleDiagnostic.error("type", "\(id) is not made of \(count) \(isInteger ? "integers" : "floats")", instruction)
    }
  }
}

extension ImageType {
  /// The numbers of a position in a layer.
  fileprivate var axisCount: Int {
    switch dim {
    case .one, .buffer: 1
    case .two, .rectangle, .subpass: 2
    case .three, .cube: 3
    }
  }
}

// MARK: - Calls

/// Which functions each function calls.
struct CallGraph {
  private let callees: [Id: [Id]]

  init(_ callees: [Id: [Id]]) { self.callees = callees }

  /// Makes sure that no function gets back to itself through calls.
  func checkAcyclic(_ functions: [Function], names: [Id: String]) throws(DiagnosticsError) {
    var isDone: [Id: Bool] = [:]
    for function in functions where isDone[function.id] == nil {
      var stack: [(id: Id, next: Int)] = [(function.id, 0)]
      isDone[function.id] = false
      while let (id, next) = stack.last {
        let calls = callees[id] ?? []
        if next == calls.count {
          isDone[id] = true
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        switch isDone[calls[next]] {
        case nil:
          isDone[calls[next]] = false
          stack.append((calls[next], 0))
        case false?: throw recursion(stack.map(\.id), calls[next], names)
        case true?: break
        }
      }
    }
  }

  private func recursion(_ path: [Id], _ callee: Id, _ names: [Id: String]) -> DiagnosticsError {
    let cycle = path.drop { $0 != callee } + [callee]
    let text = cycle.prefix(8).map { names[$0].map { "'\($0)'" } ?? $0.description }.joined(separator: " calls ")
    return DiagnosticsError(
      Diagnostic("spirv.recursion", "a function calls itself: \(text)", help: ["shaders cannot recurse: write a loop instead"]))
  }
}

// MARK: - Dominators

/// Which blocks every path from the entry to a block goes through.
private struct DominatorTree {
  /// When a walk of the tree enters and leaves each block; (0, 0) for blocks that cannot be reached.
  private let spans: [(enter: Int, leave: Int)]

  /// From the successors of each block; block 0 is the entry.
  init(successors: [[Int]]) {
    let walk = DepthFirstWalk(successors)
    let parents = ImmediateDominators(walk, successors).find()
    var children = [[Int]](repeating: [], count: walk.order.count)
    for (number, parent) in parents.enumerated().dropFirst() { children[parent].append(number) }
    var spans = [(enter: Int, leave: Int)](repeating: (0, 0), count: successors.count)
    var clock = 1
    var stack: [(number: Int, next: Int)] = [(0, 0)]
    spans[0].enter = clock
    while let (number, next) = stack.last {
      clock += 1
      if next == children[number].count {
        spans[walk.order[number]].leave = clock
        stack.removeLast()
      } else {
        stack[stack.count - 1].next += 1
        spans[walk.order[children[number][next]]].enter = clock
        stack.append((children[number][next], 0))
      }
    }
    self.spans = spans
  }

  func isReachable(_ block: Int) -> Bool { spans[block].enter > 0 }

  /// Whether every path to `b` goes through `a`; a block dominates itself.
  ///
  /// Both must be reachable.
  func dominates(_ a: Int, _ b: Int) -> Bool { spans[a].enter <= spans[b].enter && spans[b].leave <= spans[a].leave }
}

/// Blocks numbered in the order in which a walk from the entry first gets to them.
private struct DepthFirstWalk {
  /// From a number to the block.
  private(set) var order: [Int] = [0]
  /// From a number to that of the block that the walk came from.
  private(set) var parents: [Int] = [0]
  /// From a block to its number, -1 when it cannot be reached.
  private(set) var numbers: [Int]

  init(_ successors: [[Int]]) {
    numbers = [Int](repeating: -1, count: successors.count)
    numbers[0] = 0
    var stack: [(block: Int, next: Int)] = [(0, 0)]
    while let (block, next) = stack.last {
      if next == successors[block].count {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let successor = successors[block][next]
      if numbers[successor] < 0 {
        numbers[successor] = order.count
        order.append(successor)
        parents.append(numbers[block])
        stack.append((successor, 0))
      }
    }
  }
}

/// The algorithm of Lengauer and Tarjan, whose time hardly depends on the shape of the graph, on blocks by their numbers.
private struct ImmediateDominators {
  private let walk: DepthFirstWalk
  private var predecessors: [[Int]]
  private var semi: [Int]
  /// The block with the smallest semidominator on the path to the root of the forest that was linked so far.
  private var best: [Int]
  private var ancestors: [Int]

  init(_ walk: DepthFirstWalk, _ successors: [[Int]]) {
    self.walk = walk
    let count = walk.order.count
    predecessors = [[Int]](repeating: [], count: count)
    for (number, block) in walk.order.enumerated() {
      for successor in successors[block] { predecessors[walk.numbers[successor]].append(number) }
    }
    semi = Array(0..<count)
    best = semi
    ancestors = [Int](repeating: -1, count: count)
  }

  /// From a number to that of the immediate dominator.
  consuming func find() -> [Int] {
    let count = walk.order.count
    var dominators = [Int](repeating: 0, count: count)
    var buckets = [[Int]](repeating: [], count: count)
    for block in stride(from: count - 1, to: 0, by: -1) {
      for predecessor in predecessors[block] { semi[block] = min(semi[block], semi[evaluate(predecessor)]) }
      buckets[semi[block]].append(block)
      let parent = walk.parents[block]
      ancestors[block] = parent
      for other in buckets[parent] {
        let candidate = evaluate(other)
        dominators[other] = semi[candidate] < semi[other] ? candidate : parent
      }
      buckets[parent] = []
    }
    for block in 0..<count where block > 0 && dominators[block] != semi[block] { dominators[block] = dominators[dominators[block]] }
    return dominators
  }

  private mutating func evaluate(_ block: Int) -> Int {
    var path: [Int] = []
    var at = block
    while ancestors[at] >= 0, ancestors[ancestors[at]] >= 0 {
      path.append(at)
      at = ancestors[at]
    }
    for at in path.reversed() {
      if semi[best[ancestors[at]]] < semi[best[at]] { best[at] = best[ancestors[at]] }
      ancestors[at] = ancestors[ancestors[at]]
    }
    return best[block]
  }
}
