import EtalonDiagnostics

/// Collects what stands before the types.
struct AnnotationReader {
  private(set) var annotations = Annotations()

  /// Takes one instruction; instructions of other sections are left alone.
  mutating func read(_ instruction: Instruction) throws(DiagnosticsError) {
    switch instruction.opcode {
    case .OpCapability: annotations.capabilities.append(instruction[0])
    case .OpExtension: annotations.extensions.append(instruction.string(0))
    case .OpExtInstImport: if let id = instruction.result { annotations.extendedInstructionSets[id] = instruction.string(0) }
    case .OpString: if let id = instruction.result { annotations.files[id] = instruction.string(0) }
    case .OpEntryPoint: annotations.entryPoints.append(entryPoint(instruction))
    case .OpExecutionMode, .OpExecutionModeId:
      let mode = SPIRVModule.ExecutionMode(number: instruction[1], operands: Array(instruction.operands.dropFirst(2)))
      annotations.executionModes[instruction.id(0), default: []].append(mode)
    case .OpName: annotations.names[instruction.id(0)] = instruction.string(1)
    case .OpMemberName: annotations.memberNames[instruction.id(0), default: [:]][Int(instruction[1])] = instruction.string(2)
    case .OpDecorate, .OpDecorateId: decorate(instruction, member: nil)
    case .OpMemberDecorate: decorate(instruction, member: Int(instruction[1]))
    case .OpGroupDecorate, .OpGroupMemberDecorate:
      throw ModuleMistake.error("unsupported", "groups of decorations are not supported", instruction)
    default: break
    }
  }

  private func entryPoint(_ instruction: Instruction) -> SPIRVModule.EntryPoint {
    let (name, words) = SPIRVString.decode(instruction.operands.dropFirst(2))
    return SPIRVModule.EntryPoint(
      executionModel: instruction[0], function: instruction.id(1), name: name, interface: instruction.ids(from: 2 + words))
  }

  private mutating func decorate(_ instruction: Instruction, member: Int?) {
    let skipped = member == nil ? 1 : 2
    let record = SPIRVModule.DecorationRecord(
      decoration: Decoration(rawValue: instruction[skipped]), member: member, operands: Array(instruction.operands.dropFirst(skipped + 1)))
    annotations.decorations[instruction.id(0), default: []].append(record)
  }
}
