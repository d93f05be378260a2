internal import EtalonTypes

/// What has to hold for the textures and buffers of a plan by themselves.
struct ResourceRules {
  /// What every device takes as a storage buffer.
  private static let mostBufferBytes = 128 << 20

  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  var faults: [String] {
    plan.textures.flatMap { faults(of: $0) } + repeatedPrevious + plan.buffers.flatMap { faults(of: $0) }
  }

  private func faults(of texture: Plan.Texture) -> [String] {
    var faults: [String] = []
    switch texture.shape {
    case .flat: break
    case .cube: if texture.size.width != texture.size.height { faults.append("its faces are no squares") }
    case .volume(let depth): if depth < 1 { faults.append("it has no slice") }
    }
    if case .previous(let current) = texture.role { faults += faultsOfPrevious(texture, current) }
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
