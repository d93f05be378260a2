internal import CLaneKernels
internal import EtalonSPIRV

/// Operands of instructions outside of what these are defined for: conditions that watches and perturbations have in common.
extension KernelLowering {
  /// The lanes in which a field is not one of a word of 32 bits.
  private func isBeyondBits(offset: ValueId, count: ValueId) -> ValueId {
    // As unsigned numbers, negative ones are too large; two that are not do not wrap.
    let isOffset = add(LANE_OP_ule, offset, word(32)), isCount = add(LANE_OP_ule, count, word(32))
    let isInside = add(LANE_OP_ule, add(LANE_OP_iadd, offset, count), word(32))
    return add(LANE_OP_not, add(LANE_OP_and, add(LANE_OP_and, isOffset, isCount), isInside))
  }

  /// The lanes in which a quotient is 2^31, which no signed integer is.
  private func overflows(dividend: ValueId, divisor: ValueId) -> ValueId {
    add(LANE_OP_and, add(LANE_OP_ieq, dividend, word(Int(Int32.min))), add(LANE_OP_ieq, divisor, word(-1)))
  }

  /// The lanes in which `ldexp` has an exponent above 128, or a product that is too large for a float.
  private func isBeyondExponents(_ x: [ValueId]) -> ValueId {
    let isFinite = add(LANE_OP_flt, add(LANE_OP_fabs, x[0]), number(.infinity))
    let isTooLarge = add(LANE_OP_and, isFinite, add(LANE_OP_isinf, add(LANE_OP_ldexp, x[0], x[1])))
    return add(LANE_OP_or, add(LANE_OP_slt, word(128), x[1]), isTooLarge)
  }

  // MARK: Watches

  /// Watches the operands of an instruction that becomes several operations, or whose condition needs more than one of them.
  ///
  /// - Parameter results: what it computes: a part that is not used is not reported.
  func watchOpenBehavior(of instruction: Instruction, _ results: [ValueId]) throws(Unsupported) {
    guard watch != nil, let origin = watch?.table.origin(of: instruction.index) else { return }
    let isFunction = instruction.opcode == .OpExtInst
    let function = isFunction ? GLSLInstruction(rawValue: instruction[1]) : nil
    guard isFunction ? function.map(Self.watchedFunctions.contains) ?? false : Self.watchedOpcodes.contains(instruction.opcode) else {
      return
    }
    let operands = try instruction.ids(from: isFunction ? 2 : 0).map { (id) throws(Unsupported) in try scalars(id, at: instruction.index) }
    for (part, result) in results.enumerated() {
      let parts = operands.map { $0[min(part, $0.count - 1)] }
      guard let found = function.map({ condition(of: $0, parts) }) ?? condition(of: instruction.opcode, parts) else { continue }
      let named = zip(found.names, found.operands).map { (WatchSite.Operand(name: $0, scalar: found.scalar), $1) }
      note(found.kind, found.condition, origin: origin, operands: named, watched: result)
    }
  }

  private struct OpenCondition {
    let kind: FindingKind
    let condition: ValueId
    let names: [String]
    let operands: [ValueId]
    var scalar = WatchSite.Scalar.signed
  }

  private static let watchedFunctions: Set<GLSLInstruction> = [.UClamp, .SClamp, .Acosh, .Atanh, .Ldexp, .PackHalf2x16]
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

  private func condition(of function: GLSLInstruction, _ x: [ValueId]) -> OpenCondition? {
    switch function {
    case .UClamp, .SClamp:
      let isSigned = function == .SClamp
      return OpenCondition(
        kind: .clampLimits, condition: add(isSigned ? LANE_OP_slt : LANE_OP_ult, x[2], x[1]), names: ["x", "minimum", "maximum"],
        operands: x, scalar: isSigned ? .signed : .unsigned)
    case .Acosh:
      return OpenCondition(
        kind: .hyperbolicArc, condition: add(LANE_OP_flt, x[0], number(1)), names: ["x"], operands: x, scalar: .float)
    case .Atanh:
      let isOutside = add(LANE_OP_fle, number(1), add(LANE_OP_fabs, x[0]))
      return OpenCondition(kind: .hyperbolicArc, condition: isOutside, names: ["x"], operands: x, scalar: .float)
    case .Ldexp: return OpenCondition(kind: .exponent, condition: isBeyondExponents(x), names: ["exp"], operands: [x[1]])
    case .PackHalf2x16:
      // The device chooses how it rounds: what lies above the largest half may become infinite.
      let isTooLarge = add(LANE_OP_flt, number(65504), add(LANE_OP_fabs, x[0]))
      return OpenCondition(kind: .conversion, condition: isTooLarge, names: ["x"], operands: [x[0]], scalar: .float)
    default: return nil
    }
  }
}

// MARK: - Other results

