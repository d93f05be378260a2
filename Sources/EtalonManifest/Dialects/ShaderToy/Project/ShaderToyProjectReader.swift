package import EtalonDiagnostics
internal import EtalonTypes

/// Turns a ShaderToy with all its passes into a manifest: buffers become targets, channels become their readers.
///
/// ```swift
/// let project = try ShaderToyExport().read(source).project
/// let reading = try ShaderToyProjectReader(files: NoFiles()).read(project, named: "fluid", options: ShaderToyOptions())
/// ```
/// Names of inputs are those of the channels, with the pass in front unless it is the image: `iChannel0`, `bufferA.iChannel1`. A value for a constant
/// is used in every pass that defines it.
package struct ShaderToyProjectReader: Sendable {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads all passes; what is wrong with any of them is reported together.
  package func read(
    _ project: ShaderToyProject, named name: String, options: ShaderToyOptions
  ) throws(DiagnosticsError) -> FilterReading {
    try draft(project, named: name, options: options).reading()
  }

  /// Reads all passes as far as they can be understood.
  func draft(_ project: ShaderToyProject, named name: String, options: ShaderToyOptions) -> FilterDraft {
    let connections = ProjectConnections(project, options)
    var diagnostics = connections.diagnostics
    var readings: [ShaderToyPassReader.Reading] = []
    var exposed = ExposedParameters([], among: [])
    let common = project.passes.filter { $0.name == .common }.map(\.text)
    let reader = ShaderToyPassReader(files: files, options: options)
    for pass in project.runningOrder {
      do throws(DiagnosticsError) {
        readings.append(
          try reader.read(pass.text, after: common, as: connections.role(of: pass), exposing: project.parameters))
        diagnostics += readings.last?.diagnostics ?? []
      } catch {
        diagnostics += error.diagnostics
      }
    }
    let parameters = MergedParameters(readings.flatMap(\.parameters))
    let constants = readings.flatMap(\.constants)
    let isComplete = readings.count == project.runningOrder.count
    // A text that could not be read may define what others lack.
    if isComplete, !diagnostics.contains(where: { $0.severity == .error }) {
      exposed = ExposedParameters(project.parameters, among: constants)
    }
    diagnostics = (diagnostics + exposed.diagnostics + parameters.diagnostics).withoutRepetitions.inOrderOfPlaces
    guard isComplete else { return FilterDraft(nil, diagnostics) }
    // The image comes first, whose channels have the shortest names; the others as they run.
    let inputs = (readings.suffix(1) + readings.dropLast()).flatMap(\.inputs)
    let manifest = FilterManifest(
      name: name, dialect: .shaderToy, kind: inputs.contains { $0.origin == .user } ? .filter : .generator, about: project.about,
      inputs: inputs, parameters: exposed.parameters + parameters.parameters,
      constants: constants.firstOfEachName.filter { constant in !project.parameters.contains { $0.name == constant.name } },
      targets: connections.targets, passes: readings.map(\.pass), alpha: .opaque)
    return FilterDraft(manifest, diagnostics)
  }
}

/// The parameters of all passes, each once.
private struct MergedParameters {
  private(set) var parameters: [FilterParameter] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ all: [FilterParameter]) {
    for parameter in all {
      guard let first = parameters.first(where: { $0.name == parameter.name }) else {
        parameters.append(parameter)
        continue
      }
      guard first.kind.valueType != parameter.kind.valueType else { continue }
      let places = [(parameter.place, "\(parameter.kind.valueType.rawValue) here"), (first.place, "\(first.kind.valueType.rawValue) here")]
      diagnostics.append(
        Diagnostic(
          "shadertoy.parameter-types", "'\(parameter.name)' has different types in different passes",
          labels: places.compactMap { place, label in place.map { .init($0.source, $0.range, label) } },
          help: ["declare it with one type, or give it two names"]))
    }
  }
}

extension [Diagnostic] {
  /// Each diagnostic once: what is wrong with Common shows in every pass.
  var withoutRepetitions: [Diagnostic] {
    var known: Set<Diagnostic> = []
    return filter { known.insert($0).inserted }
  }
}
