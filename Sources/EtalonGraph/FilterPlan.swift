package import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes

/// One filter over given pictures, lowered to a plan, with what fills its uniforms frame by frame.
package struct FilterPlan: Sendable {
  /// The picture that fills an image input, and how it is read.
  package struct Input: Sendable, Hashable {
    /// For a cube its six faces, stacked.
    package let picture: PixelBuffer
    package let sampler: Sampler

    package init(picture: PixelBuffer, sampler: Sampler) {
      self.picture = picture
      self.sampler = sampler
    }
  }

  package let plan: CheckedPlan
  /// The pictures of the plan's imported textures.
  package let imports: [PixelBuffer]
  private let dispatches: [FilterDispatch]
  private let writers: [UniformWriter]

  /// Lowers a filter whose last pass writes the only output.
  ///
  /// - Parameter kernels: one for each pass of the manifest.
  /// - Parameter inputs: by the name of the image input; every input that a pass reads is there.
  package init(
    manifest: FilterManifest, kernels: [Kernel], inputs: [String: Input], values: ParameterValues, extents: FilterExtents,
    format: PixelFormat, alpha: AlphaMode
  ) throws(RenderError) {
    var lowering = FilterLowering(manifest: manifest, kernels: kernels, inputs: inputs, values: values, extents: extents)
    let output = Plan.Output(name: "main", size: extents.output, format: format, alpha: alpha)
    plan = try PlanChecker().check(lowering.plan(output: output))
    imports = lowering.imports
    dispatches = lowering.dispatches
    writers = zip(manifest.passes, kernels).map { UniformWriter(uniforms: $0.uniforms, block: $1.interface.uniforms) }
  }

  /// Whether a frame depends on the frame before.
  package var hasState: Bool { plan.plan.hasState }

  /// What changes in the plan for a frame.
  ///
  /// - Parameter startsState: whether targets that are kept begin anew with this frame.
  /// - Parameter writesOutputs: whether the frame is wanted for itself, not only for those after it.
  package func values(frame: Int, state: FrameState, startsState: Bool = false, writesOutputs: Bool = true) -> FrameValues {
    FrameValues(
      frame: frame, uniforms: dispatches.map { dispatch in writers[dispatch.pass].bytes { state.components(of: $0, in: dispatch.state) } },
      startsState: startsState, writesOutputs: writesOutputs)
  }
}

/// A dispatch of a plan: the pass of the manifest that it belongs to, and what its uniforms come from.
struct FilterDispatch: Sendable {
  let pass: Int
  let state: PassState
}
