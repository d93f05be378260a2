package import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Turns a ShaderToy, as the site exports it or as a loose file, into a folder with one file for each pass.
///
/// ```swift
/// let outcome = try ProjectImport().write("export.json", to: "my-filter", exposing: ["SPEED"])
/// print(outcome.text)
/// ```
package struct ProjectImport {
  /// What was written, and what is left for a person to do.
  package struct Outcome: Sendable {
    /// One fact a line, ending in a newline.
    package let text: String
    package let warnings: [Diagnostic]
  }

  private static let largestFile = 1 << 24

  package init() {}

  /// Writes the folder, which must not exist yet; it appears with all its files or not at all.
  ///
  /// - Parameter names: constants that become parameters.
  package func write(_ path: String, to folder: String, exposing names: [String] = []) throws -> Outcome {
    let source = try TextCheck.text(path, try Self.bytes(of: path))
    let reading = ShaderToyExport.recognizes(source) ? try ShaderToyExport().read(source) : try loose(source)
    var adaptation = ImportAdaptation(reading.project)
    let adapted = try adaptation.adapted(exposing: names)
    let brought = try ImportedPictures(adapted, from: FolderFiles(URL(filePath: path).deletingLastPathComponent().path))
    let project = brought.project
    let files = project.passes.map { (ShaderToyFolder.fileName(of: $0.name), $0.text.bytes) }
    let all = files + brought.files + [(ShaderToyFolder.projectFile, Array(ProjectFileWriter().text(project).utf8))]
    try NewFolder(folder).write(all)
    return Outcome(
      text: ImportReport(project, folder: folder, files: all.map(\.0)).text, warnings: reading.warnings + adaptation.warnings)
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    if let line = ExportLines.line(path), !FileManager.default.fileExists(atPath: path) { return try ExportLines.bytes(of: line) }
    if ExportLines.recognizes(path) { throw try ExportLines.severalFilters(path) }
    return try FileReader.bytes(of: path, limit: largestFile)
  }

  /// A file that is one pass, or that names its passes: channels that nothing is connected to are inputs of the user.
  private func loose(_ source: SourceText) throws(DiagnosticsError) -> ShaderToyExport.Reading {
    let folder = URL(filePath: source.path).deletingLastPathComponent().path
    let files = FolderFiles(folder)
    let project = try LooseProject(source, files: files).read() ?? ShaderToyProject(looseImage: source)
    for pass in project.passes { try checkIncludes(of: pass.text) }
    try checkStart(of: source)
    if let alone = ShaderToySound.noPicture(source, files, TextLimits()) { throw DiagnosticsError(noImage(alone)) }
    guard ShaderToySound.isMade(by: source) else { return ShaderToyExport.Reading(project: project, warnings: []) }
    let sound = ShaderToyProject.Pass(name: .sound, text: source, channels: channelsOfSound(source, files))
    let audible = ShaderToyProject(
      title: project.title, about: project.about, passes: project.passes + [sound], parameters: project.parameters,
      isConnected: project.isConnected, mainPass: project.mainPass)
    return ShaderToyExport.Reading(project: audible, warnings: [])
  }

  /// The channels that the sound of a loose file reads; all of them where its text is too wrong to tell.
  private func channelsOfSound(_ source: SourceText, _ files: FolderFiles) -> [ShaderToyProject.Channel] {
    let channels = ShaderToyProject(looseImage: source).passes.flatMap(\.channels)
    var options = FilterReader.Options()
    options.part = .sound
    options.dialect = .shaderToy
    guard let reading = try? FilterReader(files: files).read(.text(source, named: "sound"), options: options) else { return channels }
    let read = Set(reading.manifest.inputs.filter(\.isRead).map(\.name))
    return channels.filter { read.contains($0.name) }
  }

  /// What is wrong with a text that makes a sound and no picture.
  private func noImage(_ found: Diagnostic) -> Diagnostic {
    Diagnostic(
      "import.only-sound", "the text makes a sound and no picture, and a folder cannot be without an image", labels: found.labels,
      help: [found.help[0], "or write the image into the text: 'void mainImage(out vec4 fragColor, in vec2 fragCoord)'"])
  }

  /// Refuses texts of other dialects, and those that are no shader at all.
  private func checkStart(of source: SourceText) throws(DiagnosticsError) {
    let recognition = DialectRecognition()
    if recognition.mayBe(.shaderToy, source), !recognition.isWebPage(source) { return }
    let form: FilterForm
    do throws(DiagnosticsError) { form = try recognition.form(of: source) } catch {
      guard error.diagnostics.contains(where: { $0.id == "dialect.unknown" }) else { throw error }
      throw DiagnosticsError(
        Diagnostic(
          "import.no-start", "the text has no function 'mainImage', where a ShaderToy starts", labels: [.init(source, 0..<0)],
          help: ["write 'void mainImage(out vec4 fragColor, in vec2 fragCoord)'"]))
    }
    throw DiagnosticsError(
      Diagnostic(
        "import.dialect", "only ShaderToys can be imported, and this is \(form.title)", labels: [.init(source, 0..<0)],
        help: ["render it as it is: 'etalon render \(source.path) -o picture.png'"]))
  }

  private func checkIncludes(of text: SourceText) throws(DiagnosticsError) {
    let tokens = Lexer.tokens(of: text)
    guard let include = Directive.all(in: tokens).first(where: { $0.name == "include" }),
      let place = tokens[include.range.lowerBound].origin
    else { return }
    throw DiagnosticsError(
      Diagnostic(
        "import.include", "a text that includes others cannot be imported", labels: [place.label("includes a file")],
        help: ["put the included text in its place, or call it 'common.glsl' in the new folder"]))
  }
}

