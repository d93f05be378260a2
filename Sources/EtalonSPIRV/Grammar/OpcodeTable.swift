/// Opcodes and shapes by their number, for decoding without searching.
struct OpcodeTable: Sendable {
  /// What decoding needs for each instruction, without references.
  struct Code: Sendable {
    let opcode: Opcode
    let hasResultType: Bool
    let hasResult: Bool
    /// All operands are single ids: `idCount` of them, or more if `idsRepeat`.
    let holdsOnlyIds: Bool
    let idsRepeat: Bool
    let idCount: UInt8

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
    codes = zip(Opcode.allCases, shapes).map { opcode, shape in
      Code(
        opcode: opcode, hasResultType: shape.hasResultType, hasResult: shape.hasResult, holdsOnlyIds: shape.holdsOnlyIds,
        idsRepeat: shape.rest != nil, idCount: UInt8(shape.required.count))
    }
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
