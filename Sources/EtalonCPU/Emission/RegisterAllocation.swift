internal import CLaneKernels

/// Where each register of some code lies in the register block of a thread.
///
/// The block holds, in this order: the coordinates of the workgroup, constants, scalars, vectors, rows of local arrays.
struct RegisterAllocation: Sendable {
  /// Bytes from the start of the block by register.
  private(set) var offsets: [UInt32]
  /// Where the constants lie, with their words.
  private(set) var constants: [(offset: UInt32, word: UInt32)] = []
  private(set) var rowsStart = 0
  private(set) var byteCount = 0
  private(set) var vectorCount = 0

  /// The bytes of the coordinates of the workgroup and the number of workgroups.
  static let workgroupBytes = 6 * Int(LANE_SCALAR_BYTES)

  init(_ code: LinearCode, rowCount: Int, _ time: CompilationTime = .unlimited) throws(Unsupported) {
    offsets = [UInt32](repeating: 0, count: code.registers.count)
    let ranges = try LiveRanges(code, within: time)
    var next = Self.workgroupBytes
    for (register, kind) in code.registers.enumerated() {
      switch kind {
      case .workgroup(let axis): offsets[register] = UInt32(axis * Int(LANE_SCALAR_BYTES))
      case .constant(let word):
        offsets[register] = UInt32(next)
        constants.append((UInt32(next), word))
        next += Int(LANE_SCALAR_BYTES)
      case .scalar, .vector: break
      }
    }
    let scalars = Self.scan(code, ranges, vectors: false)
    for (register, slot) in scalars.slots { offsets[register] = UInt32(next + slot * Int(LANE_SCALAR_BYTES)) }
    next += scalars.count * Int(LANE_SCALAR_BYTES)
    let vectors = Self.scan(code, ranges, vectors: true)
    vectorCount = vectors.count
    let rowBytes = Int(LANE_BATCH) * 4
    guard next + (vectors.count + rowCount) * rowBytes <= Limits.registerBytes else {
      throw Unsupported("a shader that needs \(vectors.count) registers and \(rowCount) rows of local arrays")
    }
    for (register, slot) in vectors.slots { offsets[register] = UInt32(next + slot * rowBytes) }
    next += vectors.count * rowBytes
    rowsStart = next
    byteCount = next + rowCount * rowBytes
  }

  /// Gives registers of one kind slots, so that no two that are needed at the same time share one.
  private static func scan(
    _ code: LinearCode, _ ranges: LiveRanges, vectors: Bool
  ) -> (slots: [(register: Int, slot: Int)], count: Int) {
    let registers = code.registers.indices.filter { register in
      switch code.registers[register] {
      case .vector: vectors && ranges.last[register] >= 0
      case .scalar: !vectors && ranges.last[register] >= 0
      case .constant, .workgroup: false
      }
    }.sorted { (ranges.first[$0], $0) < (ranges.first[$1], $1) }
    var slots: [(register: Int, slot: Int)] = []
    slots.reserveCapacity(registers.count)
    var free: [Int] = []
    var active = ExpiryHeap()
    var count = 0
    for register in registers {
      while let slot = active.popExpired(before: ranges.first[register]) { free.append(slot) }
      let slot: Int
      if let reused = free.popLast() {
        slot = reused
      } else {
        slot = count
        count += 1
      }
      active.insert(end: ranges.last[register], slot: slot)
      slots.append((register, slot))
    }
    return (slots, count)
  }
}

/// Slots in the order in which they become free.
private struct ExpiryHeap {
  private var items: [(end: Int32, slot: Int)] = []

