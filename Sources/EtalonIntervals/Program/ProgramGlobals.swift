internal import EtalonSPIRV

/// What the functions of a module share: constants, and variables outside of functions.
struct ProgramGlobals: Sendable {
  typealias Place = Operation.Place

  let module: SPIRVModule
  /// Where constants lie in `values`.
  private(set) var constants: [Id: Place] = [:]
  private(set) var values: [Interval] = []
  /// Pointers to the variables.
  private(set) var pointers: [Pointer] = []
  private var numbers: [Id: Int] = [:]
  /// Private variables that start with something else than zero.
  private(set) var initial: [(slot: Int, value: Place)] = []
  /// Slots of memory that private variables take.
  private(set) var memoryCount = 0
  /// Scalars of shared memory.
  private(set) var sharedCount = 0
  /// Whether all constants are there; a module may hold far more numbers than its words, by naming the same part again and again.
  private(set) var isComplete = true
  private static let mostNumbers = 1 << 22

  init(_ module: SPIRVModule) {
    self.module = module
    for position in 0..<module.firstFunction {
      let instruction = module[position]
      guard let id = instruction.result, let type = instruction.resultType else { continue }
      if instruction.opcode == .OpVariable {
        define(id, type, instruction)
      } else if values.count + module.scalarCount(type) > Self.mostNumbers {
        isComplete = false
      } else {
        var scalars: [Interval] = []
        append(id, to: &scalars)
        constants[id] = Place(kind: .constant, offset: values.count, count: scalars.count)
        values += scalars
      }
    }
  }

  /// The number of a variable's pointer, below -1; -1 for what is none.
  func pointerNumber(_ id: Id) -> Int { numbers[id].map { -2 - $0 } ?? -1 }

  /// The pointer with a number.
  func pointer(_ number: Int) -> Pointer { pointers[-2 - number] }

  /// Whether a function reads what the machine tells of an invocation.
  func reads(_ builtIn: BuiltIn, in code: FunctionCode) -> Bool {
    code.blocks.joined().contains { $0.pointers.contains { $0 < -1 && pointer($0).space == .builtIn(builtIn) } }
  }

  private mutating func define(_ id: Id, _ type: Id, _ instruction: Instruction) {
    guard case .pointer(let storage, let pointee) = module.type(type) else { return }
    let space: Pointer.Space
    var offset = 0
    switch storage {
    case .Private:
      (space, offset) = (.memory, memoryCount)
      if instruction.operandCount > 1, let value = constants[instruction.id(1)] { initial.append((memoryCount, value)) }
      memoryCount += module.scalarCount(pointee)
    case .Workgroup:
      (space, offset) = (.shared, sharedCount)
      sharedCount += module.scalarCount(pointee)
    case .Uniform, .StorageBuffer: space = .block(module.value(of: .Binding, id).map(Int.init) ?? -1)
    case .PushConstant: space = .pushConstants
    case .UniformConstant: space = .texture(module.value(of: .Binding, id).map(Int.init) ?? -1)
    default: space = module.value(of: .BuiltIn, id).flatMap { BuiltIn(rawValue: $0) }.map { .builtIn($0) } ?? .nothing
    }
    numbers[id] = pointers.count
    pointers.append(Pointer(space: space, offset: offset, type: pointee))
  }

  private func append(_ id: Id, to scalars: inout [Interval]) {
    guard let type = module.typeOfValue(id) else { return }
    switch module.constant(id) {
    case .scalar(let bits): scalars.append(scalar(bits, type))
    case .composite(let parts): for part in parts { append(part, to: &scalars) }
    case .undefined: scalars += unwritten(type)
    default: scalars += [Interval](repeating: Interval(0), count: module.scalarCount(type))
    }
  }

  /// What a value may be that nothing gave: each of its scalars anything.
  func unwritten(_ type: Id?) -> [Interval] {
    guard let type else { return [] }
    let scalar: Interval
    switch scalarType(type) {
    case .bool: scalar = Interval(0, 1).because(.undefined)
    case .int(_, let isSigned): scalar = .anyWord(.undefined).reading(isSigned: isSigned)
    default: scalar = .anything(.undefined)
    }
    return [Interval](repeating: scalar, count: module.scalarCount(type))
  }

  private func scalar(_ bits: UInt64, _ type: Id) -> Interval {
    switch module.type(type) {
    case .float(16): return number(Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits))))
    case .float: return number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .int(_, let isSigned): return Interval(word: UInt32(truncatingIfNeeded: bits), isSigned: isSigned)
    default: return Interval(bits == 0 ? 0 : 1)
    }
  }

  private func number(_ value: Double) -> Interval { value.isNaN ? .anything : Interval(value) }

  /// What the numbers of a type are; nil where they differ.
  func scalarType(_ type: Id) -> ModuleType? {
    switch module.typeIfAny(type) {
    case .vector(let part, _), .matrix(let part, _), .array(let part, _), .runtimeArray(let part): return scalarType(part)
    case .structure(let members): return members.first.flatMap { scalarType($0) }
    case .pointer(_, let pointee): return scalarType(pointee)
    case let scalar?: return scalar
    case nil: return nil
    }
  }
}

/// What a pointer leads to.
struct Pointer: Sendable {
  enum Space: Sendable, Hashable {
    case memory, shared, pushConstants, nothing
    case block(Int)
    case builtIn(BuiltIn)
    case texture(Int)
  }

  /// How the columns of a matrix lie in a block.
  struct MatrixLayout: Sendable {
    let stride: Int
    let isRowMajor: Bool
  }

  let space: Space
  /// Scalars from the start of memory, or bytes from the start of a block.
  var offset: Int
  /// What it points to.
  var type: Id
  var matrix: MatrixLayout?
  /// What may have to be added to the offset, where an index is not certain.
  var choices: [Int]?
  var cause: Cause?
  /// Whether an index may be outside, so that it may lead anywhere.
  var leadsAstray = false

  init(space: Space, offset: Int, type: Id) { (self.space, self.offset, self.type) = (space, offset, type) }

  /// All offsets that it may have.
  var offsets: [Int] { choices.map { $0.map { $0 + offset } } ?? [offset] }
}
