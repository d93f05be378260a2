import EtalonDiagnostics

/// Reads the header and finds all instructions: their lengths and operands fit the grammar, and every id is in range and defined once.
struct ModuleScanner {
  let header: SPIRVModule.Header
  private(set) var instructions: InstructionTable
  private(set) var lines = LineTable()
  private let words: [UInt32]
  private let idBound: UInt32
  /// Ids that are used before they are defined, and where.
  private var forward: [(id: UInt32, position: Int)] = []
  private var sequence = SectionSequence()
  /// The ids of the current instruction.
  private var ids: [UInt32] = []

  private static let magic: UInt32 = 0x0723_0203

  init(_ words: [UInt32]) throws(DiagnosticsError) {
    guard words.count >= 5 else { throw ModuleDiagnostic.error("truncated", "a module has at least 5 words, this one \(words.count)") }
    guard words.count <= ModuleLimits.words else {
      throw ModuleDiagnostic.error("limit", "the module has \(words.count) words; the most are \(ModuleLimits.words)")
    }
    guard words[0] == Self.magic else {
      throw ModuleDiagnostic.error("magic", "this is no SPIR-V: it starts with \(Self.hexadecimal(words[0]))")
    }
    let major = Int(words[1] >> 16 & 0xFF)
    let minor = Int(words[1] >> 8 & 0xFF)
    guard major == 1, minor <= 6 else { throw ModuleDiagnostic.error("version", "SPIR-V \(major).\(minor) is not known; 1.0 to 1.6 are") }
    guard words[3] > 0, words[3] <= ModuleLimits.ids else {
      throw ModuleDiagnostic.error("limit", "the bound of the ids is \(words[3]); the highest that is accepted is \(ModuleLimits.ids)")
    }
    header = SPIRVModule.Header(
      majorVersion: major, minorVersion: minor, generator: words[2], idBound: Int(words[3]), schema: words[4])
    instructions = InstructionTable(words: words, idBound: header.idBound)
    self.words = words
    idBound = words[3]
    try scan()
  }

  private mutating func scan() throws(DiagnosticsError) {
    let table = OpcodeTable.shared
    var offset = 5
    while offset < words.count {
      let length = Int(words[offset] >> 16)
      guard length > 0, length <= words.count - offset else {
        throw ModuleDiagnostic.error("truncated", "an instruction of \(length) words does not fit", at: offset)
      }
      guard let code = table.code(words[offset] & 0xFFFF) else {
        throw ModuleDiagnostic.error(
          "unknown-instruction", "instruction \(words[offset] & 0xFFFF) is not one of compute shaders", at: offset)
      }
      guard length >= code.firstOperand else { throw wrongOperands(code, offset) }
      try take(code, offset, length)
      offset += length
    }
    for use in forward where !instructions.isDefined(use.id) {
      throw ModuleDiagnostic.error("undefined-id", "%\(use.id) is not defined", instructions.instruction(use.position))
    }
  }

  private mutating func take(_ code: OpcodeTable.Code, _ offset: Int, _ length: Int) throws(DiagnosticsError) {
    let position = instructions.records.count
    let isGlobalDefinition = try sequence.next(code.opcode, at: offset)
    if code.hasResultType { try use(words[offset + 1], position, code, offset, mustBeDefined: true) }
    ids.removeAll(keepingCapacity: true)
    let fits = instructions.forEachId(code, start: offset) { ids.append($0) }
    guard fits else { throw wrongOperands(code, offset) }
    for id in ids { try use(id, position, code, offset, mustBeDefined: isGlobalDefinition) }
    switch code.opcode {
    case .OpLine:
      lines.mark(LineTable.Place(file: Id(words[offset + 1]), line: words[offset + 2], column: words[offset + 3]))
      return
    case .OpNoLine:
      lines.mark(nil)
      return
    case .OpNop: return
    default: break
    }
    lines.add(position)
    instructions.append(InstructionTable.Record(start: UInt32(offset), code: code))
    if code.hasResult { try define(words[offset + code.firstOperand - 1], position, code, offset) }
    if code.opcode.endsBlock { lines.mark(nil) }
  }

  private mutating func define(_ id: UInt32, _ position: Int, _ code: OpcodeTable.Code, _ offset: Int) throws(DiagnosticsError) {
    guard id > 0, id < idBound else { throw outOfRange(id, code, offset) }
    guard !instructions.isDefined(id) else {
      throw ModuleDiagnostic.error("duplicate-id", "'\(code.opcode)' defines %\(id) again", at: offset)
    }
    instructions.define(id, at: position)
  }

