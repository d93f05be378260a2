internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// A filter of a library or of a file: what it is called, the pictures that it reads, and what can be set.
///
/// ```swift
/// let blur = try FilterLibrary.builtIn["gaussian-blur"]
/// blur.parameters.map(\.name)   // ["sigma", "edges"]
/// ```
///
/// The file was read but not compiled: what the compiler refuses is told when an image with the filter is rendered. Two filters are equal when
/// their texts are.
///
/// **Concurrency**: an immutable value with shared storage.
public struct Filter: Sendable, Hashable {
  /// What a filter is used for; it follows from the pictures that it reads.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Reads no picture.
    case generator
    /// Changes a picture.
    case filter
    /// Puts a picture over another one.
    case composite
    /// Leads from one picture to another while its progress goes from 0 to 1.
    case transition
  }

  /// A picture that a filter reads.
  public struct Input: Sendable, Hashable {
    /// The name in the filter's text, such as `inputImage`.
    public let name: String
    /// What people call it.
    public let label: String?
    /// How the text reads it.
    public let shape: TextureShape
    /// Whether `applying` refuses to do without; other pictures come with the filter.
    public let isRequired: Bool
  }

  /// A value that a filter expects from outside, with what it may be.
  public struct Parameter: Sendable, Hashable {
    /// One of the values of a parameter that is a choice.
    public struct Choice: Sendable, Hashable {
      /// The number that the filter's text sees.
      public let value: Int
      /// What can be assigned.
      public let label: String
    }

    /// The name in the filter's text.
    public let name: String
    /// What people call it.
    public let label: String?
    /// One sentence about it.
    public let help: String?
    /// What the numbers mean.
    public let kind: ParameterKind
    /// What it is while nothing is assigned; for one that follows a clock what the clock starts with.
    public let defaultValue: Value
    /// The smallest value of each component; nil where there is none.
    public let minimum: Value?
    /// The largest value of each component; nil where there is none.
    public let maximum: Value?
    /// Values are the minimum (or 0) plus a multiple of it; nil where there is none.
    public let step: Double?
    /// What the numbers measure: `px`, `deg`, `s`, or `normalized` for fractions of the picture's sides; nil where nothing is said.
    public let unit: String?
    /// Whether a clock gives the value while nothing is assigned.
    public let followsClock: Bool
    /// What can be assigned to a choice, in the order in which they are offered; empty otherwise.
    public let choices: [Choice]
  }

  /// What makes the picture.
  enum Content: Sendable, Hashable {
    case filter(GraphFilter)
    /// The nodes of a graph document.
    case graph(GraphAssembly)
  }

  /// Nil for a graph document, and for a filter of Etalon's own.
  private let file: FilterText?
  let manifest: FilterManifest
  let content: Content
  let pictures: BroughtPictures
  /// The further output that is the result; nil is the filter's own.
  private let shown: String?
  /// What was found while reading that is worth saying but stops nothing.
  public let warnings: [Diagnostic]

  /// Reads a filter file of any dialect, or the folder of a ShaderToy project.
  ///
  /// Throws `DiagnosticsError` for what its author wrote, with places, and `RenderError` for a file that cannot be read.
  /// The nodes of a graph document find their filters among those that Etalon ships.
  public init(contentsOf path: String) throws { try self.init(contentsOf: path, library: .builtIn) }

  /// Reads a filter file, or a graph document whose nodes find their filters in a library.
  init(contentsOf path: String, library: FilterLibrary) throws {
    guard GraphDocument.isGraph(path) else {
      try self.init(FilterText(.file(path)), constants: [:])
      return
    }
    let text = try GraphDocument.read(path, library: library).setting([])
    let request = RenderRequest(graph: text, library: library)
    self.init(try GraphAssembler(text, library: library, request: request, kernels: nil).assembly())
  }

  private init(_ assembly: GraphAssembly) {
    file = nil
    shown = nil
    manifest = assembly.manifest
    content = .graph(assembly)
    pictures = BroughtPictures(FolderFiles(""))
    warnings = assembly.warnings
  }

  private init(_ file: FilterText, constants: [String: String]) throws {
    var options = FilterReader.Options()
    options.values = constants
    let reading = try file.reading(options)
    options.dropsFileScopeConst = true
    // Some drivers take constants that the specification does not: the text without the word is used where the compiler refuses it.
    let lenient = try? FilterReader(files: file.files).read(file.source, options: options)
    self.file = file
    shown = nil
    manifest = reading.manifest
    content = .filter(GraphFilter(reading.manifest, alternative: lenient.map { GraphFilter($0.manifest) }))
    pictures = BroughtPictures(file.files)
    warnings = reading.warnings
  }

  /// A filter of Etalon's own.
  init(_ graphFilter: GraphFilter) {
    file = nil
    shown = nil
    manifest = graphFilter.manifest
    content = .filter(graphFilter)
    pictures = BroughtPictures(FolderFiles(""))
    warnings = []
  }

  /// The same filter with other values for constants of its text.
  func setting(constants: [String: String]) throws -> Filter {
    guard let file, !constants.isEmpty else { return self }
    let changed = try Filter(file, constants: constants)
    return try shown.map { name throws(DiagnosticsError) in try changed.showing(name) } ?? changed
  }

  /// The same filter with another result.
  private init(_ filter: Filter, content: Content, shown: String) {
    (file, manifest, pictures, warnings) = (filter.file, filter.manifest, filter.pictures, filter.warnings)
    (self.content, self.shown) = (content, shown)
  }

  /// The same filter with another of its results.
  ///
  /// ```swift
  /// let matte = try plate.applying(library["keyer"].showing("matte"))
  /// ```
  /// Throws `DiagnosticsError` for a name that is not among ``outputs``, with the nearest one.
  public func showing(_ output: String) throws(DiagnosticsError) -> Filter {
    guard outputs.contains(output) else {
      throw DiagnosticsError(
        Diagnostic(
          "output.unknown", "'\(name)' has no output '\(output)'",
          help: [
            NearestName.find(output, in: outputs).map { "did you mean '\($0)'?" } ?? "its outputs are \(outputs.joined(separator: ", "))"
          ]))
    }
    guard output != outputs[0] else { return self }
    switch content {
    case .graph(let assembly): return Filter(self, content: .graph(assembly.showing(output)), shown: output)
    case .filter(let filter):
      let lenient = filter.alternative.map { GraphFilter($0.manifest.showing(output)) }
      return Filter(self, content: .filter(GraphFilter(manifest.showing(output), alternative: lenient)), shown: output)
    }
  }

  /// Whether the texts are equal.
  public static func == (one: Filter, other: Filter) -> Bool { one.content == other.content }

  /// Adds the text to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension Filter {
  /// The name of the file without its extension, in kebab-case.
  public var name: String { manifest.name }

  /// What the filter is used for.
  public var kind: Kind {
    switch manifest.kind {
    case .generator: .generator
    case .filter: .filter
    case .composite: .composite
    case .transition: .transition
    }
  }

  /// What the author says about it.
  public var summary: String? { manifest.about.description }

  /// The pictures that its text reads, in the order of their declaration.
  public var inputs: [Input] {
    manifest.inputs.map { Input(name: $0.name, label: $0.label, shape: $0.shape, isRequired: $0.needsPicture) }
  }

  /// What its results are called, the main one first: what ``showing(_:)`` takes, and for a graph document the names of its outputs.
  public var outputs: [String] {
    switch content {
    case .filter: [manifest.mainOutput] + manifest.furtherOutputs
    case .graph(let assembly): assembly.outputs
    }
  }

  /// The values that can be assigned, in the order of their declaration.
  public var parameters: [Parameter] {
    manifest.parameters.map { parameter in
      Parameter(
        name: parameter.name, label: parameter.label, help: parameter.help, kind: parameter.kind, defaultValue: parameter.defaultValue,
        minimum: parameter.minimum, maximum: parameter.maximum, step: parameter.step, unit: parameter.unit?.rawValue,
        followsClock: parameter.followsClock, choices: parameter.choices.map { Parameter.Choice(value: $0.value, label: $0.label) })
    }
  }
}

