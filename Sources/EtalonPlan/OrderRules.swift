internal import EtalonTypes

/// What has to hold for the order of the steps of the setup and of a frame: nothing is read before it is there, and everything that is wanted gets written.
struct OrderRules {
  private let plan: Plan
  private var violations: [String] = []
  /// Textures that hold something of this frame, or of the setup.
  private var written: Set<Int> = []
  /// Textures whose smaller levels are out of date.
  private var stale: Set<Int> = []
  /// The textures in each block of memory.
  private let blocks: [Int: [Int]]

  static func violations(of plan: Plan) -> [String] {
    var rules = OrderRules(plan)
    rules.visit(plan.setup)
    rules.forgetTransients()
    rules.visit(plan.steps)
    rules.checkEnd()
    return rules.violations
  }

  private init(_ plan: Plan) {
    self.plan = plan
    blocks = plan.sharedBlocks
  }

  private func name(_ texture: Int) -> String { "'\(plan.textures[texture].name)'" }

  private func hasPrevious(_ texture: Int) -> Bool { plan.textures.contains { $0.role == .previous(of: texture) } }

  // MARK: Steps

  private mutating func visit(_ steps: [Plan.Step]) {
    for step in steps {
      let missing = step.textures.filter { !plan.textures.indices.contains($0) }
      // Bindings to what does not exist were found before.
      if missing.isEmpty { visit(step) } else if case .dispatch = step {} else { violations.append("no texture \(missing[0])") }
    }
  }

  /// What the setup leaves to frames is in textures of its role alone.
  private mutating func forgetTransients() {
    written = written.filter { plan.textures[$0].role == .setup }
    stale.formIntersection(written)
  }

  private mutating func visit(_ step: Plan.Step) {
    switch step {
    case .clear(let texture):
      if !plan.textures[texture].isWritten { violations.append("texture \(name(texture)) is cleared, and frames do not write it") }
      write(texture)
      stale.remove(texture)
    case .makeMipmaps(let texture): visit(mipmapsOf: texture)
    case .dispatch(let pass): visit(pass)
    }
  }

  private mutating func visit(mipmapsOf texture: Int) {
    let description = plan.textures[texture]
    if !description.isWritten { violations.append("mipmaps of texture \(name(texture)), which frames do not write") }
    if !description.isMipmapped { violations.append("mipmaps of texture \(name(texture)), which has one level") }
    if description.shape.isVolume { violations.append("mipmaps of the volume \(name(texture))") }
    checkRead(texture, "the mipmaps of \(name(texture)) are made")
    stale.remove(texture)
  }

  private mutating func visit(_ pass: Plan.Pass) {
    for (texture, sampler) in pass.samples where !pass.targets.contains(texture) {
      checkRead(texture, "pass '\(pass.name)' samples texture \(name(texture))")
      if sampler.interpolation == .mipmap, stale.contains(texture) {
        violations.append("pass '\(pass.name)' samples mipmaps of texture \(name(texture)) that are not made yet")
      }
    }
    for texture in pass.targets.sorted() where plan.textures[texture].isWritten {
      write(texture)
      if plan.textures[texture].isMipmapped { stale.insert(texture) }
    }
  }

  /// What lay in its block of memory before is gone.
  private mutating func write(_ texture: Int) {
    if let block = plan.textures[texture].block { written.subtract(blocks[block] ?? []) }
    written.insert(texture)
  }

  private mutating func checkRead(_ texture: Int, _ what: String) {
    let isThere =
      switch plan.textures[texture].role {
      case .imported, .streamed, .previous: true
      case .transient, .setup: written.contains(texture)
      case .persistent: written.contains(texture) || !hasPrevious(texture)
      }
    if !isThere { violations.append("\(what) before it is written") }
  }

  // MARK: The end of the frame

  private mutating func checkEnd() {
    for output in plan.outputs.indices where !plan.passes.contains(where: { $0.bindings.values.contains(.output(output)) }) {
      violations.append("nothing writes output '\(plan.outputs[output].name)'")
    }
    for texture in plan.textures.indices where hasPrevious(texture) && !written.contains(texture) {
      violations.append("nothing writes texture \(name(texture)), which has a previous one")
    }
    for pass in plan.passes {
      for (texture, sampler) in pass.samples where sampler.interpolation == .mipmap && plan.textures.indices.contains(texture) {
        guard case .previous(let current) = plan.textures[texture].role, stale.contains(current) else { continue }
        violations.append("pass '\(pass.name)' samples mipmaps of texture \(name(texture)) that no frame makes")
      }
    }
  }
}

extension Plan.Pass {
  /// What it reads through samplers, in the order of the bindings.
  fileprivate var samples: [(texture: Int, sampler: Sampler)] {
    bindings.sorted { $0.key < $1.key }.compactMap {
      if case .sampled(let texture, let sampler) = $0.value { (texture, sampler) } else { nil }
    }
  }
}
