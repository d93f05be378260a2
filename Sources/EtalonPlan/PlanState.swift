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
