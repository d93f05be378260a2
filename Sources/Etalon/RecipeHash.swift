internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// The identity of a render: equal recipes give equal frames.
///
/// It covers everything that pixels depend on — texts, values, pictures, samplers, size, clock, encoding, executor and driver — and nothing else:
/// neither the names of files nor the range of frames; and the range of the shot only where a filter measures its progress through it.
enum RecipeHash {
  static func hash(request: RenderRequest, graph: ImageGraph, events: InputEvents?, size: Size, device: String) -> ContentHash {
    var hasher = ContentHasher()
    hasher.add("etalon", EtalonVersion.current)
    hasher.add("device", device)
    // The pixels of an output do not depend on which others of the filter are wanted.
    for output in graph.outputs where output.furtherOutput == nil {
      hasher.add("output", output.name)
      hasher.add("image", output.image.digest.description)
      hasher.add("encoding", "\(output.format) \(output.alpha)")
    }
    for (name, image) in graph.feedback.sorted(by: { $0.key < $1.key }) {
      hasher.add("feedback", name)
      hasher.add("image", image.digest.description)
    }
    hasher.add("format", graph.format.rawValue)
    if graph.workingSpace != .encoded { hasher.add("space", graph.workingSpace.rawValue) }
    if !graph.proxy.isWhole { hasher.add("proxy", "\(graph.proxy.factor)") }
    hasher.add("size", "\(size)")
    hasher.add("clock", "\(request.clock.first) \(request.clock.start) \(request.clock.rate)")
    hasher.add("pointer", request.pointer.map { "\($0.x) \($0.y) \($0.isDown)" } ?? "none")
    if let events { hasher.add("events", events.description) }
    hasher.add("date", "\(request.date.year) \(request.date.month) \(request.date.day) \(request.date.seconds)")
    if case .single(let time?) = request.frames { hasher.add("time", "\(time)") }
    if graph.dependsOnRange { hasher.add("range", "\(request.shotRange)") }
    return hasher.finish()
  }
}

extension ImageGraph {
  /// Whether a frame looks different in a shot of another range.
  var dependsOnRange: Bool { uses.contains(where: \.dependsOnRange) }
}

extension FilterUse {
  /// Whether a frame looks different in a shot of another range.
  var dependsOnRange: Bool {
    func depends(_ meaning: Uniform.Meaning) -> Bool {
      switch meaning {
      case .progress, .duration: true
      case .parameterOr(let name, let clock): values[name] == nil && animated[name] == nil && depends(clock)
      default: false
      }
    }
    return filter.manifest.passes.contains { $0.uniforms.contains { depends($0.meaning) } }
      || animated.contains { $0.value.dependsOnRange(as: $0.key, of: filter.manifest) }
  }
}
