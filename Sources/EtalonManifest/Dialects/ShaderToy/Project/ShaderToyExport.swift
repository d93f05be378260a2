package import EtalonDiagnostics
internal import EtalonTypes

/// Reads the JSON in which the site stores and exports shaders, in both of its forms.
///
/// The texts of passes get names of their own, `export.json#bufferA`, so that lines in messages are those of the site's editor.
package struct ShaderToyExport: Sendable {
  /// A project as far as its file can be understood, and everything that is wrong with the file.
  struct Draft {
    /// Nil when nothing in the file can be understood as a project.
    let project: ShaderToyProject?
    let diagnostics: [Diagnostic]

    /// The project, if nothing is wrong with it.
    func checked() throws(DiagnosticsError) -> Reading {
      guard let project, !diagnostics.contains(where: { $0.severity == .error }) else { throw DiagnosticsError(diagnostics) }
      return Reading(project: project, warnings: diagnostics)
    }
  }

  /// A project and what a user should know about its file.
  package struct Reading: Sendable {
    package let project: ShaderToyProject
    package let warnings: [Diagnostic]

    package init(project: ShaderToyProject, warnings: [Diagnostic]) {
      self.project = project
      self.warnings = warnings
    }
  }

  package init() {}

  /// Reads an export; everything that is wrong with it is reported together.
  package func read(_ source: SourceText) throws(DiagnosticsError) -> Reading { try draft(source).checked() }

  /// Reads as much of an export as can be understood.
  func draft(_ source: SourceText) -> Draft {
    let json = JSONReader(tolerating: Set(JSONSlip.allCases)).read(source)
    guard let root = json.value, !json.hasErrors else { return Draft(project: nil, diagnostics: json.diagnostics) }
    let envelope = ExportEnvelope(root)
    guard let shader = envelope.shader else {
      return Draft(project: nil, diagnostics: (json.diagnostics + envelope.diagnostics).inOrderOfPlaces)
    }
    let passes = ExportPasses(shader)
    let found = ShaderToyProject(title: Self.text("name", of: shader["info"]), about: Self.about(shader["info"]), passes: passes.passes)
    var samplers = SharedSamplers(found)
    let project = samplers.applied(to: found)
    let diagnostics = (json.diagnostics + envelope.diagnostics + passes.diagnostics + samplers.warnings).inOrderOfPlaces
    return Draft(project: project, diagnostics: diagnostics)
  }

  /// Whether a text looks like an export: it begins as JSON does.
  package static func recognizes(_ source: SourceText) -> Bool {
    let first = source.bytes.first { !($0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0)) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func about(_ info: LocatedJSON?) -> FilterManifest.About {
    let tags = (info?["tags"]?.elements ?? []).compactMap(\.text).filter { !$0.isEmpty }
    return .init(description: text("description", of: info), credit: text("username", of: info), categories: tags)
  }

  private static func text(_ key: String, of object: LocatedJSON?) -> String? {
    guard case .string(let text)? = object?[key]?.content, !text.isEmpty else { return nil }
    return text
  }
}

/// What lies around the one shader of an export.
private struct ExportEnvelope {
  private(set) var shader: LocatedJSON?
  private(set) var diagnostics: [Diagnostic] = []

  init(_ root: LocatedJSON) {
    var root = root
    if let list = root["shaders"] ?? (root.elements == nil ? nil : root), let elements = list.elements {
      guard elements.count == 1 else {
        report(
          "shadertoy.several-shaders", "expected one shader, found \(elements.count)", list.place, "a list",
          elements.isEmpty
            ? "the site answers with an empty list when it does not know the shader" : "put one of them into a file of its own")
        return
      }
      root = elements[0]
    }
    if case .string(let answer)? = root["Error"]?.content {
      let place = root["Error"]?.place ?? root.place
      report(
        "shadertoy.site-error", "the site answered with an error: \(answer)", place, "no shader",
        "exports need a shader that its author published as 'public + api'")
      return
    }
    let shader = root["Shader"] ?? root
    guard shader["renderpass"] != nil else {
      report(
        "shadertoy.no-passes", "the JSON is no ShaderToy export", SourceRange(shader.place.source, start(of: shader)),
        "no 'renderpass' in here",
        root["nodes"] != nil || root["outputs"] != nil
          ? "begin a graph document with \"etalon\": 1" : "expected {\"Shader\": {\"renderpass\": […]}} or [{\"renderpass\": […]}]")
      return
    }
    self.shader = shader
    warnAboutVersion(shader)
  }

  private func start(of value: LocatedJSON) -> Range<Int> { value.place.range.lowerBound..<value.place.range.lowerBound + 1 }

  private mutating func warnAboutVersion(_ shader: LocatedJSON) {
    guard let version = shader["ver"] else { return }
    if case .string("0.1") = version.content { return }
    diagnostics.append(
      Diagnostic(
        "shadertoy.version", "the export has another version than '0.1', the only one there was", severity: .warning,
        labels: [.init(version.place.source, version.place.range, "unknown version")]))
  }

  private mutating func report(_ id: String, _ message: String, _ place: SourceRange, _ label: String, _ help: String) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(place.source, place.range, label)], help: [help]))
  }
}
