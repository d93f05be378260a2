internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Makes recipes of a graph that somebody asked to be rendered.
struct GraphBuilder {
  private let text: GraphText
  private let request: RenderRequest
  private let assembly: GraphAssembly
  /// The values of parameters to which the graph gives names.
  private let values: [String: GivenValue]
  private let inputs: GraphOpenInputs

  init(_ text: GraphText, library: FilterLibrary, request: RenderRequest, kernels: KernelStore) throws {
    let named = request.settings.filter { setting in text.parameters.contains { $0.name.text == setting.name } }
    try Self.refuseTwice(named, request.settings, text.parameters)
    self.text = try text.setting(request.settings.filter { !named.contains($0) })
    self.request = request
    inputs = try GraphOpenInputs(text, request)
    assembly = try GraphAssembler(
      self.text, library: library, request: request, kernels: kernels, given: inputs.files,
      checksDefaults: request.settings.count == named.count
    ).assembly()
    values = try Self.values(named, of: assembly.manifest)
  }

  /// Refuses values of nodes that a parameter of the graph sets, which somebody set, too.
  private static func refuseTwice(
    _ named: [RenderRequest.Setting], _ settings: [RenderRequest.Setting], _ parameters: [GraphText.Parameter]
  ) throws(DiagnosticsError) {
    var mistakes: [Diagnostic] = []
    for setting in settings {
      let parameter = parameters.first { parameter in
        parameter.targets.contains { $0.text == setting.name } && named.contains { $0.name == parameter.name.text }
      }
      guard let parameter else { continue }
      let place = SettingText.places(name: setting.name, value: setting.value).name
      mistakes.append(
        Diagnostic(
          "usage.repeated", "'\(parameter.name.text)' sets '\(setting.name)', which has a value of its own",
          labels: [.init(place.source, place.range, "again")], help: ["keep one of them"]))
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  private static func values(_ settings: [RenderRequest.Setting], of manifest: FilterManifest) throws -> [String: GivenValue] {
    do throws(CompileError) {
      let (plain, animated) = try TypedSettings(settings).values(for: manifest, tracks: TrackFolder())
      let pairs = settings.compactMap { setting in
        (animated[setting.name] ?? plain[setting.name].map(AnimatedValue.literal)).map { (setting.name, GivenValue($0)) }
      }
      return Dictionary(pairs) { _, last in last }
    } catch {
      throw error.cause
    }
  }

  func build() throws -> BuiltGraph {
    let (given, openWarnings, standIns) = try inputs.pictures(assembly.reader)
    let pictures = try assembly.pictures(inputs: given, values: values)
    let wanted = try GraphOutputs(text, names: assembly.names, request: request)
    var reached: Set<Int> = []
    for origin in wanted.unneeded {
      if case .node(let node) = try assembly.names.meaning(of: origin) { reached.insert(node) }
    }
    let outputs = try wanted.origins.enumerated().map { index, output in
      let (name, origin) = output
      let image = try assembly.picture(of: origin, in: pictures, inputs: given).image
      if case .node(let node) = try assembly.names.meaning(of: origin) { reached.insert(node) }
      // The first one needs no name on the command line.
      let other = index == 0 ? nil : name
      return ImageGraph.Output(
        name: name, image: image, format: request.fileFormat(of: name, other),
        alpha: request.fileAlpha(of: name, other) ?? image.manifest?.usualAlpha ?? .straight)
    }
    var image = ImageGraph(
      outputs: outputs, feedback: pictures.feedback, size: request.size,
      format: request.workingFormat(for: outputs))
    (image.workingSpace, image.proxy) = (request.workingSpace, request.proxy)
    let used = reaching(reached)
    let unused = text.nodes.indices.filter { !used.contains($0) }.map { text.nodes[$0].unused }
    let name = assembly.order.filter { used.contains($0) }.map { text.nodes[$0].filter.text }.joined(separator: " | ")
    let unread = CutPictures(image).warnings + UnreadEvents(image, of: request, named: name).warnings
    return BuiltGraph(
      image: image, sources: assembly.sources,
      subject: ShotSubject(
        name: name, values: written, warnings: assembly.warnings + openWarnings + unused + unread,
        files: assembly.files + assembly.reader.files,
        standIns: assembly.standIns.merging(standIns) { first, _ in first }))
  }

  /// What was written for parameters, by `node.parameter`, whatever name the graph gives them.
  private var written: [String: String] {
    var written = text.values
    for setting in request.settings where values[setting.name] != nil {
      for target in text.parameters.first(where: { $0.name.text == setting.name })?.targets ?? [] { written[target.text] = setting.value }
    }
    return written
  }

  /// The nodes that some others depend on, and these.
  private func reaching(_ nodes: Set<Int>) -> Set<Int> {
    var open = Array(nodes)
    var reached: Set<Int> = []
    while let node = open.popLast() {
      if reached.insert(node).inserted { open += assembly.nodes[node].wiring.feeds.values.map(\.node) }
    }
    return reached
  }
}

extension ImageRecipe {
  /// What the filter says that it is the result of; nil for a picture.
  var manifest: FilterManifest? { if case .filter(let use) = operation { use.filter.manifest } else { nil } }
}

extension GraphText.Node {
  fileprivate var unused: Diagnostic {
    Diagnostic(
      "graph.unused", "nothing reads '\(name.text)'", severity: .warning, labels: [.init(name.place.source, name.place.range, "not used")],
      help: [isStage ? "read it with '@\(name.text)', or leave it out" : "write 'inputs: \(name.text)' in another node, or leave it out"])
  }
}
