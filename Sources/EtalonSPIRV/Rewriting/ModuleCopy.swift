import EtalonDiagnostics

/// Copies parts of a module into a draft, with new ids.
struct ModuleCopy {
  let part: LinkedModule
  /// From the ids of the module to those of the draft.
  private var ids: [UInt32]
  /// Where the uniform block of a stage went.
  var uniforms: NestedUniforms.Place?
  /// The structure that is a member of a block and no block itself any more.
  private var nested: Id?
  /// The function that stands for another, whose name it has.
  private var replacing: Id?

  private static let missing: UInt32 = 0
  /// In place of an id: nothing that is copied may use it.
  private static let leftOut = UInt32.max

  init(_ part: LinkedModule) {
    self.part = part
    ids = Array(repeating: Self.missing, count: part.module.header.idBound)
  }

  var module: SPIRVModule { part.module }

  // MARK: ids

  /// Says what an id of the module is in the draft.
  mutating func assign(_ old: Id, _ new: Id) { ids[old.index] = new.rawValue }

  /// Puts a function in the place of another, which has a name already.
  mutating func replace(_ placeholder: Id, with function: Id) {
    assign(function, placeholder)
    replacing = function
  }

  mutating func leaveOut(_ old: Id?) { if let old { ids[old.index] = Self.leftOut } }

  /// Prepares for the block of a stage to become a member of another.
  mutating func leaveOut(_ block: UniformBlock?) {
    nested = block?.structure
    leaveOut(block?.variable)
    leaveOut(block?.pointer)
  }

  private func isLeftOut(_ old: Id) -> Bool { ids[old.index] == Self.leftOut }

  /// What an id is in the draft, nil when that is not decided yet.
  func known(_ old: Id) -> Id? {
    let new = ids[old.index]
    return new == Self.missing || new == Self.leftOut ? nil : Id(new)
  }

  /// What an id is in the draft, from now on if need be.
  mutating func newId(_ old: Id, _ draft: inout ModuleDraft) -> Id {
    if let id = known(old) { return id }
    let id = draft.newId()
    assign(old, id)
    return id
  }

  // MARK: what stands outside of functions

  /// Copies a global other than a variable, or finds it where the draft has it already.
  mutating func copyGlobal(_ instruction: Instruction, _ draft: inout ModuleDraft) throws(DiagnosticsError) {
    switch instruction.opcode {
    case .OpCapability: draft.addOnce(instruction.opcode, Array(instruction.operands), to: .capabilities)
    case .OpExtension: draft.addOnce(instruction.opcode, Array(instruction.operands), to: .extensions)
    case .OpExtInstImport: share(instruction, draft.unique(instruction.opcode, Array(instruction.operands), in: .imports))
    case .OpMemoryModel: draft.addOnce(instruction.opcode, Array(instruction.operands), to: .memoryModel)
    case .OpString: share(instruction, draft.unique(instruction.opcode, Array(instruction.operands), in: .sources))
    case .OpSource: draft.addOnce(instruction.opcode, try sourceOperands(instruction, &draft), to: .sources)
    case .OpSourceExtension: draft.addOnce(instruction.opcode, Array(instruction.operands), to: .sources)
    case .OpModuleProcessed: draft.addOnce(instruction.opcode, Array(instruction.operands), to: .processes)
    case .OpEntryPoint, .OpExecutionMode, .OpExecutionModeId, .OpName, .OpMemberName, .OpDecorate, .OpMemberDecorate, .OpSourceContinued:
      break
    case let opcode where opcode.definesType || opcode.definesConstant || opcode == .OpUndef:
      if instruction.result.map(isLeftOut) ?? false { return }
      let type = try instruction.resultType.map { (type) throws(DiagnosticsError) in try newOperand(type, &draft) }
      let operands = try rewrittenOperands(at: instruction.start, &draft)
      share(instruction, draft.unique(opcode, type: type, operands, try description(of: instruction)))
    default: throw part.error("unsupported", "'\(instruction.opcode)' is not supported")
    }
  }

  private mutating func share(_ instruction: Instruction, _ new: Id) {
    if let result = instruction.result { assign(result, new) }
  }

