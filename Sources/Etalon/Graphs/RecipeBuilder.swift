internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Makes recipes of a graph that is to be rendered.
struct RecipeBuilder {
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

  /// Refuses a value of a node where a parameter of the graph that sets it has a value as well.
  private static func refuseTwice(
    _ named: [RenderRequest.Setting], _ settings: [RenderRequest.Setting], _ parameters: [GraphText.Parameter]
  ) throws(DiagnosticsError) {
    var diagnostics: [Diagnostic] = []
    for setting in settings {
      let parameter = parameters.first { parameter in
        parameter.targets.contains { $0.text == setting.name } && named.contains { $0.name == parameter.name.text }
      }
      guard let parameter else { continue }
      let place = SettingText.places(name: setting.name, value: setting.value).name
      diagnostics.append(
        Diagnostic(
          "usage.repeated", "'\(parameter.name.text)' sets '\(setting.name)', which has a value of its own",
          labels: [place.label("again")], help: ["keep one of them"]))
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
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
        alpha: request.fileAlpha(of: name, other) ?? request.usualAlpha(image.manifest?.usualAlpha ?? .straight, of: name, other),
        isLight: request.hasLight([name, other]))
    }
    var image = ImageGraph(
      outputs: request.asPlanes(outputs), feedback: pictures.feedback, size: request.size,
      format: request.workingFormat(for: outputs))
    (image.workingSpace, image.proxy) = (request.workingSpace, request.proxy)
    let used = reaching(reached)
    let unused = text.nodes.indices.filter { !used.contains($0) }.map { text.nodes[$0].unused }
    let name = assembly.order.filter { used.contains($0) }.map { text.nodes[$0].filter.text }.joined(separator: " | ")
    let texts = try TextFonts(image.uses, request.settings).checked()
    let unread = texts + CutPictures(image).warnings + UnreadEvents(image, of: request, named: name).warnings
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
      "graph.unused", "nothing reads '\(name.text)'", severity: .warning, labels: [name.place.label("not used")],
      help: [isStage ? "read it with '@\(name.text)', or leave it out" : "write 'inputs: \(name.text)' in another node, or leave it out"])
  }
}

// MARK: outputs

/// The pictures that leave a graph: those that it says, and the results of nodes that were asked for.
private struct GraphOutputs {
  /// The result first.
  let origins: [(name: String, origin: GraphText.Origin)]
  /// Those that the graph has and this request does not need.
  let unneeded: [GraphText.Origin]

