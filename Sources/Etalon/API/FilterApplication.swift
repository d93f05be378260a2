internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonExpressions
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Puts a filter over images, and finds everything that is wrong with that.
struct FilterApplication {
  private let filter: Filter
  private let main: Image?
  private let named: [String: Image]
  private let values: [String: ParameterValue]
  private let call: ProgramCall
  private var manifest: FilterManifest { filter.manifest }

  /// - Parameter main: the image for the main input; nil where all are named.
  /// - Parameter call: where somebody wrote that.
  init(_ filter: Filter, main: Image?, named: [String: Image], values: [String: ParameterValue], by call: ProgramCall) throws {
    let constants = Set(filter.manifest.constants.map(\.name)).subtracting(filter.manifest.parameters.map(\.name))
    let changed = values.filter { constants.contains($0.key) && !AnimatedValue.isAnimated($0.value.description) }
    self.filter = try filter.setting(constants: changed.mapValues(\.description))
    self.main = main
    self.named = named
    self.values = values
    self.call = call
  }

  /// The result as an image; mistakes in inputs and values are thrown together.
  func image() throws -> Image {
    var mistakes = inputMistakes
    var typed: (plain: ParameterValues, animated: [String: AnimatedValue])?
    do throws(CompileError) { typed = try typedValues() } catch {
      guard case .diagnostics(let found) = error else { throw error.cause }
      mistakes += found.diagnostics
    }
    guard mistakes.isEmpty, let typed else { throw DiagnosticsError(mistakes) }
    switch filter.content {
    case .filter(let graphFilter): return try image(of: graphFilter, typed)
    case .graph(let assembly): return try image(of: assembly, typed)
    }
  }

  private func image(of graphFilter: GraphFilter, _ typed: (plain: ParameterValues, animated: [String: AnimatedValue])) throws -> Image {
    var inputs = images.mapValues(\.input)
    var supplies = supplies
    for input in manifest.inputs {
      guard let file = images[input.name]?.sound,
        let heard = try file.picture(for: input, isLoose: manifest.dialect == .shaderToy)
      else { continue }
      inputs[input.name] = heard.input
      supplies.streams[heard.source.name] = heard.source
    }
    for input in manifest.inputs where inputs[input.name] == nil {
      guard let picture = try filter.pictures.picture(of: input) else { continue }
      inputs[input.name] = FilterUse.Input(ImageRecipe(.picture(picture), label: input.name))
    }
    let use = FilterUse(graphFilter, inputs: inputs, values: typed.plain, animated: typed.animated, origin: UseOrigin(call))
    try check(use)
    return Image(try ImageRecipe.result(of: use, label: filter.name), supplies: supplies)
  }

  /// The recipes of a graph document with these images and values in them.
  private func image(of assembly: GraphAssembly, _ typed: (plain: ParameterValues, animated: [String: AnimatedValue])) throws -> Image {
    let given = values.keys.compactMap { name in
      (typed.animated[name] ?? typed.plain[name].map(AnimatedValue.literal)).map { (name, GivenValue($0)) }
    }
    let (result, feedback) = try assembly.result(inputs: images.mapValues(\.input), values: Dictionary(uniqueKeysWithValues: given))
    return Image(
      result.image, supplies: supplies.merging(ImageSupplies(streams: assembly.sources, feedback: feedback)),
      continuesBeyondEdges: result.address == .clamp)
  }

  /// What the images need.
  private var supplies: ImageSupplies { images.values.reduce(ImageSupplies()) { $0.merging($1.supplies) } }

  // MARK: values

  private func typedValues() throws(CompileError) -> (plain: ParameterValues, animated: [String: AnimatedValue]) {
    let settings = values.sorted { $0.key < $1.key }.map { setting($0.key, $0.value.description) }
    return try TypedSettings(settings).values(for: manifest, tracks: TrackFolder())
  }

