internal import EtalonSPIRV
internal import EtalonTypes

/// What has to hold for one dispatch: its kernel, how much it covers, and what is bound.
struct PassRules {
  /// What every device takes along each axis.
  private static let mostWorkgroups = 65_535

  private let pass: Plan.Pass
  private let plan: Plan
  private let interface: KernelInterface

  static func violations(of pass: Plan.Pass, in plan: Plan) -> [String] {
    guard plan.kernels.indices.contains(pass.kernel) else { return ["pass '\(pass.name)' has no kernel \(pass.kernel)"] }
    let rules = PassRules(pass, in: plan)
    return rules.violationsOfCoverage + rules.violationsOfBindings + rules.violationsOfSharing
  }

  private init(_ pass: Plan.Pass, in plan: Plan) {
    self.pass = pass
    self.plan = plan
    interface = plan.kernels[pass.kernel].interface
  }

  // MARK: Coverage

  private var violationsOfCoverage: [String] {
    switch pass.coverage {
    case .pixels(let size):
      guard interface.workgroupSize == [256, 1, 1] else {
        return ["pass '\(pass.name)' covers pixels with workgroups of \(interface.workgroupSize), not [256, 1, 1]"]
      }
      guard let region = pass.region, region.size != size else { return [] }
      return ["pass '\(pass.name)' covers \(size) pixels of a region of \(region.size)"]
    case .workgroups(let x, let y, let z):
      var violations: [String] = []
      if ![x, y, z].allSatisfy({ (1...Self.mostWorkgroups).contains($0) }) {
        violations.append("pass '\(pass.name)' has \(x)×\(y)×\(z) workgroups (1 to \(Self.mostWorkgroups) along each axis)")
      }
      if pass.region != nil { violations.append("pass '\(pass.name)' has a region, and does not cover pixels") }
      if interface.pushConstants != nil { violations.append("pass '\(pass.name)' has push constants, and its workgroups get none") }
      return violations
    }
  }

  // MARK: Bindings

  private var violationsOfBindings: [String] {
    var violations: [String] = []
    for resource in interface.resources {
      guard let binding = pass.bindings[resource.binding] else {
        violations.append("pass '\(pass.name)' leaves '\(resource.name)' unbound")
        continue
      }
      if let violation = violation(of: binding, for: resource.kind) {
        violations.append("pass '\(pass.name)', '\(resource.name)': \(violation)")
      }
    }
    for binding in pass.bindings.keys.sorted() where !interface.resources.contains(where: { $0.binding == binding }) {
      violations.append("pass '\(pass.name)' binds \(binding), which its kernel does not have")
    }
    return violations
  }

  private func violation(of binding: Plan.Binding, for kind: KernelInterface.Resource.Kind) -> String? {
    if let missing = binding.missing(in: plan) { return "no \(missing)" }
    switch (binding, kind) {
    case (.sampled(let texture, let sampler), .sampledTexture(let dimension)):
      return violation(sampling: plan.textures[texture], sampler, as: dimension)
    case (.storage(let texture, let layer), .storageTexture(let dimension, let format)):
      return violation(writing: plan.textures[texture], layer: layer, as: dimension, format)
    case (.output(let output), .storageBuffer):
      // Workgroups write where they like, as in a buffer.
      guard case .pixels(let size) = pass.coverage else { return nil }
      return plan.outputs[output].size == size ? nil : "an output of another size than the pass"
    case (.buffer, .storageBuffer): return nil
    default: return "the kernel expects another kind of resource"
    }
  }

  private func violation(sampling texture: Plan.Texture, _ sampler: Sampler, as dimension: KernelInterface.Resource.Dimension) -> String? {
    let actual: KernelInterface.Resource.Dimension =
      switch texture.shape {
      case .flat: .two
      case .cube: .cube
      case .volume: .three
      }
    guard actual == dimension else {
      return "the kernel expects a \(dimension.rawValue) texture, and '\(texture.name)' is \(actual.rawValue)"
    }
    return sampler.interpolation == .mipmap && !texture.isMipmapped ? "a mipmap sampler on a texture without mipmaps" : nil
  }

  private func violation(
    writing texture: Plan.Texture, layer: Int, as dimension: KernelInterface.Resource.Dimension, _ format: String?
  ) -> String? {
    guard texture.isWritten else {
      return switch texture.role {
      case .imported: "an imported texture as target"
      case .streamed: "a streamed texture as target"
      default: "the previous of a texture as target"
      }
    }
    let needed: KernelInterface.Resource.Dimension = texture.shape.isVolume ? .three : .two
    guard dimension == needed else {
      return "the kernel writes a \(dimension.rawValue) texture, and '\(texture.name)' takes \(needed.rawValue)"
    }
    guard texture.shape == .cube ? (0..<6).contains(layer) : layer == 0 else { return "'\(texture.name)' has no layer \(layer)" }
    // Formats that no texture has are refused with the kernel.
    if let format, let known = PixelFormat(rawValue: format), known != texture.format {
      return "the kernel writes \(format), and '\(texture.name)' is \(texture.format.rawValue)"
    }
    guard case .pixels(let size) = pass.coverage else { return nil }
    if texture.shape.isVolume { return "a volume as target of a pass that covers pixels" }
    return texture.size == size ? nil : "a target of another size than the pass"
  }

  // MARK: The same thing twice

  private var violationsOfSharing: [String] {
    var violations = pass.targets.intersection(pass.sampledTextures).sorted().map { "pass '\(pass.name)' samples its own target \($0)" }
    let written = pass.bindings.values.filter { if case .sampled = $0 { false } else { true } }
    if Set(written).count != written.count { violations.append("pass '\(pass.name)' binds the same target or buffer twice") }
    return violations + violationsOfBlocks
  }

  /// Of the textures that share memory, only one is there at a time.
  private var violationsOfBlocks: [String] {
    let used = pass.sampledTextures.union(pass.targets).sorted().filter { plan.textures.indices.contains($0) }
    let shared = Dictionary(grouping: used.filter { plan.textures[$0].block != nil }, by: { plan.textures[$0].block ?? 0 })
    return shared.sorted { $0.key < $1.key }.filter { $0.value.count > 1 }.map { _, textures in
      "pass '\(pass.name)' uses " + textures.map { "'\(plan.textures[$0].name)'" }.joined(separator: " and ") + ", which share memory"
    }
  }
}

extension Plan.Binding {
  /// What is bound and not there.
  fileprivate func missing(in plan: Plan) -> String? {
    switch self {
    case .sampled(let texture, _), .storage(let texture, _): plan.textures.indices.contains(texture) ? nil : "texture \(texture)"
    case .output(let output): plan.outputs.indices.contains(output) ? nil : "output \(output)"
    case .buffer(let buffer): plan.buffers.indices.contains(buffer) ? nil : "buffer \(buffer)"
    }
  }
}
