internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  func textureRead(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
    switch instruction.opcode {
    case .OpImageSampleImplicitLod, .OpImageSampleExplicitLod: return try sample(instruction, type: type, isProjective: false)
    case .OpImageSampleProjImplicitLod, .OpImageSampleProjExplicitLod: return try sample(instruction, type: type, isProjective: true)
    case .OpImageFetch: return try fetch(instruction, type: type, effect: .pure)
    case .OpImageRead: return try fetch(instruction, type: type, effect: .reads)
    case .OpImageGather: return try gather(instruction)
    case .OpImageQuerySizeLod, .OpImageQuerySize, .OpImageQueryLevels: return try size(instruction, type: type)
    default: return nil
    }
  }

  private func imageType(_ id: Id, at instruction: Int) throws(Unsupported) -> ImageType {
    guard var type = module.typeOfValue(id) else { throw Unsupported("a texture without a type", at: instruction) }
    if case .sampledImage(let image) = module.type(type) { type = image }
    guard case .image(let image) = module.type(type) else { throw Unsupported("a texture without a type", at: instruction) }
    guard !image.isArrayed, !image.isMultisampled, image.dim == .two || image.dim == .three || image.dim == .cube else {
      throw Unsupported("textures of this kind (2D, 3D and cubes without layers are supported)", at: instruction)
    }
    guard case .float = try scalarKind(image.sampledType, at: instruction) else {
      throw Unsupported("textures of integers", at: instruction)
    }
    return image
  }

  // MARK: Sampling

  private func sample(_ instruction: Instruction, type: Id, isProjective: Bool) throws(Unsupported) -> [ValueId] {
    let at = instruction.index
    let image = try imageType(instruction.id(0), at: at)
    let texture = try texture(instruction.id(0), at: at)
    let operands = ImageOperands(instruction.operands, maskAt: 2)
    var position = try scalars(instruction.id(1), at: at)
    if isProjective, let divisor = position.last { position = position.map { add(LANE_OP_fdiv, $0, divisor) } }
    let dimensions = image.dim == .two ? 2 : 3
    guard position.count >= dimensions else { throw Unsupported("a position of \(position.count) numbers", at: at) }
    let offset = try (operands[.ConstOffset] ?? operands[.Offset]).map { (place) throws(Unsupported) in
      try constantOffset(instruction.id(place), axes: dimensions, at: at)
    }
    var level = number(0)
    if let place = operands[.Lod] { level = try scalar(instruction.id(place), at: at) }
    if let place = operands[.Grad] {
      let alongX = try scalars(instruction.id(place), atLeast: dimensions, instruction)
      let alongY = try scalars(instruction.id(place + 1), atLeast: dimensions, instruction)
      switch image.dim {
      case .two: level = gradientLevel(texture, alongX, alongY)
      case .three: level = volumeLevel(texture, alongX, alongY)
      default: level = cubeLevel(texture, position, alongX, alongY)
      }
    }
    if let perturbation = perturbations[.sampling] {
      let isFromGradient = operands[.Grad] != nil
      (position, level) = displaced(
        position, level, isFromGradient: isFromGradient, of: image, texture, perturbation.direction(at: place(of: instruction)))
    }
    let read: ValueId
    let packed = packed(offset ?? [])
    switch image.dim {
    case .two: read = builder.add(LANE_OP_sample_2d, [position[0], position[1], level], immediate: UInt32(texture), second: packed)
    case .three:
      read = builder.add(
        LANE_OP_sample_3d, [position[0], position[1], position[2], level], immediate: UInt32(texture), second: packed)
    default: read = builder.add(LANE_OP_sample_cube, [position[0], position[1], position[2], level], immediate: UInt32(texture))
    }
    if image.dim == .two { watchReach(texture, position, steps: (offset ?? []).map(word), level: level, reading: read, at: at) }
    let channels = Array(builder.parts(of: read).prefix(module.scalarCount(type)))
    guard let perturbation = perturbations[.sampling] else { return channels }
    return channels.map { filteredInBytes($0, perturbation.direction(at: place(of: instruction))) }
  }

  /// The offset of a read through a sampler, in texels of the level that is read.
  private func constantOffset(_ id: Id, axes: Int, at instruction: Int) throws(Unsupported) -> [Int] {
    guard module.constant(id) != nil else { throw Unsupported("an offset that is no constant", at: instruction) }
    let steps = try constantWords(id, at: instruction).prefix(axes).map { Int(Int32(bitPattern: $0)) }
    guard steps.allSatisfy({ (-512..<512).contains($0) }) else {
      throw Unsupported("an offset of more than 512 texels", at: instruction)
    }
    return steps
  }

  /// An offset as the kernels take it: 10 bits for each axis.
  private func packed(_ offset: [Int]) -> UInt32 {
    offset.enumerated().reduce(0) { $0 | (UInt32(truncatingIfNeeded: $1.element) & 1023) << UInt32(10 * $1.offset) }
  }

  private func gather(_ instruction: Instruction) throws(Unsupported) -> [ValueId] {
    let at = instruction.index
    guard try imageType(instruction.id(0), at: at).dim == .two else { throw Unsupported("gathers from textures that are not 2D", at: at) }
    let texture = try texture(instruction.id(0), at: at)
    let position = try scalars(instruction.id(1), atLeast: 2, instruction)
    let operands = ImageOperands(instruction.operands, maskAt: 3)
    guard let constant = module.scalarConstant(instruction.id(2)) else {
      throw Unsupported("a gathered channel that is no constant", at: at)
    }
    let channel = UInt32(truncatingIfNeeded: constant & 3)
    func gathered(_ offset: [ValueId]) -> [ValueId] {
      let isMoved: UInt32 = offset.isEmpty ? 0 : 4
      let read = builder.add(
        LANE_OP_gather_2d, Array(position.prefix(2)) + offset, immediate: UInt32(texture), second: channel | isMoved)
      watchReach(texture, position, steps: offset, level: number(0), reading: read, at: at)
      return builder.parts(of: read)
    }
    if let place = operands[.ConstOffsets] ?? operands[.Offsets] {
      // Each offset gives one texel: the one that an offset of the whole gather puts at the lower left.
      let steps = try scalars(instruction.id(place), atLeast: 8, instruction)
      return (0..<4).map { gathered([steps[2 * $0], steps[2 * $0 + 1]])[3] }
    }
    guard let place = operands[.ConstOffset] ?? operands[.Offset] else { return gathered([]) }
    return gathered(Array(try scalars(instruction.id(place), atLeast: 2, instruction).prefix(2)))
  }

  // MARK: Whole texels

  private func fetch(_ instruction: Instruction, type: Id, effect: ShaderOperation.Effect) throws(Unsupported) -> [ValueId] {
    let at = instruction.index
    let image = try imageType(instruction.id(0), at: at)
    let texture = try texture(instruction.id(0), at: at)
    var position = try scalars(instruction.id(1), at: at)
    let operands = ImageOperands(instruction.operands, maskAt: 2)
    if let place = operands[.ConstOffset] ?? operands[.Offset] {
      position = zip(position, try scalars(instruction.id(place), at: at)).map { add(LANE_OP_iadd, $0, $1) }
    }
    while position.count < 3 { position.append(word(0)) }
    var level = word(0)
    if let place = operands[.Lod] { level = try scalar(instruction.id(place), at: at) }
    watchLevel(texture, level, at: at)
    watchTexel(texture, position, level: level, axes: image.dim == .two ? 2 : 3, at: at)
    let read = builder.add(
      LANE_OP_fetch, [position[0], position[1], position[2], level], immediate: UInt32(texture), effect: effect)
    if image.dim == .two { watchReach(texture, texel: position, level: level, reading: read, at: at) }
    return Array(builder.parts(of: read).prefix(module.scalarCount(type)))
  }

  func writeTexel(_ instruction: Instruction) throws(Unsupported) {
    let at = instruction.index
    _ = try imageType(instruction.id(0), at: at)
    let texture = try texture(instruction.id(0), at: at)
    var position = try scalars(instruction.id(1), at: at)
    while position.count < 3 { position.append(word(0)) }
    var channels = try scalars(instruction.id(2), at: at)
    while channels.count < 4 { channels.append(number(channels.count == 3 ? 1 : 0)) }
    watchStore(texture, position, at: at)
    _ = builder.add(
      LANE_OP_store_texel, Array(position.prefix(3)) + [builder.constant(UInt32.max)] + channels, immediate: UInt32(texture),
      effect: .writes)
  }

  // MARK: Sizes

  func textureSize(_ texture: Int, level: ValueId, axis: Int) -> ValueId {
    builder.add(LANE_OP_texture_size, [level], immediate: UInt32(texture), second: UInt32(axis))
  }

  private func size(_ instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId] {
    let texture = try texture(instruction.id(0), at: instruction.index)
    switch instruction.opcode {
    case .OpImageQueryLevels: return [textureSize(texture, level: word(0), axis: 3)]
    case .OpImageQuerySize: return (0..<module.scalarCount(type)).map { textureSize(texture, level: word(0), axis: $0) }
    default:
      let level = try scalar(instruction.id(1), at: instruction.index)
      watchLevel(texture, level, at: instruction.index)
      return (0..<module.scalarCount(type)).map { textureSize(texture, level: level, axis: $0) }
    }
  }
}

