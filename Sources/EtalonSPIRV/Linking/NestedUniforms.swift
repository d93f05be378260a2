import EtalonDiagnostics

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

  /// Writes the block with all that it has; nothing when no stage had one.
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
