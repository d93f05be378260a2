internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// The identity of a render: equal recipes give equal frames.
///
/// It covers everything that pixels depend on — text, values, pictures, samplers, size, clock, encoding, executor and driver — and nothing else:
/// neither the names of files nor the range of frames, unless the filter measures its progress through it.
enum RecipeHash {
  static func hash(
    request: RenderRequest, manifest: FilterManifest, inputs: [String: FilterPlan.Input], values: ParameterValues,
    events: InputEvents?, size: Size, device: String
  ) -> ContentHash {
    var hasher = ContentHasher()
    hasher.add("etalon", EtalonVersion.current)
    hasher.add("device", device)
    hasher.add("manifest", ManifestPrinter().text(manifest))
    for pass in manifest.passes {
      hasher.add("pass", pass.name)
      hasher.add("text", pass.source.text)
    }
    for (name, input) in inputs.sorted(by: { $0.key < $1.key }) {
      hasher.add("input", name)
      hasher.add("sampler", "\(input.sampler.interpolation) \(input.sampler.address)")
      hasher.add("picture", "\(input.picture.size) \(input.picture.format) \(input.picture.alpha)")
      hasher.add("pixels", ContentHash(of: input.picture.bytes).description)
    }
    for parameter in manifest.parameters {
      let value = values[parameter.name].map { "\($0.components)" } ?? "by the clock"
      hasher.add("parameter", "\(parameter.name) \(value)")
    }
    hasher.add("size", "\(size)")
    hasher.add("clock", "\(request.clock.first) \(request.clock.start) \(request.clock.rate)")
    hasher.add("pointer", request.pointer.map { "\($0.x) \($0.y) \($0.isDown)" } ?? "none")
    if let events { hasher.add("events", events.description) }
    hasher.add("date", "\(request.date.year) \(request.date.month) \(request.date.day) \(request.date.seconds)")
    hasher.add("encoding", "\(request.bits) \(request.alpha(for: manifest))")
    if case .single(let time?) = request.frames { hasher.add("time", "\(time)") }
    if manifest.dependsOnRange(values) { hasher.add("range", "\(request.wantedRange)") }
    return hasher.finish()
  }
}

extension FilterManifest {
  /// Whether a frame looks different in another range of frames.
  fileprivate func dependsOnRange(_ values: ParameterValues) -> Bool {
    func depends(_ meaning: Uniform.Meaning) -> Bool {
      switch meaning {
      case .progress, .duration: true
      case .parameterOr(let name, let clock): values[name] == nil && depends(clock)
      default: false
      }
    }
    return passes.contains { $0.uniforms.contains { depends($0.meaning) } }
  }
}
