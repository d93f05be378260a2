internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// Taking composites apart and putting them together.
  func composite(_ instruction: Instruction, type: Id) throws(Refusal) -> [ValueId]? {
    let at = instruction.index
    switch instruction.opcode {
    case .OpCompositeConstruct:
      return try instruction.ids(from: 0).map { (id) throws(Refusal) in try scalars(id, at: at) }.flatMap { $0 }
    case .OpCompositeExtract:
      let range = try part(instruction, of: instruction.id(0), indicesFrom: 1)
      return Array(try scalars(instruction.id(0), at: at)[range])
    case .OpCompositeInsert:
      let range = try part(instruction, of: instruction.id(1), indicesFrom: 2)
      var whole = try scalars(instruction.id(1), at: at)
      whole.replaceSubrange(range, with: try scalars(instruction.id(0), at: at))
      return whole
    case .OpVectorShuffle:
      let both = try scalars(instruction.id(0), at: at) + scalars(instruction.id(1), at: at)
      return instruction.operands.dropFirst(2).map { both.indices.contains(Int($0)) ? both[Int($0)] : word(0) }
    case .OpVectorExtractDynamic:
      let vector = try scalars(instruction.id(0), atLeast: 1, instruction)
      let index = try scalar(instruction.id(1), at: at)
      watchIndex(index, limit: vector.count, at: at)
      return [select(among: vector, index, offset: 0)]
    case .OpVectorInsertDynamic:
      let part = try scalar(instruction.id(1), at: at), index = try scalar(instruction.id(2), at: at)
      watchIndex(index, limit: try scalars(instruction.id(0), at: at).count, at: at)
      return try scalars(instruction.id(0), at: at).enumerated().map { position, old in
        add(LANE_OP_select, add(LANE_OP_ieq, index, word(position)), part, old)
      }
    case .OpTranspose:
      guard let (columns, rows) = matrixSize(instruction.id(0)) else { throw Refusal("OpTranspose of no matrix", at: at) }
      let matrix = try scalars(instruction.id(0), atLeast: rows * columns, instruction)
      return (0..<rows * columns).map { matrix[($0 % columns) * rows + $0 / columns] }
    case .OpCopyLogical: return try scalars(instruction.id(0), at: at)
    case .OpUndef: return try zeros(type, at: at)
    case .OpArrayLength: return [try arrayLength(instruction)]
    default: return nil
    }
  }

  /// The scalars of a composite that literal indices lead to.
  func part(_ instruction: Instruction, of composite: Id, indicesFrom first: Int) throws(Refusal) -> Range<Int> {
    guard var type = module.typeOfValue(composite) else { throw Refusal("\(instruction.opcode) of nothing", at: instruction.index) }
    var offset = 0
    for index in instruction.operands.dropFirst(first) {
      guard let part = module.type(type).part(Int(index)) else {
        throw Refusal("\(instruction.opcode) of a part that does not exist", at: instruction.index)
      }
      offset += scalarOffset(of: Int(index), in: type)
      type = part
    }
    return offset..<offset + module.scalarCount(type)
  }

  private func arrayLength(_ instruction: Instruction) throws(Refusal) -> ValueId {
    let pointer = try pointer(instruction.id(0), at: instruction.index)
    let member = Int(instruction[1])
    guard case .buffer(let number, _) = pointer.root, case .structure(let members) = module.type(pointer.type),
      members.indices.contains(member)
    else { throw Refusal("OpArrayLength of what is no buffer", at: instruction.index) }
    let offset = pointer.offset + Int(module.value(of: .Offset, pointer.type, member: member) ?? 0)
    let stride = module.value(of: .ArrayStride, members[member]) ?? 4
    return builder.add(
      LANE_OP_buffer_length, [word(Int(max(stride, 1)))], immediate: UInt32(number), second: UInt32(truncatingIfNeeded: offset))
  }

  // MARK: Matrices

  /// The columns and rows of a matrix.
  func matrixSize(_ id: Id) -> (columns: Int, rows: Int)? {
    guard let type = module.typeOfValue(id), case .matrix(let column, let columns) = module.type(type) else { return nil }
    return (columns, module.scalarCount(column))
  }

  /// a0 b0 + a1 b1 + …, added in order.
  func dot(_ a: [ValueId], _ b: [ValueId], _ kind: ScalarKind = .float) -> ValueId {
    let products = zip(a, b).map { rounded(add(LANE_OP_fmul, $0, $1), kind) }
    return products.dropFirst().reduce(products[0]) { rounded(add(LANE_OP_fadd, $0, $1), kind) }
  }

  func matrixProduct(_ instruction: Instruction, type: Id) throws(Refusal) -> [ValueId]? {
    let at = instruction.index
    switch instruction.opcode {
    case .OpDot, .OpVectorTimesScalar, .OpMatrixTimesScalar, .OpVectorTimesMatrix, .OpMatrixTimesVector, .OpMatrixTimesMatrix,
      .OpOuterProduct:
      break
    default: return nil
    }
    let a = try scalars(instruction.id(0), atLeast: 1, instruction), b = try scalars(instruction.id(1), atLeast: 1, instruction)
    let kind = try scalarKind(type, at: at)
    switch instruction.opcode {
    case .OpDot: return [dot(a, b, kind)]
    case .OpVectorTimesScalar, .OpMatrixTimesScalar: return a.map { rounded(add(LANE_OP_fmul, $0, b[0]), kind) }
    case .OpOuterProduct: return b.flatMap { factor in a.map { rounded(add(LANE_OP_fmul, $0, factor), kind) } }
    case .OpVectorTimesMatrix:
      guard b.count.isMultiple(of: a.count) else { throw misfit(instruction) }
      return stride(from: 0, to: b.count, by: a.count).map { dot(a, Array(b[$0..<$0 + a.count]), kind) }
    default:
      guard let (columns, rows) = matrixSize(instruction.id(0)) else { throw Refusal("\(instruction.opcode) of no matrix", at: at) }
      guard b.count.isMultiple(of: columns), a.count == columns * rows else { throw misfit(instruction) }
      return stride(from: 0, to: b.count, by: columns).flatMap { start in
        product(a, columns: columns, rows: rows, Array(b[start..<start + columns]), kind)
      }
    }
  }

  /// A matrix times a column.
  private func product(_ matrix: [ValueId], columns: Int, rows: Int, _ vector: [ValueId], _ kind: ScalarKind) -> [ValueId] {
    (0..<rows).map { row in dot((0..<columns).map { matrix[$0 * rows + row] }, vector, kind) }
  }
}
