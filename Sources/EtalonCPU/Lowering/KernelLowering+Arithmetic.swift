internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// A kernel for each scalar, and whether the operands change places.
  typealias Componentwise = (operation: lane_op, isSwapped: Bool)

  private static let binary: [Opcode: Componentwise] = [
    .OpIAdd: (LANE_OP_iadd, false), .OpFAdd: (LANE_OP_fadd, false), .OpISub: (LANE_OP_isub, false), .OpFSub: (LANE_OP_fsub, false),
    .OpIMul: (LANE_OP_imul, false), .OpFMul: (LANE_OP_fmul, false), .OpUDiv: (LANE_OP_udiv, false), .OpSDiv: (LANE_OP_sdiv, false),
    .OpFDiv: (LANE_OP_fdiv, false), .OpUMod: (LANE_OP_umod, false), .OpSRem: (LANE_OP_srem, false), .OpSMod: (LANE_OP_smod, false),
    .OpFRem: (LANE_OP_frem, false), .OpFMod: (LANE_OP_fmod, false),
    .OpLogicalEqual: (LANE_OP_ieq, false), .OpLogicalNotEqual: (LANE_OP_xor, false), .OpLogicalOr: (LANE_OP_or, false),
    .OpLogicalAnd: (LANE_OP_and, false), .OpIEqual: (LANE_OP_ieq, false), .OpINotEqual: (LANE_OP_ine, false),
    .OpUGreaterThan: (LANE_OP_ult, true), .OpSGreaterThan: (LANE_OP_slt, true), .OpUGreaterThanEqual: (LANE_OP_ule, true),
    .OpSGreaterThanEqual: (LANE_OP_sle, true), .OpULessThan: (LANE_OP_ult, false), .OpSLessThan: (LANE_OP_slt, false),
    .OpULessThanEqual: (LANE_OP_ule, false), .OpSLessThanEqual: (LANE_OP_sle, false),
    .OpFOrdEqual: (LANE_OP_feq, false), .OpFUnordEqual: (LANE_OP_fueq, false), .OpFOrdNotEqual: (LANE_OP_fne, false),
    .OpFUnordNotEqual: (LANE_OP_fune, false), .OpFOrdLessThan: (LANE_OP_flt, false), .OpFUnordLessThan: (LANE_OP_fult, false),
    .OpFOrdGreaterThan: (LANE_OP_flt, true), .OpFUnordGreaterThan: (LANE_OP_fult, true), .OpFOrdLessThanEqual: (LANE_OP_fle, false),
    .OpFUnordLessThanEqual: (LANE_OP_fule, false), .OpFOrdGreaterThanEqual: (LANE_OP_fle, true),
    .OpFUnordGreaterThanEqual: (LANE_OP_fule, true), .OpUnordered: (LANE_OP_funord, false),
    .OpShiftRightLogical: (LANE_OP_shr, false), .OpShiftRightArithmetic: (LANE_OP_sar, false), .OpShiftLeftLogical: (LANE_OP_shl, false),
    .OpBitwiseOr: (LANE_OP_or, false), .OpBitwiseXor: (LANE_OP_xor, false), .OpBitwiseAnd: (LANE_OP_and, false),
  ]

  private static let unary: [Opcode: lane_op] = [
    .OpSNegate: LANE_OP_ineg, .OpFNegate: LANE_OP_fneg, .OpLogicalNot: LANE_OP_not, .OpNot: LANE_OP_not, .OpIsNan: LANE_OP_isnan,
    .OpIsInf: LANE_OP_isinf, .OpBitReverse: LANE_OP_bit_reverse, .OpBitCount: LANE_OP_bit_count,
  ]

  /// Operations on each component alone.
  func arithmetic(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    let at = instruction.index
    if let binary = Self.binary[instruction.opcode] {
      let operands = try alike(instruction, 0..<2)
      let a = operands[0], b = operands[1]
      let kind = try scalarKind(type, at: at)
      return zip(a, b).map { rounded(binary.isSwapped ? add(binary.operation, $1, $0) : add(binary.operation, $0, $1), kind) }
    }
    if let operation = Self.unary[instruction.opcode] {
      return try scalars(instruction.id(0), at: at).map { add(operation, $0) }
    }
    switch instruction.opcode {
    case .OpSelect: return try select(instruction)
    case .OpAny, .OpAll:
      let operation = instruction.opcode == .OpAny ? LANE_OP_or : LANE_OP_and
      let parts = try alike(instruction, 0..<1)[0]
      return [parts.dropFirst().reduce(parts[0]) { add(operation, $0, $1) }]
    case .OpBitFieldInsert: return try insertBits(instruction)
    case .OpBitFieldSExtract, .OpBitFieldUExtract:
      let operation = instruction.opcode == .OpBitFieldSExtract ? LANE_OP_bitfield_sextract : LANE_OP_bitfield_uextract
      let offset = try scalar(instruction.id(1), at: at), count = try scalar(instruction.id(2), at: at)
      return try scalars(instruction.id(0), at: at).map { add(operation, $0, offset, count) }
    case .OpIAddCarry: return try pairs(instruction, LANE_OP_iadd, LANE_OP_carry)
    case .OpISubBorrow: return try pairs(instruction, LANE_OP_isub, LANE_OP_borrow)
    case .OpUMulExtended: return try pairs(instruction, LANE_OP_imul, LANE_OP_umul_high)
    case .OpSMulExtended: return try pairs(instruction, LANE_OP_imul, LANE_OP_smul_high)
    case .OpSDot, .OpUDot, .OpSUDot: return [try packedDot(instruction)]
    case .OpFunctionCall, .OpExtInst: return nil
    default: return nil
    }
  }

  /// A float result in the precision of its type.
  func rounded(_ value: ValueId, _ kind: ScalarKind) -> ValueId {
    if case .half = kind { return add(LANE_OP_round_to_half, value) }
    return value
  }

  private func select(_ instruction: Instruction) throws(Unsupported) -> [ValueId] {
    let conditions = try scalars(instruction.id(0), atLeast: 1, instruction)
    let operands = try alike(instruction, 1..<3)
    let a = operands[0], b = operands[1]
    guard conditions.count == 1 || conditions.count == a.count else { throw misfit(instruction) }
    return a.indices.map { part in
      let condition = conditions.count == 1 ? conditions[0] : conditions[part]
      return a[part] == b[part] ? a[part] : add(LANE_OP_select, condition, a[part], b[part])
    }
  }

  private func insertBits(_ instruction: Instruction) throws(Unsupported) -> [ValueId] {
    let at = instruction.index
    let offset = try scalar(instruction.id(2), at: at), count = try scalar(instruction.id(3), at: at)
    let mask = add(LANE_OP_bitfield_mask, offset, count)
    let base = try scalars(instruction.id(0), at: at), insert = try scalars(instruction.id(1), at: at)
    return zip(base, insert).map { base, insert in
      add(LANE_OP_or, add(LANE_OP_andnot, base, mask), add(LANE_OP_and, add(LANE_OP_shl, insert, offset), mask))
    }
  }

  /// Results with a low and a high part, which are the members of a structure.
  private func pairs(_ instruction: Instruction, _ low: lane_op, _ high: lane_op) throws(Unsupported) -> [ValueId] {
    let a = try scalars(instruction.id(0), at: instruction.index), b = try scalars(instruction.id(1), at: instruction.index)
    return zip(a, b).map { add(low, $0, $1) } + zip(a, b).map { add(high, $0, $1) }
  }

  private func packedDot(_ instruction: Instruction) throws(Unsupported) -> ValueId {
    let operands = try alike(instruction, 0..<2)
    let a = operands[0], b = operands[1]
    guard a.count == 1 else {
      let products = zip(a, b).map { add(LANE_OP_imul, $0, $1) }
      return products.dropFirst().reduce(products[0]) { add(LANE_OP_iadd, $0, $1) }
    }
    switch instruction.opcode {
    case .OpSDot: return add(LANE_OP_sdot4x8, a[0], b[0])
    case .OpUDot: return add(LANE_OP_udot4x8, a[0], b[0])
    default: return add(LANE_OP_sudot4x8, a[0], b[0])
    }
  }

  // MARK: Conversions

  func conversion(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    let at = instruction.index
    let operation: lane_op
    switch instruction.opcode {
    case .OpConvertFToU: operation = LANE_OP_f2u
    case .OpConvertFToS: operation = LANE_OP_f2i
    case .OpConvertSToF: operation = LANE_OP_i2f
    case .OpConvertUToF: operation = LANE_OP_u2f
    case .OpQuantizeToF16: operation = LANE_OP_round_to_half
    case .OpFConvert, .OpUConvert, .OpSConvert:
      let kind = try scalarKind(type, at: at)
      return try scalars(instruction.id(0), at: at).map { rounded($0, kind) }
    case .OpBitcast: return try bitcast(instruction, type: type)
    default: return nil
    }
    let kind = try scalarKind(type, at: at)
    return try scalars(instruction.id(0), at: at).map { rounded(add(operation, $0), kind) }
  }

  private func bitcast(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId] {
    let at = instruction.index
    guard let sourceType = module.typeOfValue(instruction.id(0)) else { throw Unsupported("OpBitcast of nothing", at: at) }
    let from = try scalarKind(sourceType, at: at), to = try scalarKind(type, at: at)
    let scalars = try scalars(instruction.id(0), at: at)
    switch (from, to) {
    case (.half, .half): return scalars
    case (.half, _):
      let halves = scalars.map { add(LANE_OP_half_bits, $0) }
      return stride(from: 0, to: halves.count - 1, by: 2).map {
        add(LANE_OP_or, halves[$0], add(LANE_OP_shl, halves[$0 + 1], word(16)))
      }
    case (_, .half):
      return scalars.flatMap { [add(LANE_OP_unpack_half, $0, word(0)), add(LANE_OP_unpack_half, $0, word(16))] }
    case (.float, .int): return scalars.map { add(LANE_OP_canonical, $0) }
    default: return scalars
    }
  }
}

