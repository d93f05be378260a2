internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// A graph of a request, with its filters loaded and its pictures opened.
struct BuiltGraph: Sendable {
  var image: ImageGraph
  /// What the streams of the graph show, by their names.
  var sources: [String: any PictureSource]
  let subject: ShotSubject
}

/// What a shot is made of, as files about it say.
struct ShotSubject: Sendable {
  /// The name of the filter, or of the filters that the result comes from.
  var name: String
  /// The values that were given, by parameter; in a graph by `node.parameter`.
  var values: [String: String]
  var warnings: [Diagnostic]
  /// Filters, includes, pictures and tracks, as paths that can be watched.
  var files: [String]
  /// What stands in for inputs whose picture or sound is missing, by input; in a graph by `node.input`.
  var standIns: [String: String] = [:]
}

// MARK: one filter

extension RenderRequest {
  /// What is rendered, loaded and with its pictures.
  func built(_ kernels: KernelStore) throws -> BuiltGraph {
    switch subject {
    case .images(let images): return try built(images, kernels)
    case .graph(let text, let library):
      return try RecipeBuilder(text, library: library, request: self, kernels: kernels).build()
    case .filter(let location):
      let (filter, applied) = try FilterLoader(wish(location), kernels: kernels).load()
      let request = try naming(dataOf: filter.manifest)
      let inputs = try InputResolver(request: request, filter: filter).resolve()
      let image = graph(of: filter, applied, inputs)
      let texts = try TextFonts(image.uses, request.settings).checked()
      return BuiltGraph(
        image: image, sources: inputs.sources,
        subject: ShotSubject(
          name: filter.manifest.name, values: Dictionary(settings.map { ($0.name, $0.value) }) { _, last in last },
          warnings: filter.warnings + inputs.warnings + texts + CutPictures(image).warnings
            + UnreadEvents(image, of: self, named: filter.manifest.name).warnings,
          files: filter.files + request.inputs.filter { $0.sequence == nil && $0.video == nil }.map(\.path), standIns: inputs.standIns))
    }
  }

  /// How the files of an output are packed.
  ///
  /// - Parameter names: the names that it may have in `outputForms`; nil for the result.
  func fileFormat(of names: String?...) -> PixelFormat {
    if hasLight(names) { return .rgba32f }
    return switch names.lazy.compactMap({ outputForms[$0]?.bits }).first ?? bits {
    case 9...16: .rgba16
    case 32: .rgba32f
    default: .rgba8
    }
  }

  /// What the files of an output say about coverage; nil is what suits the filter.
  func fileAlpha(of names: String?...) -> AlphaMode? { names.lazy.compactMap { outputForms[$0]?.alpha }.first ?? alpha }

  /// Whether the files of an output have light.
  func hasLight(_ names: [String?]) -> Bool { names.contains { outputForms[$0]?.isLight ?? false } }

  /// What the files of an output say about coverage where nobody says it, from what suits the filter: light is multiplied by it.
  func usualAlpha(_ suitable: AlphaMode, of names: String?...) -> AlphaMode {
    hasLight(names) && suitable == .straight ? .premultiplied : suitable
  }

  /// The outputs of a graph, the first as planes where a video is made of it.
  func asPlanes(_ outputs: [ImageGraph.Output]) -> [ImageGraph.Output] {
    guard let planes, var first = outputs.first else { return outputs }
    first.planes = planes
    return [first] + outputs.dropFirst()
  }

  /// How pictures between filters are stored: a half float has fewer bits than a file of sixteen.
  func workingFormat(for outputs: [ImageGraph.Output]) -> PixelFormat {
    format ?? (outputs.contains { $0.format == .rgba16 || $0.isLight } ? .rgba32f : .rgba16f)
  }

  private func wish(_ location: FilterLocation) -> FilterLoader.Wish {
    FilterLoader.Wish(
      location: location, dialect: dialect.flatMap(FilterManifest.Dialect.init), settings: settings, samplers: samplers,
      drawsKeys: eventsFile != nil, outputs: outputs, part: part, output: (fileFormat(of: nil), fileAlpha(of: nil)))
  }

