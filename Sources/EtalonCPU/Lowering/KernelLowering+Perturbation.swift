internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// The results of an instruction with the errors that were asked for.
  func perturbed(_ results: [ValueId], of instruction: Instruction) throws(Refusal) -> [ValueId] {
    guard let perturbation else { return results }
    let direction = perturbation.direction(at: instruction.index)
    if instruction.opcode == .OpExtInst {
      guard let function = ExtendedInstruction(rawValue: instruction[1]), Self.inexact.contains(function) else { return results }
      switch perturbation.size {
      case .lastPlace: return results.map { scaled($0, by: direction * 0x1p-23) }
      case .undefined where function != .pow:
        return results.map { add(LANE_OP_select, add(LANE_OP_isnan, $0), number(direction * 0.5), $0) }
      case .undefined:
        // Ours is that of C, which knows powers of negative numbers with whole exponents; graphics units give NaN.
        let bases = try scalars(instruction.id(2), at: instruction.index)
        let other = number(direction > 0 ? .nan : 0.5)
        return zip(results, bases).map { add(LANE_OP_select, add(LANE_OP_flt, $1, number(0)), other, $0) }
      case .specification:
        let operands = try instruction.ids(from: 2).map { (id) throws(Refusal) in try scalars(id, at: instruction.index) }
        return results.indices.map { part in
          atLimit(of: function, results[part], operands.map { $0[min(part, $0.count - 1)] }, direction)
        }
      }
    }
    guard perturbation.size == .specification else { return results }
    switch instruction.opcode {
    case .OpFDiv, .OpFMod, .OpFRem: return results.map { scaled($0, by: direction * 0x1p-22) }
    default: return results
    }
  }

  /// The functions that devices approximate.
  private static let inexact: Set<ExtendedInstruction> = [
    .sin, .cos, .tan, .asin, .acos, .atan, .atan2, .sinh, .cosh, .tanh, .asinh, .acosh, .atanh, .exp, .exp2, .log, .log2, .pow, .sqrt,
    .inverseSqrt, .normalize, .length, .distance, .smoothStep,
  ]

  /// value (1 + error): zeros, infinities and NaN stay.
  private func scaled(_ value: ValueId, by error: Float) -> ValueId { add(LANE_OP_fmul, value, number(1 + error)) }

  /// A result as far off as the tables of the Vulkan specification allow, or a little less.
  private func atLimit(of function: ExtendedInstruction, _ value: ValueId, _ operands: [ValueId], _ direction: Float) -> ValueId {
    func growing(_ amount: ValueId, base: Float, slope: Float) -> ValueId {
      let error = add(LANE_OP_fmadd, add(LANE_OP_fabs, amount), number(direction * slope), number(direction * base))
      return add(LANE_OP_fmul, value, add(LANE_OP_fadd, error, number(1)))
    }
    switch function {
    case .sin, .cos: return add(LANE_OP_fadd, value, number(direction * 0x1p-11))
    case .tan:
      let slope = add(LANE_OP_fmadd, value, value, number(1))
      return add(LANE_OP_fmadd, slope, number(direction * 0x1p-11), value)
    case .log, .log2: return add(LANE_OP_fadd, scaled(value, by: direction * 0x1p-23), number(direction * 0x1p-21))
    case .asin, .acos: return add(LANE_OP_fadd, value, number(direction * 0x1p-11))
    case .atan, .atan2: return scaled(value, by: direction * 0x1p-12)
    case .exp, .exp2: return growing(operands[0], base: 0x1p-22, slope: 0x1p-23)
    case .pow: return growing(operands[1], base: 0x1p-21, slope: 0x1p-21)
    case .sinh, .cosh, .tanh, .asinh, .acosh, .atanh: return scaled(value, by: direction * 0x1p-20)
    default: return scaled(value, by: direction * 0x1p-22)
    }
  }
}
