package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
package import EtalonMedia
internal import EtalonTypes

/// What can be changed about a request: its parameters with the values that they have, and its inputs with what they show.
///
/// Of several filters each parameter is called `node.parameter`, as `--set` calls it.
///
/// **Concurrency**: an immutable value.
package struct RequestDescription: Sendable {
  /// A value that `--set` can change.
  package struct Parameter: Sendable {
    /// Type, range, unit and choices, under the name that `--set` knows.
    package let declaration: FilterDescription.Parameter
    /// What was typed, or what was written in a document as it would be typed; nil while it has its default, or a clock gives it.
    package fileprivate(set) var value: String?
    /// What a document writes, which counts while nothing is typed.
    let written: String?
    /// The node that it belongs to; nil where there is only one filter, and for parameters of a document.
    package let node: String?
    /// Whether it is a constant of the text, which is compiled anew for each value and takes plain values only.
    package let isConstant: Bool

    /// The number of components.
    package var componentCount: Int { ValueType(rawValue: declaration.type)?.componentCount ?? 1 }
    /// The text of the default.
    package var defaultText: String { declaration.default.text(isColor: declaration.kind == ParameterKind.color.rawValue) }
    /// Whether the value changes over time by what was typed or written.
    package var isAnimated: Bool {
      value.map { AnimatedValue.isAnimated($0, forText: declaration.kind == ParameterKind.text.rawValue) } ?? false
    }
  }

  /// A picture or a sound that the request reads.
  package struct Input: Sendable {
    /// What an input shows.
    package enum Kind: String, Sendable { case picture, sequence, video, sound, keyboard, cube, volume, table, font }

    package let name: String
    package let label: String?
    package let kind: Kind
    /// The path that was given; nil where none was.
    package let value: String?
    /// What it shows when none is given, in words; nil for a picture that is missing.
    package let standard: String?
    /// Whether `--input` can give it another picture.
    package let canChange: Bool
  }

  /// What people call it.
  package let title: String
  package let dialect: String
  package private(set) var parameters: [Parameter]
  package let inputs: [Input]
  /// The inputs that `-i` means, one after the other.
  package let unnamedInputs: [String]
  package let readsMouse: Bool
  package let readsKeys: Bool
  /// Whether its pictures have places where something behind them shows.
  package let hasAlpha: Bool
}

// MARK: of requests

extension RequestDescription {
  /// Describes what a request renders; filters are read, not compiled, and no picture is opened.
  ///
  /// Errors in filters, documents and values are thrown as `DiagnosticsError`; files that cannot be read as `RenderError`.
  package init(_ request: RenderRequest) throws {
    switch request.subject {
    case .filter(let location): try self.init(request, location)
    case .graph(let text, let library): try self.init(request, text, library)
    case .images(let images): self.init(request, images)
    }
    self = setting(request.settings)
  }

  /// The same with other values, as they are typed.
  package func setting(_ settings: [RenderRequest.Setting]) -> RequestDescription {
    let typed = Dictionary(settings.map { ($0.name, $0.value) }) { _, last in last }
    var changed = self
    for (index, parameter) in parameters.enumerated() {
      changed.parameters[index].value = typed[parameter.declaration.name] ?? parameter.written
    }
    return changed
  }

  private init(_ request: RenderRequest, _ location: RenderRequest.FilterLocation) throws {
    let wish = FilterLoader.Wish(
      location: location, dialect: request.dialect.flatMap(FilterManifest.Dialect.init), samplers: request.samplers)
    let filter = try FilterLoader(wish, kernels: nil).load().filter
    let manifest = filter.manifest
    parameters = manifest.parameters.map { Self.parameter($0) } + manifest.constants.map { Self.constant($0) }
    inputs = Self.inputs(of: manifest, request)
    unnamedInputs = Self.unnamed(manifest, request)
    title = manifest.about.title ?? manifest.name
    dialect = manifest.dialect.rawValue
    (readsMouse, readsKeys) = Self.devices([manifest])
    hasAlpha = (request.alpha ?? manifest.usualAlpha) != .opaque
  }

  private init(_ request: RenderRequest, _ text: GraphText, _ library: FilterLibrary) throws {
    let plain = try text.setting([])
    let assembler = try GraphAssembler(plain, library: library, request: request, kernels: nil, checksDefaults: false)
    let (interface, loaded) = try assembler.interface()
    let values = plain.values
    let named = zip(text.parameters, interface.manifest.parameters).map { entry, parameter in
      Self.parameter(parameter, written: Self.text(ofTarget: entry.targets[0].text, loaded, values))
    }
    let own = loaded.flatMap { node in
      node.manifest.parameters.map { parameter in
        let name = "\(node.node.name.text).\(parameter.name)"
        return Self.parameter(
          parameter, named: name, written: Self.text(ofTarget: name, loaded, values),
          node: loaded.count > 1 || !text.documents.isEmpty ? node.node.name.text : nil)
      }
    }
    parameters = named + own
    let open = text.openInputs.map(\.text)
    unnamedInputs = open
    inputs =
      open.map { name in
        let given = request.inputs.first { $0.input == name || open.count == 1 && $0.input == nil }
        return Input(name: name, label: nil, kind: Self.kind(of: given), value: given?.path, standard: nil, canChange: true)
      }
      + text.inputs.sorted { $0.key < $1.key }.compactMap { name, origin in
        guard case .file(let word, _) = origin else { return nil }
        return Input(name: name, label: nil, kind: .picture, value: word.text, standard: nil, canChange: false)
      }
    title = interface.manifest.about.title ?? interface.manifest.name
    dialect = FilterManifest.Dialect.graph.rawValue
    (readsMouse, readsKeys) = Self.devices(loaded.map(\.manifest))
    hasAlpha = (request.alpha ?? interface.manifest.usualAlpha) != .opaque
  }

