/// A type of a random program: every value of it is a number of 32-bit words, one for each scalar.
indirect enum ProgramType: Hashable, Codable, Sendable {
  enum Scalar: Hashable, Codable, Sendable, CaseIterable {
    case int, uint, bool, float

    var name: String {
      switch self {
      case .int: "int"
      case .uint: "uint"
      case .bool: "bool"
      case .float: "float"
      }
    }
  }

  /// A structure; its number is its name.
  struct Structure: Hashable, Codable, Sendable {
    let number: Int
    let members: [ProgramType]
  }

  case void
  /// One to four scalars.
  case vector(Scalar, Int)
  /// A matrix of floats.
  case matrix(columns: Int, rows: Int)
  case structure(Structure)
  case array(ProgramType, Int)

  static let int = ProgramType.vector(.int, 1)
  static let uint = ProgramType.vector(.uint, 1)
  static let bool = ProgramType.vector(.bool, 1)
  static let float = ProgramType.vector(.float, 1)

  /// The number of its scalars.
  var wordCount: Int {
    switch self {
    case .void: 0
    case .vector(_, let count): count
    case .matrix(let columns, let rows): columns * rows
    case .structure(let structure): structure.members.reduce(0) { $0 + $1.wordCount }
    case .array(let element, let count): element.wordCount * count
    }
  }

  /// The kind of its scalars; nil where there are several.
  var scalar: Scalar? {
    switch self {
    case .void, .structure: nil
    case .vector(let scalar, _): scalar
    case .matrix: .float
    case .array(let element, _): element.scalar
    }
  }

  var isScalar: Bool { if case .vector(_, 1) = self { true } else { false } }
  var isVector: Bool { if case .vector(_, 2...) = self { true } else { false } }

  /// What an index chooses from a value of it, and the number of these; nil where nothing can be chosen.
  var elements: (type: ProgramType, count: Int)? {
    switch self {
    case .void, .structure, .vector(_, 1): nil
    case .vector(let scalar, let count): (.vector(scalar, 1), count)
    case .matrix(let columns, let rows): (.vector(.float, rows), columns)
    case .array(let element, let count): (element, count)
    }
  }

  /// The parts that a constructor takes: the components, columns, members or elements.
  var parts: [ProgramType] {
    if case .structure(let structure) = self { return structure.members }
    guard let elements else { return [self] }
    return Array(repeating: elements.type, count: elements.count)
  }

  /// How GLSL spells it: `uvec3`, `mat2x3`, `S1`, `int[5]`.
  var name: String {
    switch self {
    case .void: "void"
    case .vector(let scalar, 1): scalar.name
    case .vector(.float, let count): "vec\(count)"
    case .vector(let scalar, let count): "\(scalar.name.prefix(1))vec\(count)"
    case .matrix(let columns, let rows): "mat\(columns)x\(rows)"
    case .structure(let structure): "S\(structure.number)"
    case .array(let element, let count): "\(element.name)[\(count)]"
    }
  }
}