// MARK: - Levels

/// Levels of mipmapped textures from how far a step of a pixel goes in the texture.
extension KernelLowering {
  /// The level of a flat texture.
  private func gradientLevel(_ texture: Int, _ alongX: [ValueId], _ alongY: [ValueId]) -> ValueId {
    builder.add(LANE_OP_gradient_level, Array(alongX.prefix(2)) + Array(alongY.prefix(2)), immediate: UInt32(texture))
  }

  /// The level of a texture of three dimensions: the logarithm of the longer step in texels.
  private func volumeLevel(_ texture: Int, _ alongX: [ValueId], _ alongY: [ValueId]) -> ValueId {
    let sizes = (0..<3).map { add(LANE_OP_i2f, textureSize(texture, level: word(0), axis: $0)) }
    func squaredLength(_ step: [ValueId]) -> ValueId {
      let squares = (0..<3).map { axis in
        let texels = add(LANE_OP_fmul, step[axis], sizes[axis])
        return add(LANE_OP_fmul, texels, texels)
      }
      return add(LANE_OP_fadd, add(LANE_OP_fadd, squares[0], squares[1]), squares[2])
    }
    let longer = add(LANE_OP_fmax, squaredLength(alongX), squaredLength(alongY))
    return add(LANE_OP_fmul, add(LANE_OP_log2, longer), number(0.5))
  }

