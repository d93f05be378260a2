internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import Foundation

/// The text of a filter, or the folder of its texts, with where it came from.
struct FilterText {
  /// The largest filter file, in bytes; the readers have finer limits.
  static let largestFile = 1 << 22

  private static let standardInputName = "<stdin>"

  let source: FilterReader.Source
  let name: String
  /// What includes and the files of a project are looked up in.
  let files: FolderFiles
  /// The path of the filter; nil for a text that has none.
  private let path: String?

  /// Reads what a request names.
  init(_ location: RenderRequest.FilterLocation) throws {
    switch location {
    case .standardInput:
      name = "stdin"
      path = nil
      files = FolderFiles("")
      source = .text(try TextCheck.text(Self.standardInputName, Self.standardInput()), named: name)
    case .file(let path):
      if let line = ExportLines.line(path), !FileManager.default.fileExists(atPath: path) {
        self.path = line.file
        name = Self.name("\(URL(filePath: line.file).deletingPathExtension().lastPathComponent)-\(line.number)")
        files = FolderFiles(String(line.file.dropLast(URL(filePath: line.file).lastPathComponent.count)))
        source = .text(try TextCheck.text(path, ExportLines.bytes(of: line)), named: name)
        return
      }
      if ExportLines.recognizes(path) { throw try ExportLines.severalFilters(path) }
      let url = URL(filePath: path)
      self.path = path
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        name = Self.name(url.standardizedFileURL.lastPathComponent)
        files = FolderFiles(path)
        source = .folder(path: path, named: name)
      } else {
        name = Self.name(url.deletingPathExtension().lastPathComponent)
        files = FolderFiles(String(path.dropLast(url.lastPathComponent.count)))
        source = .text(try TextCheck.text(ofFile: path, limit: Self.largestFile), named: name)
      }
    }
  }

  /// What a library would call it.
  private static func name(_ stem: String) -> String { FilterName.kebabCase(stem) ?? stem }

  private static func standardInput() throws -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = Array(try FileHandle.standardInput.read(upToCount: largestFile + 1) ?? Data()) } catch {
      throw RenderError(.missingInput, "cannot read standard input", underlying: "\(error)")
    }
    guard bytes.count <= largestFile else { throw TextCheck.tooLong(standardInputName, bytes, largestFile) }
    return bytes
  }

  /// The paths of the texts that tokens of the passes come from.
  ///
  /// A text inside of a file has a path with a `#`, as `export.json#image` has.
  func paths(of manifest: FilterManifest) -> [String] {
    let origins = manifest.passes.flatMap { $0.source.pieces.compactMap { $0.origin?.source.path } }
    guard let path else { return Set(origins).subtracting([Self.standardInputName]).sorted() }
    var paths = Set(origins.map { $0.hasPrefix(path + "#") || $0.hasPrefix(path + ":") ? path : $0 })
    if case .text = source { paths.insert(path) }
    return paths.sorted()
  }
}
