internal import EtalonSPIRV
internal import EtalonTypes

extension CheckedPlan {
  /// What of the uniforms of its setup does not fit the plan; backends trust uniforms that have no fault.
  package func faults(ofSetupUniforms uniforms: [[UInt8]]) -> [String] { plan.faults(of: uniforms, for: plan.setupPasses) }
}

extension Plan {
  fileprivate func faults(of uniforms: [[UInt8]], for passes: [Pass]) -> [String] {
    guard uniforms.count == passes.count else { return ["\(uniforms.count) blocks of uniforms for \(passes.count) passes"] }
    return zip(passes, uniforms).compactMap { pass, bytes in
      // Drivers count blocks in whole vectors of four words.
      let space = ((kernels[pass.kernel].interface.uniforms?.size ?? 0) + 15) / 16 * 16
      return bytes.count <= space ? nil : "\(bytes.count) bytes of uniforms for pass '\(pass.name)', whose block has \(space)"
    }
  }
}

extension FrameValues {
  /// What of these values does not fit a plan; backends trust values that have no fault.
  package func faults(for plan: Plan) -> [String] {
    plan.faults(of: uniforms, for: plan.passes) + faultsOfPictures(plan)
  }

  private func faultsOfPictures(_ plan: Plan) -> [String] {
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
