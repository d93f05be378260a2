/// Opcodes and shapes by their number, for decoding without searching.
struct OpcodeTable: Sendable {
  /// What follows the required operands.
  enum Rest: Sendable {
    case none, ids, literals
  }

  /// What decoding needs for each instruction, without references.
  struct Code: Sendable {
    let opcode: Opcode
    let hasResultType: Bool
    let hasResult: Bool
    /// Required operands are one word each, of which `idMask` says which are ids, and all that may follow is of the kind `rest`.
    ///
    /// This also holds for instructions with optional operands, as long as those are left out.
    let isSimple: Bool
    let requiredCount: UInt8
    let idMask: UInt16
    let rest: Rest

    init(_ opcode: Opcode, _ shape: InstructionShape) {
      self.opcode = opcode
      hasResultType = shape.hasResultType
      hasResult = shape.hasResult
      requiredCount = UInt8(shape.required.count)
      idMask = shape.required.enumerated().reduce(0) { $1.element == .id ? $0 | 1 << UInt16($1.offset) : $0 }
      isSimple = shape.required.allSatisfy(\.isOneWord) && (shape.rest == nil || shape.rest == .id || shape.rest == .literal)
      switch shape.rest {
      case .id: rest = .ids
      case .literal: rest = .literals
      default: rest = .none
      }
    }

    /// The words before the first operand: opcode, result type, result.
    var firstOperand: Int { 1 + (hasResultType ? 1 : 0) + (hasResult ? 1 : 0) }
  }

  static let shared = OpcodeTable()

  private let codes: [Code]
  private let shapes: [InstructionShape]
  /// From an opcode's number to its position in `codes`.
  private let positions: [UInt16]
  private static let missing = UInt16.max

  private init() {
    shapes = Opcode.allCases.map(\.shape)
    codes = zip(Opcode.allCases, shapes).map { Code($0, $1) }
    let highest = Opcode.allCases.map { Int($0.rawValue) }.max() ?? 0
    var positions = [UInt16](repeating: Self.missing, count: highest + 1)
    for (position, code) in codes.enumerated() { positions[Int(code.opcode.rawValue)] = UInt16(position) }
    self.positions = positions
  }

  /// What is known about an opcode number, nil for instructions that no compute shader holds.
  func code(_ number: UInt32) -> Code? {
    guard Int(number) < positions.count, positions[Int(number)] != Self.missing else { return nil }
    return codes[Int(positions[Int(number)])]
  }

  /// The operands of an opcode.
  func shape(_ opcode: Opcode) -> InstructionShape { shapes[Int(positions[Int(opcode.rawValue)])] }
}
