package import EtalonManifest
internal import EtalonPlan
package import EtalonTypes

/// Turns the passes of one application of a filter into steps of a plan, all but the last: where that stores, its readers decide.
struct NodeLowering {
  /// A texture of the plan that an input of the filter is.
  struct Input {
    let texture: Int
    let sampler: Sampler
  }

  /// How far a pass says that it reads of some of its textures, by their names in the text.
  struct Reach {
    let x: Int
    let y: Int
    let textures: Set<String>
  }

  /// The last pass of a node, ready to be dispatched.
  struct Result {
    let node: Int
    let name: String
    let filter: GraphFilter
    let pass: Int
    /// What is computed of it.
    let region: PictureRegion
    /// Whether the pass reads regions of pictures.
    let readsRegions: Bool
    /// What its resources are, by their names in the text; where it stores is missing.
    let bound: [String: Plan.Binding]
    let state: PassState
    let reach: Reach?

    var source: PassSource { filter.source(ofPass: pass, readsRegions: readsRegions) }
  }

  private let node: Int
  /// What the steps of the node are called, beside the name of the pass.
  private let label: String
  private let filter: GraphFilter
  private let inputs: [String: Input]
  private let values: ParameterValues
  private let lightColors: Set<String>
  private let proxy: ProxyScale
  private let extents: FilterExtents
  /// How far passes say that they read, by their places; passes whose reach is not needed are missing.
  private let reaches: [Int: (x: Int, y: Int)]
  /// What is computed of the result.
  private let region: PictureRegion
  /// What is computed of the targets.
  private var regions: [String: PictureRegion] = [:]
  private var versions: [String: TargetVersions] = [:]
  private var buffers: [String: Int] = [:]
  private var manifest: FilterManifest { filter.manifest }

  /// - Parameter reaches: how far passes say that they read, by their places, where the plan is to say it.
  /// - Parameter region: what is computed of the result.
  /// - Parameter regions: what is computed of the targets; those that are missing are wholes.
  init(
    node: Int, label: String, filter: GraphFilter, inputs: [String: Input], values: ParameterValues, lightColors: Set<String>,
    proxy: ProxyScale, extents: FilterExtents, reaches: [Int: (x: Int, y: Int)], region: PictureRegion, regions: [String: PictureRegion]
  ) {
    self.node = node
    self.label = label
    self.filter = filter
    self.inputs = inputs
    self.values = values
    self.lightColors = lightColors
    self.proxy = proxy
    self.extents = extents
    self.reaches = reaches
    self.region = region
    for target in filter.manifest.targets {
      self.regions[target.name] = regions[target.name] ?? PictureRegion(extents.targets[target.name] ?? extents.output)
    }
    let passes = filter.manifest.passes
    let mipmapped = Set(
      passes.flatMap(\.textures).filter { $0.sampler.interpolation == .mipmap }.compactMap {
        if case .target(let name) = $0.source { name } else { nil }
      })
    for target in filter.manifest.targets {
      versions[target.name] = TargetVersions(
        target, region: self.regions[target.name] ?? region, isMipmapped: mipmapped.contains(target.name),
        writeCount: passes.reduce(0) { $0 + ($1.targets.contains(target.name) ? $1.iterations : 0) })
    }
  }

  /// Adds everything that comes before the result.
  mutating func lower(into builder: inout PlanBuilder) throws -> Result {
    for buffer in manifest.buffers {
      buffers[buffer.name] = builder.buffers.count
      builder.buffers.append(
        Plan.Buffer(name: buffer.name, byteCount: extents.buffers[buffer.name] ?? 0, isPersistent: buffer.isPersistent))
    }
    for (index, pass) in manifest.passes.enumerated().prefix(filter.resultPass) { try lower(pass, at: index, into: &builder) }
    return result(of: filter.resultPass, &builder)
  }

  /// Adds everything that comes after the result; returns the further outputs by their names.
  mutating func lowerRest(into builder: inout PlanBuilder) throws -> [String: Result] {
    var outputs: [String: Result] = [:]
    for (index, pass) in manifest.passes.enumerated().dropFirst(filter.resultPass + 1) {
      if let output = pass.output {
        outputs[output] = result(of: index, &builder)
      } else {
        try lower(pass, at: index, into: &builder)
      }
    }
    return outputs
  }