  /// Language, version and file, without the text.
  private mutating func sourceOperands(_ instruction: Instruction, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> [UInt32] {
    let file = instruction.operandCount > 2 ? [try newOperand(instruction.id(2), &draft).rawValue] : []
    return instruction.operands.prefix(2) + file
  }

  private func description(of instruction: Instruction) throws(DiagnosticsError) -> ModuleDraft.Description {
    guard let id = instruction.result else { return ModuleDraft.Description() }
    let decorations = try decorations(id).filter { !(id == nested && $0.decoration == .Block && $0.member == nil) }
    guard instruction.opcode == .OpTypeStruct else { return ModuleDraft.Description(decorations: decorations) }
    let members = (0..<instruction.operandCount).map { module.memberName(id, $0) }
    return ModuleDraft.Description(decorations: decorations, name: module.name(id), memberNames: members)
  }

  /// The decorations of an id.
  ///
  /// The numbers of specialisation constants are left out: the constants keep their defaults, and two with the same number would become one.
  private func decorations(_ id: Id) throws(DiagnosticsError) -> [SPIRVModule.DecorationRecord] {
    let all = module.decorations(id)
    if let unusual = all.first(where: { $0.decoration.takesIds }) {
      throw part.error("unsupported", "decoration \(unusual.decoration.rawValue) is not supported")
    }
    return all.filter { $0.decoration != .SpecId }
  }

  /// Copies a variable with its name and decorations; with a binding in place of its own if one is given.
  mutating func copyVariable(
    _ variable: Instruction, binding: Int? = nil, _ draft: inout ModuleDraft
  ) throws(DiagnosticsError) -> Id {
    guard let old = variable.result else { preconditionFailure("a variable has a result") }
    draft.add(try rewritten(at: variable.start, &draft), to: .globals)
    let id = newId(old, &draft)
    try annotate(old, binding: binding, &draft)
    return id
  }

  /// Copies the name and the decorations of an id.
  private mutating func annotate(_ old: Id, binding: Int? = nil, _ draft: inout ModuleDraft) throws(DiagnosticsError) {
    let id = newId(old, &draft)
    if old != replacing { draft.name(id, module.name(old)) }
    for record in try decorations(old) {
      let moved = record.decoration == .Binding ? binding : nil
      draft.decorate(id, moved.map { .init(decoration: .Binding, member: nil, operands: [UInt32($0)]) } ?? record)
    }
  }

  /// Copies a function with its debug lines.
  mutating func copy(_ function: Function, _ draft: inout ModuleDraft) throws(DiagnosticsError) {
    let end = (function.blocks.last?.terminator ?? function.instruction) + 1
    for position in function.instruction...end { if let result = module[position].result { try annotate(result, &draft) } }
    var offset = endOffset(function.instruction - 1)
    while offset < endOffset(end) {
      draft.add(try rewritten(at: offset, &draft), to: .functions)
      offset += Int(module.words[offset] >> 16)
    }
  }

  /// The offset behind an instruction; the words between it and the next one are the debug lines of the next.
  private func endOffset(_ position: Int) -> Int {
    guard position >= 0 else { return 5 }
    return module[position].start + Int(module.words[module[position].start] >> 16)
  }
}

// MARK: - Operands

extension ModuleCopy {
  /// The words of an instruction with the ids of the draft.
  private mutating func rewritten(at offset: Int, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> [UInt32] {
    let words = module.words
    guard let code = OpcodeTable.shared.code(words[offset] & 0xFFFF) else { preconditionFailure("the module has been checked") }
    if let access = try rewrittenAccess(code, at: offset, &draft) { return access }
    var new = [words[offset]]
    for place in offset + 1..<offset + code.firstOperand { new.append(try newOperand(Id(words[place]), &draft).rawValue) }
    return new + (try rewrittenOperands(at: offset, &draft))
  }

  /// The words behind the result of an instruction with the ids of the draft.
  private mutating func rewrittenOperands(at offset: Int, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> [UInt32] {
    let words = module.words
    guard let code = OpcodeTable.shared.code(words[offset] & 0xFFFF) else { preconditionFailure("the module has been checked") }
    let first = offset + code.firstOperand
    var new = Array(words[first..<offset + Int(words[offset] >> 16)])
    for place in idPlaces(code, at: offset) { new[place - first] = try newOperand(Id(words[place]), &draft).rawValue }
    return new
  }

  /// The offsets of the ids among the operands of an instruction.
  private func idPlaces(_ code: OpcodeTable.Code, at offset: Int) -> [Int] {
    let (first, end) = (offset + code.firstOperand, offset + Int(module.words[offset] >> 16))
    var selectorWords = 1
    if code.opcode == .OpSwitch, first < end, let type = module.typeOfValue(Id(module.words[first])),
      case .int(let width, _) = module.typeIfAny(type), width > 32
    {
      selectorWords = 2
    }
    var places: [Int] = []
    var reader = OperandReader(module.words, from: first, to: end, selectorWords: selectorWords)
    _ = reader.read(OpcodeTable.shared.shape(code.opcode)) { kind, range in if kind == .id { places.append(range.lowerBound) } }
    return places
  }

  /// The access to a member of a stage's uniform block, which is one level deeper in the draft; nil for all other instructions.
  private mutating func rewrittenAccess(
    _ code: OpcodeTable.Code, at offset: Int, _ draft: inout ModuleDraft
  ) throws(DiagnosticsError) -> [UInt32]? {
    let end = offset + Int(module.words[offset] >> 16)
    guard code.opcode == .OpAccessChain || code.opcode == .OpInBoundsAccessChain, let uniforms, offset + 3 < end,
      module.words[offset + 3] == uniforms.old.rawValue
    else { return nil }
    var operands: [UInt32] = []
    for word in module.words[offset + 1..<offset + 3] { operands.append(try newOperand(Id(word), &draft).rawValue) }
    operands += [uniforms.variable.rawValue, uniforms.member.rawValue]
    for word in module.words[offset + 4..<end] { operands.append(try newOperand(Id(word), &draft).rawValue) }
    return ModuleEdit.words(code.opcode, operands)
  }

  /// What an id that is used is in the draft.
  private mutating func newOperand(_ old: Id, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> Id {
    if isLeftOut(old) { throw part.error("unsupported", "'\(module.name(old))' is used in a way that is not supported") }
    return newId(old, &draft)
  }
}

extension Decoration {
  /// Whether its operands are ids.
  var takesIds: Bool { [27, 46, 47, 5634].contains(rawValue) }
}

extension SPIRVModule.ExecutionMode {
  /// Whether its operands are ids.
  var takesIds: Bool { (37...39).contains(number) }
}
