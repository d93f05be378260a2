package import EtalonDiagnostics
internal import EtalonTypes

/// Reads a single-pass ShaderToy file: what it needs from outside, and its text as a Vulkan compute shader.
///
/// ```swift
/// let reading = try ShaderToyReader(files: FolderFiles("shaders")).read(source, named: "plasma", options: ShaderToyOptions())
/// ```
package struct ShaderToyReader: Sendable {
  /// A manifest and what a user should know about it.
  package struct Reading: Sendable {
    package let manifest: FilterManifest
    package let warnings: [Diagnostic]
  }

  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a text; everything that is wrong with it is reported together, as far as one mistake does not hide others.
  package func read(_ source: SourceText, named name: String, options: ShaderToyOptions) throws(DiagnosticsError) -> Reading {
    var tokens = try ExpandedText.tokens(of: source, files: files, limits: options.limits)
    var diagnostics = UnterminatedComment.diagnostics(in: tokens) + UnknownCharacters.diagnostics(in: tokens)
    let places = ConstantFinder(tokens: tokens).places()
    var values = ValueAssignment(options.values)
    values.substitute(in: &tokens, at: places)

    diagnostics += ShaderToyUnsupportedInputs(tokens).diagnostics()
    let loose = LooseUniforms(takenFrom: &tokens)
    diagnostics += loose.diagnostics
    let structures = ShaderToyChannelStructs().changes(&tokens)
    diagnostics += ShaderToyChannelStructs.diagnostics(in: tokens)
    let interface = ShaderToyInterface(loose: loose.uniforms, tokens: tokens)
    diagnostics += interface.diagnostics + values.diagnostics
    let entry = ShaderToyEntry.find(in: tokens, source)
    if case .failure(let error) = entry { diagnostics += error.diagnostics }
    guard case .success(let entry) = entry, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw DiagnosticsError(diagnostics.inOrderOfPlaces)
    }
    let shader = ShaderToyTranslation(interface: interface, entry: entry, options: options)
    let pass = shader.pass(&tokens, rewrites: structures ? [ShaderToyChannelStructs().name] : [])
    let manifest = FilterManifest(
      name: name, dialect: .shaderToy, kind: shader.inputs.isEmpty ? .generator : .filter, inputs: shader.inputs,
      parameters: interface.parameters, constants: firstOfEachName(places), passes: [pass], alpha: .opaque)
    return Reading(manifest: manifest, warnings: diagnostics.inOrderOfPlaces)
  }

  private func firstOfEachName(_ places: [ConstantPlace]) -> [SettableConstant] {
    var known: Set<String> = []
    return places.map(\.constant).filter { known.insert($0.name).inserted }
  }
}
