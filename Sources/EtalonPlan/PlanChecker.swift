package import EtalonDiagnostics
internal import EtalonSPIRV
internal import EtalonSystem
internal import EtalonTypes

/// A plan that is known to be consistent; backends accept nothing else.
///
/// **Concurrency**: an immutable value.
package struct CheckedPlan: Sendable, Hashable {
  package let plan: Plan

  fileprivate init(_ plan: Plan) { self.plan = plan }
}

/// Checks that a plan holds together, so that backends need not.
package struct PlanChecker: Sendable {
  package init() {}

  /// Returns the plan as checked; a plan that does not hold together is a defect of Etalon and is reported with every violation it has.
  package func check(_ plan: Plan) throws(RenderError) -> CheckedPlan {
    var found = ResourceRules(plan).violations
    for pass in plan.setupPasses + plan.passes { found += PassRules.violations(of: pass, in: plan) }
    found += SetupRules(plan).violations
    found += OrderRules.violations(of: plan)
    guard found.isEmpty else {
      throw RenderError(.internalError, "inconsistent plan: " + found.joined(separator: "; "), help: Self.help)
    }
    return CheckedPlan(plan)
  }

  /// A kernel with other resources than its text has comes from a file of the cache that was written by hand.
  private static let help =
    CacheFolder(ofUser: "spirv").map {
      ["if files of the cache were changed, type 'rm -r \($0.path)'; else this is a mistake of etalon: please report it"]
    } ?? []
}

// MARK: Resources

/// What has to hold for the textures and buffers of a plan by themselves.
private struct ResourceRules {
  /// What every device takes as a storage buffer.
  private static let mostBufferBytes = 128 << 20

  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  var violations: [String] {
    plan.textures.flatMap { violations(of: $0) } + repeatedPrevious + missingStreams + plan.buffers.flatMap { violations(of: $0) }
  }

  private func violations(of texture: Plan.Texture) -> [String] {
    var violations: [String] = []
    switch texture.shape {
    case .flat: break
    case .cube: if texture.size.width != texture.size.height { violations.append("its faces are no squares") }
    case .volume(let depth): if depth < 1 { violations.append("it has no slice") }
    }
    if case .previous(let current) = texture.role { violations += violationsOfPrevious(texture, current) }
    if case .streamed(let stream) = texture.role, stream < 0 { violations.append("it takes the pictures of stream \(stream)") }
    if let block = texture.block {
      if block < 0 { violations.append("it lies in block \(block)") }
      if texture.role != .transient { violations.append("it shares memory, and its content is kept") }
    }
    if texture.makesStreamedMipmaps, texture.shape.isVolume { violations.append("a streamed volume with mipmaps") }
    return violations.map { "texture '\(texture.name)': \($0)" }
  }

  private func violationsOfPrevious(_ texture: Plan.Texture, _ index: Int) -> [String] {
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

  private func violations(of buffer: Plan.Buffer) -> [String] {
    guard buffer.byteCount > 0, buffer.byteCount % 4 == 0, buffer.byteCount <= Self.mostBufferBytes else {
      return ["buffer '\(buffer.name)' has \(buffer.byteCount) bytes (4 to \(Self.mostBufferBytes), in whole words)"]
    }
    return []
  }
}

// MARK: Setup

/// What has to hold so that the setup can be done once for all frames: it depends on none, and none writes what it leaves.
private struct SetupRules {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  var violations: [String] {
    plan.setup.flatMap { violations(ofSetup: $0) } + plan.steps.flatMap { violations(ofFrame: $0) }
  }

  private func violations(ofSetup step: Plan.Step) -> [String] {
    let changing = existing(step.textures).compactMap { index -> String? in
      let texture = plan.textures[index]
      switch texture.role {
      case .imported, .transient, .setup: return nil
      case .streamed, .persistent, .previous: return "the setup uses texture '\(texture.name)', which changes from frame to frame"
      }
    }
    guard let pass = step.pass else { return changing }
    let kept = pass.buffers.sorted().filter { plan.buffers.indices.contains($0) && plan.buffers[$0].isPersistent }
    return changing + kept.map { "the setup uses buffer '\(plan.buffers[$0].name)', which changes from frame to frame" }
      + (pass.writesOutput ? ["pass '\(pass.name)' of the setup writes an output"] : [])
  }

  private func violations(ofFrame step: Plan.Step) -> [String] {
    existing(step.written).filter { plan.textures[$0].role == .setup }.map {
      "frames write texture '\(plan.textures[$0].name)', which the setup keeps for all of them"
    }
  }

  private func existing(_ textures: [Int]) -> [Int] { textures.filter { plan.textures.indices.contains($0) } }
}

extension Plan.Step {
  /// The textures that it writes.
  fileprivate var written: [Int] {
    switch self {
    case .clear(let texture), .makeMipmaps(let texture): [texture]
    case .dispatch(let pass): pass.targets.sorted()
    }
  }
}

// MARK: Values of a frame

extension CheckedPlan {
  /// What of the uniforms of its setup does not fit the plan; backends trust uniforms that have no violation.
  package func violations(ofSetupUniforms uniforms: [[UInt8]]) -> [String] { plan.violations(of: uniforms, for: plan.setupPasses) }
}

extension Plan {
  fileprivate func violations(of uniforms: [[UInt8]], for passes: [Pass]) -> [String] {
    guard uniforms.count == passes.count else { return ["\(uniforms.count) blocks of uniforms for \(passes.count) passes"] }
    return zip(passes, uniforms).compactMap { pass, bytes in
      // Drivers count blocks in whole vectors of four words.
      let space = ((kernels[pass.kernel].interface.uniforms?.size ?? 0) + 15) / 16 * 16
      return bytes.count <= space ? nil : "\(bytes.count) bytes of uniforms for pass '\(pass.name)', whose block has \(space)"
    }
  }
}

extension FrameValues {
  /// What of these values does not fit a plan; backends trust values that have no violation.
  package func violations(for plan: Plan) -> [String] {
    plan.violations(of: uniforms, for: plan.passes) + violationsOfPictures(plan)
  }

  private func violationsOfPictures(_ plan: Plan) -> [String] {
    guard pictures.count == plan.streamCount else { return ["\(pictures.count) pictures for \(plan.streamCount) streams"] }
    return plan.textures.compactMap { texture in
      guard case .streamed(let stream) = texture.role else { return nil }
      let picture = pictures[stream].pixels
      guard picture.size != texture.pictureSize || picture.format != texture.format else { return nil }
      return
        "a picture of \(picture.size) \(picture.format) for texture '\(texture.name)', which takes \(texture.pictureSize) \(texture.format)"
    }
  }
}
