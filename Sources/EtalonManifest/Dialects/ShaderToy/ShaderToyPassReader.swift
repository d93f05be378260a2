internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads the text of one pass, with what stands in front of it, as one shader.
struct ShaderToyPassReader {
  /// A pass and what its text says about the filter.
  struct Reading {
    let pass: PassSource
    let inputs: [FilterInput]
    let parameters: [FilterParameter]
    /// A name may occur several times.
    let constants: [SettableConstant]
    let warnings: [Diagnostic]
  }

  let files: any FileProvider
  let options: ShaderToyOptions

  /// Reads a pass; everything that is wrong is reported together, as far as one mistake does not hide others.
  ///
  /// - Parameters:
  ///   - common: texts that the player puts in front, in their order.
  ///   - exposed: constants that are parameters.
  func read(
    _ source: SourceText, after common: [SourceText] = [], as role: ShaderToyRole, exposing exposed: [ExposedConstant] = []
  ) throws(DiagnosticsError) -> Reading {
    var tokens = try expand(common + [source])
    var diagnostics = UnterminatedComment.diagnostics(in: tokens) + UnknownCharacters.diagnostics(in: tokens)
    let places = ConstantFinder(tokens: tokens).places()
    var values = ValueAssignment(options.values)
    let exposure = ConstantExposure(of: exposed, at: places, in: &tokens)
    values.substitute(in: &tokens, at: places.filter { !exposure.names.contains($0.constant.name) })

    diagnostics += ShaderToyUnsupportedInputs(tokens).diagnostics(
      isConnected: role.isConnected, connected: Set(role.connected.keys))
    let loose = LooseUniforms(takenFrom: &tokens)
    diagnostics += loose.diagnostics
    let structures = ShaderToyChannelStructs().changes(&tokens)
    diagnostics += ShaderToyChannelStructs.diagnostics(in: tokens)
    let role = role.connecting(EditorChannels(tokens), options)
    let interface = ShaderToyInterface(loose: loose.uniforms, tokens: tokens, role: role, options: options, further: exposure.uniforms)
    diagnostics += interface.diagnostics + values.diagnostics
    let entry = ShaderToyEntry.find(role.entry, in: tokens, source)
    if case .failure(let error) = entry { diagnostics += error.diagnostics }
    guard case .success(let entry) = entry, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw DiagnosticsError(diagnostics.inOrderOfPlaces)
    }
    let shader = ShaderToyTranslation(interface: interface, entry: entry, role: role, options: options)
    let pass = shader.pass(&tokens, rewrites: structures ? [ShaderToyChannelStructs().name] : [])
    return Reading(
      pass: pass, inputs: shader.inputs, parameters: interface.parameters, constants: places.map(\.constant),
      warnings: diagnostics.inOrderOfPlaces)
  }

  /// The tokens of the texts with those of their includes, if they keep within the limits.
  private func expand(_ sources: [SourceText]) throws(DiagnosticsError) -> [Token] {
    let check = LimitCheck(options.limits)
    let sizeFaults = sources.flatMap(check.faults)
    guard sizeFaults.isEmpty else { throw DiagnosticsError(sizeFaults) }
    var tokens: [Token] = []
    var faults: [Diagnostic] = []
    for source in sources {
      var expander = IncludeExpander(path: source.path, files: files, limits: options.limits)
      let expanded = expander.expand(source)
      tokens += (tokens.isEmpty ? [] : [Token(.lineEnd, "\n")]) + expanded.tokens
      faults += expanded.diagnostics
    }
    faults += check.faults(of: tokens)
    guard faults.isEmpty else { throw DiagnosticsError(faults) }
    return tokens
  }
}

extension [SettableConstant] {
  /// The first constant of each name.
  var firstOfEachName: [SettableConstant] {
    var known: Set<String> = []
    return filter { known.insert($0.name).inserted }
  }
}
