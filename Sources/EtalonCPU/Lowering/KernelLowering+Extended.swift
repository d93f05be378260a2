internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  private static let componentwise: [GLSLInstruction: lane_op] = [
    .Round: LANE_OP_round, .RoundEven: LANE_OP_round, .Trunc: LANE_OP_trunc, .FAbs: LANE_OP_fabs, .SAbs: LANE_OP_sabs,
    .FSign: LANE_OP_fsign, .SSign: LANE_OP_ssign, .Floor: LANE_OP_floor, .Ceil: LANE_OP_ceil, .Fract: LANE_OP_fract,
    .Radians: LANE_OP_radians, .Degrees: LANE_OP_degrees, .Sin: LANE_OP_sin, .Cos: LANE_OP_cos, .Tan: LANE_OP_tan, .Asin: LANE_OP_asin,
    .Acos: LANE_OP_acos, .Atan: LANE_OP_atan, .Sinh: LANE_OP_sinh, .Cosh: LANE_OP_cosh, .Tanh: LANE_OP_tanh, .Asinh: LANE_OP_asinh,
    .Acosh: LANE_OP_acosh, .Atanh: LANE_OP_atanh, .Atan2: LANE_OP_atan2, .Pow: LANE_OP_pow, .Exp: LANE_OP_exp, .Log: LANE_OP_log,
    .Exp2: LANE_OP_exp2, .Log2: LANE_OP_log2, .Sqrt: LANE_OP_sqrt, .InverseSqrt: LANE_OP_inversesqrt, .FMin: LANE_OP_fmin,
    .UMin: LANE_OP_umin, .SMin: LANE_OP_smin, .FMax: LANE_OP_fmax, .UMax: LANE_OP_umax, .SMax: LANE_OP_smax, .FClamp: LANE_OP_fclamp,
    .FMix: LANE_OP_fmix, .Step: LANE_OP_step, .SmoothStep: LANE_OP_smoothstep, .Fma: LANE_OP_fmadd, .Ldexp: LANE_OP_ldexp,
    .FindILsb: LANE_OP_find_lsb, .FindSMsb: LANE_OP_find_smsb, .FindUMsb: LANE_OP_find_umsb, .NMin: LANE_OP_fmin, .NMax: LANE_OP_fmax,
    .NClamp: LANE_OP_fclamp,
  ]

  /// The functions of GLSL.std.450.
  func extended(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    guard instruction.opcode == .OpExtInst else { return nil }
    let at = instruction.index
    let set = module.extendedInstructionSets[instruction.id(0)] ?? ""
    guard set == GLSLInstruction.setName, let function = GLSLInstruction(rawValue: instruction[1]) else {
      throw Unsupported("instruction \(instruction[1]) of '\(set)'", at: at)
    }
    switch function {
    case .Modf: return try modf(instruction)
    case .Frexp: return try frexp(instruction)
    default: break
    }
    let operands = try instruction.ids(from: 2).map { (id) throws(Unsupported) in try scalars(id, at: at) }
    guard let first = operands.first, operands.allSatisfy({ !$0.isEmpty }) else {
      throw Unsupported("\(function) without an operand", at: at)
    }
    let kind = try scalarKind(type, at: at)
    if let parts = try takenApart(function, operands, instruction, kind) { return parts }
    if let operation = Self.componentwise[function] {
      guard operands.count >= ShaderOperation(operation).arity else { throw misfit(instruction) }
      return first.indices.map { part in
        rounded(
          builder.add(operation, operands.prefix(ShaderOperation(operation).arity).map { $0[min(part, $0.count - 1)] }), kind)
      }
    }
    try checkOperands(of: function, operands, instruction)
    if let packed = packing(function, first) { return packed }
    return try geometric(function, operands, type: type, instruction).map { rounded($0, kind) }
  }

  /// Throws unless the operands are as many and as long as a function reads.
  private func checkOperands(of function: GLSLInstruction, _ operands: [[ValueId]], _ instruction: Instruction) throws(Unsupported) {
    let lengths = operands.map(\.count)
    let fits =
      switch function {
      case .UClamp, .SClamp, .FaceForward: lengths.count == 3 && Set(lengths).count == 1
      case .Distance, .Reflect: lengths.count == 2 && lengths[0] == lengths[1]
      case .Cross: lengths == [3, 3]
      case .Refract: lengths.count == 3 && lengths[0] == lengths[1]
      case .Determinant, .MatrixInverse: [4, 9, 16].contains(lengths[0])
      case .PackUnorm4x8, .PackSnorm4x8: lengths == [4]
      case .PackUnorm2x16, .PackSnorm2x16, .PackHalf2x16: lengths == [2]
      default: true
      }
    guard fits else { throw misfit(instruction) }
  }

  private func geometric(
    _ function: GLSLInstruction, _ operands: [[ValueId]], type: Id, _ instruction: Instruction
  ) throws(Unsupported) -> [ValueId] {
    let a = operands[0]
    let b = operands.count > 1 ? operands[1] : []
    let c = operands.count > 2 ? operands[2] : []
    switch function {
    case .UClamp: return a.indices.map { add(LANE_OP_umin, add(LANE_OP_umax, a[$0], b[$0]), c[$0]) }
    case .SClamp: return a.indices.map { add(LANE_OP_smin, add(LANE_OP_smax, a[$0], b[$0]), c[$0]) }
    case .ModfStruct: return a.map { add(LANE_OP_modf_fraction, $0) } + a.map { add(LANE_OP_trunc, $0) }
    case .FrexpStruct: return a.map { add(LANE_OP_frexp_significand, $0) } + a.map { add(LANE_OP_frexp_exponent, $0) }
    case .Length: return [length(a)]
    case .Distance: return [length(zip(a, b).map { add(LANE_OP_fsub, $0, $1) })]
    case .Normalize:
      let scale = add(LANE_OP_inversesqrt, dot(a, a))
      return a.map { add(LANE_OP_fmul, $0, scale) }
    case .Cross:
      return [(1, 2), (2, 0), (0, 1)].map { i, j in
        add(LANE_OP_fsub, add(LANE_OP_fmul, a[i], b[j]), add(LANE_OP_fmul, a[j], b[i]))
      }
    case .FaceForward:
      let isFacing = add(LANE_OP_flt, dot(b, c), number(0))
      return a.map { add(LANE_OP_select, isFacing, $0, add(LANE_OP_fneg, $0)) }
    case .Reflect:
      let twice = add(LANE_OP_fmul, number(2), dot(b, a))
      return a.indices.map { add(LANE_OP_fsub, a[$0], add(LANE_OP_fmul, twice, b[$0])) }
    case .Refract: return refract(a, b, c[0])
    case .Determinant: return [determinant(a, size: a.count == 4 ? 2 : a.count == 9 ? 3 : 4)]
    case .MatrixInverse: return inverse(a, size: a.count == 4 ? 2 : a.count == 9 ? 3 : 4)
    default: throw Unsupported("\(function) of GLSL.std.450", at: instruction.index)
    }
  }

  private func length(_ a: [ValueId]) -> ValueId {
    a.count == 1 ? add(LANE_OP_fabs, a[0]) : add(LANE_OP_sqrt, dot(a, a))
  }

  private func refract(_ incident: [ValueId], _ normal: [ValueId], _ ratio: ValueId) -> [ValueId] {
    let along = dot(normal, incident)
    let sine = add(LANE_OP_fmul, add(LANE_OP_fmul, ratio, ratio), add(LANE_OP_fsub, number(1), add(LANE_OP_fmul, along, along)))
    let k = add(LANE_OP_fsub, number(1), sine)
    let isReflected = add(LANE_OP_flt, k, number(0))
    // Under total reflection `k` is negative and has no root: GLSL gives 0 there, so no NaN may arise on the way.
    let root = add(LANE_OP_sqrt, add(LANE_OP_select, isReflected, number(0), k))
    let factor = add(LANE_OP_fadd, add(LANE_OP_fmul, ratio, along), root)
    return incident.indices.map { part in
      let bent = add(LANE_OP_fsub, add(LANE_OP_fmul, ratio, incident[part]), add(LANE_OP_fmul, factor, normal[part]))
      return add(LANE_OP_select, isReflected, number(0), bent)
    }
  }

  // MARK: Functions with two results

  private func modf(_ instruction: Instruction) throws(Unsupported) -> [ValueId] {
    let value = try scalars(instruction.id(2), at: instruction.index)
    let target = try pointer(instruction.id(3), at: instruction.index)
    try store(value.map { add(LANE_OP_trunc, $0) }, to: target, at: instruction.index)
    try markWritten(target, at: instruction.index)
    return value.map { add(LANE_OP_modf_fraction, $0) }
  }

  private func frexp(_ instruction: Instruction) throws(Unsupported) -> [ValueId] {
    let value = try scalars(instruction.id(2), at: instruction.index)
    let target = try pointer(instruction.id(3), at: instruction.index)
    try store(value.map { add(LANE_OP_frexp_exponent, $0) }, to: target, at: instruction.index)
    try markWritten(target, at: instruction.index)
    return value.map { add(LANE_OP_frexp_significand, $0) }
  }

  // MARK: Packing

  private func packing(_ function: GLSLInstruction, _ a: [ValueId]) -> [ValueId]? {
    switch function {
    case .PackUnorm4x8: return [bytes(a.map { add(LANE_OP_to_unorm8, $0) })]
    case .PackSnorm4x8: return [bytes(a.map { add(LANE_OP_to_snorm8, $0) })]
    case .PackUnorm2x16: return [add(LANE_OP_pack_unorm2x16, a[0], a[1])]
    case .PackSnorm2x16: return [add(LANE_OP_pack_snorm2x16, a[0], a[1])]
    case .PackHalf2x16: return [add(LANE_OP_pack_half2x16, a[0], a[1])]
    case .UnpackUnorm4x8: return (0..<4).map { add(LANE_OP_unpack_unorm8, a[0], word(8 * $0)) }
    case .UnpackSnorm4x8: return (0..<4).map { add(LANE_OP_unpack_snorm8, a[0], word(8 * $0)) }
    case .UnpackUnorm2x16: return (0..<2).map { add(LANE_OP_unpack_unorm16, a[0], word(16 * $0)) }
    case .UnpackSnorm2x16: return (0..<2).map { add(LANE_OP_unpack_snorm16, a[0], word(16 * $0)) }
    case .UnpackHalf2x16: return (0..<2).map { add(LANE_OP_unpack_half, a[0], word(16 * $0)) }
    default: return nil
    }
  }

  private func bytes(_ parts: [ValueId]) -> ValueId {
    let shifted = parts.enumerated().map { $0 == 0 ? $1 : add(LANE_OP_shl, $1, word(8 * $0)) }
    return shifted.dropFirst().reduce(shifted[0]) { add(LANE_OP_or, $0, $1) }
  }
}

