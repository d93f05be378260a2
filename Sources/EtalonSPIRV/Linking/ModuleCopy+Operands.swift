import EtalonDiagnostics

extension ModuleCopy {
  /// The words of an instruction with the ids of the draft.
  mutating func rewritten(at offset: Int, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> [UInt32] {
    let words = module.words
    guard let code = OpcodeTable.shared.code(words[offset] & 0xFFFF) else { preconditionFailure("the module has been checked") }
    if let access = try rewrittenAccess(code, at: offset, &draft) { return access }
    var new = [words[offset]]
    for place in offset + 1..<offset + code.firstOperand { new.append(try newOperand(Id(words[place]), &draft).rawValue) }
    return new + (try rewrittenOperands(at: offset, &draft))
  }

  /// The words behind the result of an instruction with the ids of the draft.
  mutating func rewrittenOperands(at offset: Int, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> [UInt32] {
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
  mutating func newOperand(_ old: Id, _ draft: inout ModuleDraft) throws(DiagnosticsError) -> Id {
    if isLeftOut(old) { throw part.mistake("unsupported", "'\(module.name(old))' is used in a way that is not supported") }
    return newId(old, &draft)
  }
}
