/// Keeps indices inside of arrays, matrices and vectors: what is negative or too large, seen as unsigned, becomes the last index.
///
/// Storage buffers are left alone: robust buffer access looks after them.
struct IndexClamping {
  private static let unsignedMinimum: UInt32 = 38

  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[module.firstFunction..<module.instructionCount] {
      switch instruction.opcode {
      case .OpAccessChain, .OpInBoundsAccessChain: clamp(chain: instruction, &edit)
      case .OpVectorExtractDynamic: clamp(vector: instruction, index: 1, &edit)
      case .OpVectorInsertDynamic: clamp(vector: instruction, index: 2, &edit)
      default: break
      }
    }
  }

  private func clamp(chain: Instruction, _ edit: inout ModuleEdit) {
    let module = edit.module
    guard let base = module.typeOfValue(chain.id(0)), case .pointer(let storageClass, let pointee) = module.type(base),
      isProtected(storageClass)
    else { return }
    var operands = Array(chain.operands)
    var type = pointee
    for position in 1..<max(chain.operandCount, 1) {
      let isStructure = if case .structure = module.type(type) { true } else { false }
      if !isStructure, let count = module.type(type).partCount {
        operands[position] = clamped(chain.id(position), count: count, before: chain, &edit).rawValue
      }
      guard let part = module.type(type).part(isStructure ? Int(clamping: module.scalarConstant(chain.id(position)) ?? 0) : 0) else {
        return
      }
      type = part
    }
    if operands != Array(chain.operands) { edit.replace(chain, operands: operands) }
  }

  private func clamp(vector instruction: Instruction, index: Int, _ edit: inout ModuleEdit) {
    guard let type = edit.module.typeOfValue(instruction.id(0)), let count = edit.module.type(type).partCount else { return }
    var operands = Array(instruction.operands)
    operands[index] = clamped(instruction.id(index), count: count, before: instruction, &edit).rawValue
    if operands[index] != instruction[index] { edit.replace(instruction, operands: operands) }
  }

  /// The index, or a new value that is never `count` or more.
  private func clamped(_ index: Id, count: Int, before instruction: Instruction, _ edit: inout ModuleEdit) -> Id {
    guard let type = edit.module.typeOfValue(index), case .int(let width, _) = edit.module.type(type) else { return index }
    if let constant = edit.module.scalarConstant(index) {
      return constant < UInt64(count) ? index : edit.constant(UInt32(count - 1), type: edit.unsignedType())
    }
    var index = index
    var indexType = type
    if width != 32 {
      indexType = edit.unsignedType()
      let widened = edit.newId()
      edit.insert(ModuleEdit.words(.OpUConvert, [indexType.rawValue, widened.rawValue, index.rawValue]), before: instruction.index)
      index = widened
    }
    let last = edit.constant(UInt32(count - 1), type: indexType)
    let result = edit.newId()
    let operands = [
      indexType.rawValue, result.rawValue, edit.glslInstructions().rawValue, Self.unsignedMinimum, index.rawValue, last.rawValue,
    ]
    edit.insert(ModuleEdit.words(.OpExtInst, operands), before: instruction.index)
    return result
  }

  private func isProtected(_ storageClass: StorageClass) -> Bool {
    switch storageClass {
    case .Function, .Private, .Workgroup, .Uniform, .PushConstant, .Input: true
    default: false
    }
  }
}
