/// One instruction of a module: a view of its words.
///
/// The module has been checked, so operands that the specification demands are there and ids are defined.
///
/// **Concurrency**: an immutable value.
package struct Instruction: Sendable {
  package let opcode: Opcode
  /// The position in `SPIRVModule.instructions`.
  package let index: Int
  /// The offset of the first word, for messages.
  package let start: Int
  private let words: [UInt32]
  private let end: Int
  private let firstOperand: Int
  private let hasResultType: Bool
  private let hasResult: Bool

  init(_ code: OpcodeTable.Code, index: Int, start: Int, in words: [UInt32]) {
    opcode = code.opcode
    hasResultType = code.hasResultType
    hasResult = code.hasResult
    self.index = index
    self.start = start
    self.words = words
    end = start + Int(words[start] >> 16)
    firstOperand = start + code.firstOperand
  }

  /// The type of the result, if it has one.
  package var resultType: Id? { hasResultType ? Id(words[start + 1]) : nil }

  /// What it defines, if anything.
  package var result: Id? { hasResult ? Id(words[firstOperand - 1]) : nil }

  /// The number of words after the result.
  package var operandCount: Int { end - firstOperand }

  /// The words after the result type and the result.
  package var operands: ArraySlice<UInt32> { words[firstOperand..<end] }

  /// The operand word at a position after the result.
  package subscript(position: Int) -> UInt32 {
    precondition(position >= 0 && firstOperand + position < end, "operand \(position) of \(opcode)")
    return words[firstOperand + position]
  }

  /// The id at a position after the result.
  package func id(_ position: Int) -> Id { Id(self[position]) }

  /// The ids from a position to the end; only for instructions that end in a list of ids.
  package func ids(from position: Int) -> [Id] {
    operandCount > position ? words[(firstOperand + position)..<end].map { Id($0) } : []
  }

  /// The text that starts at a position after the result.
  package func string(_ position: Int) -> String { SPIRVString.decode(words[(firstOperand + position)..<end]).text }
}

/// The number of a result in a module: a type, a constant, a variable, a block or a value.
///
/// **Concurrency**: an immutable value.
package struct Id: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Wraps one operand word.
  package init(_ word: UInt32) { rawValue = word }

  /// The index into a table with one entry per id.
  package var index: Int { Int(rawValue) }

  /// As in the assembly language: `%12`.
  package var description: String { "%\(rawValue)" }

  package static func < (a: Id, b: Id) -> Bool { a.rawValue < b.rawValue }
}

/// The literals of an `OpSwitch` and where each of them leads; the default target is not one of them.
struct SwitchTargets: Sequence, IteratorProtocol {
  private let terminator: Instruction
  private let literalWords: Int
  private let mask: UInt64
  private var position = 2

  init(_ terminator: Instruction, selectorType: ModuleType?) {
    self.terminator = terminator
    var width = 32
    if case .int(let bits, _) = selectorType { width = bits }
    literalWords = width > 32 ? 2 : 1
    mask = width == 64 ? .max : (1 << UInt64(width)) - 1
  }

  mutating func next() -> (literal: UInt64, label: Id)? {
    guard position + literalWords < terminator.operandCount else { return nil }
    var literal = UInt64(terminator[position])
    if literalWords == 2 { literal |= UInt64(terminator[position + 1]) << 32 }
    position += literalWords + 1
    return (literal & mask, terminator.id(position - 1))
  }
}

/// Text in a module: UTF-8, four bytes to a word from the low byte on, ended by a zero byte.
enum SPIRVString {
  /// The text at the start of some words and the number of words that it takes; all of them if the zero byte is missing.
  static func decode(_ words: ArraySlice<UInt32>) -> (text: String, wordCount: Int) {
    var bytes: [UInt8] = []
    var count = 0
    reading: for word in words {
      count += 1
      for shift in [UInt32(0), 8, 16, 24] {
        let byte = UInt8(truncatingIfNeeded: word >> shift)
        if byte == 0 { break reading }
        bytes.append(byte)
      }
    }
    return (String(decoding: bytes, as: UTF8.self), count)
  }

  /// The words of a text.
  static func encode(_ text: String) -> [UInt32] {
    let bytes = Array(text.utf8) + [0]
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<min(start + 4, bytes.count)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
  }
}
