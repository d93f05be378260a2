/// All instructions of a module, by position and by the id that they define.
struct InstructionTable: Sendable {
  /// One instruction: where it starts and how its words are divided.
  struct Record: Sendable {
    let start: UInt32
    let code: OpcodeTable.Code
  }
  /// In place of a position: the id is not defined.
  static let nowhere = UInt32.max

  let words: [UInt32]
  /// All instructions but `OpLine`, `OpNoLine` and `OpNop`.
  private(set) var records: [Record] = []
  /// From an id to the position of its definition.
  private var definitions: [UInt32]

  init(words: [UInt32], idBound: Int) {
    self.words = words
    records.reserveCapacity(words.count / 4)
    definitions = [UInt32](repeating: Self.nowhere, count: idBound)
  }

  mutating func append(_ record: Record) { records.append(record) }

  mutating func define(_ id: UInt32, at position: Int) { definitions[Int(id)] = UInt32(position) }

  func isDefined(_ id: UInt32) -> Bool { definitions[Int(id)] != Self.nowhere }

  func instruction(_ position: Int) -> Instruction {
    let record = records[position]
    return Instruction(record.code, index: position, start: Int(record.start), in: words)
  }

  /// The position of the definition of an id, nil when there is none.
  func position(_ id: Id) -> Int? {
    guard id.index < definitions.count, definitions[id.index] != Self.nowhere else { return nil }
    return Int(definitions[id.index])
  }

  func definition(_ id: Id) -> Instruction? { position(id).map { instruction($0) } }

  /// The type of a value, nil when the id has none.
  func typeOfValue(_ id: Id) -> Id? {
    guard let position = position(id), records[position].code.hasResultType else { return nil }
    return Id(words[Int(records[position].start) + 1])
  }

  /// Calls `body` with all ids among the operands of an instruction, without its result and result type.
  ///
  /// Returns false when the operands do not fit the grammar.
  @inline(__always)
  func forEachId<Failure: Error>(
    _ code: OpcodeTable.Code, start: Int, _ body: (UInt32) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let first = start + code.firstOperand
    let end = start + Int(words[start] >> 16)
    let count = end - first
    let required = Int(code.requiredCount)
    guard code.isSimple, count == required || (count > required && code.rest != .none) else {
      let (ids, fits) = takeApart(code, first, end)
      for id in ids { try body(id) }
      return fits
    }
    for position in 0..<required where code.idMask >> UInt16(position) & 1 == 1 { try body(words[first + position]) }
    if code.rest == .ids { for at in first + required..<end { try body(words[at]) } }
    return true
  }

  private func takeApart(_ code: OpcodeTable.Code, _ first: Int, _ end: Int) -> (ids: [UInt32], fits: Bool) {
    guard first <= end else { return ([], false) }
    var ids: [UInt32] = []
    var reader = OperandReader(words, from: first, to: end, selectorWords: code.opcode == .OpSwitch ? selectorWords(first, end) : 1)
    let fits = reader.read(OpcodeTable.shared.shape(code.opcode)) { kind, range in
      if kind == .id { ids.append(words[range.lowerBound]) }
    }
    return (ids, fits)
  }

  /// The words of a literal that is compared with the selector of an `OpSwitch`.
  func selectorWords(_ first: Int, _ end: Int) -> Int {
    guard first < end, let type = typeOfValue(Id(words[first])), let number = definition(type), number.opcode == .OpTypeInt else {
      return 1
    }
    return number[0] > 32 ? 2 : 1
  }

  /// All ids among the operands of an instruction, without its result and result type.
  func idOperands(_ instruction: Instruction) -> [Id] {
    var ids: [Id] = []
    _ = forEachId(records[instruction.index].code, start: instruction.start) { ids.append(Id($0)) }
    return ids
  }
}

// MARK: - Operands

/// Takes the operands of one instruction apart, after the grammar.
///
/// Composite operands come out as their parts, so `body` only sees kinds that stand for whole words: ids, numbers, texts and enumerations.
struct OperandReader {
  private let words: [UInt32]
  private let end: Int
  private var position: Int
  /// The words that a literal of an `OpSwitch` takes.
  private let selectorWords: Int

  init(_ words: [UInt32], from position: Int, to end: Int, selectorWords: Int = 1) {
    self.words = words
    self.position = position
    self.end = end
    self.selectorWords = selectorWords
  }

  /// Calls `body` with each operand's kind and words; false when words are missing or left over.
  mutating func read(_ shape: InstructionShape, _ body: (OperandKind, Range<Int>) -> Void) -> Bool {
    for kind in shape.required where !read(kind, body) { return false }
    for kind in shape.optional where position < end && !read(kind, body) { return false }
    if let rest = shape.rest {
      while position < end { if !read(rest, body) { return false } }
    }
    return position == end
  }

  private mutating func read(_ kind: OperandKind, _ body: (OperandKind, Range<Int>) -> Void) -> Bool {
    switch kind {
    case .string: return take(stringLength(), .string, body)
    case .idPair: return take(1, .id, body) && take(1, .id, body)
    case .idAndLiteral: return take(1, .id, body) && take(1, .literal, body)
    case .switchTarget: return take(selectorWords, .constantLiteral, body) && take(1, .id, body)
    case .constantLiteral: return position < end && take(end - position, .constantLiteral, body)
    case .constantOperation: return readConstantOperation(body)
    default:
      guard position < end else { return false }
      let value = words[position]
      guard take(1, kind, body) else { return false }
      for parameter in kind.parameters(of: value) where !read(parameter, body) { return false }
      return true
    }
  }

  private mutating func readConstantOperation(_ body: (OperandKind, Range<Int>) -> Void) -> Bool {
    guard position < end, let code = OpcodeTable.shared.code(words[position]), code.hasResultType, code.opcode != .OpSpecConstantOp
    else { return false }
    return take(1, .constantOperation, body) && read(OpcodeTable.shared.shape(code.opcode), body)
  }

  private mutating func take(_ count: Int, _ kind: OperandKind, _ body: (OperandKind, Range<Int>) -> Void) -> Bool {
    guard count > 0, count <= end - position else { return false }
    body(kind, position..<position + count)
    position += count
    return true
  }

  /// The words of the text that starts here, 0 when it has no end.
  private func stringLength() -> Int {
    var at = position
    while at < end {
      let word = words[at]
      at += 1
      // The lowest bit of a byte that is zero, by the borrow that it causes.
      if (word &- 0x0101_0101) & ~word & 0x8080_8080 != 0 { return at - position }
    }
    return 0
  }
}

// MARK: - Debug lines

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