  /// The level of a cube: the steps are turned into steps on the face that the direction leads to.
  private func cubeLevel(_ texture: Int, _ direction: [ValueId], _ alongX: [ValueId], _ alongY: [ValueId]) -> ValueId {
    let face = CubeFace(direction, self)
    return gradientLevel(texture, face.step(alongX, self), face.step(alongY, self))
  }
}

/// The face of a cube that a direction leads to, as values of the graph.
private struct CubeFace {
  private let isZ: ValueId
  private let isY: ValueId
  /// All bits of the sign that the direction has along the axis out of the face.
  private let sign: ValueId
  private let out: ValueId
  private let s: ValueId
  private let t: ValueId

  init(_ direction: [ValueId], _ lowering: KernelLowering) {
    let sizes = (0..<3).map { lowering.add(LANE_OP_fabs, direction[$0]) }
    isZ = lowering.add(LANE_OP_and, lowering.add(LANE_OP_fle, sizes[0], sizes[2]), lowering.add(LANE_OP_fle, sizes[1], sizes[2]))
    isY = lowering.add(LANE_OP_fle, sizes[0], sizes[1])
    let main = Self.select(isZ, direction[2], isY, direction[1], direction[0], lowering)
    let isBelow = lowering.add(LANE_OP_flt, main, lowering.number(0))
    sign = lowering.add(LANE_OP_select, isBelow, lowering.number(-1), lowering.number(1))
    (out, s, t) = Self.coordinates(of: direction, isZ, isY, sign, lowering)
  }

  /// `first` where `isFirst`, else `second` where `isSecond`, else `third`.
  private static func select(
    _ isFirst: ValueId, _ first: ValueId, _ isSecond: ValueId, _ second: ValueId, _ third: ValueId, _ lowering: KernelLowering
  ) -> ValueId {
    lowering.add(LANE_OP_select, isFirst, first, lowering.add(LANE_OP_select, isSecond, second, third))
  }

  /// A vector along the axes of the face: out of it, along its columns and along its rows.
  private static func coordinates(
    of vector: [ValueId], _ isZ: ValueId, _ isY: ValueId, _ sign: ValueId, _ lowering: KernelLowering
  ) -> (out: ValueId, s: ValueId, t: ValueId) {
    let signed = vector.map { lowering.add(LANE_OP_fmul, $0, sign) }
    let t = lowering.add(LANE_OP_fneg, vector[1])
    return (
      select(isZ, signed[2], isY, signed[1], signed[0], lowering),
      select(isZ, signed[0], isY, vector[0], lowering.add(LANE_OP_fneg, signed[2]), lowering), select(isZ, t, isY, signed[2], t, lowering)
    )
  }

  /// How far a step of the direction goes on the face, whose sides are 1: the derivatives of s / out / 2 and t / out / 2.
  func step(_ vector: [ValueId], _ lowering: KernelLowering) -> [ValueId] {
    let along = Self.coordinates(of: vector, isZ, isY, sign, lowering)
    let squared = lowering.add(LANE_OP_fmul, out, out)
    return [(along.s, s), (along.t, t)].map { change, coordinate in
      let product = lowering.add(LANE_OP_fsub, lowering.add(LANE_OP_fmul, out, change), lowering.add(LANE_OP_fmul, coordinate, along.out))
      return lowering.add(LANE_OP_fdiv, lowering.add(LANE_OP_fmul, product, lowering.number(0.5)), squared)
    }
  }
}
