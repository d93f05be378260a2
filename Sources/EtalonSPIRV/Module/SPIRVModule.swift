/// A SPIR-V module, taken apart and checked.
///
/// The words are stored once and instructions are offsets into them. A value of this type is well-formed: every id that is used is defined and
/// of the kind that its use asks for, types are acyclic, blocks end in a branch to blocks of the same function, every use of a value is
/// dominated by its definition, and functions do not call themselves. Whether operand *types* fit is left to the validator and to those who
/// execute it.
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

  /// A place in the text that the module was compiled from.
  package struct SourceLocation: Sendable, Hashable {
    package let file: String
    package let line: Int
    package let column: Int
  }

  /// Everything, as it was given.
  package let words: [UInt32]
  package let header: Header
  /// Numbers of the capabilities that it asks for.
  package let capabilities: [UInt32]
  package let extensions: [String]
  /// The names of extended instruction sets by their ids.
  package let extendedInstructionSets: [Id: String]
  package let entryPoints: [EntryPoint]
  /// The positions of `OpVariable`s outside functions.
  package let globalVariables: [Int]
  /// In the order of the module.
  package let functions: [Function]
  /// From the id of a function to its position in `functions`.
  private let functionPositions: [Id: Int]
  private let tables: ModuleTables

  init(
    header: Header, capabilities: [UInt32], extensions: [String], extendedInstructionSets: [Id: String], entryPoints: [EntryPoint],
    globalVariables: [Int], functions: [Function], tables: ModuleTables
  ) {
    words = tables.words
    self.header = header
    self.capabilities = capabilities
    self.extensions = extensions
    self.extendedInstructionSets = extendedInstructionSets
    self.entryPoints = entryPoints
    self.globalVariables = globalVariables
    self.functions = functions
    self.tables = tables
    functionPositions = Dictionary(uniqueKeysWithValues: functions.enumerated().map { ($1.id, $0) })
  }

  /// The number of instructions, without debug lines and `OpNop`s.
  package var instructionCount: Int { tables.starts.count }

  /// The position of the first `OpFunction`; types, constants and global variables come before it.
  package var firstFunction: Int { tables.firstFunction }

  /// The instruction at a position.
  package subscript(position: Int) -> Instruction { tables.instruction(position) }

  /// The instructions at some positions, in order.
  package subscript(positions: Range<Int>) -> LazyMapSequence<Range<Int>, Instruction> { positions.lazy.map { tables.instruction($0) } }

  /// The instruction that defines an id.
  package func definition(_ id: Id) -> Instruction {
    guard let instruction = tables.definition(id) else { preconditionFailure("\(id) is not defined") }
    return instruction
  }

  /// The instruction that defines an id, nil when there is none.
  package func definitionIfAny(_ id: Id) -> Instruction? { tables.definition(id) }

  /// What a type is; the id must be that of a type.
  package func type(_ id: Id) -> ModuleType {
    guard let type = tables.type(id) else { preconditionFailure("\(id) is no type") }
    return type
  }

  /// What an id is as a type, nil when it is none.
  package func typeIfAny(_ id: Id) -> ModuleType? { tables.type(id) }

  /// The type of a value, nil when the id has no type.
  package func typeOfValue(_ id: Id) -> Id? { tables.definition(id)?.resultType }

  /// The number of numbers and truth values that a type is made of; images and samplers count as one, runtime arrays as one element.
  package func scalarCount(_ type: Id) -> Int { tables.scalarCount(type) }

  /// The value of a constant, nil when the id is none. Specialisation constants have their default values.
  package func constant(_ id: Id) -> ConstantValue? { tables.constants[id] }

  /// The bits of a scalar constant, nil when the id is none. Null is zero.
  package func scalarConstant(_ id: Id) -> UInt64? {
    switch constant(id) {
    case .scalar(let bits): bits
    case .null where tables.scalarCount(definition(id).resultType ?? id) == 1: 0
    default: nil
    }
  }

  /// The name that the author gave to an id, empty when there is none.
  package func name(_ id: Id) -> String { tables.names[id] ?? "" }

  /// The name that the author gave to a member of a structure, empty when there is none.
  package func memberName(_ structure: Id, _ member: Int) -> String { tables.memberNames[structure]?[member] ?? "" }

  /// All decorations of an id and its members.
  package func decorations(_ id: Id) -> [DecorationRecord] { tables.decorations[id] ?? [] }

  /// Whether an id, or one member of it, has a decoration.
  package func has(_ decoration: Decoration, _ id: Id, member: Int? = nil) -> Bool {
    decorations(id).contains { $0.decoration == decoration && $0.member == member }
  }

  /// The first operand of a decoration of an id or one member of it.
  package func value(of decoration: Decoration, _ id: Id, member: Int? = nil) -> UInt32? {
    decorations(id).first { $0.decoration == decoration && $0.member == member }?.operands.first
  }

  /// Modes of an entry point's function: their numbers and operands.
  package func executionModes(_ function: Id) -> [(mode: UInt32, operands: [UInt32])] { tables.executionModes[function] ?? [] }

  /// The function with an id.
  package func function(_ id: Id) -> Function {
    guard let position = functionPositions[id] else { preconditionFailure("\(id) is no function") }
    return functions[position]
  }

  /// All ids among the operands of an instruction, without its result and result type.
  package func idOperands(_ instruction: Instruction) -> [Id] { tables.idOperands(instruction) }

  /// The literals of an `OpSwitch` and the blocks that they lead to, in order; the default target is not among them.
  ///
  /// Literals are bits of the selector's width, zero-extended.
  package func switchTargets(_ terminator: Instruction) -> [(literal: UInt64, label: Id)] {
    Array(SwitchTargets(terminator, tables: tables))
  }

  /// Where in the author's text an instruction comes from, if the module says so.
  package func location(_ position: Int) -> SourceLocation? { tables.lines.location(position) }
}
