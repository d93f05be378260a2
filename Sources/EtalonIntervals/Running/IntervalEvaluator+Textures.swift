internal import EtalonSPIRV
internal import EtalonTypes

/// Reads and writes of textures.
extension IntervalEvaluator {
  func readTexture(_ operation: IntervalOperation) throws(Stop) -> Bool {
    switch operation.opcode {
    case .OpImageSampleImplicitLod, .OpImageSampleExplicitLod: try sample(operation, isProjective: false)
    case .OpImageSampleProjImplicitLod, .OpImageSampleProjExplicitLod: try sample(operation, isProjective: true)
    case .OpImageGather: try gather(operation)
    case .OpImageFetch, .OpImageRead: try fetch(operation)
    case .OpImageWrite: try writeTexel(operation)
    case .OpImageQueryLevels: write(operation, 0, Interval(Double(try texture(operation).levelCount)))
    case .OpImageQuerySize, .OpImageQuerySizeLod: try writeSize(operation)
    default: return false
    }
    return true
  }

  private func binding(_ operation: IntervalOperation) throws(Stop) -> Int {
    guard let binding = value(operation, 0, 0).word else { throw unknown("a texture that is not certain", operation) }
    return Int(binding)
  }

  private func texture(_ operation: IntervalOperation) throws(Stop) -> any TextureReading {
    try surroundings.texture(binding: binding(operation))
  }

  private func writeSize(_ operation: IntervalOperation) throws(Stop) {
    let texture = try texture(operation)
    let level = operation.opcode == .OpImageQuerySizeLod ? value(operation, 1, 0).word.map { Int($0) } : 0
    guard let level, level < texture.levelCount else { throw unknown("the size of a level that is not certain", operation) }
    let size = texture.size(level: level)
    write(operation, [size.0, size.1, size.2].map { Interval(Double($0)) })
  }

  // MARK: Sampling

  private func sample(_ operation: IntervalOperation, isProjective: Bool) throws(Stop) {
    let texture = try texture(operation), operands = ImageOperands(operation.words, maskAt: 2)
    var position = values(operation, 1)
    if isProjective, let divisor = position.last { position = position.map { $0.divided(by: divisor, .single) } }
    let reader = IntervalSampler(texture, steps: steps(operands, operation))
    var level = Interval(0)
    if let place = operands[.Lod] { level = value(operation, place, 0) }
    if let place = operands[.Grad] {
      level = reader.level(values(operation, place), values(operation, place + 1), at: position)
    }
    write(operation, try placed(try reader.sample(position, level: level), operation))
  }

  /// The offset of a read, in texels of the level that is read; empty for none.
  private func steps(_ operands: ImageOperands, _ operation: IntervalOperation) -> [Interval] {
    guard let place = operands[.ConstOffset] ?? operands[.Offset] else { return [] }
    return values(operation, place).map { $0.reading(isSigned: true) }
  }

  private func placed(_ channels: [Interval], _ operation: IntervalOperation) throws(Stop) -> [Interval] {
    Array(channels.prefix(operation.result.count))
  }

  private func gather(_ operation: IntervalOperation) throws(Stop) {
    let texture = try texture(operation), operands = ImageOperands(operation.words, maskAt: 3)
    guard let channel = value(operation, 2, 0).word else { throw unknown("a gathered channel that is not certain", operation) }
    let position = values(operation, 1)
    guard let place = operands[.ConstOffsets] ?? operands[.Offsets] else {
      let reader = IntervalSampler(texture, steps: steps(operands, operation))
      return write(operation, try reader.gather(position, channel: Int(channel & 3)))
    }
    // Each offset gives one texel: the one that an offset of the whole gather puts at the lower left.
    let all = values(operation, place).map { $0.reading(isSigned: true) }
    guard all.count == 8 else { throw unknown("a gather of texels without offsets", operation) }
    write(
      operation,
      try (0..<4).map { (number) throws(Stop) in
        try IntervalSampler(texture, steps: [all[2 * number], all[2 * number + 1]]).gather(position, channel: Int(channel & 3))[3]
      })
  }

  // MARK: Whole texels

  private func fetch(_ operation: IntervalOperation) throws(Stop) {
    let texture = try texture(operation), operands = ImageOperands(operation.words, maskAt: 2)
    var position = values(operation, 1).map { $0.reading(isSigned: true) }
    if let place = operands[.ConstOffset] ?? operands[.Offset] {
      position = zip(position, values(operation, place)).map { $0.integerPlus($1, isSigned: true) }
    }
    let level = operands[.Lod].map { value(operation, $0, 0).reading(isSigned: true) } ?? Interval(0)
    guard level.isExact else { throw unknown("a level that is not certain", operation) }
    write(operation, try IntervalSampler(texture).fetch(position, level: Int(level.low)).prefix(operation.result.count).map(\.self))
  }

  private func writeTexel(_ operation: IntervalOperation) throws(Stop) {
    let position = values(operation, 1).map { $0.reading(isSigned: true) }
    var channels = values(operation, 2)
    while channels.count < 4 { channels.append(Interval(channels.count == 3 ? 1 : 0)) }
    guard position.allSatisfy(\.isExact) else { throw unknown("a store to a pixel that is not certain", operation) }
    let at = position.map { Int($0.low) }
    surroundings.toucher = toucher(operation)
    surroundings.storeTexel(
      channels, binding: try binding(operation), x: at[0], y: at.count > 1 ? at[1] : 0, z: at.count > 2 ? at[2] : 0,
      isCertain: path.presence[lane] == .certain, because: path.causes[lane])
  }
}
