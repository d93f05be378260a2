import EtalonDiagnostics

/// Collects what stands before the types: capabilities, imports, entry points, names and decorations.
struct AnnotationReader {
  private(set) var capabilities: [UInt32] = []
  private(set) var extensions: [String] = []
  private(set) var extendedInstructionSets: [Id: String] = [:]
  private(set) var entryPoints: [SPIRVModule.EntryPoint] = []
  private var files: [Id: String] = [:]

  /// Takes one instruction; instructions of other sections are left alone.
  mutating func read(_ instruction: Instruction, into tables: inout ModuleTables) throws(DiagnosticsError) {
    switch instruction.opcode {
    case .OpCapability: capabilities.append(instruction[0])
    case .OpExtension: extensions.append(instruction.string(0))
    case .OpExtInstImport: if let id = instruction.result { extendedInstructionSets[id] = instruction.string(0) }
    case .OpString: if let id = instruction.result { files[id] = instruction.string(0) }
    case .OpEntryPoint: entryPoints.append(entryPoint(instruction))
    case .OpExecutionMode, .OpExecutionModeId:
      tables.executionModes[instruction.id(0), default: []].append((instruction[1], Array(instruction.operands.dropFirst(2))))
    case .OpName: tables.names[instruction.id(0)] = instruction.string(1)
    case .OpMemberName: tables.memberNames[instruction.id(0), default: [:]][Int(instruction[1])] = instruction.string(2)
    case .OpDecorate, .OpDecorateId: decorate(instruction, member: nil, in: &tables)
    case .OpMemberDecorate: decorate(instruction, member: Int(instruction[1]), in: &tables)
    case .OpGroupDecorate, .OpGroupMemberDecorate:
      throw ModuleMistake.error("unsupported", "groups of decorations are not supported", instruction)
    default: break
    }
  }

  /// Hands the texts of `OpString`s to the debug lines.
  func finish(_ tables: inout ModuleTables) { tables.lines.setFiles(files) }

  private func entryPoint(_ instruction: Instruction) -> SPIRVModule.EntryPoint {
    let (name, words) = SPIRVString.decode(instruction.operands.dropFirst(2))
    return SPIRVModule.EntryPoint(
      executionModel: instruction[0], function: instruction.id(1), name: name, interface: instruction.ids(from: 2 + words))
  }

  private func decorate(_ instruction: Instruction, member: Int?, in tables: inout ModuleTables) {
    let skipped = member == nil ? 1 : 2
    let record = SPIRVModule.DecorationRecord(
      decoration: Decoration(rawValue: instruction[skipped]), member: member, operands: Array(instruction.operands.dropFirst(skipped + 1)))
    tables.decorations[instruction.id(0), default: []].append(record)
  }
}
