package import EtalonDiagnostics

/// A SPIR-V module, taken apart and checked.
///
/// The words are stored once and instructions are offsets into them. A value of this type is well-formed: every id that is used is defined and
/// of the kind that its use asks for, types are acyclic, blocks end in a branch to blocks of the same function, every use of a value is
/// dominated by its definition, and functions do not call themselves. Whether operand *types* fit is left to the validator and to the
/// executors.
///
/// ```swift
/// let module = try SPIRVModule(words)
/// for block in module.function(module.entryPoints[0].function).blocks {
///   for instruction in module[block.body] where instruction.opcode == .OpFAdd { … }
/// }
/// ```
///
/// **Concurrency**: an immutable value.
package struct SPIRVModule: Sendable {
  /// The first words of a module.
  package struct Header: Sendable, Hashable {
    package let majorVersion: Int
    package let minorVersion: Int
    /// The number of the tool that made it and that tool's version.
    package let generator: UInt32
    /// One more than the highest id.
    package let idBound: Int
    package let schema: UInt32
  }

  /// A function that can be started from outside.
  package struct EntryPoint: Sendable, Hashable {
    /// The number of the execution model; 5 is `GLCompute`.
    package let executionModel: UInt32
    package let function: Id
    package let name: String
    /// The global variables that it declares to use.
    package let interface: [Id]

    package static let glCompute: UInt32 = 5
  }

  /// A decoration of an id or of one member of a structure.
  package struct DecorationRecord: Sendable, Hashable {
    package let decoration: Decoration
    /// nil when the whole id is meant.
    package let member: Int?
    /// The words after the decoration.
    package let operands: [UInt32]
  }

  /// A property of an entry point, such as the size of its workgroups.
  package struct ExecutionMode: Sendable, Hashable {
    /// As in the specification: 17 is `LocalSize`.
    package let number: UInt32
    package let operands: [UInt32]
  }

  /// A place in the text that the module was compiled from.
  package struct SourceLocation: Sendable, Hashable {
    package let file: String
    package let line: Int
    package let column: Int
  }

  private let content: ModuleContent

  private init(_ content: ModuleContent) { self.content = content }

  /// Everything, as it was given.
  package var words: [UInt32] { content.instructions.words }
  package var header: Header { content.header }
  /// Numbers of the capabilities that it asks for.
  package var capabilities: [UInt32] { content.annotations.capabilities }
  package var extensions: [String] { content.annotations.extensions }
  /// The names of extended instruction sets by their ids.
  package var extendedInstructionSets: [Id: String] { content.annotations.extendedInstructionSets }
  package var entryPoints: [EntryPoint] { content.annotations.entryPoints }
  /// The positions of `OpVariable`s outside functions.
  package var globalVariables: [Int] { content.globalVariables }
  /// In the order of the module.
  package var functions: [Function] { content.functions }

  /// The number of instructions, without debug lines and `OpNop`s.
  package var instructionCount: Int { content.instructions.records.count }

  /// The position of the first `OpFunction`; types, constants and global variables come before it.
  package var firstFunction: Int { content.firstFunction }

  /// The instruction at a position.
  package subscript(position: Int) -> Instruction { content.instructions.instruction(position) }

  /// The instructions at some positions, in order.
  package subscript(positions: Range<Int>) -> LazyMapSequence<Range<Int>, Instruction> {
    positions.lazy.map { [content] in content.instructions.instruction($0) }
  }

  /// The instruction that defines an id.
  package func definition(_ id: Id) -> Instruction {
    guard let instruction = content.instructions.definition(id) else { preconditionFailure("\(id) is not defined") }
    return instruction
  }

  /// The instruction that defines an id, nil when there is none.
  package func definitionIfAny(_ id: Id) -> Instruction? { content.instructions.definition(id) }

  /// What a type is; the id must be that of a type.
  package func type(_ id: Id) -> ModuleType {
    guard let type = content.types[id] else { preconditionFailure("\(id) is no type") }
    return type
  }

  /// What an id is as a type, nil when it is none.
  package func typeIfAny(_ id: Id) -> ModuleType? { content.types[id] }

  /// The type of a value, nil when the id has no type.
  package func typeOfValue(_ id: Id) -> Id? { content.instructions.typeOfValue(id) }

  /// The number of numbers and truth values that a type is made of.
  ///
  /// Images, samplers, pointers and structures without members count as one, runtime arrays as one element.
  package func scalarCount(_ type: Id) -> Int { content.types.entry(type)?.scalarCount ?? 1 }

  /// Whether a type is made of numbers and truth values only, so that it has a zero.
  package func hasNull(_ type: Id) -> Bool { content.types.entry(type)?.hasNull ?? false }

  /// The value of a constant, nil when the id is none; specialisation constants have their default values.
  package func constant(_ id: Id) -> ConstantValue? { content.types.constants[id] }

  /// The bits of a scalar constant, nil when the id is none; null is zero.
  package func scalarConstant(_ id: Id) -> UInt64? {
    switch constant(id) {
    case .scalar(let bits): bits
    case .null where typeOfValue(id).map { scalarCount($0) } == 1: 0
    default: nil
    }
  }

  /// The name that the author gave to an id, empty when there is none.
  package func name(_ id: Id) -> String { content.annotations.names[id] ?? "" }

  /// The name that the author gave to a member of a structure, empty when there is none.
  package func memberName(_ structure: Id, _ member: Int) -> String { content.annotations.memberNames[structure]?[member] ?? "" }

  /// All decorations of an id and its members.
  package func decorations(_ id: Id) -> [DecorationRecord] { content.annotations.decorations[id] ?? [] }

  /// Whether an id, or one member of it, has a decoration.
  package func has(_ decoration: Decoration, _ id: Id, member: Int? = nil) -> Bool {
    decorations(id).contains { $0.decoration == decoration && $0.member == member }
  }

  /// The first operand of a decoration of an id or one member of it.
  package func value(of decoration: Decoration, _ id: Id, member: Int? = nil) -> UInt32? {
    decorations(id).first { $0.decoration == decoration && $0.member == member }?.operands.first
  }

  /// Modes of an entry point's function: their numbers and operands.
  package func executionModes(_ function: Id) -> [ExecutionMode] { content.annotations.executionModes[function] ?? [] }

  /// The function with an id.
  package func function(_ id: Id) -> Function {
    guard let position = content.functionPositions[id] else { preconditionFailure("\(id) is no function") }
    return content.functions[position]
  }

  /// All ids among the operands of an instruction, without its result and result type.
  package func idOperands(_ instruction: Instruction) -> [Id] { content.instructions.idOperands(instruction) }

  /// The literals of an `OpSwitch` and the blocks that they lead to, in order; the default target is not among them.
  ///
  /// Literals are bits of the selector's width, zero-extended.
  package func switchTargets(_ terminator: Instruction) -> [(literal: UInt64, label: Id)] {
    Array(SwitchTargets(terminator, selectorType: typeOfValue(terminator.id(0)).flatMap { typeIfAny($0) }))
  }

  /// Where in the author's text an instruction comes from, if the module says so.
  package func location(_ position: Int) -> SourceLocation? {
    content.lines.place(position).map {
      SourceLocation(file: content.annotations.files[$0.file] ?? "", line: Int($0.line), column: Int($0.column))
    }
  }
}

