internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// A file for an input of a filter that is no picture: a color table or a font.
struct DataFile {
  private let file: RenderRequest.InputPicture
  private let kind: FilterInput.DataKind
  private let input: FilterInput

  init(_ file: RenderRequest.InputPicture, _ kind: FilterInput.DataKind, for input: FilterInput) {
    (self.file, self.kind, self.input) = (file, kind, input)
  }

  /// What a file holds by its name; nil for pictures, which Hald CLUTs are by their names.
  static func kind(named path: String) -> FilterInput.DataKind? {
    let name = path.lowercased()
    if name.hasSuffix(".cube") { return .table }
    return [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2", ".pfb"].contains(where: name.hasSuffix) ? .font : nil
  }

  /// The file as shaders read it; what changes from frame to frame is refused.
  func picture(_ reader: PictureCache) throws -> PixelBuffer {
    guard file.sequence == nil, file.video == nil else {
      let what = file.sequence == nil ? "a video" : "a sequence"
      throw DiagnosticsError(kind.noFile(for: input, showing: what, at: file.written?.place))
    }
    return try reader.data(file.path, kind)
  }
}

extension FilterInput.DataKind {
  /// What is wrong with something else than such a file for an input.
  func noFile(for input: FilterInput, showing what: String, at place: SourceRange?) -> Diagnostic {
    Diagnostic(
      "\(rawValue).no-file", "'\(input.name)' is \(words), not \(what)", labels: place.map { [$0.label("no \(rawValue)")] } ?? [],
      help: [help(for: input.name)])
  }

  /// Refuses a name that is that of no file; people name fonts as menus do.
  func noFile(named text: String, for input: String, at place: SourceRange) -> Diagnostic {
    let search = self == .font ? ["find the file of an installed font: fc-match -f '%{file}' \(ShellWord.quoted(text))"] : []
    return Diagnostic(
      "\(rawValue).no-file", "'\(input)' is \(words), and there is no file '\(text)'", labels: [place.label("no file")],
      help: [help(for: input)] + search)
  }

  fileprivate func help(for name: String) -> String { "write '\(name)=\(example)', with \(files)" }
}

extension FilterInput {
  /// An image as the input reads it: of a table a Hald CLUT becomes its entries; what filters make is refused, and pictures for a font.
  func reading(_ image: ImageRecipe, named name: String) throws -> ImageRecipe {
    guard let kind = data else { return image }
    guard case .picture(let picture) = image.operation else {
      throw DiagnosticsError(kind.noFile(for: self, showing: "what a filter makes", at: nil))
    }
    if kind == .font {
      guard FontOutlines(picture) != nil || picture == FontOutlines.none else {
        throw DiagnosticsError(kind.noFile(for: self, showing: "a picture", at: nil))
      }
      return image
    }
    // Files of pictures have levels; floats are entries already.
    guard !picture.format.isFloat else { return image }
    return ImageRecipe(.picture(try ColorTable(hald: picture, name: name).picture), label: image.label)
  }
}

extension FilterManifest {
  /// The names of the inputs that are files of data, which are set like parameters.
  var dataNames: [String] { inputs.filter { $0.data != nil }.map(\.name) }
}

extension RenderRequest {
  /// The same with the files of data among its settings as files of inputs.
  func naming(dataOf manifest: FilterManifest) throws -> RenderRequest {
    let names = manifest.dataNames
    var request = self
    request.settings = settings.filter { !names.contains($0.name) }
    // The last of several settings counts, as for parameters.
    for input in manifest.inputs {
      guard let kind = input.data, let setting = settings.last(where: { $0.name == input.name }) else { continue }
      request.inputs.append(InputPicture(input: input.name, path: try DataSetting(setting, kind).path))
    }
    return request
  }
}

/// A setting that names a file of data.
private struct DataSetting {
  let path: String

  /// Refuses what can only be a value that changes over time.
  init(_ setting: RenderRequest.Setting, _ kind: FilterInput.DataKind) throws(DiagnosticsError) {
    path = setting.value
    let isFile = FileManager.default.fileExists(atPath: path)
    let isEmpty = setting.value.isEmpty
    let place = SettingText.places(name: setting.name, value: setting.value).value
    guard isEmpty || !isFile && AnimatedValue.isAnimated(setting.value) else {
      guard isFile || setting.value.contains("/") || setting.value.contains(".") else {
        throw DiagnosticsError(kind.noFile(named: setting.value, for: setting.name, at: place))
      }
      return
    }
    throw DiagnosticsError(
      Diagnostic(
        "\(kind.rawValue).no-file",
        isEmpty ? "'\(setting.name)' names no file" : "'\(setting.name)' is \(kind.words), which does not change over time",
        labels: [place.label(isEmpty ? "empty" : "no file")], help: [kind.help(for: setting.name)]))
  }
}
