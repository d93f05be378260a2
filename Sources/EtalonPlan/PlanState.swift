package import EtalonTypes

/// What a plan's frames leave to the next one: enough to go on from there with another execution of the plan, on any executor.
///
/// ```swift
/// let state = try execution.state()
/// try other.restore(state)
/// ```
///
/// **Concurrency**: an immutable value.
package struct PlanState: Sendable, Hashable {
  /// What each persistent texture held at the end of the last frame, in the order of the plan: level 0, as pictures of the textures' `pictureSize`.
  ///
  /// Smaller levels are made again, with the same bits.
  package let textures: [PixelBuffer]
  /// What each persistent buffer holds, in the order of the plan.
  package let buffers: [[UInt8]]

  package init(textures: [PixelBuffer], buffers: [[UInt8]]) {
    self.textures = textures
    self.buffers = buffers
  }

  /// What a state starts with.
  package init(startOf plan: Plan) {
    textures = plan.textures.filter { $0.role == .persistent }.map { texture in
      texture.picture(ofRows: [UInt8](repeating: 0, count: texture.pictureSize.pixelCount * texture.format.bytesPerPixel))
    }
    buffers = plan.buffers.filter(\.isPersistent).map { [UInt8](repeating: 0, count: $0.byteCount) }
  }

  /// Whether it is the state of a plan.
  package func fits(_ plan: Plan) -> Bool {
    let kept = plan.textures.filter { $0.role == .persistent }
    return textures.map(\.size) == kept.map(\.pictureSize) && textures.map(\.format) == kept.map(\.format)
      && buffers.map(\.count) == plan.buffers.filter(\.isPersistent).map(\.byteCount)
  }
}

extension Plan {
  /// The indices of the textures in whose memory lies what the persistent ones held at the end of the last frame; `isSwapped` is that of the
  /// next frame.
  package func keptMemory(isSwapped: Bool) -> [Int] {
    let memory = memory(isSwapped: isSwapped)
    return textures.indices.filter { textures[$0].role == .persistent }.map { index in
      memory[textures.firstIndex { $0.role == .previous(of: index) } ?? index]
    }
  }
}

extension Plan.Texture {
  /// The picture of a texture whose level 0 has these bytes, the first row first.
  package func picture(ofRows bytes: [UInt8]) -> PixelBuffer {
    guard shape == .flat else { return PixelBuffer(size: pictureSize, format: format, alpha: .straight, bytes: bytes) }
    let rowByteCount = size.width * format.bytesPerPixel
    var turned: [UInt8] = []
    turned.reserveCapacity(bytes.count)
    for row in (0..<size.height).reversed() { turned += bytes[row * rowByteCount..<(row + 1) * rowByteCount] }
    return PixelBuffer(size: size, format: format, alpha: .straight, bytes: turned)
  }
}

// MARK: State in a plan

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