// MARK: applying

/// Puts a filter over images, and finds everything that is wrong with that.
struct FilterApplication {
  private let filter: Filter
  private let main: Image?
  private let named: [String: Image]
  private let values: [String: ParameterValue]
  private let call: ProgramCall
  private var manifest: FilterManifest { filter.manifest }

  /// - Parameter main: the image for the main input; nil where all are named.
  /// - Parameter call: the place of that call.
  init(_ filter: Filter, main: Image?, named: [String: Image], values: [String: ParameterValue], by call: ProgramCall) throws {
    let constants = Set(filter.manifest.constants.map(\.name)).subtracting(filter.manifest.parameters.map(\.name))
    let changed = values.filter { constants.contains($0.key) && !AnimatedValue.isAnimated($0.value.description) }
    self.filter = try filter.setting(constants: changed.mapValues(\.description))
    self.main = main
    self.named = named
    self.values = values
    self.call = call
  }

  /// The result as an image; errors in inputs and values are thrown together.
  func image() throws -> Image {
    var diagnostics = inputDiagnostics
    var typed: (plain: ParameterValues, animated: [String: AnimatedValue])?
    do throws(CompileError) { typed = try typedValues() } catch {
      guard case .diagnostics(let found) = error else { throw error.cause }
      diagnostics += found.diagnostics
    }
    guard diagnostics.isEmpty, let typed else { throw DiagnosticsError(diagnostics) }
    switch filter.content {
    case .filter(let graphFilter): return try image(of: graphFilter, typed)
    case .graph(let assembly): return try image(of: assembly, typed)
    }
  }

