extension FrameValues {
  /// The identities of the pictures that the streamed textures of a plan show, by the textures' indices.
  package func shown(by plan: Plan) -> [Int: UInt64] {
    var shown: [Int: UInt64] = [:]
    for (index, texture) in plan.textures.enumerated() {
      if case .streamed(let stream) = texture.role { shown[index] = pictures[stream].identity }
    }
    return shown
  }
}

extension Plan {
  /// How many pictures come with every frame.
  package var streamCount: Int {
    textures.reduce(0) { count, texture in
      if case .streamed(let stream) = texture.role { max(count, stream + 1) } else { count }
    }
  }
}
