internal import EtalonDiagnostics
internal import EtalonSPIRV

/// A kernel that is ready to be run with ranges instead of numbers.
///
/// **Concurrency**: an immutable value.
final class IntervalProgram: Sendable {
  let module: SPIRVModule
  let globals: ProgramGlobals
  let entry: FunctionCode
  let workgroupSize: [Int]
  let usesSubgroups: Bool
  /// Whether its invocations find their pixels by their subgroups, quad by quad.
  let isInQuads: Bool
  /// What is added to positions in the module, to tell sites of several programs apart.
  let firstSite: Int32
  /// How many sites it has.
  var siteCount: Int { module.instructionCount }
  let registerCount: Int
  let memoryCount: Int
  let pointerCount: Int
  private let functions: [Id: FunctionCode]

  /// The most numbers that registers, memory and constants of all invocations that are run at once may have.
  private static let mostNumbers = 1 << 24

  init(_ kernel: Kernel, firstSite: Int32) throws(DiagnosticsError) {
    self.firstSite = firstSite
    module = try SPIRVModule(kernel.words)
    globals = ProgramGlobals(module)
    var functions: [Id: FunctionCode] = [:]
    for function in module.functions { functions[function.id] = try FunctionReader.read(function, in: module, globals) }
    self.functions = functions
    guard let start = module.entryPoints.first, let entry = functions[start.function] else { preconditionFailure("no entry point") }
    self.entry = entry
    workgroupSize = kernel.interface.workgroupSize
    usesSubgroups = kernel.interface.usesSubgroups
    isInQuads = functions.values.contains { [globals] in $0.isEtalons && globals.reads(.SubgroupId, in: $0) }
    let sizes = StackSizes(functions, module)
    registerCount = sizes.most(of: entry, \.registerCount)
    memoryCount = globals.memoryCount + sizes.most(of: entry, \.memoryCount)
    pointerCount = sizes.most(of: entry, \.pointerCount)
  }

  /// Whether so many invocations fit into memory side by side.
  func isRunnable(lanes: Int) -> Bool {
    let numbers = registerCount + memoryCount + pointerCount
    return globals.isComplete && numbers <= Self.mostNumbers / max(lanes, 1) && globals.sharedCount <= Self.mostNumbers
  }

  func function(_ id: Id) -> FunctionCode {
    guard let function = functions[id] else { preconditionFailure("\(id) is no function") }
    return function
  }
}

/// How much functions need together with those that they call.
private struct StackSizes {
  private let functions: [Id: FunctionCode]
  private let callees: [Id: Set<Id>]

  init(_ functions: [Id: FunctionCode], _ module: SPIRVModule) {
    self.functions = functions
    callees = functions.mapValues { code in
      Set(code.blocks.joined().filter { $0.opcode == .OpFunctionCall }.map { $0.id(0) })
    }
  }

  func most(of code: FunctionCode, _ size: KeyPath<FunctionCode, Int>) -> Int {
    var known: [Id: Int] = [:]
    func most(_ id: Id) -> Int {
      if let known = known[id] { return known }
      let deepest = callees[id, default: []].map(most).max() ?? 0
      let most = (functions[id]?[keyPath: size] ?? 0) + deepest
      known[id] = most
      return most
    }
    return most(code.function.id)
  }
}
