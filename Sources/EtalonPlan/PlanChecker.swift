package import EtalonDiagnostics
internal import EtalonSPIRV
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

  /// Returns the plan as checked; a plan that does not hold together is our own mistake and is reported with every fault it has.
  package func check(_ plan: Plan) throws(RenderError) -> CheckedPlan {
    let found = plan.passes.flatMap { faults(of: $0, in: plan) } + unwrittenOutputs(of: plan)
    guard found.isEmpty else {
      throw RenderError(.internalError, "inconsistent plan: " + found.joined(separator: "; "))
    }
    return CheckedPlan(plan)
  }

  private func faults(of pass: Plan.Pass, in plan: Plan) -> [String] {
    guard plan.kernels.indices.contains(pass.kernel) else { return ["pass '\(pass.name)' has no kernel \(pass.kernel)"] }
    let resources = plan.kernels[pass.kernel].interface.resources
    var faults: [String] = []
    for resource in resources {
      guard let binding = pass.bindings[resource.binding] else {
        faults.append("pass '\(pass.name)' leaves '\(resource.name)' unbound")
        continue
      }
      if let fault = fault(of: binding, for: resource.kind, pass: pass, in: plan) {
        faults.append("pass '\(pass.name)', '\(resource.name)': \(fault)")
      }
    }
    for texture in pass.targets.intersection(pass.sampledTextures).sorted() {
      faults.append("pass '\(pass.name)' samples its own target \(texture)")
    }
    for binding in pass.bindings.keys.sorted() where !resources.contains(where: { $0.binding == binding }) {
      faults.append("pass '\(pass.name)' binds \(binding), which its kernel does not have")
    }
    return faults
  }

  private func fault(
    of binding: Plan.Binding, for kind: KernelInterface.Resource.Kind, pass: Plan.Pass, in plan: Plan
  ) -> String? {
    switch (binding, kind) {
    case (.sampled, .sampledTexture(let dimension)) where dimension != .two,
      (.storage, .storageTexture(let dimension, _)) where dimension != .two:
      return "the kernel expects a \(dimension.rawValue) texture, and textures of plans are 2D"
    case (.sampled(let texture, let sampler), .sampledTexture):
      guard plan.textures.indices.contains(texture) else { return "no texture \(texture)" }
      return sampler.interpolation == .mipmap && !plan.textures[texture].isMipmapped ? "a mipmap sampler on a texture without mipmaps" : nil
    case (.storage(let texture), .storageTexture):
      guard plan.textures.indices.contains(texture) else { return "no texture \(texture)" }
      guard plan.textures[texture].role == .transient else { return "an imported texture as target" }
      return plan.textures[texture].size == pass.size ? nil : "a target of another size than the pass"
    case (.output(let output), .storageBuffer):
      guard plan.outputs.indices.contains(output) else { return "no output \(output)" }
      return plan.outputs[output].size == pass.size ? nil : "an output of another size than the pass"
    default: return "the kernel expects another kind of resource"
    }
  }

  private func unwrittenOutputs(of plan: Plan) -> [String] {
    plan.outputs.indices.compactMap { output in
      let isWritten = plan.passes.contains { $0.bindings.values.contains(.output(output)) }
      return isWritten ? nil : "nothing writes output '\(plan.outputs[output].name)'"
    }
  }
}

extension Plan.Pass {
  fileprivate var targets: Set<Int> {
    Set(bindings.values.compactMap { if case .storage(let texture) = $0 { texture } else { nil } })
  }

  fileprivate var sampledTextures: Set<Int> {
    Set(bindings.values.compactMap { if case .sampled(let texture, _) = $0 { texture } else { nil } })
  }
}
