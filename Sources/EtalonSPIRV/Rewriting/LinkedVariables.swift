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
        throw stage.error("variable", "the host has no variable '\(name)'")
      }
      return nil
    }
    guard variable.resultType.flatMap(copy.known) == entry.type else {
      throw stage.error("variable", "'\(name)' has another type than in the host")
    }
    return entry.id
  }

  private func builtIn(_ id: Id, _ part: LinkedModule) throws(DiagnosticsError) -> UInt32 {
    guard let number = part.module.value(of: .BuiltIn, id) else {
      throw part.error("variable", "the input '\(part.module.name(id))' is none that a compute shader has")
    }
    return number
  }
}

// MARK: - Uniform blocks

/// The uniform block of a stage.
struct UniformBlock {
  let variable: Id
  let structure: Id
  /// The type of the variable.
  let pointer: Id
  /// Bytes.
  let size: Int

  /// The block that a stage uses, nil when there is none.
  init?(of stage: LinkedModule) throws(DiagnosticsError) {
    let module = stage.module
    for id in stage.reflection.use.variables.sorted() {
      guard case .uniforms(let block) = try stage.reflection.binding(id), let pointer = module.typeOfValue(id),
        case .pointer(_, let structure) = module.type(pointer)
      else { continue }
      self.variable = id
      self.structure = structure
      self.pointer = pointer
      self.size = block.size
      return
    }
    return nil
  }
}

/// The uniform blocks of all stages as structures in one block, because a kernel has one.
struct NestedUniforms {
  /// Where the block of a stage is found.
  struct Place {
    /// The variable of the stage.
    let old: Id
    /// The variable of the linked module.
    let variable: Id
    /// The constant with the position of the member.
    let member: Id
    /// Bytes from the start of the block.
    let offset: Int
  }
  private struct Member {
    let structure: Id
    let name: String
    let offset: Int
  }

  static let name = "EtalonUniforms"
  /// What structures in uniform blocks are aligned to.
  private static let alignment = 16
  /// Bytes, far more than any device takes.
  private static let mostBytes = 1 << 24

  private var variable: Id?
  private var members: [Member] = []
  private var end = 0

  /// Whether one more block fits.
  func hasSpace(for block: UniformBlock) -> Bool { block.size <= Self.mostBytes - end }

  /// Takes in the block of a stage, whose structure is already in the draft.
  mutating func add(_ block: UniformBlock, structure: Id, named name: String, _ draft: inout ModuleDraft) -> Place {
    let variable = self.variable ?? draft.newId()
    self.variable = variable
    let place = Place(old: block.variable, variable: variable, member: draft.int(members.count), offset: end)
    members.append(Member(structure: structure, name: name, offset: end))
    end += (block.size + Self.alignment - 1) / Self.alignment * Self.alignment
    return place
  }

  /// Writes the block with all its members; no block where no stage had one.
  func finish(_ draft: inout ModuleDraft) {
    guard let variable else { return }
    let structure = draft.newId()
    draft.add(.OpTypeStruct, [structure.rawValue] + members.map(\.structure.rawValue), to: .globals)
    draft.name(structure, Self.name)
    draft.decorate(structure, .init(decoration: .Block, member: nil, operands: []))
    for (index, member) in members.enumerated() {
      draft.name(structure, member: index, member.name)
      draft.decorate(structure, .init(decoration: .Offset, member: index, operands: [UInt32(member.offset)]))
    }
    let pointer = draft.newId()
    draft.add(.OpTypePointer, [pointer.rawValue, StorageClass.Uniform.rawValue, structure.rawValue], to: .globals)
    draft.add(.OpVariable, [pointer.rawValue, variable.rawValue, StorageClass.Uniform.rawValue], to: .globals)
    draft.decorate(variable, .init(decoration: .DescriptorSet, member: nil, operands: [0]))
    draft.decorate(variable, .init(decoration: .Binding, member: nil, operands: [0]))
  }
}

// MARK: - Bindings

/// Hands out bindings that the host does not use; 0 is for the uniform block.
struct FreshBindings {
  private let taken: Set<UInt32>
  private var last = 0

  init(besides host: SPIRVModule) {
    taken = Set(host.globalVariables.compactMap { host[$0].result }.compactMap { host.value(of: .Binding, $0) })
  }

  mutating func next() -> Int {
    repeat { last += 1 } while taken.contains(UInt32(last))
    return last
  }
}