// MARK: - Parsing

extension SPIRVModule {
  /// Takes a module apart and checks it.
  ///
  /// For any words this returns or throws: every word is checked before it is used.
  package init(_ words: [UInt32]) throws(DiagnosticsError) {
    let scanner = try ModuleScanner(words)
    let instructions = scanner.instructions
    let firstFunction = instructions.records.firstIndex { $0.code.opcode == .OpFunction } ?? instructions.records.count
    var annotations = AnnotationReader()
    var globals = GlobalReader(instructions, idBound: scanner.header.idBound)
    for position in 0..<firstFunction {
      let instruction = instructions.instruction(position)
      try annotations.read(instruction)
      try globals.read(instruction)
    }
    let functions = try Self.readFunctions(instructions, globals.types, annotations.annotations.names, from: firstFunction)
    self.init(
      ModuleContent(
        header: scanner.header, instructions: instructions, lines: scanner.lines, annotations: annotations.annotations,
        types: globals.types,
        globalVariables: globals.variables, firstFunction: firstFunction, functions: functions))
    try checkEntryPoints()
  }

  private static func readFunctions(
    _ instructions: InstructionTable, _ types: TypeTable, _ names: [Id: String], from firstFunction: Int
  ) throws(DiagnosticsError) -> [Function] {
    var functions: [Function] = []
    var callees: [Id: [Id]] = [:]
    var position = firstFunction
    while position < instructions.records.count {
      var reader = FunctionReader(instructions, types, at: position)
      let (function, end) = try reader.read()
      callees[function.id] = try FunctionChecker(instructions, types, firstFunction: firstFunction, function, end: end).check()
      functions.append(function)
      position = end
    }
    try CallGraph(callees).checkAcyclic(functions, names: names)
    return functions
  }