/// Makes a project fit for a folder of its own: constants become parameters.
private struct ImportAdaptation {
  private let project: ShaderToyProject
  private(set) var warnings: [Diagnostic] = []

  init(_ project: ShaderToyProject) { self.project = project }

  mutating func adapted(exposing names: [String]) throws(DiagnosticsError) -> ShaderToyProject {
    let parameters = try parameters(names)
    return ShaderToyProject(title: project.title, about: project.about, passes: project.passes, parameters: parameters)
  }

  private mutating func parameters(_ names: [String]) throws(DiagnosticsError) -> [ExposedConstant] {
    let constants = ProjectConstants(project)
    var unknown: [Diagnostic] = []
    var parameters: [ExposedConstant] = []
    for name in names where !parameters.contains(where: { $0.name == name }) {
      if let place = constants.parameterPlace(name) {
        warnings.append(
          Diagnostic(
            "import.parameter", "'\(name)' is a parameter already, so '--expose' changes nothing", severity: .warning,
            labels: [place.label("a parameter")], help: ["leave '\(name)' out of '--expose'"]))
      } else if let several = constants.severalValues(of: name) {
        unknown.append(several)
      } else if let parameter = constants.parameter(name) {
        parameters.append(parameter)
      } else if let obstacle = ConstantObstacle(name, in: project) {
        unknown.append(
          Diagnostic(
            "import.no-constant", "'\(name)' cannot become a parameter, as '--expose' asks",
            labels: [obstacle.place.label(obstacle.label)], help: [obstacle.help]))
      } else {
        let help = NearestName.find(name, in: constants.names).map { ["did you mean '\($0)'?"] }
        unknown.append(
          Diagnostic(
            "import.unknown-constant", "no pass has a constant '\(name)', which '--expose' names", help: help ?? [],
            notes: help == nil && !constants.names.isEmpty ? ["constants: \(constants.names.joined(separator: ", "))"] : []))
      }
    }
    if !unknown.isEmpty { throw DiagnosticsError(unknown) }
    return parameters
  }
}

// MARK: pictures and sounds

/// The pictures and sounds beside a loose file that its channels name: they go with it into its folder.
private struct ImportedPictures {
  /// The project, whose channels name the copies.
  let project: ShaderToyProject
  /// The copies by their paths in the new folder, each once.
  let files: [(name: String, bytes: [UInt8])]

  private static let largestFile = 1 << 28

