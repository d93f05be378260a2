internal import EtalonTypes

/// What has to hold for the textures and buffers of a plan by themselves.
struct ResourceRules {
  /// What every device takes as a storage buffer.
  private static let mostBufferBytes = 128 << 20

  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  var faults: [String] {
    plan.textures.flatMap { faults(of: $0) } + repeatedPrevious + missingStreams + plan.buffers.flatMap { faults(of: $0) }
  }

  private func faults(of texture: Plan.Texture) -> [String] {
    var faults: [String] = []
    switch texture.shape {
    case .flat: break
    case .cube: if texture.size.width != texture.size.height { faults.append("its faces are no squares") }
    case .volume(let depth): if depth < 1 { faults.append("it has no slice") }
    }
    if case .previous(let current) = texture.role { faults += faultsOfPrevious(texture, current) }
    if case .streamed(let stream) = texture.role, stream < 0 { faults.append("it takes the pictures of stream \(stream)") }
    if let block = texture.block {
      if block < 0 { faults.append("it lies in block \(block)") }
      if texture.role != .transient { faults.append("it shares memory, and its content is kept") }
    }
    if texture.makesStreamedMipmaps, texture.shape.isVolume { faults.append("a streamed volume with mipmaps") }
    return faults.map { "texture '\(texture.name)': \($0)" }
  }

  private func faultsOfPrevious(_ texture: Plan.Texture, _ index: Int) -> [String] {
    guard plan.textures.indices.contains(index) else { return ["the previous of texture \(index), which is not there"] }
    let current = plan.textures[index]
    guard current.role == .persistent else { return ["the previous of '\(current.name)', which is not persistent"] }
    let isAlike =
      texture.shape == current.shape && texture.size == current.size && texture.format == current.format
      && texture.isMipmapped == current.isMipmapped
    return isAlike ? [] : ["the previous of '\(current.name)', which is made differently"]
  }

  /// Streams are numbered without gaps, and every one of them fills a texture.
  private var missingStreams: [String] {
    let streams = Set(plan.textures.compactMap { if case .streamed(let stream) = $0.role { stream } else { nil } })
    return (0..<plan.streamCount).filter { !streams.contains($0) }.map { "no texture takes the pictures of stream \($0)" }
  }

  private var repeatedPrevious: [String] {
    plan.textures.indices.compactMap { index in
      let count = plan.textures.count { $0.role == .previous(of: index) }
      return count > 1 ? "texture '\(plan.textures[index].name)' has \(count) previous ones" : nil
    }
  }

  private func faults(of buffer: Plan.Buffer) -> [String] {
    guard buffer.byteCount > 0, buffer.byteCount % 4 == 0, buffer.byteCount <= Self.mostBufferBytes else {
      return ["buffer '\(buffer.name)' has \(buffer.byteCount) bytes (4 to \(Self.mostBufferBytes), in whole words)"]
    }
    return []
  }
}
