internal import EtalonCompiler
package import EtalonDiagnostics
internal import EtalonExpressions
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// Prepares shots: loads filters and pictures, chooses a device, compiles.
///
/// The device is opened once and shared by all shots.
///
/// **Concurrency**: usable from every thread; preparing blocks.
package final class ShotRenderer: Sendable {
  private let selection = Mutex<DeviceSelection?>(nil)

  package init() {}

  /// Prepares a request; mistakes in it are thrown as diagnostics, before any device is opened.
  package func prepare(_ request: RenderRequest) throws -> Shot {
    let deadline = request.timeout.map { ContinuousClock.now + .seconds($0) }
    let events = try request.events()
    let kernels = KernelStore(compiler: ShaderCompiler(cache: .user), deadline: deadline)
    let filter = try FilterLoader(request.wish, kernels: kernels).load()
    let evaluator = GLSLExpressionEvaluator(cache: .user)
    let inputs = try InputResolver(request: request, filter: filter).resolve()
    let graph = request.graph(of: filter, inputs)
    let animation = try ShotAnimation(graph, of: request, source: kernels, evaluator: evaluator)
    let size = animation.first.plan.plan.outputs[0].size
    try request.check(inputs.sources, hasState: animation.first.hasState)
    let backend = try open(request)
    let plans = try ShotPlans(animation, on: backend)
    let recipe = RecipeHash.hash(request: request, graph: graph, events: events, size: size, device: backend.identity)
    return Shot(
      request: request, filter: filter.adding(warnings: inputs.warnings), plans: plans,
      sources: animation.first.streams.compactMap { inputs.sources[$0] }, events: events, size: size, deviceName: backend.deviceName,
      recipe: recipe.description)
  }

  private func open(_ request: RenderRequest) throws(RenderError) -> any Backend {
    try selection.withLock { selection throws(RenderError) in
      if let selection { return selection.backend }
      let opened = try DeviceSelection(request.device, timeout: request.timeout.map { .seconds($0) })
      selection = opened
      return opened.backend
    }
  }

  /// Throws when a validation layer that was asked for had anything to say.
  package func checkValidation() throws(RenderError) {
    try selection.withLock { selection throws(RenderError) in try selection?.checkValidation() }
  }
}

extension LoadedFilter {
  fileprivate func adding(warnings more: [Diagnostic]) -> LoadedFilter {
    LoadedFilter(manifest: manifest, values: values, animated: animated, warnings: warnings + more, files: files, folder: folder)
  }
}

extension RenderRequest {
  /// How the format of its files is packed.
  fileprivate var format: PixelFormat {
    switch bits {
    case 16: .rgba16
    case 32: .rgba32f
    default: .rgba8
    }
  }

  fileprivate var wish: FilterLoader.Wish {
    FilterLoader.Wish(
      location: filter, dialect: dialect.flatMap(FilterManifest.Dialect.init), settings: settings, samplers: samplers,
      drawsKeys: eventsFile != nil, outputs: outputs, output: (format, alpha))
  }

  /// One filter over its pictures.
  fileprivate func graph(of loaded: LoadedFilter, _ given: InputResolver.Result) -> ImageGraph {
    let inputs = given.pictures.map { name, picture in
      let isStreamed = given.sources[name] != nil
      let operation = isStreamed ? ImageRecipe.Operation.stream(ImageStream(name: name, model: picture)) : .picture(picture)
      let sampler = given.samplers[name]
      let image = ImageRecipe(operation, label: name)
      return (name, FilterUse.Input(image, address: sampler?.address, interpolation: sampler?.interpolation))
    }
    let use = FilterUse(
      GraphFilter(loaded.manifest), inputs: Dictionary(uniqueKeysWithValues: inputs), values: loaded.values, animated: loaded.animated)
    let image = ImageRecipe(.filter(use), label: loaded.manifest.name)
    let wanted = [nil] + loaded.manifest.passes.map(\.output).filter { $0 != nil }
    return ImageGraph(
      outputs: wanted.map {
        ImageGraph.Output(name: $0 ?? "main", image: image, furtherOutput: $0, format: format, alpha: alpha(for: loaded.manifest))
      }, size: size,
      format: bits == 16 ? .rgba32f : .rgba16f)
  }

  /// What its events file says.
  fileprivate func events() throws -> InputEvents? {
    guard let path = eventsFile else { return nil }
    let bytes = try FileReader.bytes(of: path, limit: 1 << 24)
    return try InputEvents(try TextCheck.text(path, bytes), clock: clock)
  }
}
