internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// Turns the passes of a filter into the steps of a plan.
struct FilterLowering {
  private let manifest: FilterManifest
  private let kernels: [Kernel]
  private let inputs: [String: FilterPlan.Input]
  private let values: ParameterValues
  private let extents: FilterExtents

  private var textures: [Plan.Texture] = []
  private var steps: [Plan.Step] = []
  private var versions: [String: TargetVersions] = [:]
  /// The textures of the image inputs.
  private var inputTextures: [String: Int] = [:]
  private let mipmappedTargets: Set<String>

  /// The pictures of the imported textures.
  private(set) var imports: [PixelBuffer] = []
  /// One for each dispatch of the plan.
  private(set) var dispatches: [FilterDispatch] = []

  init(
    manifest: FilterManifest, kernels: [Kernel], inputs: [String: FilterPlan.Input], values: ParameterValues, extents: FilterExtents
  ) {
    self.manifest = manifest
    self.kernels = kernels
    self.inputs = inputs
    self.values = values
    self.extents = extents
    let mipmapped = manifest.passes.flatMap(\.textures).filter { $0.sampler.interpolation == .mipmap }
    mipmappedTargets = Set(mipmapped.compactMap { if case .target(let name) = $0.source { name } else { nil } })
    for target in manifest.targets {
      versions[target.name] = TargetVersions(
        target, size: extents.targets[target.name] ?? extents.output, isMipmapped: mipmappedTargets.contains(target.name),
        writeCount: manifest.passes.reduce(0) { $0 + ($1.targets.contains(target.name) ? $1.iterations : 0) })
    }
  }

  /// The plan of a frame.
  mutating func plan(output: Plan.Output) -> Plan {
    importPictures()
    for (index, pass) in manifest.passes.enumerated() {
      for iteration in 0..<pass.iterations { lower(pass, at: index, iteration: iteration) }
    }
    let buffers = manifest.buffers.map {
      Plan.Buffer(name: $0.name, byteCount: extents.buffers[$0.name] ?? 0, isPersistent: $0.isPersistent)
    }
    return Plan(textures: textures, buffers: buffers, outputs: [output], kernels: kernels, steps: steps)
  }

  private mutating func importPictures() {
    for input in manifest.inputs {
      guard let given = inputs[input.name] else { continue }
      let size = given.picture.size
      inputTextures[input.name] = textures.count
      textures.append(
        Plan.Texture(
          name: input.name, role: .imported(imports.count), shape: input.shape == .cube ? .cube : .flat,
          size: input.shape == .cube ? Size(size.width, size.height / 6) : size, format: given.picture.format,
          isMipmapped: given.sampler.interpolation == .mipmap))
      imports.append(given.picture)
    }
  }

  private mutating func lower(_ pass: PassSource, at index: Int, iteration: Int) {
    var bound: [String: Plan.Binding] = [:]
    var state = PassState(targetSize: targetSize(of: pass), values: values)
    state.iteration = iteration
    for texture in pass.textures {
      guard let (place, sampler) = read(texture) else { continue }
      bound[texture.name] = .sampled(texture: place, sampler)
      state.textureSizes[texture.source] = size(of: textures[place])
    }
    for buffer in pass.buffers {
      bound[buffer.name] = manifest.buffers.firstIndex { $0.name == buffer.buffer }.map { .buffer($0) }
    }
    let written = write(pass, &bound)
    let isCube = manifest.targets.contains { $0.name == pass.target && $0.shape == .cube }
    for face in 0..<(isCube ? 6 : 1) {
      state.cubeFace = face
      if isCube, let texture = written.first { bound[PassSource.targetName] = .storage(texture: texture, layer: face) }
      dispatch(pass, at: index, name: isCube ? "\(pass.name) face \(face)" : pass.name, bound, state)
    }
    for texture in written where textures[texture].isMipmapped { steps.append(.makeMipmaps(texture: texture)) }
  }

  private mutating func dispatch(
    _ pass: PassSource, at index: Int, name: String, _ bound: [String: Plan.Binding], _ state: PassState
  ) {
    var bindings: [Int: Plan.Binding] = [:]
    for resource in kernels[index].interface.resources { bindings[resource.binding] = bound[resource.name] }
    let coverage = extents.dispatches[index].map { Plan.Pass.Coverage.workgroups($0[0], $0[1], $0[2]) } ?? .pixels(state.targetSize)
    steps.append(.dispatch(Plan.Pass(name: name, kernel: index, coverage: coverage, bindings: bindings)))
    dispatches.append(FilterDispatch(pass: index, state: state))
  }

  private func targetSize(of pass: PassSource) -> Size {
    (pass.target ?? pass.stores.first?.target).flatMap { extents.targets[$0] } ?? extents.output
  }

  private func size(of texture: Plan.Texture) -> [Double] {
    [Double(texture.size.width), Double(texture.size.height), 1]
  }

  private mutating func read(_ texture: PassTexture) -> (texture: Int, Sampler)? {
    switch texture.source {
    case .input(let name):
      guard let place = inputTextures[name], let input = inputs[name] else { return nil }
      return (place, input.sampler)
    case .target(let name):
      guard let (place, isBlank) = versions[name]?.read(&textures) else { return nil }
      if isBlank { steps.insert(.clear(texture: place), at: 0) }
      return (place, texture.sampler)
    }
  }

  /// Binds what a pass writes; returns the textures that it writes.
  ///
  /// A compute kernel need not write every pixel: what it leaves is transparent black.
  private mutating func write(_ pass: PassSource, _ bound: inout [String: Plan.Binding]) -> [Int] {
    var written: [Int] = []
    if pass.coverage == .pixels {
      if let target = pass.target, let texture = versions[target]?.write(&textures) {
        bound[PassSource.targetName] = .storage(texture: texture)
        written.append(texture)
      } else {
        bound[PassSource.outputName] = .output(0)
      }
    }
    for store in pass.stores {
      guard let target = store.target, let texture = versions[target]?.write(&textures) else { continue }
      steps.append(.clear(texture: texture))
      bound[store.name] = .storage(texture: texture)
      written.append(texture)
    }
    return written
  }
}

extension PassSource {
  /// The targets that the pass writes.
  fileprivate var targets: Set<String> { Set(([target] + stores.map(\.target)).compactMap(\.self)) }
}
