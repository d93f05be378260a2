internal import EtalonTypes

/// What has to hold so that the setup can be done once for all frames: it depends on none, and none writes what it leaves.
struct SetupRules {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  var faults: [String] {
    plan.setup.flatMap { faults(ofSetup: $0) } + plan.steps.flatMap { faults(ofFrame: $0) }
  }

  private func faults(ofSetup step: Plan.Step) -> [String] {
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

  private func faults(ofFrame step: Plan.Step) -> [String] {
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
