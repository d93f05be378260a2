internal import CLaneKernels
internal import EtalonSPIRV

/// Operands of instructions outside of what these are defined for: conditions that watches and perturbations have in common.
extension KernelLowering {
  /// The lanes in which a field is not one of a word of 32 bits.
  func isBeyondBits(offset: ValueId, count: ValueId) -> ValueId {
    // As unsigned numbers, negative ones are too large; two that are not do not wrap.
    let isOffset = add(LANE_OP_ule, offset, word(32)), isCount = add(LANE_OP_ule, count, word(32))
    let isInside = add(LANE_OP_ule, add(LANE_OP_iadd, offset, count), word(32))
    return add(LANE_OP_not, add(LANE_OP_and, add(LANE_OP_and, isOffset, isCount), isInside))
  }

  /// The lanes in which a quotient is 2^31, which no signed integer is.
  func overflows(dividend: ValueId, divisor: ValueId) -> ValueId {
    add(LANE_OP_and, add(LANE_OP_ieq, dividend, word(Int(Int32.min))), add(LANE_OP_ieq, divisor, word(-1)))
  }

  /// The lanes in which `ldexp` has an exponent above 128, or a product that is too large for a float.
  func isBeyondExponents(_ x: [ValueId]) -> ValueId {
    let isFinite = add(LANE_OP_flt, add(LANE_OP_fabs, x[0]), number(.infinity))
    let isTooLarge = add(LANE_OP_and, isFinite, add(LANE_OP_isinf, add(LANE_OP_ldexp, x[0], x[1])))
    return add(LANE_OP_or, add(LANE_OP_slt, word(128), x[1]), isTooLarge)
  }

  // MARK: Watches

  /// Watches the operands of an instruction that becomes several operations, or whose condition needs more than one of them.
  ///
  /// - Parameter results: what it computes: a part that leads nowhere is not told.
  func watchOpenBehavior(of instruction: Instruction, _ results: [ValueId]) throws(Refusal) {
    guard watch != nil, let origin = watch?.table.origin(of: instruction.index) else { return }
    let isFunction = instruction.opcode == .OpExtInst
    let function = isFunction ? ExtendedInstruction(rawValue: instruction[1]) : nil
    guard isFunction ? function.map(Self.watchedFunctions.contains) ?? false : Self.watchedOpcodes.contains(instruction.opcode) else {
      return
    }
    let operands = try instruction.ids(from: isFunction ? 2 : 0).map { (id) throws(Refusal) in try scalars(id, at: instruction.index) }
    for (part, result) in results.enumerated() {
      let parts = operands.map { $0[min(part, $0.count - 1)] }
      guard let found = function.map({ condition(of: $0, parts) }) ?? condition(of: instruction.opcode, parts) else { continue }
      let named = zip(found.names, found.operands).map { (WatchSite.Operand(name: $0, scalar: found.scalar), $1) }
      note(found.kind, found.condition, origin: origin, operands: named, watched: result)
    }
  }

  private struct OpenCondition {
    let kind: FaultKind
    let condition: ValueId
    let names: [String]
    let operands: [ValueId]
    var scalar = WatchSite.Scalar.signed
  }

  private static let watchedFunctions: Set<ExtendedInstruction> = [.uClamp, .sClamp, .acosh, .atanh, .ldexp, .packHalf2x16]
  private static let watchedOpcodes: Set<Opcode> = [.OpBitFieldInsert, .OpBitFieldSExtract, .OpBitFieldUExtract, .OpSDiv, .OpSMod, .OpSRem]

  private func condition(of opcode: Opcode, _ x: [ValueId]) -> OpenCondition? {
    switch opcode {
    case .OpSDiv, .OpSMod, .OpSRem:
      return OpenCondition(
        kind: .divisionOverflow, condition: overflows(dividend: x[0], divisor: x[1]), names: ["dividend", "divisor"], operands: x)
    default:
      let field = Array(x.suffix(2))
      return OpenCondition(
        kind: .bitfield, condition: isBeyondBits(offset: field[0], count: field[1]), names: ["offset", "bits"], operands: field)
    }
  }

  private func condition(of function: ExtendedInstruction, _ x: [ValueId]) -> OpenCondition? {
    switch function {
    case .uClamp, .sClamp:
      let isSigned = function == .sClamp
      return OpenCondition(
        kind: .clampLimits, condition: add(isSigned ? LANE_OP_slt : LANE_OP_ult, x[2], x[1]), names: ["x", "minimum", "maximum"],
        operands: x, scalar: isSigned ? .signed : .unsigned)
    case .acosh:
      return OpenCondition(
        kind: .hyperbolicArc, condition: add(LANE_OP_flt, x[0], number(1)), names: ["x"], operands: x, scalar: .float)
    case .atanh:
      let isOutside = add(LANE_OP_fle, number(1), add(LANE_OP_fabs, x[0]))
      return OpenCondition(kind: .hyperbolicArc, condition: isOutside, names: ["x"], operands: x, scalar: .float)
    case .ldexp: return OpenCondition(kind: .exponent, condition: isBeyondExponents(x), names: ["exp"], operands: [x[1]])
    case .packHalf2x16:
      // The device chooses how it rounds: what lies above the largest half may become infinite.
      let isTooLarge = add(LANE_OP_flt, number(65504), add(LANE_OP_fabs, x[0]))
      return OpenCondition(kind: .conversion, condition: isTooLarge, names: ["x"], operands: [x[0]], scalar: .float)
    default: return nil
    }
  }
}
