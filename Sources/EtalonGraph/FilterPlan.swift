package import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes

/// One filter over given pictures, lowered to a plan, with what fills its uniforms frame by frame.
package struct FilterPlan: Sendable {
  /// The picture that fills an image input, and how it is read.
  package struct Input: Sendable, Hashable {
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
  private let writers: [UniformWriter]
  private let pass: PassState

  /// Lowers a filter whose last pass writes the only output.
  ///
  /// - Parameter kernels: one for each pass of the manifest.
  /// - Parameter inputs: by the name of the image input; every input of the manifest is there.
  package init(
    manifest: FilterManifest, kernels: [Kernel], inputs: [String: Input], values: ParameterValues, size: Size, format: PixelFormat,
    alpha: AlphaMode
  ) throws(RenderError) {
    let names = manifest.inputs.map(\.name).filter { inputs[$0] != nil }
    let textures = names.enumerated().compactMap { index, name in
      inputs[name].map { input in
        Plan.Texture(
          name: name, role: .imported(index), size: input.picture.size, format: input.picture.format,
          isMipmapped: input.sampler.interpolation == .mipmap)
      }
    }
    let passes = manifest.passes.indices.map { index in
      Plan.Pass(
        name: manifest.passes[index].name, kernel: index, size: size,
        bindings: Self.bindings(of: kernels[index], pass: manifest.passes[index], textures: names, inputs: inputs))
    }
    let output = Plan.Output(name: "main", size: size, format: format, alpha: alpha)
    plan = try PlanChecker().check(Plan(textures: textures, outputs: [output], kernels: kernels, passes: passes))
    imports = names.compactMap { inputs[$0]?.picture }
    writers = zip(manifest.passes, kernels).map { UniformWriter(uniforms: $0.uniforms, block: $1.interface.uniforms) }
    let sizes = inputs.map { (PassTexture.Source.input($0), [Double($1.picture.size.width), Double($1.picture.size.height), 1]) }
    pass = PassState(targetSize: size, textureSizes: Dictionary(sizes) { first, _ in first }, values: values)
  }

  private static func bindings(
    of kernel: Kernel, pass: PassSource, textures: [String], inputs: [String: Input]
  ) -> [Int: Plan.Binding] {
    var bindings: [Int: Plan.Binding] = [:]
    for resource in kernel.interface.resources {
      switch resource.kind {
      case .sampledTexture:
        guard case .input(let name)? = pass.textures.first(where: { $0.name == resource.name })?.source,
          let index = textures.firstIndex(of: name), let input = inputs[name]
        else { continue }
        bindings[resource.binding] = .sampled(texture: index, input.sampler)
      case .storageBuffer: bindings[resource.binding] = .output(0)
      case .storageTexture: continue
      }
    }
    return bindings
  }

  /// What changes in the plan for a frame.
  package func values(frame: Int, state: FrameState) -> FrameValues {
    FrameValues(
      frame: frame,
      uniforms: writers.map { $0.bytes { state.components(of: $0, in: pass) } })
  }
}
