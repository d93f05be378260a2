/// Where instructions come from in the author's text, as runs of instructions.
struct LineTable: Sendable {
  private struct Run: Sendable {
    /// The first instruction of the run, which ends at the next.
    let position: Int
    let place: Place?
  }
  struct Place: Sendable, Hashable {
    let file: Id
    let line: UInt32
    let column: UInt32
  }
  private var runs: [Run] = []
  private var current: Place?

  /// Takes note of an `OpLine` (or, with nil, of an `OpNoLine` or the end of a block).
  mutating func mark(_ place: Place?) { current = place }

  /// Takes note of an instruction.
  mutating func add(_ position: Int) {
    if runs.last?.place != current { runs.append(Run(position: position, place: current)) }
  }

  /// The place that holds for an instruction.
  func place(_ position: Int) -> Place? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? runs[low - 1].place : nil
  }
}
