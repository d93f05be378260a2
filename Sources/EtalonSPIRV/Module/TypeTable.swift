/// What the types and constants of a module are, by id.
struct TypeTable: Sendable {
  private var types: [ModuleType] = []
  private var scalarCounts: [Int] = []
  private var depths: [Int] = []
  /// From an id to its position in `types`.
  private var positions: [UInt32]
  private(set) var constants: [Id: ConstantValue] = [:]

  init(idBound: Int) { positions = [UInt32](repeating: InstructionTable.nowhere, count: idBound) }

  private func position(_ id: Id) -> Int? {
    guard id.index < positions.count, positions[id.index] != InstructionTable.nowhere else { return nil }
    return Int(positions[id.index])
  }

  subscript(id: Id) -> ModuleType? { position(id).map { types[$0] } }

  func isType(_ id: Id) -> Bool { position(id) != nil }

  /// The numbers and truth values that a type is made of.
  func scalarCount(_ type: Id) -> Int { position(type).map { scalarCounts[$0] } ?? 1 }

  /// How many composites a type is nested in itself: 0 for scalars.
  func depth(_ type: Id) -> Int { position(type).map { depths[$0] } ?? 0 }

  mutating func addType(_ id: Id, _ type: ModuleType, scalarCount: Int, depth: Int) {
    positions[id.index] = UInt32(types.count)
    types.append(type)
    scalarCounts.append(scalarCount)
    depths.append(depth)
  }

  mutating func addConstant(_ id: Id, _ value: ConstantValue) { constants[id] = value }
}
