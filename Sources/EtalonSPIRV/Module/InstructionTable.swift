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
