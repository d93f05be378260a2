internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  private static let componentwise: [ExtendedInstruction: lane_op] = [
    .round: LANE_OP_round, .roundEven: LANE_OP_round, .trunc: LANE_OP_trunc, .fAbs: LANE_OP_fabs, .sAbs: LANE_OP_sabs,
    .fSign: LANE_OP_fsign, .sSign: LANE_OP_ssign, .floor: LANE_OP_floor, .ceil: LANE_OP_ceil, .fract: LANE_OP_fract,
    .radians: LANE_OP_radians, .degrees: LANE_OP_degrees, .sin: LANE_OP_sin, .cos: LANE_OP_cos, .tan: LANE_OP_tan, .asin: LANE_OP_asin,
    .acos: LANE_OP_acos, .atan: LANE_OP_atan, .sinh: LANE_OP_sinh, .cosh: LANE_OP_cosh, .tanh: LANE_OP_tanh, .asinh: LANE_OP_asinh,
    .acosh: LANE_OP_acosh, .atanh: LANE_OP_atanh, .atan2: LANE_OP_atan2, .pow: LANE_OP_pow, .exp: LANE_OP_exp, .log: LANE_OP_log,
    .exp2: LANE_OP_exp2, .log2: LANE_OP_log2, .sqrt: LANE_OP_sqrt, .inverseSqrt: LANE_OP_inversesqrt, .fMin: LANE_OP_fmin,
    .uMin: LANE_OP_umin, .sMin: LANE_OP_smin, .fMax: LANE_OP_fmax, .uMax: LANE_OP_umax, .sMax: LANE_OP_smax, .fClamp: LANE_OP_fclamp,
    .fMix: LANE_OP_fmix, .step: LANE_OP_step, .smoothStep: LANE_OP_smoothstep, .fma: LANE_OP_fmadd, .ldexp: LANE_OP_ldexp,
    .findILsb: LANE_OP_find_lsb, .findSMsb: LANE_OP_find_smsb, .findUMsb: LANE_OP_find_umsb, .nMin: LANE_OP_fmin, .nMax: LANE_OP_fmax,
    .nClamp: LANE_OP_fclamp,
  ]

  /// The functions of GLSL.std.450.
  func extended(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    guard instruction.opcode == .OpExtInst else { return nil }
    let at = instruction.index
    let set = module.extendedInstructionSets[instruction.id(0)] ?? ""
    guard set == "GLSL.std.450", let function = ExtendedInstruction(rawValue: instruction[1]) else {
      throw Unsupported("instruction \(instruction[1]) of '\(set)'", at: at)
    }
    switch function {
    case .modf: return try modf(instruction)
    case .frexp: return try frexp(instruction)
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
  private func checkOperands(of function: ExtendedInstruction, _ operands: [[ValueId]], _ instruction: Instruction) throws(Unsupported) {
    let lengths = operands.map(\.count)
    let fits =
      switch function {
      case .uClamp, .sClamp, .faceForward: lengths.count == 3 && Set(lengths).count == 1
      case .distance, .reflect: lengths.count == 2 && lengths[0] == lengths[1]
      case .cross: lengths == [3, 3]
      case .refract: lengths.count == 3 && lengths[0] == lengths[1]
      case .determinant, .matrixInverse: [4, 9, 16].contains(lengths[0])
      case .packUnorm4x8, .packSnorm4x8: lengths == [4]
      case .packUnorm2x16, .packSnorm2x16, .packHalf2x16: lengths == [2]
      default: true
      }
    guard fits else { throw misfit(instruction) }
  }

  private func geometric(
    _ function: ExtendedInstruction, _ operands: [[ValueId]], type: Id, _ instruction: Instruction
  ) throws(Unsupported) -> [ValueId] {
    let a = operands[0]
    let b = operands.count > 1 ? operands[1] : []
    let c = operands.count > 2 ? operands[2] : []
    switch function {
    case .uClamp: return a.indices.map { add(LANE_OP_umin, add(LANE_OP_umax, a[$0], b[$0]), c[$0]) }
    case .sClamp: return a.indices.map { add(LANE_OP_smin, add(LANE_OP_smax, a[$0], b[$0]), c[$0]) }
    case .modfStruct: return a.map { add(LANE_OP_modf_fraction, $0) } + a.map { add(LANE_OP_trunc, $0) }
    case .frexpStruct: return a.map { add(LANE_OP_frexp_significand, $0) } + a.map { add(LANE_OP_frexp_exponent, $0) }
    case .length: return [length(a)]
    case .distance: return [length(zip(a, b).map { add(LANE_OP_fsub, $0, $1) })]
    case .normalize:
      let scale = add(LANE_OP_inversesqrt, dot(a, a))
      return a.map { add(LANE_OP_fmul, $0, scale) }
    case .cross:
      return [(1, 2), (2, 0), (0, 1)].map { i, j in
        add(LANE_OP_fsub, add(LANE_OP_fmul, a[i], b[j]), add(LANE_OP_fmul, a[j], b[i]))
      }
    case .faceForward:
      let isFacing = add(LANE_OP_flt, dot(b, c), number(0))
      return a.map { add(LANE_OP_select, isFacing, $0, add(LANE_OP_fneg, $0)) }
    case .reflect:
      let twice = add(LANE_OP_fmul, number(2), dot(b, a))
      return a.indices.map { add(LANE_OP_fsub, a[$0], add(LANE_OP_fmul, twice, b[$0])) }
    case .refract: return refract(a, b, c[0])
    case .determinant: return [determinant(a, size: a.count == 4 ? 2 : a.count == 9 ? 3 : 4)]
    case .matrixInverse: return inverse(a, size: a.count == 4 ? 2 : a.count == 9 ? 3 : 4)
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

  private func packing(_ function: ExtendedInstruction, _ a: [ValueId]) -> [ValueId]? {
    switch function {
    case .packUnorm4x8: return [bytes(a.map { add(LANE_OP_to_unorm8, $0) })]
    case .packSnorm4x8: return [bytes(a.map { add(LANE_OP_to_snorm8, $0) })]
    case .packUnorm2x16: return [add(LANE_OP_pack_unorm2x16, a[0], a[1])]
    case .packSnorm2x16: return [add(LANE_OP_pack_snorm2x16, a[0], a[1])]
    case .packHalf2x16: return [add(LANE_OP_pack_half2x16, a[0], a[1])]
    case .unpackUnorm4x8: return (0..<4).map { add(LANE_OP_unpack_unorm8, a[0], word(8 * $0)) }
    case .unpackSnorm4x8: return (0..<4).map { add(LANE_OP_unpack_snorm8, a[0], word(8 * $0)) }
    case .unpackUnorm2x16: return (0..<2).map { add(LANE_OP_unpack_unorm16, a[0], word(16 * $0)) }
    case .unpackSnorm2x16: return (0..<2).map { add(LANE_OP_unpack_snorm16, a[0], word(16 * $0)) }
    case .unpackHalf2x16: return (0..<2).map { add(LANE_OP_unpack_half, a[0], word(16 * $0)) }
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

// MARK: - Numbers

/// The instructions of the set GLSL.std.450, by their numbers.
enum ExtendedInstruction: UInt32, CaseIterable {
  case round = 1, roundEven, trunc, fAbs, sAbs, fSign, sSign, floor, ceil, fract, radians, degrees, sin, cos, tan, asin, acos, atan, sinh
  case cosh, tanh, asinh, acosh, atanh, atan2, pow, exp, log, exp2, log2, sqrt, inverseSqrt, determinant, matrixInverse, modf, modfStruct
  case fMin, uMin, sMin, fMax, uMax, sMax, fClamp, uClamp, sClamp, fMix
  case step = 48, smoothStep, fma, frexp, frexpStruct, ldexp, packSnorm4x8, packUnorm4x8, packSnorm2x16, packUnorm2x16, packHalf2x16
  case unpackSnorm2x16 = 60, unpackUnorm2x16, unpackHalf2x16, unpackSnorm4x8, unpackUnorm4x8
  case length = 66, distance, cross, normalize, faceForward, reflect, refract, findILsb, findSMsb, findUMsb
  case nMin = 79, nMax, nClamp
}
