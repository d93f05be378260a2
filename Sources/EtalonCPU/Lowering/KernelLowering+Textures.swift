internal import CLaneKernels
internal import EtalonSPIRV

/// Image operands, in the order in which they follow their mask.
private struct ImageOperands {
  private var ids: [UInt32: [Id]] = [:]

  static let bias: UInt32 = 1, lod: UInt32 = 2, gradient: UInt32 = 4, constOffset: UInt32 = 8, offset: UInt32 = 16

  init(_ instruction: Instruction, from position: Int) {
    guard instruction.operandCount > position else { return }
    let mask = instruction[position]
    var next = position + 1
    for bit in (0..<16).map({ UInt32(1) << UInt32($0) }) where mask & bit != 0 {
      let count = bit == Self.gradient ? 2 : bit >= 1024 ? 0 : 1
      guard next + count <= instruction.operandCount else { return }
      ids[bit] = (0..<count).map { instruction.id(next + $0) }
      next += count
    }
  }

  subscript(bit: UInt32) -> [Id]? { ids[bit] }
}

extension KernelLowering {
  func textureRead(_ instruction: Instruction, type: Id) throws(Refusal) -> [ValueId]? {
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

  private func imageType(_ id: Id, at instruction: Int) throws(Refusal) -> ImageType {
    guard var type = module.typeOfValue(id) else { throw Refusal("a texture without a type", at: instruction) }
    if case .sampledImage(let image) = module.type(type) { type = image }
    guard case .image(let image) = module.type(type) else { throw Refusal("a texture without a type", at: instruction) }
    guard !image.isArrayed, !image.isMultisampled, image.dim == .two || image.dim == .three || image.dim == .cube else {
      throw Refusal("textures of this kind (2D, 3D and cubes without layers are supported)", at: instruction)
    }
    guard case .float = try scalarKind(image.sampledType, at: instruction) else {
      throw Refusal("textures of integers", at: instruction)
    }
    return image
  }

  // MARK: Sampling

  private func sample(_ instruction: Instruction, type: Id, isProjective: Bool) throws(Refusal) -> [ValueId] {
    let at = instruction.index
    let image = try imageType(instruction.id(0), at: at)
    let texture = try texture(instruction.id(0), at: at)
    let operands = ImageOperands(instruction, from: 2)
    var position = try scalars(instruction.id(1), at: at)
    if isProjective, let divisor = position.last { position = position.map { add(LANE_OP_fdiv, $0, divisor) } }
    let dimensions = image.dim == .two ? 2 : 3
    guard position.count >= dimensions else { throw Refusal("a position of \(position.count) numbers", at: at) }
    if let ids = operands[ImageOperands.constOffset] ?? operands[ImageOperands.offset] {
      position = try shifted(position, by: ids[0], texture: texture, at: at)
    }
    var level = number(0)
    if let ids = operands[ImageOperands.lod] { level = try scalar(ids[0], at: at) }
    if let ids = operands[ImageOperands.gradient] {
      let alongX = try scalars(ids[0], atLeast: dimensions, instruction), alongY = try scalars(ids[1], atLeast: dimensions, instruction)
      switch image.dim {
      case .two: level = gradientLevel(texture, alongX, alongY)
      case .three: level = volumeLevel(texture, alongX, alongY)
      default: level = cubeLevel(texture, position, alongX, alongY)
      }
    }
    if let perturbation = perturbations[.sampling] {
      let isFromGradient = operands[ImageOperands.gradient] != nil
      (position, level) = displaced(
        position, level, isFromGradient: isFromGradient, of: image, texture, perturbation.direction(at: place(of: instruction)))
    }
    let read: ValueId
    switch image.dim {
    case .two: read = builder.add(LANE_OP_sample_2d, [position[0], position[1], level], immediate: UInt32(texture))
    case .three:
      read = builder.add(LANE_OP_sample_3d, [position[0], position[1], position[2], level], immediate: UInt32(texture))
    default: read = builder.add(LANE_OP_sample_cube, [position[0], position[1], position[2], level], immediate: UInt32(texture))
    }
    if image.dim == .two { watchReach(texture, position, reading: read, at: at) }
    let channels = Array(builder.parts(of: read).prefix(module.scalarCount(type)))
    guard let perturbation = perturbations[.sampling] else { return channels }
    return channels.map { filteredInBytes($0, perturbation.direction(at: place(of: instruction))) }
  }

  /// A normalized position moved by whole texels of the largest level.
  private func shifted(_ position: [ValueId], by offset: Id, texture: Int, at instruction: Int) throws(Refusal) -> [ValueId] {
    let steps = try scalars(offset, at: instruction)
    return position.enumerated().map { axis, coordinate in
      guard axis < steps.count else { return coordinate }
      let texels = add(LANE_OP_i2f, textureSize(texture, level: word(0), axis: axis))
      return add(LANE_OP_fadd, coordinate, add(LANE_OP_fdiv, add(LANE_OP_i2f, steps[axis]), texels))
    }
  }

  private func gather(_ instruction: Instruction) throws(Refusal) -> [ValueId] {
    let at = instruction.index
    guard try imageType(instruction.id(0), at: at).dim == .two else { throw Refusal("gathers from textures that are not 2D", at: at) }
    let texture = try texture(instruction.id(0), at: at)
    var position = try scalars(instruction.id(1), atLeast: 2, instruction)
    let operands = ImageOperands(instruction, from: 3)
    if let ids = operands[ImageOperands.constOffset] ?? operands[ImageOperands.offset] {
      position = try shifted(position, by: ids[0], texture: texture, at: at)
    }
    guard let channel = module.scalarConstant(instruction.id(2)) else { throw Refusal("a gathered channel that is no constant", at: at) }
    let read = builder.add(
      LANE_OP_gather_2d, [position[0], position[1]], immediate: UInt32(texture), second: UInt32(truncatingIfNeeded: channel & 3))
    watchReach(texture, position, reading: read, at: at)
    return builder.parts(of: read)
  }

  // MARK: Whole texels

  private func fetch(_ instruction: Instruction, type: Id, effect: Operation.Effect) throws(Refusal) -> [ValueId] {
    let at = instruction.index
    let image = try imageType(instruction.id(0), at: at)
    let texture = try texture(instruction.id(0), at: at)
    var position = try scalars(instruction.id(1), at: at)
    let operands = ImageOperands(instruction, from: 2)
    if let ids = operands[ImageOperands.constOffset] ?? operands[ImageOperands.offset] {
      position = zip(position, try scalars(ids[0], at: at)).map { add(LANE_OP_iadd, $0, $1) }
    }
    while position.count < 3 { position.append(word(0)) }
    var level = word(0)
    if let ids = operands[ImageOperands.lod] { level = try scalar(ids[0], at: at) }
    watchLevel(texture, level, at: at)
    watchTexel(texture, position, level: level, axes: image.dim == .two ? 2 : 3, at: at)
    let read = builder.add(
      LANE_OP_fetch, [position[0], position[1], position[2], level], immediate: UInt32(texture), effect: effect)
    if image.dim == .two { watchReach(texture, texel: position, level: level, reading: read, at: at) }
    return Array(builder.parts(of: read).prefix(module.scalarCount(type)))
  }

  func writeTexel(_ instruction: Instruction) throws(Refusal) {
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

  private func size(_ instruction: Instruction, type: Id) throws(Refusal) -> [ValueId] {
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
