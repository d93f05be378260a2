internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// The file of a color table for an input of a filter.
struct TableFile {
  private let file: RenderRequest.InputPicture
  private let input: FilterInput

  init(_ file: RenderRequest.InputPicture, for input: FilterInput) { (self.file, self.input) = (file, input) }

  /// Whether a file is a table by its name; a Hald CLUT is a picture by its name.
  static func isNamed(_ path: String) -> Bool { path.lowercased().hasSuffix(".cube") }

  /// The table as shaders read it; what changes from frame to frame is refused.
  func picture(_ reader: PictureCache) throws -> PixelBuffer {
    guard file.sequence == nil, file.video == nil else {
      throw DiagnosticsError(Self.diagnostic(for: input, showing: file.sequence == nil ? "a video" : "a sequence", at: file.written?.place))
    }
    return try reader.table(file.path)
  }

  /// What is wrong with something else than a table for an input.
  static func diagnostic(for input: FilterInput, showing what: String, at place: SourceRange?) -> Diagnostic {
    Diagnostic(
      "table.no-file", "'\(input.name)' is a color table, not \(what)",
      labels: place.map { [$0.label("no table")] } ?? [],
      help: ["write '\(input.name)=grade.cube', with a '.cube' file or a PNG picture made from a Hald CLUT"])
  }
}

extension FilterInput {
  /// An image as the input reads it: of a table a Hald CLUT becomes its entries; what filters make is refused.
  func reading(_ image: ImageRecipe, named name: String) throws -> ImageRecipe {
    guard origin == .table else { return image }
    guard case .picture(let picture) = image.operation else {
      throw DiagnosticsError(TableFile.diagnostic(for: self, showing: "what a filter makes", at: nil))
    }
    // Files of pictures have levels; floats are entries already.
    guard !picture.format.isFloat else { return image }
    return ImageRecipe(.picture(try ColorTable(hald: picture, name: name).picture), label: image.label)
  }
}

extension FilterManifest {
  /// The names of the inputs that are tables, which are set like parameters.
  var tableNames: [String] { inputs.filter { $0.origin == .table }.map(\.name) }
}

extension RenderRequest {
  /// The same with the tables among its settings as files of inputs.
  func naming(tablesOf manifest: FilterManifest) throws -> RenderRequest {
    let names = manifest.tableNames
    var request = self
    request.settings = settings.filter { !names.contains($0.name) }
    // The last of several settings counts, as for parameters.
    for name in names {
      guard let setting = settings.last(where: { $0.name == name }) else { continue }
      request.inputs.append(InputPicture(input: name, path: try TableSetting(setting).path))
    }
    return request
  }
}

/// A setting that names the file of a table.
private struct TableSetting {
  let path: String

  /// Refuses what can only be a value that changes over time.
  init(_ setting: RenderRequest.Setting) throws(DiagnosticsError) {
    path = setting.value
    let isFile = FileManager.default.fileExists(atPath: path)
    guard path.isEmpty || !isFile && AnimatedValue.isAnimated(path) else { return }
    let place = SettingText.places(name: setting.name, value: setting.value).value
    throw DiagnosticsError(
      Diagnostic(
        "table.no-file",
        path.isEmpty ? "'\(setting.name)' names no file" : "'\(setting.name)' is a color table, which does not change over time",
        labels: [place.label(path.isEmpty ? "empty" : "no file")],
        help: ["write '\(setting.name)=grade.cube', with a '.cube' file or a PNG picture made from a Hald CLUT"]))
  }
}
