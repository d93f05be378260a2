internal import CLaneKernels

extension ShaderGraph {
  /// Removes variables that are always the same value, and what the result does not depend on.
  mutating func simplify(within time: CompilationTime = .unlimited) throws(Unsupported) {
    try forwardTrivialVariables(time)
    dropDeadItems()
  }

  // MARK: Trivial variables

  /// A loop's variable that no round changes, and a merge of equal values, are the value itself.
  private mutating func forwardTrivialVariables(_ time: CompilationTime) throws(Unsupported) {
    var forward = [Int32](0..<Int32(nodes.count))
    func resolve(_ value: ValueId) -> ValueId {
      var index = value.index
      while forward[Int(index)] != index {
        forward[Int(index)] = forward[Int(forward[Int(index)])]
        index = forward[Int(index)]
      }
      return ValueId(raw: index)
    }
    var changed = true
    while changed {
      changed = false
      try time.check()
      for scope in scopes {
        for carried in scope.carried where resolve(carried.variable) == carried.variable {
          let next = resolve(carried.next), initial = resolve(carried.initial)
          if next == carried.variable || next == initial {
            forward[carried.variable.position] = initial.index
            changed = true
          }
        }
      }
      for branch in branches {
        for merge in branch.merges where resolve(merge.variable) == merge.variable {
          let a = resolve(merge.accepted)
          if a == resolve(merge.rejected), a != merge.variable {
            forward[merge.variable.position] = a.index
            changed = true
          }
        }
      }
    }
    rewrite(resolve)
  }

  /// Replaces every use of a value.
  private mutating func rewrite(_ resolve: (ValueId) -> ValueId) {
    for index in nodes.indices {
      for k in 0..<8 where nodes[index].arguments[k] >= 0 {
        nodes[index].arguments[k] = resolve(ValueId(raw: nodes[index].arguments[k])).index
      }
    }
    for index in branches.indices {
      branches[index].condition = resolve(branches[index].condition)
      branches[index].merges = branches[index].merges.filter { resolve($0.variable) == $0.variable }
      for merge in branches[index].merges.indices {
        branches[index].merges[merge].accepted = resolve(branches[index].merges[merge].accepted)
        branches[index].merges[merge].rejected = resolve(branches[index].merges[merge].rejected)
      }
    }
    for index in scopes.indices {
      scopes[index].carried = scopes[index].carried.filter { resolve($0.variable) == $0.variable }
      for carried in scopes[index].carried.indices {
        scopes[index].carried[carried].initial = resolve(scopes[index].carried[carried].initial)
        scopes[index].carried[carried].next = resolve(scopes[index].carried[carried].next)
      }
      for k in scopes[index].bodyEnd.indices { scopes[index].bodyEnd[k].value = resolve(scopes[index].bodyEnd[k].value) }
      for k in scopes[index].end.indices { scopes[index].end[k].value = resolve(scopes[index].end[k].value) }
    }
    for index in exits.indices {
      for k in exits[index].assignments.indices { exits[index].assignments[k].value = resolve(exits[index].assignments[k].value) }
    }
  }

  /// Calls back for every use of a value by an item of a region.
  func forEachUse(_ body: (ValueId) -> Void) {
    for region in regions {
      for item in region {
        switch item {
        case .operation(let value): for argument in nodes[value.position].argumentIds { body(argument) }
        case .branch(let index):
          body(branches[index].condition)
          for merge in branches[index].merges {
            body(merge.accepted)
            body(merge.rejected)
          }
        case .scope(let index):
          for carried in scopes[index].carried {
            body(carried.initial)
            body(carried.next)
          }
          for assignment in scopes[index].bodyEnd + scopes[index].end { body(assignment.value) }
        case .exit(let index): for assignment in exits[index].assignments { body(assignment.value) }
        }
      }
    }
  }
}

// MARK: - What is needed

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

  private static let watchesResult = [ShaderOperation(LANE_OP_watch), ShaderOperation(LANE_OP_watch_reach)]

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
