/// Follows which texture lies in each piece of memory while the steps of a plan are printed.
struct MemoryTurns {
  private let plan: Plan
  /// What was written last in each piece of memory.
  private var holders: [Memory: Holder] = [:]

  /// A block, or the texture that has memory of its own.
  private enum Memory: Hashable {
    case block(Int)
    case texture(Int)
  }

  private struct Holder {
    let texture: Int
    var isRead = false
  }

  init(_ plan: Plan) { self.plan = plan }

  /// The textures whose memory a step takes for what it writes: others, or the same ones after somebody has read what they held.
  mutating func taken(by step: Plan.Step) -> [Int] {
    switch step {
    case .clear(let texture): return take([texture])
    case .makeMipmaps: return []
    case .dispatch(let pass):
      for texture in pass.sampledTextures { holders[memory(of: texture)]?.isRead = true }
      return take(pass.targets.sorted())
    }
  }

  private mutating func take(_ textures: [Int]) -> [Int] {
    textures.filter { plan.textures[$0].role == .transient }.compactMap { texture in
      let before = holders[memory(of: texture)]
      guard let before, before.texture == texture, !before.isRead else {
        holders[memory(of: texture)] = Holder(texture: texture)
        return before?.texture
      }
      return nil
    }
  }

  private func memory(of texture: Int) -> Memory { plan.textures[texture].block.map { .block($0) } ?? .texture(texture) }
}