  private mutating func result(of index: Int, _ builder: inout PlanBuilder) -> Result {
    let pass = manifest.passes[index]
    var (bound, state, readsRegions) = bind(pass, iteration: 0, &builder)
    if let output = pass.output { state.targetSize = extents.targets[output] ?? extents.output }
    return Result(
      node: node, name: name(of: pass), filter: filter, pass: index, region: pass.output == nil ? region : PictureRegion(state.targetSize),
      readsRegions: readsRegions, bound: bound, state: state, reach: reach(of: pass, at: index, state))
  }

  /// What a pass says about its reads of targets, and of pictures of the result's size: others lie where the text places them.
  private func reach(of pass: PassSource, at index: Int, _ state: PassState) -> Reach? {
    guard let (x, y) = reaches[index], min(x, y) >= 0 else { return nil }
    let output = [Double(extents.output.width), Double(extents.output.height)]
    let meant = pass.textures.filter { texture in
      guard texture.sampler.interpolation != .mipmap else { return false }
      if case .target = texture.source { return true }
      return state.textureSizes[texture.source].map { Array($0.prefix(2)) == output } ?? false
    }
    return Reach(x: x, y: y, textures: Set(meant.map(\.name)))
  }

  private func name(of pass: PassSource) -> String { label.isEmpty ? pass.name : "\(label).\(pass.name)" }

  // MARK: passes with targets

  private mutating func lower(_ pass: PassSource, at index: Int, into builder: inout PlanBuilder) throws {
    for iteration in 0..<pass.iterations { try lower(pass, at: index, iteration: iteration, into: &builder) }
  }

  private mutating func lower(_ pass: PassSource, at index: Int, iteration: Int, into builder: inout PlanBuilder) throws {
    var (bound, state, readsRegions) = bind(pass, iteration: iteration, &builder)
    let written = write(pass, &bound, &builder)
    let isCube = manifest.targets.contains { $0.name == pass.target && $0.shape == .cube }
    let region = pass.target.flatMap { regions[$0] } ?? PictureRegion(state.targetSize)
    let kernel = try builder.kernel(
      filter, pass: index, StoreVariant(.texture, alpha: .asReturned), readsRegions: readsRegions, storesRegion: !region.isWhole)
    let writer = builder.writer(of: kernel, filter.source(ofPass: index, readsRegions: readsRegions).uniforms)
    let coverage = extents.dispatches[index].map { Plan.Pass.Coverage.workgroups($0[0], $0[1], $0[2]) } ?? .pixels(region.size)
    for face in 0..<(isCube ? 6 : 1) {
      state.cubeFace = face
      if isCube, let texture = written.first { bound[PassSource.targetName] = .storage(texture: texture, layer: face) }
      builder.dispatch(
        isCube ? "\(name(of: pass)) face \(face)" : name(of: pass), kernel: kernel, coverage: coverage, region: region, bound,
        uniforms: GraphDispatch(node: node, writer: writer, state: state), reach: reach(of: pass, at: index, state))
    }
    for texture in written { builder.makeMipmaps(of: texture) }
  }

  /// What a pass reads, what its uniforms come from, and whether anything that it reads is a region of a picture.
  private mutating func bind(
    _ pass: PassSource, iteration: Int, _ builder: inout PlanBuilder
  ) -> (bound: [String: Plan.Binding], PassState, readsRegions: Bool) {
    var bound: [String: Plan.Binding] = [:]
    var state = PassState(targetSize: targetSize(of: pass), values: values)
    state.iteration = iteration
    state.lightColors = lightColors
    (state.proxy, state.pixels) = (proxy, proxy.isWhole ? [] : manifest.parameters.filter { $0.unit == .pixels })
    for texture in pass.textures {
      guard let (place, sampler) = read(texture, &builder) else { continue }
      bound[texture.name] = .sampled(texture: place, sampler)
      let region = builder.region(of: place)
      state.textureSizes[texture.source] = [Double(region.whole.width), Double(region.whole.height), Double(builder.depth(of: place))]
      state.regions[texture.source] = region
    }
    for buffer in pass.buffers { bound[buffer.name] = buffers[buffer.buffer].map { .buffer($0) } }
    return (bound, state, !state.regions.values.allSatisfy(\.isWhole))
  }

  private func targetSize(of pass: PassSource) -> Size {
    (pass.target ?? pass.stores.first?.target).flatMap { extents.targets[$0] } ?? extents.output
  }

