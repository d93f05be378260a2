internal import CLaneKernels
internal import EtalonSPIRV

/// Operands outside of what an operation is defined for.
extension GraphWatch {
  mutating func watchOperands(of value: ValueId, in region: Int) {
    guard let instruction = instruction(of: value) else { return }
    let node = graph[value]
    let x = node.argumentIds
    let function = instruction.opcode == .OpExtInst ? ExtendedInstruction(rawValue: instruction[1]) : nil
    guard let rule = rule(node.operation.kernel, instruction.opcode, function) else { return }
    let condition = self.condition(rule.kind, node.operation.kernel, x, in: region)
    let number = site(rule.kind, value, rule.names, rule.scalar, result: nil)
    note(LANE_OP_watch, condition, site: number, operands: Array(x.suffix(rule.names.count)), in: region)
    guard let other = Self.others[rule.kind] else { return }
    let isOther = self.condition(other, node.operation.kernel, x, in: region)
    note(LANE_OP_watch, isOther, site: site(other, value, rule.names, rule.scalar, result: nil), operands: x, in: region)
  }

  /// What else the operands of an operation are watched for.
  private static let others: [FaultKind: FaultKind] = [.negativeRemainder: .integerDivisionByZero, .smoothstepEdges: .reversedSmoothstep]

  private struct Rule {
    let kind: FaultKind
    let names: [String]
    var scalar = WatchSite.Scalar.float
  }

  /// What an operation is watched for where it does what the author asked for, not where it is a step of something else.
  private func rule(_ operation: lane_op, _ opcode: Opcode, _ function: ExtendedInstruction?) -> Rule? {
    switch (operation, function) {
    case (LANE_OP_sqrt, .sqrt): return Rule(kind: .squareRoot, names: ["x"])
    case (LANE_OP_inversesqrt, .inverseSqrt): return Rule(kind: .inverseSquareRoot, names: ["x"])
    case (LANE_OP_inversesqrt, .normalize): return Rule(kind: .normalizeOfZero, names: ["dot(v, v)"])
    case (LANE_OP_log, .log), (LANE_OP_log2, .log2): return Rule(kind: .logarithm, names: ["x"])
    case (LANE_OP_asin, .asin), (LANE_OP_acos, .acos): return Rule(kind: .arc, names: ["x"])
    case (LANE_OP_pow, .pow): return Rule(kind: .power, names: ["x", "y"])
    case (LANE_OP_atan2, .atan2): return Rule(kind: .angleOfZero, names: ["y", "x"])
    case (LANE_OP_smoothstep, .smoothStep): return Rule(kind: .smoothstepEdges, names: ["edge0", "edge1", "x"])
    case (LANE_OP_fdiv, .matrixInverse): return Rule(kind: .singularInverse, names: ["determinant"])
    case (LANE_OP_fclamp, .fClamp): return Rule(kind: .clampLimits, names: ["x", "minimum", "maximum"])
    default: return rule(operation, opcode)
    }
  }

  private func rule(_ operation: lane_op, _ opcode: Opcode) -> Rule? {
    switch (operation, opcode) {
    case (LANE_OP_fdiv, .OpFDiv): Rule(kind: .divisionByZero, names: ["dividend", "divisor"])
    case (LANE_OP_fdiv, .OpImageSampleProjImplicitLod), (LANE_OP_fdiv, .OpImageSampleProjExplicitLod):
      Rule(kind: .divisionByZero, names: ["dividend", "divisor"])
    case (LANE_OP_fmod, .OpFMod), (LANE_OP_frem, .OpFRem): Rule(kind: .moduloByZero, names: ["x", "y"])
    case (LANE_OP_sdiv, .OpSDiv): Rule(kind: .integerDivisionByZero, names: ["dividend", "divisor"], scalar: .signed)
    case (LANE_OP_udiv, .OpUDiv), (LANE_OP_umod, .OpUMod):
      Rule(kind: .integerDivisionByZero, names: ["dividend", "divisor"], scalar: .unsigned)
    case (LANE_OP_smod, .OpSMod), (LANE_OP_srem, .OpSRem):
      Rule(kind: .negativeRemainder, names: ["dividend", "divisor"], scalar: .signed)
    case (LANE_OP_shl, .OpShiftLeftLogical), (LANE_OP_shr, .OpShiftRightLogical), (LANE_OP_sar, .OpShiftRightArithmetic):
      Rule(kind: .shift, names: ["value", "amount"], scalar: .signed)
    case (LANE_OP_f2i, .OpConvertFToS), (LANE_OP_f2u, .OpConvertFToU): Rule(kind: .conversion, names: ["x"])
    default: nil
    }
  }

  /// The lanes in which operands are outside what an operation is defined for.
  private mutating func condition(_ kind: FaultKind, _ operation: lane_op, _ x: [ValueId], in region: Int) -> ValueId {
    let zero = number(0)
    switch kind {
    case .squareRoot: return add(LANE_OP_flt, [x[0], zero], in: region)
    case .inverseSquareRoot, .logarithm: return add(LANE_OP_fle, [x[0], zero], in: region)
    case .normalizeOfZero: return add(LANE_OP_feq, [x[0], zero], in: region)
    case .arc: return add(LANE_OP_flt, [number(1), add(LANE_OP_fabs, [x[0]], in: region)], in: region)
    case .power:
      let isZero = add(LANE_OP_feq, [x[0], zero], in: region)
      let isNoPower = add(LANE_OP_and, [isZero, add(LANE_OP_fle, [x[1], zero], in: region)], in: region)
      return add(LANE_OP_or, [add(LANE_OP_flt, [x[0], zero], in: region), isNoPower], in: region)
    case .angleOfZero:
      return add(LANE_OP_and, [add(LANE_OP_feq, [x[0], zero], in: region), add(LANE_OP_feq, [x[1], zero], in: region)], in: region)
    case .smoothstepEdges: return add(LANE_OP_feq, [x[1], x[0]], in: region)
    case .reversedSmoothstep: return add(LANE_OP_flt, [x[1], x[0]], in: region)
    case .clampLimits: return add(LANE_OP_flt, [x[2], x[1]], in: region)
    case .divisionByZero, .moduloByZero, .singularInverse: return add(LANE_OP_feq, [x[1], zero], in: region)
    case .integerDivisionByZero: return add(LANE_OP_ieq, [x[1], constant(0)], in: region)
    case .negativeRemainder:
      let isNegative = add(LANE_OP_slt, [x[0], constant(0)], in: region)
      return add(LANE_OP_or, [isNegative, add(LANE_OP_slt, [x[1], constant(0)], in: region)], in: region)
    case .shift: return add(LANE_OP_ule, [constant(32), x[1]], in: region)
    default:
      guard operation == LANE_OP_f2u else {
        let fits = add(LANE_OP_flt, [add(LANE_OP_fabs, [x[0]], in: region), number(0x1p31)], in: region)
        return add(LANE_OP_not, [fits], in: region)
      }
      let fits = add(
        LANE_OP_and, [add(LANE_OP_flt, [number(-1), x[0]], in: region), add(LANE_OP_flt, [x[0], number(0x1p32)], in: region)],
        in: region)
      return add(LANE_OP_not, [fits], in: region)
    }
  }
}
