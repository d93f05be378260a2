import EtalonDiagnostics
import EtalonSPIRV
import Testing

@Suite struct ControlFlowTests {
  @Test(arguments: Corpus.flow) func snapshot(_ name: String) throws {
    let module = try Corpus.module(name)
    let function = try #require(module.functions.first)
    let text = ControlFlowPrinter(function).text(try StructuredControlFlow(function, in: module))
    try Corpus.expect(text, equals: name.replacing(".spvasm", with: ".txt"))
  }

  /// Whatever the conditions are, walking the tree passes the same blocks as jumping from block to block.
  @Test(arguments: Corpus.all) func treeAndJumpsAgree(_ name: String) throws {
    let module = try Corpus.module(name)
    for function in module.functions {
      let tree = try StructuredControlFlow(function, in: module)
      for seed in 0..<50 {
        var jumps = BlockWalk(function, in: module, seed: UInt64(seed))
        var steps = TreeWalk(function, in: module, tree, seed: UInt64(seed))
        #expect(jumps.walk() == steps.walk(), "function \(function.id), seed \(seed)")
      }
    }
  }

  @Test func deepNestingIsRefused() throws {
    let deepest = StructuredControlFlow.maximumDepth
    _ = try StructuredControlFlow(of: NestedSelections.words(depth: deepest))
    let error = #expect(throws: DiagnosticsError.self) { try StructuredControlFlow(of: NestedSelections.words(depth: deepest + 1)) }
    #expect(error?.diagnostics.map(\.id) == ["spirv.limit"])
  }

  @Test func aHundredThousandBlocksInARow() throws {
    let tree = try StructuredControlFlow(of: NestedSelections.words(depth: 0, blocks: 100_000))
    #expect(tree[tree.root].count == 100_002)
  }
}

extension StructuredControlFlow {
  /// The tree of the first function of a module.
  fileprivate init(of words: [UInt32]) throws {
    let module = try SPIRVModule(words)
    try self.init(#require(module.functions.first), in: module)
  }
}

/// Modules with selections in selections, followed by blocks in a row.
private enum NestedSelections {
  static func words(depth: Int, blocks: Int = 0) -> [UInt32] {
    var code: [UInt32] = []
    func add(_ opcode: Opcode, _ operands: UInt32...) {
      code.append(UInt32(operands.count + 1) << 16 | UInt32(opcode.rawValue))
      code += operands
    }
    var next: UInt32 = 10
    var merges: [UInt32] = []
    add(.OpTypeVoid, 1)
    add(.OpTypeFunction, 2, 1)
    add(.OpTypeBool, 3)
    add(.OpConstantTrue, 3, 4)
    add(.OpFunction, 1, 5, 0, 2)
    add(.OpLabel, next)
    for _ in 0..<depth {
      add(.OpSelectionMerge, next + 2, 0)
      add(.OpBranchConditional, 4, next + 1, next + 2)
      add(.OpLabel, next + 1)
      merges.append(next + 2)
      next += 2
    }
    for merge in merges.reversed() {
      add(.OpBranch, merge)
      add(.OpLabel, merge)
    }
    next += 1
    for _ in 0..<blocks {
      add(.OpBranch, next)
      add(.OpLabel, next)
      next += 1
    }
    add(.OpReturn)
    add(.OpFunctionEnd)
    return [0x0723_0203, 0x0001_0300, 0, next + 1, 0] + code
  }
}