  /// Reads them; what cannot be copied is thrown together.
  init(_ project: ShaderToyProject, from folder: FolderFiles) throws(DiagnosticsError) {
    var files: [(name: String, bytes: [UInt8])] = []
    var diagnostics: [Diagnostic] = []
    func copied(_ channel: ShaderToyProject.Channel) -> ShaderToyProject.Channel {
      guard case .file(let written, let shape) = channel.source else { return channel }
      let name = Self.normal(written)
      do throws(FileError) {
        let names = shape == .cube ? SolidPicture.files(ofCube: name) { (try? folder.realPath(of: $0)) != nil } : [name]
        for name in names where !files.contains(where: { $0.name == name }) {
          files.append((name, try folder.bytes(at: name, atMost: Self.largestFile)))
        }
      } catch {
        diagnostics.append(Self.diagnostic(written, channel, error))
      }
      return ShaderToyProject.Channel(
        index: channel.index, source: .file(name, shape), sampler: channel.sampler, isFlipped: channel.isFlipped, place: channel.place)
    }
    let passes = project.passes.map { pass in
      ShaderToyProject.Pass(name: pass.name, text: pass.text, channels: pass.channels.map(copied), place: pass.place)
    }
    if !diagnostics.isEmpty { throw DiagnosticsError(diagnostics.inOrderOfPlaces) }
    self.files = files
    self.project = ShaderToyProject(title: project.title, about: project.about, passes: passes, parameters: project.parameters)
  }

  /// The path without steps that lead nowhere: `sub/../photo.png` is `photo.png`.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func diagnostic(_ path: String, _ channel: ShaderToyProject.Channel, _ error: FileError) -> Diagnostic {
    let why =
      switch error {
      case .missing: "not found"
      case .outside: "leads out of the folder"
      case .tooLarge: "larger than \(largestFile >> 20) MiB"
      case .unreadable(let reason): reason
      }
    return Diagnostic(
      "import.file", "cannot copy '\(path)', which '\(channel.name)' reads",
      labels: [channel.place.label(why)],
      help: ["put it beside the shader and name it as it is called there, or remove the line: the channel is then an input"])
  }
}

// MARK: report

/// Says what an import wrote, and what a person has to bring.
private struct ImportReport {
  private let project: ShaderToyProject
  private let folder: String
  private let files: [String]

  init(_ project: ShaderToyProject, folder: String, files: [String]) {
    self.project = project
    self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.files = files
  }

  /// One fact a line, ending in a newline.
  var text: String {
    var lines = ["wrote \(folder): \(files.joined(separator: ", "))"]
    let passes = project.runningOrder + [project[.sound]].compactMap(\.self)
    lines += passes.flatMap { pass in pass.channels.sorted { $0.index < $1.index }.compactMap { need($0, of: pass.name) } }
    lines += project.parameters.map(parameter)
    return lines.map { $0 + "\n" }.joined()
  }

  /// What one channel needs from outside; nil when it needs nothing.
  private func need(_ channel: ShaderToyProject.Channel, of pass: ShaderToyProject.PassName) -> String? {
    let name = pass == .image ? channel.name : "\(pass.rawValue).\(channel.name)"
    switch channel.source {
    case .target: return nil
    case .sound: return "needs \(name): a sound of yours, --input \(name)=song.wav"
    case .video(let media): return "needs \(name): a video of yours, --input \(name)=\(media.kind == "webcam" ? "camera" : "clip").mp4"
    case .user(.flat): return "needs \(name): a picture of yours, --input \(name)=photo.jpg"
    case .user(let shape): return "needs \(name): a \(shape.rawValue) of yours, --input \(name)=\(SolidPicture.example(of: shape))"
    case .file(let path, _): return "reads \(name): '\(path)', which was copied"
    case .keyboard: return "reads \(name): the keyboard"
    case .asset(let asset, let shape):
      let title = asset.title.map { "'\($0)', " } ?? ""
      let size = asset.size.map { ", \($0)\(shape == .volume ? "x\($0.height)" : "")" } ?? ""
      let kind = shape == .flat ? "" : "a \(shape.rawValue), "
      return "needs \(name): \(title)\(kind)the file '\(asset.fileName)'\(size), --assets FOLDER"
    }
  }

  private func parameter(_ parameter: ExposedConstant) -> String {
    func text(_ bound: [Double]) -> String { bound.map { ValueConversion.plainText(Value(.float, [$0])) }.joined(separator: ",") }
    switch (parameter.minimum, parameter.maximum) {
    case (let low?, let high?): return "parameter \(parameter.name): from \(text(low)) to \(text(high))"
    case (let low?, nil): return "parameter \(parameter.name): at least \(text(low))"
    case (nil, let high?): return "parameter \(parameter.name): at most \(text(high))"
    case (nil, nil): return "parameter \(parameter.name)"
    }
  }
}
