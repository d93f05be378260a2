/// The present values of all scalar variables, and which of them changed since a point in the control flow.
struct SlotStore {
  /// Which slots a piece of control flow changed, and what they are at its end.
  typealias Changes = [Int: ValueId]

  private(set) var values: [ValueId] = []
  /// For each open level the values from before it of the slots that it changed.
  private var levels: [[Int: ValueId]] = []

  var count: Int { values.count }

  /// Adds slots and returns the first.
  mutating func allocate(_ initial: [ValueId]) -> Int {
    values.append(contentsOf: initial)
    return values.count - initial.count
  }

  /// Drops the slots from one on: their function has returned, and with it every level that it opened.
  mutating func release(from first: Int) { values.removeLast(values.count - first) }

  subscript(slot: Int) -> ValueId {
    get { values[slot] }
    set {
      if let last = levels.indices.last, levels[last][slot] == nil { levels[last][slot] = values[slot] }
      values[slot] = newValue
    }
  }

  /// The number of the level that `open` adds next.
  var depth: Int { levels.count }

  mutating func open() { levels.append([:]) }

  /// What changed since a level was opened.
  func changes(since level: Int) -> Changes {
    var changes: Changes = [:]
    for open in levels[level...] {
      for slot in open.keys where slot < values.count { changes[slot] = values[slot] }
    }
    return changes
  }

  /// Takes the last level back and returns what it had changed.
  mutating func close() -> Changes {
    let before = levels.removeLast()
    var changes: Changes = [:]
    for (slot, old) in before where slot < values.count {
      changes[slot] = values[slot]
      values[slot] = old
    }
    return changes
  }
}
