extension Plan {
  /// Whether some texture has a previous one, with which it swaps memory after every frame.
  package var hasPrevious: Bool {
    textures.contains { if case .previous = $0.role { true } else { false } }
  }

  /// Whether anything outlives a frame.
  package var hasState: Bool { textures.contains { $0.isKept } || buffers.contains { $0.isPersistent } }

  /// The index of the texture in whose memory each texture lies: of its own, or, in every other frame, of the one that it swaps with.
  package func memory(isSwapped: Bool) -> [Int] {
    var memory = Array(textures.indices)
    guard isSwapped else { return memory }
    for (index, texture) in textures.enumerated() {
      if case .previous(let current) = texture.role { memory.swapAt(index, current) }
    }
    return memory
  }

  /// The textures in whose memory mipmaps are made, in some frame.
  package var memoryWithMipmaps: Set<Int> {
    let made = (setup + steps).compactMap { step -> Int? in
      guard case .makeMipmaps(let texture) = step, textures[texture].levelCount > 1 else { return nil }
      return texture
    }
    let streamed = textures.indices.filter { textures[$0].makesStreamedMipmaps }
    return Set([false, true].flatMap { isSwapped in (made + streamed).map { memory(isSwapped: isSwapped)[$0] } })
  }

  /// Whether frames read what a persistent texture held when the frame before ended: its previous one, or itself before they write it.
  package func isReadByNextFrame(_ texture: Int) -> Bool {
    let passes = steps.compactMap(\.pass)
    if passes.contains(where: { $0.sampledTextures.contains { textures[$0].role == .previous(of: texture) } }) { return true }
    let first = passes.first { $0.sampledTextures.contains(texture) || $0.targets.contains(texture) }
    return first?.sampledTextures.contains(texture) ?? false
  }

  /// Which steps bring the state of the plan forward; the others only feed outputs.
  package var stepsForState: [Bool] {
    var textures = Set(self.textures.indices.filter { self.textures[$0].role == .persistent })
    var buffers = Set(self.buffers.indices.filter { self.buffers[$0].isPersistent })
    var needed = [Bool](repeating: false, count: steps.count)
    for (index, step) in steps.enumerated().reversed() {
      switch step {
      case .clear(let texture), .makeMipmaps(let texture): needed[index] = textures.contains(texture)
      case .dispatch(let pass):
        needed[index] = !pass.targets.isDisjoint(with: textures) || !pass.buffers.isDisjoint(with: buffers)
        guard needed[index] else { continue }
        textures.formUnion(pass.sampledTextures.union(pass.targets))
        buffers.formUnion(pass.buffers)
      }
    }
    return needed
  }
}

extension [Plan.Step] {
  /// The name of the pass that wrote the texture last whose mipmaps the step at a place makes.
  package func passBefore(mipmapsAt place: Int) -> String {
    guard case .makeMipmaps(let texture) = self[place] else { preconditionFailure("no step that makes mipmaps") }
    for case .dispatch(let pass) in self[..<place].reversed() where pass.targets.contains(texture) { return pass.name }
    return ""
  }
}
