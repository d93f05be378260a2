import EtalonDiagnostics

/// Checks the order of the sections of a module: capabilities first, functions last, and only instructions of functions inside functions.
struct SectionSequence {
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
      throw ModuleMistake.error("layout", "'\(opcode)' is not allowed here", at: offset)
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
