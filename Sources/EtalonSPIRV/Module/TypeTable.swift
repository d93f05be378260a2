/// What the types and constants of a module are, by id.
struct TypeTable: Sendable {
  /// What is worked out once for each type.
  struct Entry: Sendable {
    let type: ModuleType
    /// The numbers and truth values that it is made of.
    let scalarCount: Int
    /// How many composites it is nested in itself: 0 for scalars.
    let depth: Int
    /// Whether it is made of numbers and truth values only, so that it has a zero.
    let hasNull: Bool
  }

  private var entries: [Entry] = []
  /// From an id to its position in `entries`.
  private var positions: [UInt32]
  private(set) var constants: [Id: ConstantValue] = [:]

  init(idBound: Int) { positions = [UInt32](repeating: InstructionTable.nowhere, count: idBound) }

  private func position(_ id: Id) -> Int? {
    guard id.index < positions.count, positions[id.index] != InstructionTable.nowhere else { return nil }
    return Int(positions[id.index])
  }

  /// What a type is, nil when the id is none.
  subscript(id: Id) -> ModuleType? { position(id).map { entries[$0].type } }

  /// What is known about a type, nil when the id is none.
  func entry(_ id: Id) -> Entry? { position(id).map { entries[$0] } }

  func isType(_ id: Id) -> Bool { position(id) != nil }

  mutating func add(_ id: Id, _ entry: Entry) {
    positions[id.index] = UInt32(entries.count)
    entries.append(entry)
  }

  mutating func addConstant(_ id: Id, _ value: ConstantValue) { constants[id] = value }
}
