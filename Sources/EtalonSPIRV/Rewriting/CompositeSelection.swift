package import EtalonDiagnostics

/// Takes selections between arrays, matrices and structures apart, which SPIR-V has only since version 1.4.
///
/// The compiler writes `OpSelect` for `condition ? a : b` where `a` and `b` are constant arrays of vectors, in modules of version 1.3, too. Here
/// each vector of the arrays is selected by itself.
package enum CompositeSelection {
  /// The words of the module without such selections; the same words where there are none.
  package static func takenApart(_ words: [UInt32]) throws(DiagnosticsError) -> [UInt32] {
    guard holdsOne(words) else { return words }
    let module = try SPIRVModule(words)
    var edit = ModuleEdit(module)
    for instruction in module[module.firstFunction..<module.instructionCount] where instruction.opcode == .OpSelect {
      guard let type = instruction.resultType, let parts = module.type(type).partCount, parts <= ModuleEdit.mostOperands - 2,
        !isVector(module.type(type))
      else { continue }
      var selection = TakenApart(of: instruction, in: module)
      let chosen = selection.parts(of: type, instruction.id(1), instruction.id(2), &edit)
      edit.replace(instruction, by: .OpCompositeConstruct, operands: chosen.map(\.rawValue))
    }
    return edit.words()
  }

  private static func isVector(_ type: ModuleType) -> Bool {
    if case .vector = type { true } else { false }
  }

  /// Whether some `OpSelect` has an array, a matrix or a structure as its result.
  private static func holdsOne(_ words: [UInt32]) -> Bool {
    let composites = Set([Opcode.OpTypeArray, .OpTypeStruct, .OpTypeMatrix].map { UInt32($0.rawValue) })
    var types: Set<UInt32> = []
    var offset = 5
    while offset < words.count {
      let opcode = words[offset] & 0xFFFF, count = Int(words[offset] >> 16)
      guard count > 0, count <= words.count - offset else { return false }
      if composites.contains(opcode), count > 1 { types.insert(words[offset + 1]) }
      if opcode == UInt32(Opcode.OpSelect.rawValue), count > 1, types.contains(words[offset + 1]) { return true }
      offset += count
    }
    return false
  }
}

/// One selection on its way to selections of its parts.
private struct TakenApart {
  private let instruction: Instruction
  private let module: SPIRVModule
  /// The condition for vectors of so many components; 1 for a single number.
  private var conditions: [Int: Id] = [:]

  init(of instruction: Instruction, in module: SPIRVModule) {
    (self.instruction, self.module) = (instruction, module)
    guard let type = module.typeOfValue(instruction.id(0)) else { return }
    conditions[module.type(type).partCount ?? 1] = instruction.id(0)
  }

  /// The selected parts of two composites of a type.
  mutating func parts(of type: Id, _ accepted: Id, _ rejected: Id, _ edit: inout ModuleEdit) -> [Id] {
    let kind = module.type(type)
    return (0..<(kind.partCount ?? 0)).compactMap { index in
      guard let part = kind.part(index) else { return nil }
      let a = add(.OpCompositeExtract, part, [accepted.rawValue, UInt32(index)], &edit)
      let b = add(.OpCompositeExtract, part, [rejected.rawValue, UInt32(index)], &edit)
      return selected(part, a, b, &edit)
    }
  }

  private mutating func selected(_ type: Id, _ accepted: Id, _ rejected: Id, _ edit: inout ModuleEdit) -> Id {
    switch module.type(type) {
    case .matrix, .array, .structure:
      return add(.OpCompositeConstruct, type, parts(of: type, accepted, rejected, &edit).map(\.rawValue), &edit)
    case .vector(_, let count):
      return add(.OpSelect, type, [condition(for: count, &edit), accepted, rejected].map(\.rawValue), &edit)
    default: return add(.OpSelect, type, [condition(for: 1, &edit), accepted, rejected].map(\.rawValue), &edit)
    }
  }

  /// The condition once for each of some components.
  private mutating func condition(for count: Int, _ edit: inout ModuleEdit) -> Id {
    if let known = conditions[count] { return known }
    let bool = edit.type(.OpTypeBool, [])
    let made: Id
    if count == 1 {
      made = add(.OpCompositeExtract, bool, [instruction.id(0).rawValue, 0], &edit)
    } else {
      let single = condition(for: 1, &edit)
      let vector = edit.type(.OpTypeVector, [bool.rawValue, UInt32(count)])
      made = add(.OpCompositeConstruct, vector, [UInt32](repeating: single.rawValue, count: count), &edit)
    }
    conditions[count] = made
    return made
  }

  private func add(_ opcode: Opcode, _ type: Id, _ operands: [UInt32], _ edit: inout ModuleEdit) -> Id {
    let result = edit.newId()
    edit.insert(ModuleEdit.words(opcode, [type.rawValue, result.rawValue] + operands), before: instruction.index)
    return result
  }
}