  mutating func insert(end: Int32, slot: Int) {
    items.append((end, slot))
    var child = items.count - 1
    while child > 0, items[(child - 1) / 2].end > items[child].end {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the slot that has been free for longest, if one is free before a position.
  mutating func popExpired(before position: Int32) -> Int? {
    guard let top = items.first, top.end < position else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < items.count && items[child].end < items[least].end { least = child }
      guard least != parent else { return top.slot }
      items.swapAt(least, parent)
      parent = least
    }
  }
}

// MARK: - Live ranges

/// When each register of some code holds a value that is still needed, in half steps: operands are read at 2i and results written at
/// 2i + 1, so that a result may take the place of an operand.
private struct LiveRanges {
  private(set) var first: [Int32]
  private(set) var last: [Int32]
  /// The innermost loop around each instruction, -1 outside loops.
  private var loopAt: [Int32] = []
  private var loops: [(start: Int, end: Int, parent: Int)] = []

  init(_ code: LinearCode, within time: CompilationTime) throws(Unsupported) {
    first = [Int32](repeating: Int32.max, count: code.registers.count)
    last = [Int32](repeating: -1, count: code.registers.count)
    let bodyStart = code.preamble.count
    var position = 0
    for instruction in code.preamble {
      touch(instruction, at: position)
      position += 1
    }
    for instruction in code.body {
      touch(instruction, at: position)
      position += 1
    }
    try findLoops(code, bodyStart: bodyStart, time)
    for register in first.indices where last[register] >= 0 { extend(register) }
  }

  private mutating func touch(_ instruction: LinearCode.Instruction, at position: Int) {
    let isEarly = instruction.operation == LANE_OP_extension || ShaderOperation(instruction.operation).overwritesEarly
    // The operands of an extension belong to the instruction before.
    let read = Int32(instruction.operation == LANE_OP_extension ? 2 * position : 2 * position)
    let written = Int32(isEarly ? 2 * position - (instruction.operation == LANE_OP_extension ? 2 : 0) : 2 * position + 1)
    for field in 0..<6 {
      let register = Int(instruction.fields[field])
      if instruction.reads & (1 << UInt8(field)) != 0 { include(register, read, read) }
      if instruction.writes & (1 << UInt8(field)) != 0 { include(register, written, Int32(2 * position + 1)) }
    }
  }

  private mutating func include(_ register: Int, _ start: Int32, _ end: Int32) {
    first[register] = min(first[register], start)
    last[register] = max(last[register], end)
  }

  // MARK: Loops

  private mutating func findLoops(_ code: LinearCode, bodyStart: Int, _ time: CompilationTime) throws(Unsupported) {
    let total = code.preamble.count + code.body.count
    loops = [(bodyStart, total, -1)]
    loopAt = [Int32](repeating: -1, count: total + 1)
    for position in bodyStart..<total { loopAt[position] = 0 }
    for loop in code.loops where loop.end > loop.start {
      try time.check()
      let start = loop.start + bodyStart, end = loop.end + bodyStart
      let parent = Int(loopAt[start])
      loops.append((start, end, parent))
      for position in start..<end { loopAt[position] = Int32(loops.count - 1) }
    }
  }

  /// What is needed both inside and outside a loop is needed in all of it.
  private mutating func extend(_ register: Int) {
    var loop = Int(loopAt[min(Int(last[register]) / 2, loopAt.count - 1)])
    while loop >= 0 {
      if Int(first[register]) / 2 < loops[loop].start { last[register] = max(last[register], Int32(2 * loops[loop].end - 1)) }
      loop = loops[loop].parent
    }
    loop = Int(loopAt[Int(first[register]) / 2])
    while loop >= 0 {
      if Int(last[register]) / 2 >= loops[loop].end { first[register] = min(first[register], Int32(2 * loops[loop].start)) }
      loop = loops[loop].parent
    }
  }
}

// MARK: - Moves

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
    let isEarly = ShaderOperation(code.body[definition].operation).overwritesEarly
    guard !isEarly else { return nil }
    for index in (definition + 1)..<move {
      for field in 0..<6 where code.body[index].isRegister(field) && code.body[index].fields[field] == to { return nil }
    }
    return definition
  }
}
