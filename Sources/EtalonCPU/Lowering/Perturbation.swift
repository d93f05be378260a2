internal import CLaneKernels
internal import EtalonSPIRV

/// A difference that devices may have, made on purpose.
///
/// A pixel that changes with it has no single right value: devices may disagree about it.
package struct Perturbation: Sendable, Hashable, CustomStringConvertible {
  /// What is done differently.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Elementary functions are off by about one unit in the last place.
    case lastPlace = "last-place"
    /// They are off as far as the Vulkan specification allows; divisions are off too.
    case specification
    /// Where an operation is not defined, as a root of a negative number or a division by zero, it gives another result.
    case undefined
    /// Textures are read next to where they should be, and between other levels: as far off as samplers of graphics units may be.
    case sampling
    /// Products are added without being rounded, where the shader does not say `precise`.
    case contraction
    /// Sums and products of several numbers are done in another order, where the shader does not say `precise`.
    case association
    /// Operands and results that are too small to be normal numbers become zero.
    case denormals
  }

  private static let flush = "flush"

  package let kind: Kind
  /// Which way each function is off: 1 is up everywhere, 2 down, every other number its own mixture; undefined results have three ways.
  ///
  /// Of sums, 1 fuses the left product wherever there is one, and goes from the right to the left; 2 fuses the right one, and swaps the last two.
  package let seed: Int

  package init(_ kind: Kind, seed: Int) {
    self.kind = kind
    self.seed = seed
  }

  /// Reads `last-place=3`, `contraction=1` and so on, and `denormals=flush`; nil for anything else.
  package init?(_ text: Substring) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    guard kind != .denormals else {
      guard parts[1] == Self.flush else { return nil }
      self.init(kind, seed: 1)
      return
    }
    guard let seed = Int(parts[1]), seed > 0 else { return nil }
    self.init(kind, seed: seed)
  }

  package var description: String { "\(kind.rawValue)=\(kind == .denormals ? Self.flush : "\(seed)")" }

  /// 0, 1 or 2: which of the other results an undefined operation at a place gives.
  func choice(at place: Int) -> Int { seed <= 3 ? seed - 1 : Int(mixed(place) % 3) }

  /// 1 or -1: which way the function at a place is off.
  func direction(at place: Int) -> Float {
    switch seed {
    case 1: return 1
    case 2: return -1
    default: return mixed(place) & 1 == 0 ? 1 : -1
    }
  }

  /// A number that depends on every bit of the place and of the seed.
  func mixed(_ place: Int) -> UInt64 {
    var mixed = UInt64(truncatingIfNeeded: place) &+ UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed >> 33
  }
}

extension [Perturbation] {
  /// The one of a kind.
  package subscript(kind: Perturbation.Kind) -> Perturbation? { first { $0.kind == kind } }
}

// MARK: - Perturbed operations

extension KernelLowering {
  /// The results of an instruction with the errors that were asked for.
  func perturbed(_ results: [ValueId], of instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId] {
    var results = results
    for perturbation in perturbations { results = try perturbed(results, of: instruction, type: type, perturbation) }
    return results
  }

  private func perturbed(
    _ results: [ValueId], of instruction: Instruction, type: Id, _ perturbation: Perturbation
  ) throws(Unsupported) -> [ValueId] {
    switch perturbation.kind {
    case .undefined:
      return try replacedWhereUndefined(results, of: instruction, type: type, perturbation.choice(at: place(of: instruction)))
    case .denormals: return flushed(results, of: instruction, type: type)
    case .sampling, .contraction, .association: return results
    case .lastPlace, .specification: break
    }
    let direction = perturbation.direction(at: place(of: instruction))
    if instruction.opcode == .OpExtInst {
      guard let function = GLSLInstruction(rawValue: instruction[1]), Self.inexact.contains(function) else { return results }
      if perturbation.kind == .lastPlace { return results.map { scaled($0, by: direction * 0x1p-23) } }
      let operands = try instruction.ids(from: 2).map { (id) throws(Unsupported) in try scalars(id, at: instruction.index) }
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
  private static let inexact: Set<GLSLInstruction> = [
    .Sin, .Cos, .Tan, .Asin, .Acos, .Atan, .Atan2, .Sinh, .Cosh, .Tanh, .Asinh, .Acosh, .Atanh, .Exp, .Exp2, .Log, .Log2, .Pow, .Sqrt,
    .InverseSqrt, .Normalize, .Length, .Distance, .SmoothStep,
  ]

  /// value (1 + error): zeros, infinities and NaN stay.
  private func scaled(_ value: ValueId, by error: Float) -> ValueId { add(LANE_OP_fmul, value, number(1 + error)) }

  /// A result as far off as the tables of the Vulkan specification allow, or a little less.
  private func atLimit(of function: GLSLInstruction, _ value: ValueId, _ operands: [ValueId], _ direction: Float) -> ValueId {
    func growing(_ amount: ValueId, base: Float, slope: Float) -> ValueId {
      let error = add(LANE_OP_fmadd, add(LANE_OP_fabs, amount), number(direction * slope), number(direction * base))
      return add(LANE_OP_fmul, value, add(LANE_OP_fadd, error, number(1)))
    }
    switch function {
    case .Sin, .Cos: return add(LANE_OP_fadd, value, number(direction * 0x1p-11))
    case .Tan:
      let slope = add(LANE_OP_fmadd, value, value, number(1))
      return add(LANE_OP_fmadd, slope, number(direction * 0x1p-11), value)
    case .Log, .Log2: return add(LANE_OP_fadd, scaled(value, by: direction * 0x1p-23), number(direction * 0x1p-21))
    case .Asin, .Acos: return add(LANE_OP_fadd, value, number(direction * 0x1p-11))
    case .Atan, .Atan2: return scaled(value, by: direction * 0x1p-12)
    case .Exp, .Exp2: return growing(operands[0], base: 0x1p-24, slope: 0x1p-23)
    // One unit in the last place, of two.
    case .InverseSqrt: return add(LANE_OP_fmadd, value, number(direction * 0x1.4p-24), value)
    case .Pow: return growing(operands[1], base: 0x1p-21, slope: 0x1p-21)
    case .Sinh, .Cosh, .Tanh, .Asinh, .Acosh, .Atanh: return scaled(value, by: direction * 0x1p-20)
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
