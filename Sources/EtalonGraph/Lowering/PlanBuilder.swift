internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Collects the parts of a plan while the nodes of a graph are lowered.
struct PlanBuilder {
  /// Identifies a kernel that was compiled before.
  private struct KernelKey: Hashable {
    let filter: ContentHash
    let pass: Int
    let variant: StoreVariant
  }

  var textures: [Plan.Texture] = []
  var buffers: [Plan.Buffer] = []
  var steps: [Plan.Step] = []
  /// One for each dispatch, in the order of the steps.
  private(set) var dispatches: [GraphDispatch] = []
  /// The pictures of the imported textures.
  private(set) var imports: [PixelBuffer] = []
  /// What comes with each frame, in the order of the streamed textures.
  private(set) var streams: [String] = []
  private(set) var kernels: [Kernel] = []
  private var kernelIndexes: [KernelKey: Int] = [:]
  private var feedbacks: [String: (kept: Int, previous: Int)] = [:]
  private let source: any KernelSource

  init(source: any KernelSource) { self.source = source }

  /// The index of the kernel of a pass, compiled when it is asked for the first time.
  mutating func kernel(_ filter: GraphFilter, pass: Int, _ variant: StoreVariant) throws -> Int {
    let key = KernelKey(filter: filter.digest, pass: pass, variant: variant)
    if let index = kernelIndexes[key] { return index }
    kernels.append(try source.kernel(of: filter.manifest.passes[pass], in: filter.manifest, storing: variant))
    kernelIndexes[key] = kernels.count - 1
    return kernels.count - 1
  }

  /// What fills the uniform block of a kernel.
  func writer(of kernel: Int, _ uniforms: [Uniform]) -> UniformWriter {
    UniformWriter(uniforms: uniforms, block: kernels[kernel].interface.uniforms)
  }

  /// Adds a texture that holds a picture.
  mutating func importPicture(_ picture: PixelBuffer, label: String, shape: TextureShape, isMipmapped: Bool) -> Int {
    let isCube = shape == .cube
    textures.append(
      Plan.Texture(
        name: label, role: .imported(imports.count), shape: isCube ? .cube : .flat,
        size: isCube ? Size(picture.size.width, picture.size.height / 6) : picture.size, format: picture.format, isMipmapped: isMipmapped))
    imports.append(picture)
    return textures.count - 1
  }

  /// Adds a texture whose picture comes with each frame.
  mutating func stream(_ stream: ImageStream, label: String, isMipmapped: Bool) -> Int {
    textures.append(
      Plan.Texture(
        name: label, role: .streamed(streams.count), size: stream.model.size, format: stream.model.format, isMipmapped: isMipmapped))
    streams.append(stream.name)
    return textures.count - 1
  }

  /// The textures of a picture that the next frame reads: what it is now and what it was a frame ago.
  mutating func feedback(_ name: String, size: Size, format: PixelFormat, isMipmapped: Bool) -> (kept: Int, previous: Int) {
    if let known = feedbacks[name] { return known }
    let pair = (kept: textures.count, previous: textures.count + 1)
    for role in [Plan.Texture.Role.persistent, .previous(of: pair.kept)] {
      textures.append(Plan.Texture(name: name, role: role, size: size, format: format, isMipmapped: isMipmapped))
    }
    feedbacks[name] = pair
    return pair
  }

  /// Adds a dispatch of one pass; `bound` has what its resources are, by their names in the text.
  mutating func dispatch(
    _ name: String, kernel: Int, coverage: Plan.Pass.Coverage, _ bound: [String: Plan.Binding], uniforms: GraphDispatch
  ) {
    var bindings: [Int: Plan.Binding] = [:]
    for resource in kernels[kernel].interface.resources { bindings[resource.binding] = bound[resource.name] }
    steps.append(.dispatch(Plan.Pass(name: name, kernel: kernel, coverage: coverage, bindings: bindings)))
    dispatches.append(uniforms)
  }
}

/// What the uniforms of a dispatch come from.
struct GraphDispatch: Sendable {
  /// The node whose values its parameters have.
  let node: Int
  let writer: UniformWriter
  let state: PassState
}
