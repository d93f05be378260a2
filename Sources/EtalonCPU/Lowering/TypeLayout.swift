internal import CLaneKernels
internal import EtalonSPIRV

/// What kind of number a scalar is.
enum ScalarKind {
  case bool
  case float
  case half
  case int(isSigned: Bool)

  var isFloat: Bool {
    switch self {
    case .float, .half: true
    case .bool, .int: false
    }
  }
}

extension KernelLowering {
  /// The position of a part among the scalars of a composite.
  func scalarOffset(of part: Int, in type: Id) -> Int {
    switch module.type(type) {
    case .structure(let members): members[..<part].reduce(0) { $0 + module.scalarCount($1) }
    case .vector: part
    case .matrix(let column, _): part * module.scalarCount(column)
    case .array(let element, _), .runtimeArray(let element): part * module.scalarCount(element)
    default: 0
    }
  }

  /// The number of scalars, refusing types that no value may have.
  func scalarCount(_ type: Id, at instruction: Int? = nil) throws(Refusal) -> Int {
    let count = module.scalarCount(type)
    guard count <= Limits.scalarsPerValue else { throw Refusal("a value of \(count) numbers", at: instruction) }
    return count
  }

  /// The kind of the numbers that a scalar, vector or matrix is made of.
  func scalarKind(_ type: Id, at instruction: Int? = nil) throws(Refusal) -> ScalarKind {
    switch module.type(type) {
    case .bool: return .bool
    case .int(32, let isSigned): return .int(isSigned: isSigned)
    case .float(32): return .float
    case .float(16): return .half
    case .vector(let part, _), .matrix(let part, _), .array(let part, _), .runtimeArray(let part):
      return try scalarKind(part, at: instruction)
    case .structure(let members):
      guard let first = members.first else { return .int(isSigned: false) }
      return try scalarKind(first, at: instruction)
    case .int(let width, _): throw Refusal("\(width)-bit integers", at: instruction)
    case .float(let width): throw Refusal("\(width)-bit floats", at: instruction)
    default: throw Refusal("a value of this type", at: instruction)
    }
  }
}

/// What a kernel may not exceed.
enum Limits {
  /// Numbers in one value that is loaded, stored or constructed as a whole.
  static let scalarsPerValue = 16_384
  /// Nodes of a graph, all calls inlined.
  static let nodes = 2_000_000
  /// Instructions, all calls inlined, and the numbers of their results.
  static let work = 1 << 27
  static let workBetweenLooksAtClock = 1 << 10
  /// Numbers in all constant arrays together.
  static let constantNumbers = 1 << 22
  /// Rows of local arrays: 1 KiB each for every thread.
  static let rows = 65_536
  /// Invocations in a workgroup.
  static let workgroupInvocations = Int(LANE_BATCH * LANE_MAXIMUM_BATCHES)
  /// Words of shared memory.
  static let sharedWords = 16_384
  /// Regions inside regions and calls inside calls.
  static let nesting = 1_500
  /// Registers of a program, in bytes for every thread.
  static let registerBytes = 256 << 20
}