  private func image(of graphFilter: GraphFilter, _ typed: (plain: ParameterValues, animated: [String: AnimatedValue])) throws -> Image {
    var inputs = images.mapValues(\.input)
    var supplies = supplies
    for input in manifest.inputs {
      guard let kind = input.data else { continue }
      if let value = values[input.name]?.description {
        inputs[input.name] = FilterUse.Input(ImageRecipe(.picture(try PictureCache().data(value, kind)), label: value))
      } else if let image = inputs[input.name]?.image {
        inputs[input.name] = FilterUse.Input(try input.reading(image, named: image.label))
      }
    }
    for input in manifest.inputs {
      guard let file = images[input.name]?.sound,
        let heard = file.picture(for: input, isLoose: manifest.dialect == .shaderToy)
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
    _ = try TextFonts([use], writtenSettings).checked()
    return Image(try ImageRecipe.result(of: use, label: filter.name), supplies: supplies)
  }

  /// The recipes of a graph document with these images and values in them.
  private func image(of assembly: GraphAssembly, _ typed: (plain: ParameterValues, animated: [String: AnimatedValue])) throws -> Image {
    let given = values.keys.compactMap { name in
      (typed.animated[name] ?? typed.plain[name].map(AnimatedValue.literal)).map { (name, GivenValue($0)) }
    }
    let (result, feedback) = try assembly.result(inputs: images.mapValues(\.input), values: Dictionary(uniqueKeysWithValues: given))
    let uses = result.image.parts().compactMap { part in if case .filter(let use) = part.operation { use } else { nil } }
    _ = try TextFonts(uses, writtenSettings).checked()
    return Image(
      result.image, supplies: supplies.merging(ImageSupplies(streams: assembly.sources, feedback: feedback)),
      continuesBeyondEdges: result.address == .clamp)
  }

  /// What the images need.
  private var supplies: ImageSupplies { images.values.reduce(ImageSupplies()) { $0.merging($1.supplies) } }

  // MARK: values

  private var writtenSettings: [RenderRequest.Setting] {
    values.sorted { $0.key < $1.key }.map { setting($0.key, $0.value.description) }
  }

  private func typedValues() throws(CompileError) -> (plain: ParameterValues, animated: [String: AnimatedValue]) {
    return try TypedSettings(writtenSettings).values(for: manifest, tracks: TrackFolder(), except: manifest.dataNames)
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

  private var inputDiagnostics: [Diagnostic] {
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

  /// What is wrong with pictures for inputs that listen to a sound; images that filters make are not checked.
  private var deafInputs: [Diagnostic] {
    manifest.inputs.compactMap { input in
      guard case .picture(let picture)? = images[input.name]?.recipe.operation else { return nil }
      return SoundTextureRule(input).diagnostic(
        in: picture.size, named: "the image", help: "give it a sound: 'inputs: [\"\(input.name)\": .sound(\"song.wav\")]'")
    }
  }

  /// Images for inputs that read cubes or volumes, save those with faces or slices.
  private var flatInputs: [Diagnostic] {
    manifest.inputs.filter { $0.shape != .flat }.compactMap { input in
      guard let image = images[input.name] else { return nil }
      let solid = SolidPicture(input, reader: PictureCache())
      guard case .picture(let picture) = image.recipe.operation else { return solid.diagnostic(showing: "the image") }
      return solid.diagnostic(in: picture.size)
    }
  }

  private var missingInputs: [Diagnostic] {
    manifest.inputs.filter { images[$0.name] == nil && $0.needsPicture }.map { input in
      Diagnostic(
        "input.missing", "'\(filter.name)' reads '\(input.name)', and no image was given for it",
        labels: input.place.map { [$0.label("needs an image")] } ?? [],
        help: ["add it: 'inputs: [\"\(input.name)\": image]'"])
    }
  }
}

extension FilterInput {
  /// Whether its picture comes from a user, not with the filter.
  var needsPicture: Bool {
    switch origin {
    case .user, .asset: isRead
    case .file, .keyboard, .nothing, .data: false
    }
  }
}