// MARK: - Composites

extension KernelLowering {
  /// Taking composites apart and putting them together.
  func composite(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    let at = instruction.index
    switch instruction.opcode {
    case .OpCompositeConstruct:
      return try instruction.ids(from: 0).map { (id) throws(Unsupported) in try scalars(id, at: at) }.flatMap { $0 }
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
      guard let (columns, rows) = matrixSize(instruction.id(0)) else { throw Unsupported("OpTranspose of no matrix", at: at) }
      let matrix = try scalars(instruction.id(0), atLeast: rows * columns, instruction)
      return (0..<rows * columns).map { matrix[($0 % columns) * rows + $0 / columns] }
    case .OpCopyLogical: return try scalars(instruction.id(0), at: at)
    case .OpUndef: return try zeros(type, at: at)
    case .OpArrayLength: return [try arrayLength(instruction)]
    default: return nil
    }
  }

  /// The scalars of a composite that literal indices lead to.
  func part(_ instruction: Instruction, of composite: Id, indicesFrom first: Int) throws(Unsupported) -> Range<Int> {
    guard var type = module.typeOfValue(composite) else { throw Unsupported("\(instruction.opcode) of nothing", at: instruction.index) }
    var offset = 0
    for index in instruction.operands.dropFirst(first) {
      guard let part = module.type(type).part(Int(index)) else {
        throw Unsupported("\(instruction.opcode) of a part that does not exist", at: instruction.index)
      }
      offset += scalarOffset(of: Int(index), in: type)
      type = part
    }
    return offset..<offset + module.scalarCount(type)
  }

  private func arrayLength(_ instruction: Instruction) throws(Unsupported) -> ValueId {
    let pointer = try pointer(instruction.id(0), at: instruction.index)
    let member = Int(instruction[1])
    guard case .buffer(let number, _) = pointer.root, case .structure(let members) = module.type(pointer.type),
      members.indices.contains(member)
    else { throw Unsupported("OpArrayLength of what is no buffer", at: instruction.index) }
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

  func matrixProduct(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
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
      guard let (columns, rows) = matrixSize(instruction.id(0)) else { throw Unsupported("\(instruction.opcode) of no matrix", at: at) }
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