/// Other results for operations that have no defined one: graphics units differ in what GLSL or Vulkan calls undefined.
extension KernelLowering {
  /// What an operation gives instead of the executor's own result, and the lanes in which its operands leave the result undefined.
  ///
  /// The first follows the rule that an undefined result is NaN; the others are numbers.
  private struct Alternatives {
    let isUndefined: ValueId
    let values: (ValueId, ValueId, ValueId)

    subscript(choice: Int) -> ValueId { choice == 0 ? values.0 : choice == 1 ? values.1 : values.2 }
  }

  /// The results, and one of three others where the instruction has no defined ones.
  func replacedWhereUndefined(
    _ results: [ValueId], of instruction: Instruction, type: Id, _ choice: Int
  ) throws(Unsupported) -> [ValueId] {
    let isFunction = instruction.opcode == .OpExtInst
    let function = isFunction ? GLSLInstruction(rawValue: instruction[1]) : nil
    if instruction.opcode == .OpUndef { return try unwrittenResults(type, choice, at: instruction.index) }
    guard isFunction ? function != nil : OpenBehavior.perturbedOpcodes.contains(instruction.opcode) else { return results }
    let operands = try instruction.ids(from: isFunction ? 2 : 0).map { (id) throws(Unsupported) -> [ValueId] in
      if case .pointer = self[id] { [] } else { try scalars(id, at: instruction.index) }
    }
    var results = results
    if choice > 0, case .float = try? scalarKind(type, at: instruction.index) { results = results.map { withoutNaN($0, choice) } }
    for part in results.indices {
      let scalars = operands.compactMap { $0.isEmpty ? nil : $0[min(part, $0.count - 1)] }
      let alternatives =
        switch function {
        case .Normalize: alternativesOfNormalize(operands[0])
        case .UClamp, .SClamp: alternativesOfClamp(scalars, isSigned: function == .SClamp)
        case let function?: self.alternatives(of: function, scalars)
        case nil: self.alternatives(of: instruction.opcode, operands, part) ?? self.alternatives(of: instruction.opcode, scalars)
        }
      if let alternatives { results[part] = add(LANE_OP_select, alternatives.isUndefined, alternatives[choice], results[part]) }
    }
    return results
  }

  /// What takes the place of a value that was never written.
  func unwrittenResults(_ type: Id, _ choice: Int, at instruction: Int?) throws(Unsupported) -> [ValueId] {
    let values: [ValueId]
    switch try? scalarKind(type, at: instruction) {
    case .float, .half: values = [word(-1), number(0.5), number(1)]
    case .bool: values = [word(-1), word(0), word(-1)]
    default: values = [word(-1), word(1), word(0x7f)]
    }
    let value = values[min(choice, 2)]
    return [ValueId](repeating: value, count: try scalarCount(type, at: instruction))
  }

  /// Arithmetic with infinities need not give NaN, nor functions of NaN.
  private func withoutNaN(_ result: ValueId, _ choice: Int) -> ValueId {
    add(LANE_OP_select, add(LANE_OP_isnan, result), number(choice == 1 ? 0.5 : 0), result)
  }

  // MARK: Functions

  private func alternatives(of function: GLSLInstruction, _ x: [ValueId]) -> Alternatives? {
    switch (function, x.count) {
    case (.Sqrt, 1): return root(x[0], LANE_OP_sqrt, isUndefined: add(LANE_OP_flt, x[0], number(0)))
    case (.InverseSqrt, 1): return root(x[0], LANE_OP_inversesqrt, isUndefined: add(LANE_OP_fle, x[0], number(0)))
    case (.Log, 1): return root(x[0], LANE_OP_log, isUndefined: add(LANE_OP_fle, x[0], number(0)))
    case (.Log2, 1): return root(x[0], LANE_OP_log2, isUndefined: add(LANE_OP_fle, x[0], number(0)))
    case (.Asin, 1), (.Acos, 1):
      let nearest = add(LANE_OP_fclamp, x[0], number(-1), number(1))
      let limit = add(function == .Asin ? LANE_OP_asin : LANE_OP_acos, nearest)
      return Alternatives(isUndefined: add(LANE_OP_flt, number(1), add(LANE_OP_fabs, x[0])), values: (number(.nan), number(0.5), limit))
    case (.Acosh, 1):
      return Alternatives(isUndefined: add(LANE_OP_flt, x[0], number(1)), values: (number(.nan), number(0), number(0.5)))
    case (.Atanh, 1):
      let isOutside = add(LANE_OP_fle, number(1), add(LANE_OP_fabs, x[0]))
      return Alternatives(isUndefined: isOutside, values: (number(.nan), number(0), number(16)))
    case (.Ldexp, 2): return Alternatives(isUndefined: isBeyondExponents(x), values: (number(.nan), number(0), x[0]))
    case (.Pow, 2):
      // The executor's own result is that of C, where powers of negative numbers with whole exponents are defined.
      let isZero = add(LANE_OP_and, add(LANE_OP_feq, x[0], number(0)), add(LANE_OP_fle, x[1], number(0)))
      let isUndefined = add(LANE_OP_or, add(LANE_OP_flt, x[0], number(0)), isZero)
      return Alternatives(
        isUndefined: isUndefined, values: (number(.nan), number(0), add(LANE_OP_pow, add(LANE_OP_fabs, x[0]), x[1])))
    case (.Atan2, 2):
      let isOrigin = add(LANE_OP_and, add(LANE_OP_feq, x[0], number(0)), add(LANE_OP_feq, x[1], number(0)))
      return Alternatives(isUndefined: isOrigin, values: (number(.nan), number(0.5), number(.pi / 2)))
    case (.SmoothStep, 3):
      return Alternatives(isUndefined: add(LANE_OP_fle, x[1], x[0]), values: (number(.nan), number(0), number(1)))
    case (.FMin, 2), (.FMax, 2): return Alternatives(isUndefined: add(LANE_OP_funord, x[0], x[1]), values: (number(.nan), x[0], x[1]))
    case (.FClamp, 3):
      let isUndefined = add(LANE_OP_or, add(LANE_OP_flt, x[2], x[1]), add(LANE_OP_isnan, x[0]))
      return Alternatives(isUndefined: isUndefined, values: (x[0], x[1], x[2]))
    default: return nil
    }
  }

