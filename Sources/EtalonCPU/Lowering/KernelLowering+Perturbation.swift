internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// The results of an instruction with the errors that were asked for.
  func perturbed(_ results: [ValueId], of instruction: Instruction, type: Id) throws(Refusal) -> [ValueId] {
    var results = results
    for perturbation in perturbations { results = try perturbed(results, of: instruction, type: type, perturbation) }
    return results
  }

  private func perturbed(
    _ results: [ValueId], of instruction: Instruction, type: Id, _ perturbation: Perturbation
  ) throws(Refusal) -> [ValueId] {
    switch perturbation.kind {
    case .undefined:
      return try replacedWhereUndefined(results, of: instruction, type: type, perturbation.choice(at: place(of: instruction)))
    case .denormals: return flushed(results, of: instruction, type: type)
    case .sampling, .contraction, .association: return results
    case .lastPlace, .specification: break
    }
    let direction = perturbation.direction(at: place(of: instruction))
    if instruction.opcode == .OpExtInst {
      guard let function = ExtendedInstruction(rawValue: instruction[1]), Self.inexact.contains(function) else { return results }
      if perturbation.kind == .lastPlace { return results.map { scaled($0, by: direction * 0x1p-23) } }
      let operands = try instruction.ids(from: 2).map { (id) throws(Refusal) in try scalars(id, at: instruction.index) }
      return results.indices.map { part in
        atLimit(of: function, results[part], operands.map { $0[min(part, $0.count - 1)] }, direction)
      }
    }
    guard perturbation.kind == .specification else { return results }
    switch instruction.opcode {
    // One or two units in the last place of a rounded result, of 2.5 that are allowed.
    case .OpFDiv, .OpFMod, .OpFRem: return results.map { scaled($0, by: direction * 0x1p-23) }
    default: return results
    }
  }

  /// A number for an instruction, another one in each call that it is reached by.
  func place(of instruction: Instruction) -> Int { instruction.index &+ call &* 1_000_003 }

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
    case .exp, .exp2: return growing(operands[0], base: 0x1p-24, slope: 0x1p-23)
    // One unit in the last place, of two.
    case .inverseSqrt: return add(LANE_OP_fmadd, value, number(direction * 0x1.4p-24), value)
    case .pow: return growing(operands[1], base: 0x1p-21, slope: 0x1p-21)
    case .sinh, .cosh, .tanh, .asinh, .acosh, .atanh: return scaled(value, by: direction * 0x1p-20)
    default: return scaled(value, by: direction * 0x1p-22)
    }
  }

  // MARK: Sampling

  /// A position in a texture and a level as a sampler may take them: texels and levels are divided into 256 parts, and the level that follows
  /// from derivatives may come from the longest of their components.
  func displaced(
    _ position: [ValueId], _ level: ValueId, isFromGradient: Bool, of image: ImageType, _ texture: Int, _ direction: Float
  ) -> (position: [ValueId], level: ValueId) {
    let moved = add(LANE_OP_fadd, level, number(direction * (isFromGradient ? 0.5 : 0x1p-8)))
    guard image.dim != .cube else { return (position, moved) }
    let last = add(LANE_OP_isub, textureSize(texture, level: word(0), axis: 3), word(1))
    let texelSize = add(LANE_OP_exp2, add(LANE_OP_fclamp, level, number(0), add(LANE_OP_i2f, last)))
    let step = add(LANE_OP_fmul, texelSize, number(direction * 0x1p-8))
    let axes = image.dim == .two ? 2 : 3
    let positions = position.enumerated().map { axis, coordinate in
      guard axis < axes else { return coordinate }
      let size = add(LANE_OP_i2f, textureSize(texture, level: word(0), axis: axis))
      return add(LANE_OP_fadd, coordinate, add(LANE_OP_fdiv, step, size))
    }
    return (positions, moved)
  }

  /// A channel of a texture as it may be where samplers filter texels of 8 bits with a result of 8 bits: off by one of 255 levels.
  func filteredInBytes(_ channel: ValueId, _ direction: Float) -> ValueId {
    let isLevel = add(LANE_OP_and, add(LANE_OP_fle, number(0), channel), add(LANE_OP_fle, channel, number(1)))
    let moved = add(LANE_OP_fclamp, add(LANE_OP_fadd, channel, number(direction / 255)), number(0), number(1))
    return add(LANE_OP_select, isLevel, moved, channel)
  }
}