  private init(_ request: RenderRequest, _ images: [(name: String, image: Image)]) {
    title = images.first?.image.recipe.label ?? ""
    dialect = FilterManifest.Dialect.graph.rawValue
    (parameters, inputs, unnamedInputs, readsMouse, readsKeys, hasAlpha) = ([], [], [], false, false, true)
  }

  /// The file that a setting names, of an input, a table, a font or a track; nil where it names none, as texts do, whatever they begin with.
  package func file(of setting: RenderRequest.Setting) -> ValueFile? {
    let parameter = parameters.first { $0.declaration.name == setting.name }
    guard parameter?.declaration.kind != ParameterKind.text.rawValue else { return nil }
    return ValueFile(setting.value, isFile: inputs.contains { $0.name == setting.name })
  }

  private static func devices(_ manifests: [FilterManifest]) -> (mouse: Bool, keys: Bool) {
    let readsMouse = manifests.flatMap(\.passes).flatMap(\.uniforms).contains { if case .mouse = $0.meaning { true } else { false } }
    return (readsMouse, manifests.flatMap(\.inputs).contains { $0.origin == .keyboard && $0.isRead })
  }

  // MARK: parameters

  private static func parameter(
    _ parameter: FilterParameter, named name: String? = nil, written: String? = nil, node: String? = nil
  ) -> Parameter {
    Parameter(
      declaration: .init(parameter, named: name), value: written, written: written, node: node, isConstant: false)
  }

  /// The value that a document writes for `node.parameter`, as it would be typed; nil where it writes none.
  private static func text(ofTarget target: String, _ loaded: [LoadedNode], _ written: [String: String]) -> String? {
    guard written[target] != nil, let node = loaded.first(where: { target.hasPrefix($0.node.name.text + ".") }) else { return nil }
    let name = String(target.dropFirst(node.node.name.text.count + 1))
    if let animated = node.filter.animated[name] { return animated.description }
    let isColor = node.manifest.parameters.contains { $0.name == name && $0.kind == .color }
    let list = node.manifest.parameters.first { $0.name == name }?.list
    return node.filter.values[name].map { DescribedValue($0, as: list).text(isColor: isColor) }
  }

  private static func constant(_ constant: SettableConstant) -> Parameter {
    let kind = ParameterKind.allCases.first { $0.valueType == constant.value.type } ?? .float
    let parameter = FilterParameter(name: constant.name, kind: kind, defaultValue: constant.value)
    return Parameter(declaration: .init(parameter), value: nil, written: nil, node: nil, isConstant: true)
  }

  // MARK: inputs

  private static func inputs(of manifest: FilterManifest, _ request: RenderRequest) -> [Input] {
    let read = manifest.inputs.filter(\.isRead)
    let names = unnamed(manifest, request)
    let given = request.inputs.filter { $0.input == nil }
    return read.map { input in
      let place = names.firstIndex(of: input.name)
      let picture =
        request.inputs.first { $0.input == input.name } ?? place.flatMap { given.indices.contains($0) ? given[$0] : nil }
      let data = input.data == nil ? nil : request.settings.last { $0.name == input.name }?.value
      return Input(
        name: input.name, label: input.label, kind: kind(of: input, picture), value: data ?? picture?.path, standard: standard(of: input),
        canChange: input.origin != .keyboard)
    }
  }

  private static func unnamed(_ manifest: FilterManifest, _ request: RenderRequest) -> [String] {
    let open = manifest.inputs.filter { $0.origin == .user && $0.isRead }
    let all = [manifest.mainInput].compactMap(\.self) + open.filter { $0.sound == nil } + open.filter { $0.sound != nil }
    let named = request.inputs.compactMap(\.input)
    return all.map(\.name).reduce(into: []) { names, name in if !named.contains(name), !names.contains(name) { names.append(name) } }
  }

  private static func kind(of input: FilterInput, _ picture: RenderRequest.InputPicture?) -> Input.Kind {
    if input.origin == .keyboard { return .keyboard }
    switch input.data {
    case .table: return .table
    case .font: return .font
    case nil: break
    }
    if input.sound != nil { return .sound }
    switch input.shape {
    case .cube: return .cube
    case .volume: return .volume
    default: return kind(of: picture)
    }
  }

  private static func kind(of picture: RenderRequest.InputPicture?) -> Input.Kind {
    guard let picture else { return .picture }
    if picture.video != nil { return .video }
    if picture.sequence != nil { return .sequence }
    return SoundFile.isSound(picture.path) ? .sound : .picture
  }

  private static func standard(of input: FilterInput) -> String? {
    switch input.origin {
    case .user: nil
    case .file(let path, _): path
    case .asset(let asset): asset.title ?? asset.id
    case .keyboard: "the keyboard"
    case .nothing: "black"
    case .data(.table): "no change"
    case .data(.font): "strokes"
    }
  }
}

// MARK: sounds

/// The sound of a file, for those who play it beside the pictures.
package enum HeardSound {
  /// Whether a file may be heard: a sound, or a video.
  package static func isHeard(_ path: String) -> Bool { SoundFile.isSound(path) || VideoFile.isVideo(path) }

  /// Reads the sound of a file; one that has none is refused.
  package static func read(_ path: String) throws(RenderError) -> Sound { try SoundFile(path).sound }
}
