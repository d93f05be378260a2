internal import EtalonDiagnostics
internal import EtalonSPIRV

/// A kernel that is ready to be run with ranges instead of numbers.
///
/// **Concurrency**: an immutable value.
final class IntervalProgram: Sendable {
  let module: SPIRVModule
  let globals: ProgramGlobals
  let entry: FunctionCode
  let workgroupSize: [Int]
  let usesSubgroups: Bool
  /// Whether its invocations find their pixels by their subgroups, quad by quad.
  let isInQuads: Bool
  /// What is added to positions in the module, to tell sites of several programs apart.
  let firstSite: Int32
  /// How many sites it has.
  var siteCount: Int { module.instructionCount }
  let registerCount: Int
  let memoryCount: Int
  let pointerCount: Int
  private let functions: [Id: FunctionCode]

  /// The most numbers that registers, memory and constants of all invocations that are run at once may have.
  private static let mostNumbers = 1 << 24

  init(_ kernel: Kernel, firstSite: Int32) throws(DiagnosticsError) {
    self.firstSite = firstSite
    module = try SPIRVModule(kernel.words)
    globals = ProgramGlobals(module)
    var functions: [Id: FunctionCode] = [:]
    for function in module.functions { functions[function.id] = try IntervalFunctionReader.read(function, in: module, globals) }
    self.functions = functions
    guard let start = module.entryPoints.first, let entry = functions[start.function] else { preconditionFailure("no entry point") }
    self.entry = entry
    workgroupSize = kernel.interface.workgroupSize
    usesSubgroups = kernel.interface.usesSubgroups
    isInQuads = functions.values.contains { [globals] in $0.isEtalons && globals.reads(.SubgroupId, in: $0) }
    let sizes = StackSizes(functions, module)
    registerCount = sizes.most(of: entry, \.registerCount)
    memoryCount = globals.memoryCount + sizes.most(of: entry, \.memoryCount)
    pointerCount = sizes.most(of: entry, \.pointerCount)
  }

  /// Whether so many invocations fit into memory side by side.
  func isRunnable(lanes: Int) -> Bool {
    let numbers = registerCount + memoryCount + pointerCount
    return globals.isComplete && numbers <= Self.mostNumbers / max(lanes, 1) && globals.sharedCount <= Self.mostNumbers
  }

  func function(_ id: Id) -> FunctionCode {
    guard let function = functions[id] else { preconditionFailure("\(id) is no function") }
    return function
  }
}

/// How much functions need together with those that they call.
private struct StackSizes {
  private let functions: [Id: FunctionCode]
  private let callees: [Id: Set<Id>]

  init(_ functions: [Id: FunctionCode], _ module: SPIRVModule) {
    self.functions = functions
    callees = functions.mapValues { code in
      Set(code.blocks.joined().filter { $0.opcode == .OpFunctionCall }.map { $0.id(0) })
    }
  }

  func most(of code: FunctionCode, _ size: KeyPath<FunctionCode, Int>) -> Int {
    var known: [Id: Int] = [:]
    func most(_ id: Id) -> Int {
      if let known = known[id] { return known }
      let deepest = callees[id, default: []].map(most).max() ?? 0
      let most = (functions[id]?[keyPath: size] ?? 0) + deepest
      known[id] = most
      return most
    }
    return most(code.function.id)
  }
}

// MARK: - Functions and their operations

/// An instruction with everything looked up that does not depend on values.
final class IntervalOperation: Sendable {
  /// Where a value is kept.
  struct Place: Sendable, Equatable {
    enum Kind: UInt8, Sendable { case constant, register, memory, none }
    let kind: Kind
    /// In constants of the program, or in registers or memory of the activation.
    let offset: Int
    /// The number of scalars.
    let count: Int

    static let none = Place(kind: .none, offset: 0, count: 0)
  }

  let opcode: Opcode
  let function: GLSLInstruction?
  /// In the module.
  let position: Int
  /// Where the result goes; for pointers the number of the pointer.
  let result: Place
  /// The slot of memory that carries the result out of a loop, or -1.
  let carrier: Int
  /// The words after the result, with what they stand for where they are ids.
  let words: [UInt32]
  let operands: [Place]
  /// The numbers of operands that are pointers, or -1.
  let pointers: [Int]
  let resultType: Id?
  let width: FloatWidth
  let isSigned: Bool

