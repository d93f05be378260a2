package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Reads a single-pass ShaderToy file: what it needs from outside, and its text as a Vulkan compute shader.
///
/// ```swift
/// let reading = try ShaderToyReader(files: FolderFiles("shaders")).read(source, named: "plasma", options: FilterReader.Options())
/// ```
package struct ShaderToyReader: DialectReader {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  package func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    let reading = try ShaderToyPassReader(files: files, options: options).read(source, as: .single)
    let canvas = ShaderToyCanvas.target(writtenBy: [reading.pass])
    let manifest = FilterManifest(
      name: name, dialect: .shaderToy, kind: reading.inputs.isEmpty ? .generator : .filter, inputs: reading.inputs,
      parameters: reading.parameters, constants: reading.constants.firstOfEachName, targets: canvas.targets,
      passes: [reading.pass] + canvas.passes, alpha: .opaque)
    return FilterDraft(manifest, reading.diagnostics)
  }
}

/// How one channel is read unless something else is said; the defaults are those of a picture that was just added in the site's player.
struct ChannelReading {
  var sampler = Sampler(.mipmap, .repeat)
  /// Whether the picture appears upside down, as with the player's `vflip` switched off.
  var isFlipped = false
}

extension FilterReader.Options {
  /// How a channel is read: as the user says, otherwise as `declared` says.
  func channel(_ name: String, declared: ChannelReading = ChannelReading()) -> ChannelReading {
    let change = samplers[name] ?? SamplerChange()
    return ChannelReading(sampler: change.applied(to: declared.sampler), isFlipped: change.isFlipped ?? declared.isFlipped)
  }
}

// MARK: - passes

/// Reads the text of one pass, with what stands in front of it, as one shader.
struct ShaderToyPassReader {
  /// A pass and what its text says about the filter.
  struct Reading {
    let pass: PassSource
    let inputs: [FilterInput]
    let parameters: [FilterParameter]
    /// A name may occur several times.
    let constants: [SettableConstant]
    /// They may hold errors; the pass can be compiled all the same.
    let diagnostics: [Diagnostic]
  }

  let files: any FileProvider
  let options: FilterReader.Options

  /// Reads a pass as far as it can be understood; throws everything that is wrong with one that has no entry point.
  ///
  /// - Parameters:
  ///   - common: texts that the player puts in front, in their order.
  ///   - exposed: constants that are parameters.
  func read(
    _ source: SourceText, after common: [SourceText] = [], as role: ShaderToyRole, exposing exposed: [ExposedConstant] = []
  ) throws(DiagnosticsError) -> Reading {
    let common = common.filter { !PassFiles.includes($0, in: source) }
    let text = try ExpandedText(common + [source], files: files, limits: options.limits)
    guard text.includeDiagnostics.isEmpty else { throw DiagnosticsError(text.diagnostics.inOrderOfPlaces) }
    var tokens = text.tokens
    var diagnostics = text.diagnostics
    let places = ConstantFinder(tokens: tokens).places()
    var values = ValueAssignment(options.values)
    let exposure = ConstantExposure(of: exposed, at: places, in: &tokens)
    values.substitute(in: &tokens, at: places.filter { !exposure.names.contains($0.constant.name) })

    let editor = EditorChannels(tokens)
    diagnostics += ShaderToyUnsupportedInputs(tokens, cubes: editor.cubes).diagnostics(
      isConnected: role.isConnected, connected: Set(role.connected.keys))
    let loose = LooseUniforms(takenFrom: &tokens)
    diagnostics += loose.diagnostics
    let structures = ShaderToyChannelStructs().changes(&tokens)
    diagnostics += ShaderToyChannelStructs.diagnostics(in: tokens)
    if !role.isConnected { diagnostics += editor.warnings }
    let role = role.connecting(editor, options)
    let interface = ShaderToyInterface(loose: loose.uniforms, tokens: tokens, role: role, options: options, further: exposure.uniforms)
    diagnostics += interface.diagnostics + values.diagnostics
    let entry = ShaderToyEntry.find(role.entry, in: tokens, source)
    guard case .success(let found) = entry else {
      if case .failure(let error) = entry { diagnostics += error.diagnostics }
      throw DiagnosticsError(diagnostics.inOrderOfPlaces)
    }
    let shader = ShaderToyTranslation(interface: interface, entry: found, role: role, options: options)
    let pass = shader.pass(&tokens, rewrites: structures ? [ShaderToyChannelStructs().name] : [])
    return Reading(
      pass: pass, inputs: shader.inputs, parameters: interface.parameters, constants: places.map(\.constant),
      diagnostics: diagnostics.inOrderOfPlaces)
  }
}

/// What a pass is within its project, beside its text: where its result goes and what its channels read.
struct ShaderToyRole {
  /// An image that the text knows by a name.
  struct Channel {
    let source: PassTexture.Source
    let shape: TextureShape
    let sampler: Sampler
    /// Whether the player tells the text its size.
    let hasSize: Bool
    /// The input that it is; nil for a target.
    let input: FilterInput?

    /// A channel that reads an image input.
    init(input: FilterInput, hasSize: Bool = true) {
      self.input = input
      source = .input(input.name)
      shape = input.shape
      sampler = input.sampler
      self.hasSize = hasSize
    }

    /// A channel that reads what a pass wrote.
    init(target: String, shape: TextureShape, sampler: Sampler) {
      input = nil
      source = .target(target)
      self.shape = shape
      self.sampler = sampler
      hasSize = true
    }
  }

  /// `image`, `bufferA`.
  let name: String
  /// Nil for the result of the filter.
  let target: String?
  let entry: ShaderToyEntry.Form
  /// What stands in front of the names of its inputs: `bufferA.`; empty for the image.
  let prefix: String
  /// What the project connects, by the name in the text.
  let connected: [String: Channel]
  /// Whether channels that nothing is connected to are empty; otherwise they are inputs of the user.
  let isConnected: Bool

  /// A text that is a whole filter: every channel is an input of the user.
  static let single = ShaderToyRole(name: "image", target: nil, entry: .image, prefix: "", connected: [:], isConnected: false)

  /// The same role for a text that connects some channels itself.
  func connecting(_ channels: EditorChannels, _ options: FilterReader.Options) -> ShaderToyRole {
    guard !isConnected else { return self }
    let own = ShaderToyUniforms.channels.compactMap { name in channels.channel(name, options).map { (name, $0) } }
    return ShaderToyRole(
      name: name, target: target, entry: entry, prefix: prefix, connected: connected.merging(own) { first, _ in first },
      isConnected: isConnected)
  }

  /// What a name in the text reads.
  func channel(_ name: String, _ options: FilterReader.Options) -> Channel {
    if let channel = connected[name] { return channel }
    let inputName = prefix + name
    if isConnected, ShaderToyUniforms.channels.contains(name) {
      return Channel(input: FilterInput(name: inputName, origin: .nothing, sampler: Sampler(.nearest, .clamp)), hasSize: false)
    }
    let setting = options.channel(inputName)
    return Channel(input: FilterInput(name: inputName, sampler: setting.sampler, isFlipped: setting.isFlipped))
  }
}
