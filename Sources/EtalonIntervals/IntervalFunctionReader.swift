internal import EtalonDiagnostics
internal import EtalonSPIRV

/// Prepares a function: looks up everything that does not depend on values.
struct IntervalFunctionReader {
  typealias Place = IntervalOperation.Place

  private let module: SPIRVModule
  private let function: Function
  private let flow: StructuredControlFlow
  private let globals: ProgramGlobals
  private let carried: Set<Id>
  private var registers: [Id: Place] = [:]
  private var pointers: [Id: Int] = [:]
  private var carriers: [Id: Int] = [:]
  private var registerCount = 0
  private var memoryCount = 0
  private var variables: [(pointer: Int, slot: Int, type: Id, initial: Place?)] = []

  static func read(_ function: Function, in module: SPIRVModule, _ globals: ProgramGlobals) throws(DiagnosticsError) -> FunctionCode {
    let flow = try StructuredControlFlow(function, in: module)
    var reader = IntervalFunctionReader(function, flow, module, globals)
    return reader.code()
  }

  private init(_ function: Function, _ flow: StructuredControlFlow, _ module: SPIRVModule, _ globals: ProgramGlobals) {
    (self.function, self.flow, self.module, self.globals) = (function, flow, module, globals)
    carried = LoopCarriers.ids(in: function, flow, module)
  }

  private mutating func code() -> FunctionCode {
    let resultCount = module.type(function.resultType) == .void ? 0 : module.scalarCount(function.resultType)
    memoryCount = resultCount
    var parameters: [(value: Place, pointer: Int)] = []
    for id in function.parameters {
      define(id)
      parameters.append((place(id), pointers[id] ?? -1))
    }
    for block in function.blocks {
      for instruction in module[block.phis.lowerBound..<block.body.upperBound] {
        if let id = instruction.result, instruction.resultType != nil { define(id, instruction) }
      }
    }
    let blocks = function.blocks.map { block in block.body.compactMap { operation(module[$0]) } }
    var places: [Id: Place] = [:]
    for region in flow.regions {
      for statement in region {
        switch statement {
        case .selection(let selection): places[selection.condition] = place(selection.condition)
        case .switching(let cases): places[cases.selector] = place(cases.selector)
        case .exit(.returnValue(let id)): places[id] = place(id)
        default: break
        }
      }
    }
    return FunctionCode(
      function, flow, isEtalons: EtalonsFunctions.contain(module.name(function.id)), blocks: blocks, edges: edges(), places: places,
      parameters: parameters,
      result: Place(kind: .memory, offset: 0, count: resultCount), registerCount: registerCount, memoryCount: memoryCount,
      pointerCount: pointers.count, variables: variables)
  }

  /// Gives a value its registers, and variables and what loops carry their memory.
  private mutating func define(_ id: Id, _ instruction: Instruction? = nil) {
    guard let type = module.typeOfValue(id) else { return }
    if case .pointer(_, let pointee) = module.type(type) {
      pointers[id] = pointers.count
      guard let instruction, instruction.opcode == .OpVariable else { return }
      let initial = instruction.operandCount > 1 ? place(instruction.id(1)) : nil
      variables.append((pointers.count - 1, memoryCount, pointee, initial))
      memoryCount += module.scalarCount(pointee)
      return
    }
    let count = module.scalarCount(type)
    if instruction?.opcode == .OpPhi {
      registers[id] = Place(kind: .memory, offset: memoryCount, count: count)
      memoryCount += count
      return
    }
    registers[id] = Place(kind: .register, offset: registerCount, count: count)
    registerCount += count
    guard carried.contains(id) else { return }
    carriers[id] = memoryCount
    memoryCount += count
  }

  /// Where a value can be read.
  private func place(_ id: Id) -> Place {
    if let slot = carriers[id], let own = registers[id] { return Place(kind: .memory, offset: slot, count: own.count) }
    return registers[id] ?? globals.constants[id] ?? .none
  }

  private func operation(_ instruction: Instruction) -> IntervalOperation? {
    switch instruction.opcode {
    case .OpVariable, .OpNop: return nil
    default: break
    }
    let ids = instruction.operands.map { Id($0) }
    var result = Place.none
    if let id = instruction.result, instruction.resultType != nil {
      result = pointers[id].map { Place(kind: .none, offset: $0, count: 0) } ?? registers[id] ?? .none
    }
    var function: GLSLInstruction?
    if instruction.opcode == .OpExtInst, module.extendedInstructionSets[instruction.id(0)] == GLSLInstruction.setName {
      function = GLSLInstruction(rawValue: instruction[1])
    }
    let scalar = scalarType(of: instruction)
    return IntervalOperation(
      instruction, result: result, carrier: instruction.result.flatMap { carriers[$0] } ?? -1, operands: ids.map { place($0) },
      pointers: ids.map { pointers[$0] ?? globals.pointerNumber($0) }, width: scalar == .float(width: 16) ? .half : .single,
      isSigned: scalar.map { if case .int(_, true) = $0 { true } else { false } } ?? false, function: function)
  }

  /// What the numbers of a result are; of a comparison those of its operands.
  private func scalarType(of instruction: Instruction) -> ModuleType? {
    var type = instruction.resultType.flatMap { globals.scalarType($0) }
    if type == .bool || type == nil, instruction.operandCount > 0 {
      type = module.typeOfValue(instruction.id(0)).flatMap { globals.scalarType($0) } ?? type
    }
    return type
  }

  private func edges() -> [FunctionCode.Edge: [(slot: Int, value: Place)]] {
    var edges: [FunctionCode.Edge: [(slot: Int, value: Place)]] = [:]
    for (to, block) in function.blocks.enumerated() {
      for phi in module[block.phis] {
        guard let id = phi.result, let slot = registers[id]?.offset else { continue }
        let operands = phi.ids(from: 0)
        for pair in stride(from: 0, to: operands.count - 1, by: 2) {
          guard let from = function.blockPosition(operands[pair + 1]) else { continue }
          edges[.init(from: from, to: to), default: []].append((slot, place(operands[pair])))
        }
      }
    }
    return edges
  }
}

/// Finds the values that are used outside of the loop that computes them.
private enum LoopCarriers {
  static func ids(in function: Function, _ flow: StructuredControlFlow, _ module: SPIRVModule) -> Set<Id> {
    var loops = [[Int]](repeating: [], count: function.blocks.count)
    var count = 0
    var open = [(region: flow.root, loops: [Int]())]
    while let (region, around) = open.popLast() {
      for statement in flow[region] {
        switch statement {
        case .block(let block): loops[block] = around
        case .selection(let selection): open += [(selection.accept, around), (selection.reject, around)]
        case .loop(let loop):
          count += 1
          open += [(loop.body, around + [count]), (loop.continuing, around + [count])]
        case .switching(let cases): open += cases.cases.map { ($0.body, around) }
        case .edge, .exit: break
        }
      }
    }
    guard count > 0 else { return [] }
    var home: [Id: [Int]] = [:]
    for (position, block) in function.blocks.enumerated() where !loops[position].isEmpty {
      for instruction in module[block.body] { if let id = instruction.result { home[id] = loops[position] } }
    }
    var carried: Set<Id> = []
    for (position, block) in function.blocks.enumerated() {
      for instruction in module[block.phis.lowerBound..<block.terminator + 1] {
        for id in module.idOperands(instruction) {
          if let around = home[id], !loops[position].starts(with: around) { carried.insert(id) }
        }
      }
    }
    return carried
  }
}
