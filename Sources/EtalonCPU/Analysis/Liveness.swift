internal import CLaneKernels

extension ShaderGraph {
  /// Drops operations, variables and branches that nothing depends on; loops and exits stay.
  mutating func dropDeadItems() {
    var liveness = Liveness(self)
    liveness.mark()
    let isLive = liveness.isLive
    for index in branches.indices { branches[index].merges.removeAll { !isLive[$0.variable.position] } }
    for index in scopes.indices {
      scopes[index].carried.removeAll { !isLive[$0.variable.position] }
      scopes[index].bodyEnd.removeAll { !isLive[$0.variable.position] }
      scopes[index].end.removeAll { !isLive[$0.variable.position] }
    }
    for index in exits.indices { exits[index].assignments.removeAll { !isLive[$0.variable.position] } }
    // Inner regions have higher numbers than the regions around them.
    for region in regions.indices.reversed() {
      regions[region] = regions[region].filter { item in
        switch item {
        case .operation(let value): isLive[value.position] || Liveness.writes(nodes[value.position])
        case .branch(let index):
          !branches[index].merges.isEmpty || !regions[branches[index].accept].isEmpty || !regions[branches[index].reject].isEmpty
        case .scope, .exit: true
        }
      }
    }
  }
}

/// Finds the values that the result of a shader depends on.
private struct Liveness {
  private let graph: ShaderGraph
  private(set) var isLive: [Bool]
  private var open: [ValueId] = []
  /// What each variable is assigned, and the condition that chooses.
  private var sources: [Int32: [ValueId]] = [:]

  init(_ graph: ShaderGraph) {
    self.graph = graph
    isLive = [Bool](repeating: false, count: graph.nodes.count)
    for branch in graph.branches {
      for merge in branch.merges { sources[merge.variable.index] = [merge.accepted, merge.rejected, branch.condition] }
    }
    for scope in graph.scopes {
      for carried in scope.carried { sources[carried.variable.index, default: []] += [carried.initial, carried.next] }
      for assignment in scope.bodyEnd + scope.end { sources[assignment.variable.index, default: []].append(assignment.value) }
    }
    for exit in graph.exits {
      for assignment in exit.assignments { sources[assignment.variable.index, default: []].append(assignment.value) }
    }
  }

  static func writes(_ node: ShaderGraph.Node) -> Bool {
    guard node.operation.isKernel else { return false }
    switch node.operation.kernel {
    case LANE_OP_store_buffer, LANE_OP_atomic_buffer, LANE_OP_fill_rows, LANE_OP_store_row, LANE_OP_store_shared, LANE_OP_atomic_shared,
      LANE_OP_store_texel, LANE_OP_barrier, LANE_OP_watch_finite, LANE_OP_watch_quads, LANE_OP_watch_count, LANE_OP_watch_shared,
      LANE_OP_watch_stored, LANE_OP_watch_barrier, LANE_OP_probe:
      return true
    case LANE_OP_watch, LANE_OP_watch_reach: return node.arguments[ShaderGraph.watchedPosition] < 0
    default: return false
    }
  }

  mutating func mark() {
    var matters = [Bool](repeating: false, count: graph.regions.count)
    for region in graph.regions.indices.reversed() {
      for item in graph.regions[region] {
        switch item {
        case .operation(let value):
          guard Self.writes(graph.nodes[value.position]) else { continue }
          need(value)
          matters[region] = true
        case .branch(let index):
          let branch = graph.branches[index]
          guard matters[branch.accept] || matters[branch.reject] else { continue }
          need(branch.condition)
          matters[region] = true
        case .scope(let index):
          let scope = graph.scopes[index]
          let isNeeded = scope.isLoop || matters[scope.body] || (scope.continuing.map { matters[$0] } ?? false)
          matters[region] = matters[region] || isNeeded
        case .exit: matters[region] = true
        }
      }
    }
    follow()
    markWatches()
  }

  private mutating func follow() {
    while let value = open.popLast() {
      for argument in graph.nodes[value.position].argumentIds { need(argument) }
      for source in sources[value.index] ?? [] { need(source) }
    }
  }

  private static let watchesResult = [Operation(LANE_OP_watch), Operation(LANE_OP_watch_reach)]

  /// A watch over what becomes of a value matters where the value does.
  private mutating func markWatches() {
    for region in graph.regions {
      for case .operation(let value) in region where Self.watchesResult.contains(graph[value].operation) {
        let watched = graph[value].arguments[ShaderGraph.watchedPosition]
        if watched >= 0, isLive[Int(watched)] { need(value) }
      }
    }
    follow()
  }

  private mutating func need(_ value: ValueId) {
    guard !isLive[value.position] else { return }
    isLive[value.position] = true
    open.append(value)
  }
}
