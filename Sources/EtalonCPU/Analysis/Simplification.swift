extension ShaderGraph {
  /// Removes variables that are always the same value, and what nobody needs.
  mutating func simplify(within time: CompilationTime = .unlimited) throws(Refusal) {
    try forwardTrivialVariables(time)
    dropDeadItems()
  }

  // MARK: Trivial variables

  /// A loop's variable that no round changes, and a merge of equal values, are the value itself.
  private mutating func forwardTrivialVariables(_ time: CompilationTime) throws(Refusal) {
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

  /// Calls back for every use of a value by something that is in a region.
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
