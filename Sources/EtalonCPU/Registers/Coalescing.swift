internal import CLaneKernels

extension LinearCode {
  /// Lets operations write straight to where a move would take their results, and drops the move.
  mutating func coalesceMoves() {
    let facts = RegisterFacts(self)
    var isDropped = [Bool](repeating: false, count: body.count)
    for position in body.indices where body[position].operation == LANE_OP_move {
      let from = body[position].fields[Field.a.rawValue], to = body[position].fields[Field.d.rawValue]
      guard let definition = facts.definition(of: from, beforeMoveAt: position, to: to, in: self) else { continue }
      for index in definition..<position { rename(from, to, in: index) }
      isDropped[position] = true
    }
    drop(isDropped)
  }

  private mutating func rename(_ from: Int32, _ to: Int32, in index: Int) {
    for field in 0..<6 where body[index].isRegister(field) && body[index].fields[field] == from { body[index].fields[field] = to }
  }

  /// Takes instructions out and moves labels and loops along.
  private mutating func drop(_ isDropped: [Bool]) {
    var newPosition = [Int](repeating: 0, count: body.count + 1)
    var kept: [Instruction] = []
    kept.reserveCapacity(body.count)
    for position in body.indices {
      newPosition[position] = kept.count
      if !isDropped[position] { kept.append(body[position]) }
    }
    newPosition[body.count] = kept.count
    body = kept
    for label in labels.indices where labels[label] >= 0 { labels[label] = newPosition[labels[label]] }
    for loop in loops.indices {
      loops[loop] = Loop(start: newPosition[loops[loop].start], end: newPosition[loops[loop].end])
    }
  }
}

/// Where registers are written and read.
private struct RegisterFacts {
  private var definitions: [Int32]
  private var definitionCounts: [Int32]
  private var lastUses: [Int32]
  /// The start of the straight piece of code that each instruction is in.
  private var blockStarts: [Int32]

  init(_ code: LinearCode) {
    definitions = [Int32](repeating: -1, count: code.registers.count)
    definitionCounts = [Int32](repeating: 0, count: code.registers.count)
    lastUses = [Int32](repeating: -1, count: code.registers.count)
    blockStarts = [Int32](repeating: 0, count: code.body.count)
    for instruction in code.preamble {
      for field in 0..<6 where instruction.writes & (1 << UInt8(field)) != 0 { definitionCounts[Int(instruction.fields[field])] += 2 }
    }
    var isTarget = [Bool](repeating: false, count: code.body.count + 1)
    for label in code.labels where label >= 0 { isTarget[label] = true }
    var start: Int32 = 0
    for (position, instruction) in code.body.enumerated() {
      if isTarget[position] { start = Int32(position) }
      blockStarts[position] = start
      if instruction.label != nil { start = Int32(position + 1) }
      for field in 0..<6 where instruction.isRegister(field) {
        let register = Int(instruction.fields[field])
        if instruction.writes & (1 << UInt8(field)) != 0 {
          definitions[register] = Int32(position)
          definitionCounts[register] += 1
        }
        if instruction.reads & (1 << UInt8(field)) != 0 { lastUses[register] = Int32(position) }
      }
    }
  }

  /// Where the source of a move is computed, if that may as well write the target of the move.
  func definition(of from: Int32, beforeMoveAt move: Int, to: Int32, in code: LinearCode) -> Int? {
    let source = Int(from)
    guard definitionCounts[source] == 1, lastUses[source] == move else { return nil }
    let definition = Int(definitions[source])
    guard definition >= 0, definition < move, blockStarts[move] <= definition else { return nil }
    let isEarly = Operation(code.body[definition].operation).overwritesEarly
    guard !isEarly else { return nil }
    for index in (definition + 1)..<move {
      for field in 0..<6 where code.body[index].isRegister(field) && code.body[index].fields[field] == to { return nil }
    }
    return definition
  }
}
