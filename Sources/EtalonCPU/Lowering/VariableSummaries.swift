internal import EtalonSPIRV

/// What the functions of a module do to variables, found out before anything is lowered: which they write, and which they index with
/// something that is no constant.
struct VariableSummaries {
  /// What one function does to the variables it knows: its own, its parameters, and globals.
  struct Summary {
    var written: Set<Id> = []
    var indexed: Set<Id> = []
    /// Variables whose address goes somewhere other than a load, a store of a whole constant, or an index.
    var escaping: Set<Id> = []
    /// The constants that are stored to whole variables; nil for a variable with any other store.
    var stores: [Id: Id?] = [:]
    /// Variables that each block writes.
    var writtenByBlock: [Set<Id>] = []
  }

  private let module: SPIRVModule
  private(set) var summaries: [Id: Summary] = [:]

  init(_ module: SPIRVModule) {
    self.module = module
    for function in module.functions { _ = summary(function.id) }
  }

  subscript(function: Id) -> Summary { summaries[function] ?? Summary() }

  private mutating func summary(_ id: Id) -> Summary {
    if let known = summaries[id] { return known }
    let function = module.function(id)
    var summary = Summary()
    for block in function.blocks {
      var written: Set<Id> = []
      for instruction in module[block.body] { add(instruction, to: &summary, written: &written) }
      summary.written.formUnion(written)
      summary.writtenByBlock.append(written)
    }
    summaries[id] = summary
    return summary
  }

  /// The variable or parameter that a pointer leads to.
  func root(_ pointer: Id) -> Id {
    var id = pointer
    while let definition = module.definitionIfAny(id) {
      switch definition.opcode {
      case .OpAccessChain, .OpInBoundsAccessChain, .OpCopyObject: id = definition.id(0)
      default: return id
      }
    }
    return id
  }

  private mutating func add(_ instruction: Instruction, to summary: inout Summary, written: inout Set<Id>) {
    switch instruction.opcode {
    case .OpStore:
      let target = instruction.id(0), source = instruction.id(1)
      let variable = root(target)
      written.insert(variable)
      let isWhole = target == variable && module.constant(source) != nil && summary.stores[variable] == nil
      summary.stores[variable] = .some(isWhole ? source : nil)
    case .OpCopyMemory:
      let variable = root(instruction.id(0))
      written.insert(variable)
      summary.stores[variable] = .some(nil)
    case .OpAccessChain, .OpInBoundsAccessChain:
      let isConstant = instruction.ids(from: 1).allSatisfy { module.constant($0) != nil }
      if !isConstant { summary.indexed.insert(root(instruction.id(0))) }
    case .OpFunctionCall: addCall(instruction, to: &summary, written: &written)
    case .OpExtInst:
      // Modf and Frexp write through a pointer.
      for operand in instruction.ids(from: 2) {
        guard let definition = module.definitionIfAny(operand), let type = definition.resultType, case .pointer? = module.typeIfAny(type)
        else { continue }
        written.insert(root(operand))
        summary.stores[root(operand)] = .some(nil)
      }
    default: break
    }
  }

  private mutating func addCall(_ call: Instruction, to summary: inout Summary, written: inout Set<Id>) {
    let callee = module.function(call.id(0))
    let inner = self.summary(callee.id)
    for (parameter, argument) in zip(callee.parameters, call.ids(from: 1)) {
      let variable = root(argument)
      if inner.indexed.contains(parameter) { summary.indexed.insert(variable) }
      if inner.written.contains(parameter) {
        written.insert(variable)
        summary.stores[variable] = .some(nil)
      }
    }
    let globals = inner.written.filter { module.definitionIfAny($0)?.opcode == .OpVariable && isGlobal($0) }
    written.formUnion(globals)
    summary.indexed.formUnion(inner.indexed.filter { isGlobal($0) })
    for variable in globals { summary.stores[variable] = .some(nil) }
  }

  private func isGlobal(_ id: Id) -> Bool {
    guard let definition = module.definitionIfAny(id), definition.opcode == .OpVariable else { return false }
    return StorageClass(rawValue: definition[0]) != .Function
  }

  /// Whether any function indexes a global with something that is no constant.
  func isIndexedAnywhere(_ global: Id) -> Bool { summaries.values.contains { $0.indexed.contains(global) } }

  /// Whether any function writes a global.
  func isWrittenAnywhere(_ global: Id) -> Bool { summaries.values.contains { $0.written.contains(global) } }
}