  private func alternativesOfNormalize(_ vector: [ValueId]) -> Alternatives {
    let isZero = add(LANE_OP_feq, dot(vector, vector), number(0))
    return Alternatives(isUndefined: isZero, values: (number(.nan), number(0), number(0.5)))
  }

  private func alternativesOfClamp(_ x: [ValueId], isSigned: Bool) -> Alternatives? {
    guard x.count == 3 else { return nil }
    return Alternatives(isUndefined: add(isSigned ? LANE_OP_slt : LANE_OP_ult, x[2], x[1]), values: (x[0], x[1], x[2]))
  }

  private func root(_ x: ValueId, _ operation: lane_op, isUndefined: ValueId) -> Alternatives {
    Alternatives(isUndefined: isUndefined, values: (number(.nan), number(0), add(operation, add(LANE_OP_fabs, x))))
  }

  // MARK: Operators

  /// Operators that take whole operands for each part of the result.
  private func alternatives(of opcode: Opcode, _ operands: [[ValueId]], _ part: Int) -> Alternatives? {
    switch opcode {
    case .OpBitFieldInsert, .OpBitFieldSExtract, .OpBitFieldUExtract:
      let counts = operands.suffix(2).compactMap(\.first)
      guard counts.count == 2, part < operands[0].count else { return nil }
      return Alternatives(isUndefined: isBeyondBits(offset: counts[0], count: counts[1]), values: (word(0), word(-1), operands[0][part]))
    default: return nil
    }
  }

  private func alternatives(of opcode: Opcode, _ x: [ValueId]) -> Alternatives? {
    guard let a = x.first, let b = x.last else { return nil }
    let none = word(0), all = word(-1)
    switch opcode {
    case .OpFDiv:
      return Alternatives(
        isUndefined: add(LANE_OP_feq, b, number(0)), values: (number(.nan), number(0), add(LANE_OP_fmul, a, number(0x1p96))))
    case .OpFMod, .OpFRem: return Alternatives(isUndefined: add(LANE_OP_feq, b, number(0)), values: (number(.nan), number(0), a))
    case .OpUDiv, .OpUMod: return Alternatives(isUndefined: add(LANE_OP_ieq, b, none), values: (none, all, a))
    case .OpSDiv:
      let isUndefined = add(LANE_OP_or, add(LANE_OP_ieq, b, none), overflows(dividend: a, divisor: b))
      return Alternatives(isUndefined: isUndefined, values: (none, all, word(Int(Int32.max))))
    case .OpSMod, .OpSRem:
      let isNegative = add(LANE_OP_or, add(LANE_OP_slt, a, none), add(LANE_OP_sle, b, none))
      let other = add(opcode == .OpSMod ? LANE_OP_srem : LANE_OP_smod, a, b)
      return Alternatives(isUndefined: isNegative, values: (other, none, a))
    case .OpShiftLeftLogical, .OpShiftRightLogical, .OpShiftRightArithmetic:
      return Alternatives(isUndefined: add(LANE_OP_ule, word(32), b), values: (none, all, a))
    case .OpConvertFToS:
      let fits = add(LANE_OP_flt, add(LANE_OP_fabs, a), number(0x1p31))
      return Alternatives(isUndefined: add(LANE_OP_not, fits), values: (word(Int(Int32.min)), none, word(Int(Int32.max))))
    case .OpConvertFToU:
      let fits = add(LANE_OP_and, add(LANE_OP_flt, number(-1), a), add(LANE_OP_flt, a, number(0x1p32)))
      return Alternatives(isUndefined: add(LANE_OP_not, fits), values: (add(LANE_OP_f2i, a), none, all))
    default: return nil
    }
  }
}