  private mutating func use(
    _ id: UInt32, _ position: Int, _ code: OpcodeTable.Code, _ offset: Int, mustBeDefined: Bool
  ) throws(DiagnosticsError) {
    guard id > 0, id < idBound else { throw outOfRange(id, code, offset) }
    if instructions.isDefined(id) { return }
    if mustBeDefined { throw ModuleDiagnostic.error("undefined-id", "'\(code.opcode)' uses %\(id) before it is defined", at: offset) }
    // Debug lines are not kept as instructions: a file that is missing has no name.
    if code.opcode != .OpLine { forward.append((id, position)) }
  }

  private func wrongOperands(_ code: OpcodeTable.Code, _ offset: Int) -> DiagnosticsError {
    ModuleDiagnostic.error("operands", "the operands of '\(code.opcode)' do not fit the grammar", at: offset)
  }

  private func outOfRange(_ id: UInt32, _ code: OpcodeTable.Code, _ offset: Int) -> DiagnosticsError {
    ModuleDiagnostic.error("id-range", "'\(code.opcode)' names %\(id), but ids are from 1 to \(idBound - 1)", at: offset)
  }

  private static func hexadecimal(_ word: UInt32) -> String { "0x" + String(word, radix: 16, uppercase: true) }
}

// MARK: - Sections

/// Checks the order of the sections of a module: capabilities first, functions last, and only instructions of functions inside functions.
private struct SectionSequence {
  private enum Section: Int, Comparable {
    case capabilities, extensions, imports, memoryModel, entryPoints, executionModes, sources, names, processes, annotations, globals
    case functions

    static func < (a: Section, b: Section) -> Bool { a.rawValue < b.rawValue }
  }
  private var reached = Section.capabilities
  private var isInFunction = false

  /// Takes the next instruction; true when it is a global definition, which may use nothing that follows it.
  mutating func next(_ opcode: Opcode, at offset: Int) throws(DiagnosticsError) -> Bool {
    switch opcode {
    case .OpFunction where !isInFunction:
      isInFunction = true
      reached = .functions
      return false
    case .OpFunctionEnd where isInFunction:
      isInFunction = false
      return false
    default: break
    }
    guard let section = Self.section(opcode, isInFunction: isInFunction) else { return false }
    guard isInFunction ? section == .functions : section != .functions && section >= reached else {
      throw ModuleDiagnostic.error("layout", "'\(opcode)' is not allowed here", at: offset)
    }
    reached = max(reached, section)
    return section == .globals && opcode != .OpExtInst
  }

  /// The section that an instruction belongs to, nil when it may be anywhere.
  private static func section(_ opcode: Opcode, isInFunction: Bool) -> Section? {
    switch opcode {
    case .OpLine, .OpNoLine, .OpNop: nil
    case .OpUndef, .OpVariable, .OpExtInst: isInFunction ? .functions : .globals
    case .OpCapability: .capabilities
    case .OpExtension: .extensions
    case .OpExtInstImport: .imports
    case .OpMemoryModel: .memoryModel
    case .OpEntryPoint: .entryPoints
    case .OpExecutionMode, .OpExecutionModeId: .executionModes
    case .OpString, .OpSource, .OpSourceContinued, .OpSourceExtension: .sources
    case .OpName, .OpMemberName: .names
    case .OpModuleProcessed: .processes
    case .OpDecorate, .OpDecorateId, .OpMemberDecorate, .OpDecorationGroup, .OpGroupDecorate, .OpGroupMemberDecorate: .annotations
    default: opcode.definesType || opcode.definesConstant ? .globals : .functions
    }
  }
}

// MARK: - Limits and errors

/// What a module may not exceed, so that hostile ones cannot exhaust memory or time.
enum ModuleLimits {
  /// 64 MiB of words.
  static let words = 1 << 24
  static let ids = 1 << 20
  /// Numbers that one type is made of; 4 bytes each, so 256 MiB.
  static let scalarsPerType = 1 << 26
  static let typeDepth = 255
  static let structureMembers = 16_383
  static let functionParameters = 255
}

/// Makes the error for a module that breaks a rule; every message says where in the module.
enum ModuleDiagnostic {
  static func error(_ id: String, _ message: String) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("spirv.\(id)", message, notes: ["the SPIR-V module is damaged, or made by a tool with a mistake"]))
  }

  static func error(_ id: String, _ message: String, at word: Int) -> DiagnosticsError {
    error(id, "\(message), at word \(word)")
  }

  static func error(_ id: String, _ message: String, _ instruction: Instruction) -> DiagnosticsError {
    error(id, "'\(instruction.opcode)': \(message)", at: instruction.start)
  }
}
