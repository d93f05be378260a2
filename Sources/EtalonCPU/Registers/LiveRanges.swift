internal import CLaneKernels

/// When each register of some code holds something that is still needed, in half steps: operands are read at 2i and results written at
/// 2i + 1, so that a result may take the place of an operand.
struct LiveRanges {
  private(set) var first: [Int32]
  private(set) var last: [Int32]
  /// The innermost loop around each instruction, -1 outside loops.
  private var loopAt: [Int32] = []
  private var loops: [(start: Int, end: Int, parent: Int)] = []

  init(_ code: LinearCode, within time: CompilationTime) throws(Refusal) {
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
    let isEarly = instruction.operation == LANE_OP_extension || Operation(instruction.operation).overwritesEarly
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

  private mutating func findLoops(_ code: LinearCode, bodyStart: Int, _ time: CompilationTime) throws(Refusal) {
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
