package import EtalonDiagnostics
internal import EtalonTypes

/// Reads a single-pass ShaderToy file: what it needs from outside, and its text as a Vulkan compute shader.
///
/// ```swift
/// let reading = try ShaderToyReader(files: FolderFiles("shaders")).read(source, named: "plasma", options: ShaderToyOptions())
/// ```
package struct ShaderToyReader: Sendable {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads a text; everything that is wrong with it is reported together, as far as one mistake does not hide others.
  package func read(_ source: SourceText, named name: String, options: ShaderToyOptions) throws(DiagnosticsError) -> FilterReading {
    try draft(source, named: name, options: options).reading()
  }

  /// Reads a text as far as it can be understood.
  func draft(_ source: SourceText, named name: String, options: ShaderToyOptions) throws(DiagnosticsError) -> FilterDraft {
    let reading = try ShaderToyPassReader(files: files, options: options).read(source, as: .single)
    let manifest = FilterManifest(
      name: name, dialect: .shaderToy, kind: reading.inputs.isEmpty ? .generator : .filter, inputs: reading.inputs,
      parameters: reading.parameters, constants: reading.constants.firstOfEachName, passes: [reading.pass], alpha: .opaque)
    return FilterDraft(manifest, reading.diagnostics)
  }
}