  private func checkEntryPoints() throws(DiagnosticsError) {
    for entryPoint in entryPoints {
      guard let instruction = definitionIfAny(entryPoint.function), instruction.opcode == .OpFunction,
        function(entryPoint.function).parameters.isEmpty
      else {
        throw ModuleDiagnostic.error("entry-point", "entry point '\(entryPoint.name)' is no function without parameters")
      }
      for variable in entryPoint.interface where definitionIfAny(variable)?.opcode != .OpVariable {
        throw ModuleDiagnostic.error("entry-point", "\(variable) in the interface of '\(entryPoint.name)' is no variable")
      }
    }
  }
}

extension SPIRVModule {
  /// The words of a file in either byte order; a rest of less than four bytes is an error.
  package static func words(_ bytes: [UInt8]) throws(DiagnosticsError) -> [UInt32] {
    guard bytes.count % 4 == 0 else {
      throw ModuleDiagnostic.error("truncated", "a module is made of words of 4 bytes, this one has \(bytes.count) bytes")
    }
    let isSwapped = bytes.count >= 4 && bytes[0] == 0x07
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      let word = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return isSwapped ? word.byteSwapped : word
    }
  }
}

// MARK: - Content

/// The parts of a module, shared by all copies of it.
private final class ModuleContent: Sendable {
  let header: SPIRVModule.Header
  let instructions: InstructionTable
  let lines: LineTable
  let annotations: Annotations
  let types: TypeTable
  let globalVariables: [Int]
  let firstFunction: Int
  let functions: [Function]
  /// From the id of a function to its position in `functions`.
  let functionPositions: [Id: Int]

  init(
    header: SPIRVModule.Header, instructions: InstructionTable, lines: LineTable, annotations: Annotations, types: TypeTable,
    globalVariables: [Int], firstFunction: Int, functions: [Function]
  ) {
    self.header = header
    self.instructions = instructions
    self.lines = lines
    self.annotations = annotations
    self.types = types
    self.globalVariables = globalVariables
    self.firstFunction = firstFunction
    self.functions = functions
    functionPositions = Dictionary(uniqueKeysWithValues: functions.enumerated().map { ($1.id, $0) })
  }
}

/// What stands before the types of a module: capabilities, imports, entry points, names and decorations.
struct Annotations: Sendable {
  var capabilities: [UInt32] = []
  var extensions: [String] = []
  var extendedInstructionSets: [Id: String] = [:]
  var entryPoints: [SPIRVModule.EntryPoint] = []
  var names: [Id: String] = [:]
  var memberNames: [Id: [Int: String]] = [:]
  var decorations: [Id: [SPIRVModule.DecorationRecord]] = [:]
  var executionModes: [Id: [SPIRVModule.ExecutionMode]] = [:]
  /// The texts of `OpString`s.
  var files: [Id: String] = [:]
}

// MARK: - Functions

/// A function of a module, divided into basic blocks.
///
/// **Concurrency**: an immutable value.
package struct Function: Sendable {
  package let id: Id
  /// The position of its `OpFunction`.
  package let instruction: Int
  package let resultType: Id
  /// The parameters in order.
  package let parameters: [Id]
  /// The blocks in the order of the module; the first is the entry.
  package let blocks: [Block]
  /// From the label of a block to its position in `blocks`.
  private let positions: [Id: Int]

  init(id: Id, instruction: Int, resultType: Id, parameters: [Id], blocks: [Block], positions: [Id: Int]) {
    self.id = id
    self.instruction = instruction
    self.resultType = resultType
    self.parameters = parameters
    self.blocks = blocks
    self.positions = positions
  }

  /// The position of the block with a label, nil when the label is not in this function.
  package func blockPosition(_ label: Id) -> Int? { positions[label] }
}

/// Instructions that run one after the other, without a jump into their middle.
///
/// **Concurrency**: an immutable value.
package struct Block: Sendable {
  /// Where a structured construct that starts here comes together again.
  package enum Merge: Sendable, Hashable {
    case selection(merge: Id)
    case loop(merge: Id, continueTarget: Id)
  }
  package let label: Id
  /// The positions of its `OpPhi`s.
  package let phis: Range<Int>
  /// The positions of what is between the `OpPhi`s and the merge instruction or terminator.
  package let body: Range<Int>
  /// The merge instruction, if the block starts a construct.
  package let merge: Merge?
  /// The position of the branch, return or other last instruction.
  package let terminator: Int
  /// The positions, in the function, of the blocks that it may go on with; one that is named twice is here twice.
  package let successors: [Int]
}