  /// One filter over its pictures.
  private func graph(of loaded: LoadedFilter, _ applied: GraphFilter, _ given: InputResolver.Result) -> ImageGraph {
    let use = FilterUse(
      applied, inputs: given.images.mapValues(\.input), values: loaded.values, animated: loaded.animated)
    let image = ImageRecipe(.filter(use), label: loaded.manifest.name)
    let wanted = [nil] + loaded.manifest.passes.map(\.output).filter { $0 != nil }
    let outputs = wanted.map { name in
      let known = name ?? loaded.manifest.mainOutput
      return ImageGraph.Output(
        name: name ?? "main", image: image, furtherOutput: name, format: fileFormat(of: known, name),
        alpha: fileAlpha(of: known, name) ?? usualAlpha(loaded.manifest.usualAlpha, of: known, name), isLight: hasLight([known, name]))
    }
    var graph = ImageGraph(outputs: asPlanes(outputs), size: size, format: workingFormat(for: outputs))
    (graph.workingSpace, graph.proxy) = (workingSpace, proxy)
    return graph
  }
}

// MARK: recipes of programs

extension RenderRequest {
  private func built(_ images: [(name: String, image: Image)], _ kernels: KernelStore) throws -> BuiltGraph {
    var graph = try kernels.settled(self.graph(of: images))
    if eventsFile != nil { graph = graph.drawingKeys }
    let supplies = images.map(\.image.supplies).reduce(ImageSupplies()) { $0.merging($1) }
    let sources = try supplies.streams.mapValues { source throws(RenderError) in try source.opened(for: self) }
    return BuiltGraph(
      image: graph, sources: sources,
      subject: ShotSubject(
        name: images.first?.image.recipe.label ?? "", values: graph.givenValues, warnings: TextFonts(graph.uses).warnings, files: []))
  }

  /// Images as a graph with an output for each.
  func graph(of images: [(name: String, image: Image)]) -> ImageGraph {
    let outputs = images.enumerated().map { place, output in
      let name = place == 0 ? nil : output.name
      return ImageGraph.Output(
        name: output.name, image: output.image.recipe, format: fileFormat(of: name),
        alpha: fileAlpha(of: name) ?? usualAlpha(output.image.recipe.manifest?.usualAlpha ?? .straight, of: name), isLight: hasLight([name])
      )
    }
    let feedback = images.map(\.image.supplies).reduce(ImageSupplies()) { $0.merging($1) }.feedback
    var graph = ImageGraph(outputs: asPlanes(outputs), feedback: feedback, size: size, format: workingFormat(for: outputs))
    (graph.workingSpace, graph.proxy) = (workingSpace, proxy)
    return graph
  }
}

extension ImageGraph {
  /// What filters were given for their parameters, as it is written: by the parameter where there is one filter with values, else by
  /// `filter.parameter`, with a number behind the name of a filter that is there again.
  fileprivate var givenValues: [String: String] {
    var given: [(name: String, values: [String: String])] = []
    var counts: [String: Int] = [:]
    for use in uses where use.moments.isEmpty {
      let name = use.filter.manifest.name
      counts[name, default: 0] += 1
      let values = use.givenValues
      if !values.isEmpty { given.append((counts[name] == 1 ? name : "\(name)-\(counts[name] ?? 1)", values)) }
    }
    if given.count == 1 { return given[0].values }
    return Dictionary(given.flatMap { name, values in values.map { ("\(name).\($0.key)", $0.value) } }) { first, _ in first }
  }
}

extension FilterUse {
  /// The values that are not those of the filter itself, by the parameter.
  fileprivate var givenValues: [String: String] {
    let own = ParameterValues(defaultsOf: filter.manifest)
    var values = animated.mapValues(\.description)
    for parameter in filter.manifest.parameters where animated[parameter.name] == nil {
      guard let value = self.values[parameter.name], value != own[parameter.name] else { continue }
      values[parameter.name] = AnimatedValue.literal(value).description
    }
    return values
  }
}

// MARK: the size of the result

extension ImageGraph {
  /// The same with the way in which it gets the size that was asked for, decided once for all frames: with the values of the shot's first frame.
  func fitted(for request: RenderRequest, _ evaluator: any ExpressionEvaluator) -> ImageGraph {
    guard size != nil, fit == nil else { return self }
    let isAnimated = uses.contains { !$0.animated.isEmpty }
    let first = ClockReading(frame: request.clock.first, clock: request.clock, range: request.shotRange)
    var graph = self
    graph.fit = SizeFit(
      self,
      values: { tried in
        guard isAnimated else { return [:] }
        // What is wrong with values and sizes is told where they are checked on all frames.
        let animation = try? GraphAnimation(tried, at: [first], clock: request.clock, evaluator: evaluator)
        return animation?.values(onFrame: first.frame) ?? [:]
      }, evaluator: evaluator)
    return graph
  }
}
