package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonTypes

/// Reads a project that lies in a folder: one file for each pass, and `project.json` with what connects them.
///
/// ```
/// fluid/common.glsl     put in front of every other text, when it is there
/// fluid/bufferA.glsl    to bufferD.glsl, cubemapA.glsl
/// fluid/image.glsl
/// fluid/project.json    {"shadertoy": 1, "passes": [{"name": "bufferA", "channels": {"iChannel0": "bufferA"}}, …]}
/// ```
/// The files may also be called as the site calls the passes (`PassFiles`), and without `project.json` the channels read what the texts, their comments and
/// their names say (`FolderConnections`). Unlike in the site's player every channel has a sampler of its own.
package struct ShaderToyFolder: Sendable {
  /// The name of the file that says what connects the passes.
  package static let projectFile = "project.json"
  /// The largest text of a pass, and the largest project file, in bytes.
  private static let largestFile = 1 << 22

  private let path: String
  private let files: any FileProvider
  private let passFiles: PassFiles

  /// Names the folder as the user knows it; its files come from `files`.
  package init(path: String, files: any FileProvider) {
    self.path = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
    self.files = files
    passFiles = PassFiles(files.names())
  }

  /// The name of the file that holds the text of a pass.
  package static func fileName(of pass: ShaderToyProject.PassName) -> String { pass.rawValue + ".glsl" }

  /// Whether a folder with files of some names is a project: it has a `project.json`, or an image.
  package static func isProject(_ names: some Collection<String>) -> Bool {
    names.contains(projectFile) || PassFiles.haveImage(names)
  }

  /// Reads the project; everything that is wrong with it is reported together.
  package func read() throws(DiagnosticsError) -> ShaderToyExport.Reading { try draft().checked() }

  /// Reads as much of the project as can be understood; throws when there is neither a project file nor an image, or a file cannot be read.
  func draft() throws(DiagnosticsError) -> ShaderToyExport.Draft {
    let ambiguous = passFiles.diagnostics(path)
    guard ambiguous.isEmpty else { throw DiagnosticsError(ambiguous) }
    guard let json = try text(of: Self.projectFile) else { return try unconnected() }
    let file = ProjectFile(json)
    var diagnostics = file.diagnostics
    var passes: [ShaderToyProject.Pass] = []
    if let common = try text(of: .common) { passes.append(.init(name: .common, text: common)) }
    for pass in file.passes {
      if let text = try text(of: pass.name) {
        passes.append(.init(name: pass.name, text: text, channels: pass.channels, place: pass.place))
      } else {
        diagnostics.append(missing(pass))
      }
    }
    for name in [ShaderToyProject.PassName.bufferA, .bufferB, .bufferC, .bufferD, .cubemapA] where !file.names.contains(name) {
      if let unlisted = try text(of: name) { diagnostics.append(unread(name, unlisted)) }
    }
    if !file.names.contains(.sound), let sound = try text(of: .sound) {
      passes.append(.init(name: .sound, text: sound, place: SourceRange(sound, 0..<0)))
    }
    let project = ShaderToyProject(title: file.title, about: file.about, passes: passes, parameters: file.parameters)
    return ShaderToyExport.Draft(project: project, diagnostics: diagnostics.inOrderOfPlaces + strays(besides: passes.map(\.text)))
  }

  /// Warns about files whose names are nearly those of passes, unless a text includes them.
  private func strays(besides texts: [SourceText]) -> [Diagnostic] {
    passFiles.nearMisses.filter { stray in !texts.contains { String(decoding: $0.bytes, as: UTF8.self).contains(stray.file) } }.map {
      stray in
      Diagnostic(
        "shadertoy.stray-file", "'\(path)\(stray.file)' has not the name of a pass, so it is not used", severity: .warning,
        help: ["did you mean '\(stray.meant).glsl'?"])
    }
  }

  /// The project of a folder without a project file.
  private func unconnected() throws(DiagnosticsError) -> ShaderToyExport.Draft {
    guard try text(of: .image) != nil else { throw DiagnosticsError(try noImage()) }
    var texts: [(name: ShaderToyProject.PassName, text: SourceText)] = []
    for name in ShaderToyProject.PassName.allCases { if let text = try text(of: name) { texts.append((name, text)) } }
    let connections = FolderConnections(texts, in: passFiles, config: try text(of: ViewerConfiguration.fileName))
    let project = ShaderToyProject(passes: connections.passes, isConnected: false)
    return ShaderToyExport.Draft(project: project, diagnostics: connections.diagnostics + strays(besides: texts.map(\.text)))
  }

  private func noImage() throws(DiagnosticsError) -> Diagnostic {
    let buffers = ShaderToyProject.PassName.allCases.filter { $0.isTarget && passFiles[$0] != nil }
    let found = buffers.compactMap { passFiles[$0] }.map { "'\($0)'" }.joined(separator: ", ")
    return Diagnostic(
      "shadertoy.no-image",
      "the folder '\(path.isEmpty ? "." : path)' holds neither 'project.json' nor 'image.glsl'" + (found.isEmpty ? "" : ", but \(found)"),
      help: ["name the file of the shader, or call it 'image.glsl'"])
  }

  /// The text of a pass; nil when there is none.
  private func text(of pass: ShaderToyProject.PassName) throws(DiagnosticsError) -> SourceText? {
    try text(of: passFiles[pass] ?? Self.fileName(of: pass))
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
      labels: [pass.place.label("its text is missing")], help: ["put it beside 'project.json'"])
  }

  private func unread(_ name: ShaderToyProject.PassName, _ text: SourceText) -> Diagnostic {
    Diagnostic(
      "shadertoy.unlisted-pass", "'project.json' does not list '\(name.rawValue)', so this file is not used", severity: .warning,
      labels: [.init(text, 0..<0, "not used")], help: ["add {\"name\": \"\(name.rawValue)\"} to its 'passes'"])
  }
}
