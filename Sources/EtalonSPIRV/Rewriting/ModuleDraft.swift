/// A module that is being written, section by section.
struct ModuleDraft {
  /// In the order in which they stand in a module.
  enum Section: Int, CaseIterable {
    case capabilities, extensions, imports, memoryModel, entryPoints, executionModes, sources, names, processes, annotations, globals
    case functions
  }

  /// What is said about a type or a constant besides its operands, which makes equal ones differ.
  struct Description: Hashable {
    var decorations: [SPIRVModule.DecorationRecord] = []
    /// Of structures only.
    var name = ""
    var memberNames: [String] = []
  }

  private struct Key: Hashable {
    let opcode: Opcode
    let type: Id?
    let operands: [UInt32]
    let description: Description
  }

  private let header: [UInt32]
  private var nextId: UInt32 = 1
  private var sections: [[UInt32]] = Array(repeating: [], count: Section.allCases.count)
  private var known: [Key: Id] = [:]
  private var written: Set<[UInt32]> = []

  /// An empty module with the version of another.
  init(like module: SPIRVModule) { header = Array(module.words.prefix(5)) }

  mutating func newId() -> Id {
    defer { nextId += 1 }
    return Id(nextId)
  }

  // MARK: adding

  mutating func add(_ opcode: Opcode, _ operands: [UInt32], to section: Section) { add(ModuleEdit.words(opcode, operands), to: section) }

  mutating func add(_ words: some Sequence<UInt32>, to section: Section) { sections[section.rawValue] += words }

  /// Adds an instruction without a result unless it is there already.
  mutating func addOnce(_ opcode: Opcode, _ operands: [UInt32], to section: Section) {
    let words = ModuleEdit.words(opcode, operands)
    if written.insert(words).inserted { add(words, to: section) }
  }

  /// The type, constant, text or instruction set with these operands, which is added unless it is there already.
  mutating func unique(
    _ opcode: Opcode, type: Id? = nil, _ operands: [UInt32], _ description: Description = Description(), in section: Section = .globals
  ) -> Id {
    let key = Key(opcode: opcode, type: type, operands: operands, description: description)
    if let id = known[key] { return id }
    let id = newId()
    known[key] = id
    add(opcode, [type?.rawValue, id.rawValue].compactMap(\.self) + operands, to: section)
    name(id, description.name)
    for (member, name) in description.memberNames.enumerated() { self.name(id, member: member, name) }
    for decoration in description.decorations { decorate(id, decoration) }
    return id
  }

  /// The constant with a value of type `int`.
  mutating func int(_ value: Int) -> Id { unique(.OpConstant, type: unique(.OpTypeInt, [32, 1]), [UInt32(value)]) }

  // MARK: annotations

  mutating func name(_ id: Id, _ name: String) {
    if !name.isEmpty { add(.OpName, [id.rawValue] + SPIRVString.encode(name), to: .names) }
  }

  mutating func name(_ id: Id, member: Int, _ name: String) {
    if !name.isEmpty { add(.OpMemberName, [id.rawValue, UInt32(member)] + SPIRVString.encode(name), to: .names) }
  }

  mutating func decorate(_ id: Id, _ record: SPIRVModule.DecorationRecord) {
    let rest = [record.decoration.rawValue] + record.operands
    if let member = record.member {
      add(.OpMemberDecorate, [id.rawValue, UInt32(member)] + rest, to: .annotations)
    } else {
      add(.OpDecorate, [id.rawValue] + rest, to: .annotations)
    }
  }

  /// The input variables that were added, or all variables outside of functions.
  func variables(onlyInputs: Bool) -> [UInt32] {
    let globals = sections[Section.globals.rawValue]
    var found: [UInt32] = []
    var offset = 0
    while offset < globals.count {
      let isVariable = globals[offset] & 0xFFFF == UInt32(Opcode.OpVariable.rawValue)
      if isVariable, !onlyInputs || globals[offset + 3] == StorageClass.Input.rawValue { found.append(globals[offset + 2]) }
      offset += Int(globals[offset] >> 16)
    }
    return found
  }

  // MARK: the result

  func words() -> [UInt32] { [header[0], header[1], header[2], nextId, 0] + sections.joined() }
}