  private mutating func read(_ texture: PassTexture, _ builder: inout PlanBuilder) -> (texture: Int, Sampler)? {
    switch texture.source {
    case .input(let name): return inputs[name].map { ($0.texture, $0.sampler) }
    case .target(let name):
      guard let (place, isBlank) = versions[name]?.read(&builder.textures) else { return nil }
      builder.regions[place] = regions[name]
      if isBlank { builder.clearFirst(place) }
      return (place, texture.sampler)
    }
  }

  /// Binds what a pass writes; returns the textures that it writes.
  ///
  /// A compute kernel need not write every pixel: pixels that it does not write are transparent black.
  private mutating func write(_ pass: PassSource, _ bound: inout [String: Plan.Binding], _ builder: inout PlanBuilder) -> [Int] {
    var written: [Int] = []
    if pass.coverage == .pixels, let target = pass.target, let texture = versions[target]?.write(&builder.textures) {
      builder.regions[texture] = regions[target]
      bound[PassSource.targetName] = .storage(texture: texture)
      written.append(texture)
    }
    for store in pass.stores {
      guard let target = store.target, let texture = versions[target]?.write(&builder.textures) else { continue }
      builder.clear(texture)
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

extension StoreVariant {
  /// How a result is packed for an output.
  ///
  /// - Parameter alpha: what the fourth channel of the result means.
  /// - Parameter format: `rgba8`, `rgba16` or `rgba32f`.
  /// - Parameter wanted: what it has to mean in the output.
  package init(of alpha: AlphaMode, as format: PixelFormat, _ wanted: AlphaMode) {
    let target: Target =
      switch format {
      case .rgba16: .packed16
      case .rgba32f: .packedFloat
      default: .packed8
      }
    let conversion: Alpha =
      switch (wanted, alpha) {
      case (.opaque, _): .opaque
      case (.straight, .premultiplied): .divide
      case (.premultiplied, .straight), (.premultiplied, .opaque): .multiply
      case (.straight, _), (.premultiplied, .premultiplied): .asReturned
      }
    self.init(target, alpha: conversion)
  }
}

// MARK: targets

/// The textures that hold a target of a filter in the course of a frame.
///
/// Every write makes a new version, because a pass cannot sample what it writes. The last version of a persistent target lies in a texture that is
/// kept, and a read before the first write gets what that texture held a frame ago.
private struct TargetVersions {
  private let target: FilterTarget
  private let region: PictureRegion
  private let isMipmapped: Bool
  private let writeCount: Int
  private var writesSoFar = 0
  /// The textures of the plan by what they hold.
  private var textures: [Place: Int] = [:]

  private enum Place: Hashable {
    case kept, previous, blank
    /// A texture for versions within a frame; they use such textures in turn.
    case passing(Int)
  }

  /// - Parameter region: what is stored of it.
  /// - Parameter writeCount: how many passes of a frame write the target.
  init(_ target: FilterTarget, region: PictureRegion, isMipmapped: Bool, writeCount: Int) {
    self.target = target
    self.region = region
    self.isMipmapped = isMipmapped
    self.writeCount = writeCount
  }

  /// The texture that a pass reads now, and whether nothing was ever written to it, so that it has to be cleared.
  mutating func read(_ all: inout [Plan.Texture]) -> (texture: Int, isBlank: Bool) {
    if writesSoFar > 0 { return (texture(place(ofWrite: writesSoFar - 1), &all), false) }
    guard target.isPersistent, writeCount > 0 else {
      let isNew = textures[.blank] == nil
      return (texture(.blank, &all), isNew)
    }
    return (texture(.previous, &all), false)
  }

  /// The texture that a pass writes now.
  mutating func write(_ all: inout [Plan.Texture]) -> Int {
    let place = place(ofWrite: writesSoFar)
    writesSoFar += 1
    return texture(place, &all)
  }

  private func place(ofWrite index: Int) -> Place {
    index == writeCount - 1 && target.isPersistent ? .kept : .passing(index % 2)
  }

  private mutating func texture(_ place: Place, _ all: inout [Plan.Texture]) -> Int {
    if let known = textures[place] { return known }
    let role: Plan.Texture.Role =
      switch place {
      case .kept: .persistent
      case .previous: .previous(of: texture(.kept, &all))
      case .blank, .passing: .transient
      }
    all.append(
      Plan.Texture(
        name: target.name, role: role, shape: target.shape == .cube ? .cube : .flat, size: region.size, format: target.format,
        isMipmapped: isMipmapped))
    textures[place] = all.count - 1
    return all.count - 1
  }
}
