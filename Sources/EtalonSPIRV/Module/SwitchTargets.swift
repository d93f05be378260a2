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
