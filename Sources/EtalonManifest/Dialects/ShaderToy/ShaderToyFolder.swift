package import EtalonDiagnostics
internal import EtalonTypes

/// Reads a project that lies in a folder: one file for each pass, and `project.json` with what connects them.
///
/// ```
/// fluid/common.glsl     put in front of every other text, when it is there
/// fluid/bufferA.glsl    to bufferD.glsl, cubemapA.glsl
/// fluid/image.glsl
/// fluid/project.json    {"shadertoy": 1, "passes": [{"name": "bufferA", "channels": {"iChannel0": "bufferA"}}, …]}
/// ```
/// A folder whose only pass is `image.glsl` needs no `project.json`: its channels are inputs of the user, as those of a loose file. Unlike in the site's
/// player every channel has a sampler of its own.
package struct ShaderToyFolder: Sendable {
  /// The name of the file that says what connects the passes.
  package static let projectFile = "project.json"
  /// The largest text of a pass, and the largest project file, in bytes.
  private static let largestFile = 1 << 22

  private let path: String
  private let files: any FileProvider

  /// Names the folder as the user knows it; its files come from `files`.
  package init(path: String, files: any FileProvider) {
    self.path = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
    self.files = files
  }

  /// The name of the file that holds the text of a pass.
  package static func fileName(of pass: ShaderToyProject.PassName) -> String { pass.rawValue + ".glsl" }

  /// Reads the project; everything that is wrong with it is reported together.
  package func read() throws(DiagnosticsError) -> ShaderToyExport.Reading { try draft().checked() }

  /// Reads as much of the project as can be understood; throws when there is no project file, or a file that cannot be read.
  func draft() throws(DiagnosticsError) -> ShaderToyExport.Draft {
    guard let json = try text(of: Self.projectFile) else {
      let loose = try readLoose()
      return ShaderToyExport.Draft(project: loose.project, diagnostics: loose.warnings)
    }
    let file = ProjectFile(json)
    var diagnostics = file.diagnostics
    var passes: [ShaderToyProject.Pass] = []
    if let common = try text(of: Self.fileName(of: .common)) { passes.append(.init(name: .common, text: common)) }
    for pass in file.passes {
      if let text = try text(of: Self.fileName(of: pass.name)) {
        passes.append(.init(name: pass.name, text: text, channels: pass.channels, place: pass.place))
      } else {
        diagnostics.append(missing(pass))
      }
    }
    for name in [ShaderToyProject.PassName.bufferA, .bufferB, .bufferC, .bufferD, .cubemapA] where !file.names.contains(name) {
      if let unlisted = try text(of: Self.fileName(of: name)) { diagnostics.append(unread(name, unlisted)) }
    }
    let project = ShaderToyProject(title: file.title, about: file.about, passes: passes, parameters: file.parameters)
    return ShaderToyExport.Draft(project: project, diagnostics: diagnostics.inOrderOfPlaces)
  }

  private func readLoose() throws(DiagnosticsError) -> ShaderToyExport.Reading {
    for name in ShaderToyProject.PassName.allCases where name.isTarget {
      if let text = try text(of: Self.fileName(of: name)) { throw DiagnosticsError(unconnected(name, text)) }
    }
    guard let image = try text(of: Self.fileName(of: .image)) else {
      throw DiagnosticsError(
        Diagnostic(
          "shadertoy.no-image", "the folder '\(path.isEmpty ? "." : path)' holds neither 'project.json' nor 'image.glsl'",
          help: ["name the file of the shader, or call it 'image.glsl'"]))
    }
    let common = try text(of: Self.fileName(of: .common)).map { [ShaderToyProject.Pass(name: .common, text: $0)] } ?? []
    return ShaderToyExport.Reading(
      project: ShaderToyProject(passes: common + [ShaderToyProject.Pass(name: .image, text: image)], isConnected: false), warnings: [])
  }

  /// The text of a file; nil when there is none.
  private func text(of name: String) throws(DiagnosticsError) -> SourceText? {
    do throws(FileError) {
      return SourceText(path: path + name, bytes: try files.bytes(at: name, atMost: Self.largestFile))
    } catch {
      let why: String
      switch error {
      case .missing: return nil
      case .outside: why = "it is a link that leads out of the folder"
      case .tooLarge: why = "it is larger than \(Self.largestFile >> 20) MiB"
      case .unreadable(let reason): why = reason
      }
      throw DiagnosticsError(Diagnostic("shadertoy.unreadable-file", "cannot read '\(path)\(name)': \(why)"))
    }
  }

  // MARK: what can be wrong

  private func missing(_ pass: ProjectFile.Pass) -> Diagnostic {
    Diagnostic(
      "shadertoy.missing-pass", "the folder has no file '\(Self.fileName(of: pass.name))'",
      labels: [.init(pass.place.source, pass.place.range, "its text is missing")], help: ["put it beside 'project.json'"])
  }

  private func unread(_ name: ShaderToyProject.PassName, _ text: SourceText) -> Diagnostic {
    Diagnostic(
      "shadertoy.unlisted-pass", "'project.json' does not list '\(name.rawValue)', so this file is not used", severity: .warning,
      labels: [.init(text, 0..<0, "not used")], help: ["add {\"name\": \"\(name.rawValue)\"} to its 'passes'"])
  }

  private func unconnected(_ name: ShaderToyProject.PassName, _ text: SourceText) -> Diagnostic {
    Diagnostic(
      "shadertoy.no-project-file", "nothing says which channels read '\(name.rawValue)'", labels: [.init(text, 0..<0, "a pass")],
      help: [
        "write beside it a 'project.json' such as "
          + #"{"shadertoy": 1, "passes": [{"name": "\#(name.rawValue)"}, {"name": "image", "channels": {"iChannel0": "\#(name.rawValue)"}}]}"#
      ])
  }
}
