internal import CLaneKernels

/// What emission has to know about a region before it emits it.
struct RegionTraits {
  struct Traits {
    /// Roughly how many additions it takes as long as, up to a number beyond which more makes no difference.
    private(set) var cost = 0
    private static let highestCost = 1 << 20
    /// Whether lanes must be masked in it.
    var needsMask = false
    /// Whether it holds scopes, exits or writes, so that it cannot run when it should not.
    var hasEffects = false
    /// Whether it is worth a test for lanes that need it.
    var isWorthSkipping: Bool { cost >= 6 || hasLoop }
    var hasLoop = false
    /// Whether some lanes may leave it early while others stay.
    var hasMaskedExit = false

    /// Counts something that runs so many times.
    mutating func add(cost more: Int, times: Int = 1) {
      cost = min(cost + min(more, Self.highestCost) * times, Self.highestCost)
    }
  }

  /// How often the body of a loop is taken to run.
  private static let roundsOfLoop = 8

  private(set) var traits: [Traits]

  init(_ graph: ShaderGraph, _ uniformity: Uniformity) {
    traits = [Traits](repeating: Traits(), count: graph.regions.count)
    // Inner regions have higher numbers than the regions around them.
    for region in graph.regions.indices.reversed() {
      var sum = Traits()
      for item in graph.regions[region] {
        switch item {
        case .operation(let value):
          let operation = graph[value].operation
          guard uniformity[value] != .frame || graph[value].isOrdered else { continue }
          sum.add(cost: uniformity[value] == .lane ? operation.cost : 1)
          sum.needsMask = sum.needsMask || operation.needsMask
          sum.hasEffects = sum.hasEffects || (graph[value].isOrdered && operation.needsMask)
        case .exit(let index):
          sum.hasMaskedExit = sum.hasMaskedExit || uniformity.exitDiverges[index]
          sum.needsMask = true
          sum.hasEffects = true
        case .scope(let index):
          let scope = graph.scopes[index]
          let inner = [traits[scope.body]] + (scope.continuing.map { [traits[$0]] } ?? [])
          for part in inner { sum.add(cost: part.cost, times: scope.isLoop ? Self.roundsOfLoop : 1) }
          sum.needsMask = true
          sum.hasEffects = true
          sum.hasLoop = sum.hasLoop || scope.isLoop || inner.contains { $0.hasLoop }
          sum.hasMaskedExit = sum.hasMaskedExit || inner.contains { $0.hasMaskedExit }
        case .branch(let index):
          let branch = graph.branches[index]
          let accept = traits[branch.accept], reject = traits[branch.reject]
          let isDivergent = uniformity[branch.condition] == .lane
          sum.add(cost: accept.cost + reject.cost + branch.merges.count)
          let skips = isDivergent && (accept.isWorthSkipping || reject.isWorthSkipping)
          sum.needsMask = sum.needsMask || accept.needsMask || reject.needsMask || skips
          sum.hasEffects = sum.hasEffects || accept.hasEffects || reject.hasEffects
          sum.hasLoop = sum.hasLoop || accept.hasLoop || reject.hasLoop
          sum.hasMaskedExit = sum.hasMaskedExit || accept.hasMaskedExit || reject.hasMaskedExit
        }
      }
      traits[region] = sum
    }
  }

  subscript(region: Int) -> Traits { traits[region] }
}