  init(
    _ instruction: Instruction, result: Place, carrier: Int, operands: [Place], pointers: [Int], width: FloatWidth, isSigned: Bool,
    function: GLSLInstruction?
  ) {
    (opcode, position, resultType) = (instruction.opcode, instruction.index, instruction.resultType)
    words = Array(instruction.operands)
    (self.result, self.carrier, self.operands, self.pointers) = (result, carrier, operands, pointers)
    (self.width, self.isSigned, self.function) = (width, isSigned, function)
  }

  func id(_ position: Int) -> Id { Id(words[position]) }
}

/// The functions of Etalon that ask about subgroups, and give the same on every device: where a pixel lies in its tile, and derivatives.
enum EtalonsFunctions {
  private static let names: Set<Substring> = ["etalonFindPixel", "etalonIsActive", "etalonDx", "etalonDy"]

  /// - Parameter name: as in a module, with its parameters: `etalonDx(vf2;`.
  static func contain(_ name: String) -> Bool { names.contains(name.prefix { $0 != "(" }) }
}

/// A function that is ready to be run.
final class FunctionCode: Sendable {
  typealias Place = IntervalOperation.Place

  let function: Function
  let flow: StructuredControlFlow
  /// Whether it is one of those that may ask about subgroups.
  let isEtalons: Bool
  /// The operations of each block.
  let blocks: [[IntervalOperation]]
  /// What each edge of the control flow assigns, by the blocks that it joins.
  let edges: [Edge: [(slot: Int, value: Place)]]
  /// The conditions and selectors of branches, and results, by their ids.
  let places: [Id: Place]
  /// The parameters: values in registers, or pointers.
  let parameters: [(value: Place, pointer: Int)]
  /// Where the result is in memory.
  let result: Place
  let registerCount: Int
  let memoryCount: Int
  let pointerCount: Int
  /// Variables with the slots that hold them, and their first values.
  let variables: [(pointer: Int, slot: Int, type: Id, initial: Place?)]

  struct Edge: Hashable, Sendable {
    let from: Int
    let to: Int
  }

  init(
    _ function: Function, _ flow: StructuredControlFlow, isEtalons: Bool, blocks: [[IntervalOperation]],
    edges: [Edge: [(slot: Int, value: Place)]],
    places: [Id: Place], parameters: [(value: Place, pointer: Int)], result: Place, registerCount: Int, memoryCount: Int, pointerCount: Int,
    variables: [(pointer: Int, slot: Int, type: Id, initial: Place?)]
  ) {
    (self.function, self.flow, self.isEtalons) = (function, flow, isEtalons)
    (self.blocks, self.edges, self.places) = (blocks, edges, places)
    (self.parameters, self.result, self.variables) = (parameters, result, variables)
    (self.registerCount, self.memoryCount, self.pointerCount) = (registerCount, memoryCount, pointerCount)
  }
}

// MARK: - Constants and variables

/// What the functions of a module share: constants, and variables outside of functions.
struct ProgramGlobals: Sendable {
  typealias Place = IntervalOperation.Place

  let module: SPIRVModule
  /// Where constants lie in `values`.
  private(set) var constants: [Id: Place] = [:]
  private(set) var values: [Interval] = []
  /// Pointers to the variables.
  private(set) var pointers: [IntervalPointer] = []
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
  func pointer(_ number: Int) -> IntervalPointer { pointers[-2 - number] }

  /// Whether a function reads a built-in variable.
  func reads(_ builtIn: BuiltIn, in code: FunctionCode) -> Bool {
    code.blocks.joined().contains { $0.pointers.contains { $0 < -1 && pointer($0).space == .builtIn(builtIn) } }
  }

  private mutating func define(_ id: Id, _ type: Id, _ instruction: Instruction) {
    guard case .pointer(let storage, let pointee) = module.type(type) else { return }
    let space: IntervalPointer.Space
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
    pointers.append(IntervalPointer(space: space, offset: offset, type: pointee))
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

  /// The ranges of a value that was never written: each of its scalars may be anything.
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
struct IntervalPointer: Sendable {
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