  /// A value with its place in a text that messages can show.
  private func setting(_ name: String, _ value: String) -> RenderRequest.Setting {
    let source = SourceText(path: "<values of \(filter.name) at \(call.place)>", text: "\(name)=\(value)")
    let start = name.utf8.count + 1
    return RenderRequest.Setting(
      GraphText.Setting(
        name: GraphText.Word(name, at: SourceRange(source, 0..<start - 1)),
        value: LocatedNode(.scalar(value), at: SourceRange(source, start..<source.bytes.count))))
  }

  /// Compiles expressions, and what must be true of the values together where nothing changes.
  private func check(_ use: FilterUse) throws {
    let evaluator = GLSLExpressionEvaluator(cache: .user)
    guard use.animated.isEmpty else {
      _ = try Animation(use.animated, of: manifest, over: use.values, clock: ShotClock(), size: Size(1, 1), evaluator: evaluator)
      return
    }
    let violations = try ConstraintCheck(evaluator: evaluator).violations(of: manifest, by: use.values)
    guard violations.isEmpty else { throw DiagnosticsError(violations) }
  }

  // MARK: inputs

  /// The image of each input that has one.
  private var images: [String: Image] {
    var images = named.filter { name, _ in manifest.inputs.contains { $0.name == name } }
    if let main, let input = manifest.mainInput { images[input.name] = main }
    return images
  }

  private var inputMistakes: [Diagnostic] {
    let unknown = named.keys.sorted().filter { !manifest.channelNames.contains($0) }.map(unknownInput)
    if main != nil, manifest.mainInput == nil {
      return unknown + [
        Diagnostic(
          "input.unread", "'\(filter.name)' reads no picture that it could be applied to",
          help: ["make an image of the filter alone: 'try Image(filter, values)'"])
      ]
    }
    let twice = manifest.mainInput.flatMap { main != nil && named[$0.name] != nil ? $0.name : nil }.map(givenTwice)
    return unknown + [twice].compactMap(\.self) + missingInputs + deafInputs + flatInputs
  }

  private func unknownInput(_ name: String) -> Diagnostic {
    let names = manifest.channelNames
    let nearest = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
    return Diagnostic(
      "input.unknown", "'\(filter.name)' has no image input '\(name)'", help: nearest.map { [$0] } ?? [],
      notes: [names.isEmpty ? "it reads no picture" : "inputs: \(names.joined(separator: ", "))"])
  }

  private func givenTwice(_ name: String) -> Diagnostic {
    Diagnostic(
      "input.twice", "'\(name)' of '\(filter.name)' has two images",
      help: ["leave '\(name)' out of 'inputs': the image that the filter is applied to is the one"])
  }

  /// Pictures for inputs that listen; images that filters make are theirs to judge.
  private var deafInputs: [Diagnostic] {
    manifest.inputs.compactMap { input in
      guard case .picture(let picture)? = images[input.name]?.recipe.operation else { return nil }
      return SoundTextureRule(input).mistake(
        in: picture.size, named: "the image", help: "give it a sound: 'inputs: [\"\(input.name)\": .sound(\"song.wav\")]'")
    }
  }

  /// Images for inputs that read cubes, save those with six faces.
  private var flatInputs: [Diagnostic] {
    manifest.inputs.filter { $0.shape == .cube }.compactMap { input in
      guard let image = images[input.name] else { return nil }
      let cube = CubePicture(input, reader: PictureFolder())
      guard case .picture(let picture) = image.recipe.operation else { return cube.mistake(showing: "the image") }
      return cube.mistake(in: picture.size)
    }
  }

  private var missingInputs: [Diagnostic] {
    manifest.inputs.filter { images[$0.name] == nil && $0.needsPicture }.map { input in
      Diagnostic(
        "input.missing", "'\(filter.name)' reads '\(input.name)', and no image was given for it",
        labels: input.place.map { [.init($0.source, $0.range, "needs an image")] } ?? [],
        help: ["add it: 'inputs: [\"\(input.name)\": image]'"])
    }
  }
}

extension FilterInput {
  /// Whether its picture comes from a user, not with the filter.
  var needsPicture: Bool {
    switch origin {
    case .user, .asset: isRead
    case .file, .keyboard, .nothing: false
    }
  }
}
