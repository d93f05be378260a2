/// How often a value has to be computed.
enum Rate: UInt8, Comparable, Sendable {
  /// Once for a frame.
  case frame
  /// Once for all lanes of a batch.
  case batch
  /// For every lane.
  case lane

  static func < (a: Rate, b: Rate) -> Bool { a.rawValue < b.rawValue }
}

/// Finds out which values are the same in all lanes, and which control flow lanes leave one by one.
///
/// The analysis is optimistic: every value is uniform until a use shows that it is not. Active lanes run in step, so a value that a loop hands
/// from round to round stays uniform even where some lanes have left; only the values with which they leave are not.
struct Uniformity: Sendable {
  struct ScopeState: Hashable, Sendable {
    /// Some lanes may leave while others go on.
    var leavesDiverge = false
    /// Some lanes may wait for the continuing region while others are still in the body.
    var continuesDiverge = false
    /// Some lanes may leave to a scope around this one.
    var outerExitsDiverge = false

    /// Whether the lanes that still run have to be kept track of.
    var needsMask: Bool { leavesDiverge || outerExitsDiverge || continuesDiverge }
  }

  private(set) var rates: [Rate]
  private(set) var scopes: [ScopeState]
  /// Which exits are taken by some lanes while others stay.
  private(set) var exitDiverges: [Bool]
  private let graph: ShaderGraph
  private var changed = true

  init(_ graph: ShaderGraph, within time: CompilationTime = .unlimited) throws(Unsupported) {
    self.graph = graph
    rates = [Rate](repeating: .frame, count: graph.nodes.count)
    scopes = [ScopeState](repeating: ScopeState(), count: graph.scopes.count)
    exitDiverges = [Bool](repeating: false, count: graph.exits.count)
    while changed {
      changed = false
      try time.check()
      visit(ShaderGraph.root, around: [])
    }
  }

  subscript(value: ValueId) -> Rate { rates[value.position] }

  // MARK: One round

  private enum Frame {
    case branch(isDivergent: Bool)
    case scope(Int)
  }

  private mutating func visit(_ region: Int, around: [Frame]) {
    for item in graph.regions[region] {
      switch item {
      case .operation(let value): raise(value, to: computedRate(of: value))
      case .branch(let index): visit(graph.branches[index], around: around)
      case .scope(let index): visit(scope: index, around: around)
      case .exit(let index): visit(exit: index, around: around)
      }
    }
  }

  private func computedRate(of value: ValueId) -> Rate {
    let node = graph[value]
    var rate = Rate.frame
    for k in 0..<8 where node.arguments[k] >= 0 { rate = max(rate, self.rate(of: ValueId(raw: node.arguments[k]))) }
    if node.operation.isKernel && node.operation.isVarying { return .lane }
    return node.isOrdered ? max(rate, .batch) : rate
  }

  /// How often a value has to be computed, whatever kind of node it is.
  func rate(of value: ValueId) -> Rate {
    let node = graph[value]
    switch node.operation {
    case .part: return rates[Int(node.arguments[0])]
    case .workgroup: return .batch
    default: return rates[value.position]
    }
  }

  private mutating func raise(_ value: ValueId, to rate: Rate) {
    guard rate > rates[value.position] else { return }
    rates[value.position] = rate
    changed = true
  }

  private mutating func visit(_ branch: ShaderGraph.Branch, around: [Frame]) {
    let condition = rate(of: branch.condition)
    let inside = around + [.branch(isDivergent: condition == .lane)]
    visit(branch.accept, around: inside)
    visit(branch.reject, around: inside)
    for merge in branch.merges {
      let values = max(rate(of: merge.accepted), rate(of: merge.rejected))
      raise(merge.variable, to: max(values, condition))
    }
  }

  private mutating func visit(scope number: Int, around: [Frame]) {
    let scope = graph.scopes[number]
    let inside = around + [.scope(number)]
    for carried in scope.carried {
      raise(carried.variable, to: max(.batch, max(rate(of: carried.initial), rate(of: carried.next))))
    }
    visit(scope.body, around: inside)
    assign(scope.bodyEnd, diverges: scopes[number].continuesDiverge)
    assign(scope.end, diverges: scopes[number].leavesDiverge)
    if let continuing = scope.continuing { visit(continuing, around: inside) }
  }

  private mutating func assign(_ assignments: [ShaderGraph.Assignment], diverges: Bool) {
    for assignment in assignments {
      raise(assignment.variable, to: diverges ? .lane : max(.batch, rate(of: assignment.value)))
    }
  }

  private mutating func visit(exit index: Int, around: [Frame]) {
    let exit = graph.exits[index]
    var diverges = false
    var passed: [Int] = []
    for frame in around.reversed() {
      switch frame {
      case .branch(let isDivergent): diverges = diverges || isDivergent
      case .scope(let number) where number == exit.scope:
        // Lanes that wait for the continuing region do not come to this exit, so it diverges; a `continue` then has to wait like them.
        if scopes[number].continuesDiverge { diverges = true }
        if diverges { mark(index, passed: passed) }
        assign(exit.assignments, diverges: exit.isContinue ? scopes[number].continuesDiverge : scopes[number].leavesDiverge)
        return
      case .scope(let number):
        passed.append(number)
        if scopes[number].needsMask { diverges = true }
      }
    }
  }

  private mutating func mark(_ index: Int, passed: [Int]) {
    let exit = graph.exits[index]
    let before = scopes
    for number in passed { scopes[number].outerExitsDiverge = true }
    if exit.isContinue { scopes[exit.scope].continuesDiverge = true } else { scopes[exit.scope].leavesDiverge = true }
    if !exitDiverges[index] || scopes != before { changed = true }
    exitDiverges[index] = true
  }
}