  init(_ text: GraphText, names: GraphNames, request: RenderRequest) throws(DiagnosticsError) {
    var origins = text.outputs.map { (name: $0.name.text, origin: $0.origin) }
    if origins.isEmpty {
      guard let last = text.nodes.last else {
        throw DiagnosticsError(Diagnostic("graph.empty", "the graph has no node", help: ["give it a filter to render"]))
      }
      origins = [("main", .node(last.name))]
    }
    var diagnostics: [Diagnostic] = []
    for name in request.outputs where !origins.contains(where: { $0.name == name }) {
      if let node = text.nodes.first(where: { $0.name.text == name }) {
        origins.append((name, .node(node.name)))
      } else {
        diagnostics.append(Self.unknown(name, text.outputs.map(\.name.text), text.nodes.map(\.name.text)))
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    let isNeeded = origins.enumerated().map { request.needs($0.element.name, isResult: $0.offset == 0) }
    let needsNone = !isNeeded.contains(true)
    self.origins = zip(origins, isNeeded).filter { $0.1 || needsNone }.map(\.0)
    unneeded = zip(origins, isNeeded).filter { !$0.1 }.map(\.0.origin)
  }

  private static func unknown(_ name: String, _ outputs: [String], _ nodes: [String]) -> Diagnostic {
    let list =
      (outputs.isEmpty ? "" : "its outputs are \(outputs.joined(separator: ", ")), ") + "its nodes \(nodes.joined(separator: ", "))"
    // 'my-mask' and 'mask2' may mean 'mask'.
    let parts = (outputs + nodes).filter { $0.count > 2 && name.lowercased().contains($0.lowercased()) }
    let nearest = NearestName.find(name, in: outputs + nodes) ?? parts.first
    return Diagnostic(
      "output.unknown", "the graph has no output or node '\(name)'",
      help: [nearest.map { "did you mean '\($0)'?" }, list].compactMap(\.self))
  }
}

extension RenderRequest {
  fileprivate func needs(_ output: String, isResult: Bool) -> Bool {
    guard let needed = neededOutputs else { return true }
    return needed.contains(output) || isResult && needed.contains(nil)
  }
}

// MARK: open inputs

/// What the inputs show that a graph leaves open, when it is rendered by itself.
private struct GraphOpenInputs {
  /// The files that were named, by the input.
  private(set) var files: [String: RenderRequest.InputPicture] = [:]
  private let text: GraphText
  private let request: RenderRequest

  /// Refuses names that the graph does not have, and inputs with two pictures.
  init(_ text: GraphText, _ request: RenderRequest) throws(DiagnosticsError) {
    self.text = text
    self.request = request
    var diagnostics: [Diagnostic] = []
    let names = text.openInputs.map(\.text)
    let named = request.inputs.compactMap(\.input)
    var unnamed = (names.filter { $0 == "inputImage" } + names.filter { $0 != "inputImage" }).filter { !named.contains($0) }[...]
    for picture in request.inputs {
      guard let name = picture.input ?? unnamed.popFirst(), names.contains(name) else {
        diagnostics.append(Self.unknown(picture, names))
        continue
      }
      if let first = files[name] {
        diagnostics.append(
          Diagnostic("input.twice", "'\(name)' has two pictures, '\(first.path)' and '\(picture.path)'", help: ["keep one of them"]))
      }
      files[name] = picture
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
  }

  private static func unknown(_ picture: RenderRequest.InputPicture, _ names: [String]) -> Diagnostic {
    let list = names.isEmpty ? "all of its inputs are files" : "its open inputs are \(names.map { "'\($0)'" }.joined(separator: ", "))"
    guard let name = picture.input else {
      return Diagnostic("input.unknown", "the graph leaves no input open for '\(picture.path)'", help: [list])
    }
    return Diagnostic(
      "input.unknown", "the graph has no open input '\(name)'",
      help: [NearestName.find(name, in: names).map { "did you mean '\($0)'?" } ?? list])
  }

  /// The pictures of the inputs that show no file, and what is to be said about them.
  func pictures(_ reader: PictureCache) throws -> (
    pictures: [String: FilterUse.Input], warnings: [Diagnostic], standIns: [String: String]
  ) {
    var pictures: [String: FilterUse.Input] = [:]
    var warnings: [Diagnostic] = []
    var standIns: [String: String] = [:]
    for input in text.openInputs {
      if let file = files[input.text] {
        // What leaves the graph unchanged; nodes read the file themselves.
        if file.sequence == nil, file.video == nil {
          let picture = try DataFile.kind(named: file.path).map { try reader.data(file.path, $0) } ?? reader.picture(file.path, file.choice)
          pictures[input.text] = FilterUse.Input(ImageRecipe(.picture(picture), label: file.label))
        }
        continue
      }
      guard request.standIns.contains(.testCards) || request.fillsOpenInputs else { throw missing }
      let card = TestCard.picture(named: input.text, size: request.size ?? ImageGraph.usualSize)
      pictures[input.text] = FilterUse.Input(ImageRecipe(.picture(card), label: input.text))
      guard !request.fillsOpenInputs else { continue }
      standIns[input.text] = "test-card"
      warnings.append(
        Diagnostic(
          "input.test-card", "a test card stands in for the picture of input '\(input.text)'", severity: .warning,
          labels: [input.label("a test card")]))
    }
    return (pictures, warnings, standIns)
  }

  private var missing: RenderError {
    let names = text.openInputs.map(\.text).filter { files[$0] == nil }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    let example = text.openInputs.count == 1 ? "-i photo.jpg" : "--input \(names.first ?? "inputImage")=photo.jpg"
    return RenderError(
      .missingInput, "the graph reads \(list), and no picture was given for \(names.count == 1 ? "it" : "them")",
      help: ["type '\(example)'", "or type '--missing-input test-card' to see the graph without"])
  }
}
