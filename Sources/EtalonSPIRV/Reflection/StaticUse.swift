/// What the code behind an entry point can get to: functions, global variables and the instructions that exchange values.
struct StaticUse {
  /// The functions of the call tree; the entry point's comes first.
  private(set) var functions: [Id] = []
  /// The global variables that some instruction of these functions names.
  private(set) var variables: Set<Id> = []
  /// Whether some instruction exchanges values with other invocations of a subgroup.
  private(set) var exchangesValues = false

  init(_ module: SPIRVModule, from entry: Id) {
    let globals = Set(module.globalVariables.compactMap { module[$0].result })
    var seen: Set<Id> = [entry]
    functions = [entry]
    var next = 0
    while next < functions.count {
      for block in module.function(functions[next]).blocks {
        for instruction in module[block.phis.lowerBound..<block.terminator + 1] {
          for id in module.idOperands(instruction) where globals.contains(id) { variables.insert(id) }
          if instruction.opcode == .OpFunctionCall, seen.insert(instruction.id(0)).inserted { functions.append(instruction.id(0)) }
          if instruction.opcode.exchangesValues { exchangesValues = true }
        }
      }
      next += 1
    }
  }
}
