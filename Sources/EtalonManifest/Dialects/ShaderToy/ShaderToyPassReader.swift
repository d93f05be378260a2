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
    /// With errors that leave enough to be compiled.
    let diagnostics: [Diagnostic]
  }

  let files: any FileProvider
  let options: ShaderToyOptions

  /// Reads a pass as far as it can be understood; throws everything that is wrong with one that has no entry point.
  ///
  /// - Parameters:
  ///   - common: texts that the player puts in front, in their order.
  ///   - exposed: constants that are parameters.
  func read(
    _ source: SourceText, after common: [SourceText] = [], as role: ShaderToyRole, exposing exposed: [ExposedConstant] = []
  ) throws(DiagnosticsError) -> Reading {
    let text = try ExpandedText(common + [source], files: files, limits: options.limits)
    guard text.includeFaults.isEmpty else { throw DiagnosticsError(text.faults.inOrderOfPlaces) }
    var tokens = text.tokens
    var diagnostics = text.faults
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
    let editor = EditorChannels(tokens)
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

extension [SettableConstant] {
  /// The first constant of each name, of those that the compiler may see where there is one.
  var firstOfEachName: [SettableConstant] {
    var known: Set<String> = []
    let seen = Dictionary(filter(\.isActive).map { ($0.name, $0) }) { first, _ in first }
    return filter { known.insert($0.name).inserted }.map { seen[$0.name] ?? $0 }
  }
}
