import EtalonDiagnostics

/// Variables that several parts of a linked module have in common: one for each built-in value, and those that the host declares for its stages.
struct SharedVariables {
  private struct Entry {
    let id: Id
    /// The type in the linked module.
    let type: Id
  }
  private var builtIns: [UInt32: Entry] = [:]
  private var privates: [String: Entry] = [:]

  /// Remembers a variable of the host, or a built-in value of any part.
  mutating func note(
    _ variable: Instruction, as id: Id, of copy: ModuleCopy, _ part: LinkedModule, isHost: Bool = true
  ) throws(DiagnosticsError) {
    guard let old = variable.result, let type = variable.resultType.flatMap(copy.known) else { return }
    switch StorageClass(rawValue: variable[0]) {
    case .Input: builtIns[try builtIn(old, part)] = Entry(id: id, type: type)
    case .Private where isHost: privates[part.module.name(old)] = Entry(id: id, type: type)
    default: break
    }
  }

  /// The variable that stands for one of a stage; nil when the stage has to bring its own.
  func variable(_ variable: Instruction, of copy: ModuleCopy, _ stage: LinkedModule) throws(DiagnosticsError) -> Id? {
    guard let old = variable.result else { return nil }
    let name = stage.module.name(old)
    let isInput = StorageClass(rawValue: variable[0]) == .Input
    guard let entry = isInput ? builtIns[try builtIn(old, stage)] : privates[name] else {
      if !isInput, KernelLinker.sharedNames.contains(where: name.hasPrefix) {
        throw stage.mistake("variable", "the host has no variable '\(name)'")
      }
      return nil
    }
    guard variable.resultType.flatMap(copy.known) == entry.type else {
      throw stage.mistake("variable", "'\(name)' has another type than in the host")
    }
    return entry.id
  }

  private func builtIn(_ id: Id, _ part: LinkedModule) throws(DiagnosticsError) -> UInt32 {
    guard let number = part.module.value(of: .BuiltIn, id) else {
      throw part.mistake("variable", "the input '\(part.module.name(id))' is none that a compute shader has")
    }
    return number
  }
}
