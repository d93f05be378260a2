/// What a type of a module is.
///
/// **Concurrency**: an immutable value.
package enum ModuleType: Sendable, Hashable {
  case void
  case bool
  case int(width: Int, isSigned: Bool)
  case float(width: Int)
  case vector(component: Id, count: Int)
  case matrix(column: Id, count: Int)
  case array(element: Id, length: Int)
  case runtimeArray(element: Id)
  case structure(members: [Id])
  case pointer(StorageClass, pointee: Id)
  case function(result: Id, parameters: [Id])
  case image(ImageType)
  case sampler
  case sampledImage(image: Id)

  /// The type of one part of a composite, nil when this is none.
  package func part(_ index: Int) -> Id? {
    switch self {
    case .vector(let part, let count), .matrix(let part, let count), .array(let part, let count):
      index >= 0 && index < count ? part : nil
    case .runtimeArray(let element): element
    case .structure(let members): members.indices.contains(index) ? members[index] : nil
    default: nil
    }
  }

  /// The number of parts of a composite, nil when this is none or the number is not known.
  package var partCount: Int? {
    switch self {
    case .vector(_, let count), .matrix(_, let count), .array(_, let count): count
    case .structure(let members): members.count
    default: nil
    }
  }
}

/// What kind of texture an image type is.
///
/// **Concurrency**: an immutable value.
package struct ImageType: Sendable, Hashable {
  package enum Dim: UInt32, Sendable, Hashable {
    case one = 0
    case two = 1
    case three = 2
    case cube = 3
    case rectangle = 4
    case buffer = 5
    case subpass = 6
  }
  /// The type of a texel's components.
  package let sampledType: Id
  package let dim: Dim
  package let isDepth: Bool
  package let isArrayed: Bool
  package let isMultisampled: Bool
  /// Whether it is read and written by whole texels, without a sampler.
  package let isStorage: Bool
  /// The number of the image format, 0 when the shader leaves it open.
  package let format: UInt32
}

/// What is known about the value of a constant before the module runs.
///
/// **Concurrency**: an immutable value.
package enum ConstantValue: Sendable, Hashable {
  /// The bits of a number, zero-extended, or 0 and 1 for a truth value.
  case scalar(UInt64)
  case composite([Id])
  /// Zero everywhere.
  case null
  /// Any value; Etalon takes zero.
  case undefined
}

// MARK: - Tables

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
