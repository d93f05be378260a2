import EtalonSPIRV
import EtalonTestSupport

/// What is passed on a way through a function.
enum Passed: Equatable {
  case block(Int)
  case edge(Int, Int)
  case exit(StructuredControlFlow.Exit)
}

/// A way through a function from block to block, with random conditions.
struct BlockWalk {
  static let longest = 2000

  private let function: Function
  private let module: SPIRVModule
  private var generator: SeededNumbers
  private var passed: [Passed] = []

  init(_ function: Function, in module: SPIRVModule, seed: UInt64) {
    self.function = function
    self.module = module
    generator = SeededNumbers(seed: seed)
  }

  mutating func walk() -> [Passed] {
    var block: Int? = 0
    while let current = block, passed.count < Self.longest {
      passed.append(.block(current))
      block = next(after: current)
      if let block, !function.blocks[block].phis.isEmpty { passed.append(.edge(current, block)) }
    }
    return Array(passed.prefix(Self.longest))
  }

  private mutating func next(after block: Int) -> Int? {
    let terminator = module[function.blocks[block].terminator]
    let successors = function.blocks[block].successors
    switch terminator.opcode {
    case .OpBranch: return successors[0]
    case .OpBranchConditional where successors[0] == successors[1]: return successors[0]
    case .OpBranchConditional: return successors[Bool.random(using: &generator) ? 0 : 1]
    case .OpSwitch: return successors[Int.random(in: 0..<successors.count, using: &generator)]
    case .OpReturn: passed.append(.exit(.return))
    case .OpReturnValue: passed.append(.exit(.returnValue(terminator.id(0))))
    case .OpUnreachable: passed.append(.exit(.unreachable))
    default: passed.append(.exit(.kill))
    }
    return nil
  }
}

/// A way through the tree of a function, with the same conditions.
struct TreeWalk {
  private enum Flow: Equatable {
    case onward, leaveLoop, continueLoop, leaveSwitch, done
  }

  private let function: Function
  private let module: SPIRVModule
  private let tree: StructuredControlFlow
  private var generator: SeededNumbers
  private var passed: [Passed] = []

  init(_ function: Function, in module: SPIRVModule, _ tree: StructuredControlFlow, seed: UInt64) {
    self.function = function
    self.module = module
    self.tree = tree
    generator = SeededNumbers(seed: seed)
  }

  mutating func walk() -> [Passed] {
    _ = walk(tree.root)
    return Array(passed.prefix(BlockWalk.longest))
  }

  private mutating func walk(_ region: StructuredControlFlow.RegionId) -> Flow {
    for statement in tree[region] {
      if passed.count >= BlockWalk.longest { return .done }
      let flow = walk(statement)
      if flow != .onward { return flow }
    }
    return .onward
  }

  private mutating func walk(_ statement: StructuredControlFlow.Statement) -> Flow {
    switch statement {
    case .block(let block):
      passed.append(.block(block))
      return .onward
    case .edge(let from, let to):
      passed.append(.edge(from, to))
      return .onward
    case .selection(let selection): return walk(Bool.random(using: &generator) ? selection.accept : selection.reject)
    case .loop(let loop): return walk(loop)
    case .switching(let choice): return walk(choice)
    case .exit(.leaveLoop): return .leaveLoop
    case .exit(.continueLoop): return .continueLoop
    case .exit(.leaveSwitch): return .leaveSwitch
    case .exit(let exit):
      passed.append(.exit(exit))
      return .done
    }
  }

  private mutating func walk(_ loop: StructuredControlFlow.Loop) -> Flow {
    while true {
      switch walk(loop.body) {
      case .leaveLoop: return .onward
      case .done: return .done
      default: break
      }
      switch walk(loop.continuing) {
      case .leaveLoop: return .onward
      case .done: return .done
      default: break
      }
    }
  }

  private mutating func walk(_ choice: StructuredControlFlow.Switch) -> Flow {
    let targets = module.switchTargets(module[function.blocks[choice.block].terminator])
    let pick = Int.random(in: 0..<targets.count + 1, using: &generator)
    let chosen = choice.cases.firstIndex { pick == 0 ? $0.isDefault : $0.literals.contains(targets[pick - 1].literal) }
    guard let chosen else { return .done }
    for position in chosen..<choice.cases.count {
      let flow = walk(choice.cases[position].body)
      if flow == .leaveSwitch { return .onward }
      if flow != .onward { return flow }
      if !choice.cases[position].fallsThrough { return .onward }
    }
    return .onward
  }
}