// MARK: - Determinants and inverses

/// Determinants and inverses of square matrices by their minors, always in the same order.
extension KernelLowering {
  /// The matrix without one column and one row.
  private func minor(_ matrix: [ValueId], size: Int, column: Int, row: Int) -> [ValueId] {
    var kept: [ValueId] = []
    for j in 0..<size where j != column {
      for i in 0..<size where i != row { kept.append(matrix[j * size + i]) }
    }
    return kept
  }

  func determinant(_ matrix: [ValueId], size: Int) -> ValueId {
    if size == 1 { return matrix[0] }
    if size == 2 {
      return add(LANE_OP_fsub, add(LANE_OP_fmul, matrix[0], matrix[3]), add(LANE_OP_fmul, matrix[2], matrix[1]))
    }
    var sum: ValueId?
    for column in 0..<size {
      let inner = determinant(minor(matrix, size: size, column: column, row: 0), size: size - 1)
      let term = add(LANE_OP_fmul, matrix[column * size], inner)
      guard let before = sum else {
        sum = term
        continue
      }
      sum = add(column.isMultiple(of: 2) ? LANE_OP_fadd : LANE_OP_fsub, before, term)
    }
    return sum ?? number(0)
  }

  func inverse(_ matrix: [ValueId], size: Int) -> [ValueId] {
    let scale = add(LANE_OP_fdiv, number(1), determinant(matrix, size: size))
    var result: [ValueId] = []
    for column in 0..<size {
      for row in 0..<size {
        // The element (column, row) of the inverse comes from the minor (row, column).
        let inner = determinant(minor(matrix, size: size, column: row, row: column), size: size - 1)
        let signed = (row + column).isMultiple(of: 2) ? inner : add(LANE_OP_fneg, inner)
        result.append(add(LANE_OP_fmul, signed, scale))
      }
    }
    return result
  }
}
