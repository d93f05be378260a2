/// What the parser found out about a module, by id.
struct ModuleTables: Sendable {
  /// One instruction: where it starts and how its words are divided.
  struct Record: Sendable {
    let start: UInt32
    let code: OpcodeTable.Code
  }
  static let nowhere = UInt32.max

  let words: [UInt32]
  /// All instructions but `OpLine`, `OpNoLine` and `OpNop`.
  var starts: [Record] = []
  /// From an id to the position of its definition.
  var definitions: [UInt32]
  /// The position of the first `OpFunction`, or the number of instructions.
  var firstFunction = 0
  var lines = LineTable()
  var names: [Id: String] = [:]
  var memberNames: [Id: [Int: String]] = [:]
  var decorations: [Id: [SPIRVModule.DecorationRecord]] = [:]
  var executionModes: [Id: [(mode: UInt32, operands: [UInt32])]] = [:]
  var constants: [Id: ConstantValue] = [:]
  private var types: [ModuleType] = []
  private var scalarCounts: [Int] = []
  private var depths: [Int] = []
  /// From an id to its position in `types`.
  private var typePositions: [UInt32]

  init(words: [UInt32], idBound: Int) {
    self.words = words
    definitions = [UInt32](repeating: Self.nowhere, count: idBound)
    typePositions = [UInt32](repeating: Self.nowhere, count: idBound)
  }

  func instruction(_ position: Int) -> Instruction {
    let record = starts[position]
    return Instruction(record.code, index: position, start: Int(record.start), in: words)
  }

  func definition(_ id: Id) -> Instruction? {
    guard id.index < definitions.count, definitions[id.index] != Self.nowhere else { return nil }
    return instruction(Int(definitions[id.index]))
  }

  func type(_ id: Id) -> ModuleType? {
    guard id.index < typePositions.count, typePositions[id.index] != Self.nowhere else { return nil }
    return types[Int(typePositions[id.index])]
  }

  func scalarCount(_ type: Id) -> Int {
    guard type.index < typePositions.count, typePositions[type.index] != Self.nowhere else { return 1 }
    return scalarCounts[Int(typePositions[type.index])]
  }

  /// How many composites a type is nested in itself: 0 for scalars.
  func depth(_ type: Id) -> Int {
    guard type.index < typePositions.count, typePositions[type.index] != Self.nowhere else { return 0 }
    return depths[Int(typePositions[type.index])]
  }

  mutating func addType(_ id: Id, _ type: ModuleType, scalarCount: Int, depth: Int) {
    typePositions[id.index] = UInt32(types.count)
    types.append(type)
    scalarCounts.append(scalarCount)
    depths.append(depth)
  }

  /// All ids among the operands of an instruction, without its result and result type.
  func idOperands(_ instruction: Instruction) -> [Id] {
    guard let code = OpcodeTable.shared.code(UInt32(instruction.opcode.rawValue)), !code.holdsOnlyIds else {
      return instruction.ids(from: 0)
    }
    var ids: [Id] = []
    let selectorWords = instruction.opcode == .OpSwitch ? SwitchTargets(instruction, tables: self).literalWords : 1
    var reader = OperandReader(
      words, from: instruction.operands.startIndex, to: instruction.operands.endIndex, selectorWords: selectorWords)
    _ = reader.read(OpcodeTable.shared.shape(instruction.opcode)) { kind, range in
      if kind == .id { ids.append(Id(words[range.lowerBound])) }
    }
    return ids
  }
}
