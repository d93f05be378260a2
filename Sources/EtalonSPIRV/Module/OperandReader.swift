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
