internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGLSL
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
        let stem = url.deletingPathExtension().lastPathComponent
        name = Self.isSiteId(stem, url.pathExtension) ? stem : Self.name(stem)
        files = FolderFiles(String(path.dropLast(url.lastPathComponent.count)))
        source = .text(try TextCheck.text(ofFile: path, limit: Self.largestFile), named: name)
      }
    }
  }

  /// Whether an export is called by the id that ShaderToy gave to it, in which the case of letters counts: `MllSzX.json`.
  private static func isSiteId(_ stem: String, _ ending: String) -> Bool {
    ending.lowercased() == "json" && stem.utf8.count == 6 && stem.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      && stem.dropFirst().contains(where: \.isUppercase)
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

// MARK: reading

extension FilterText {
  /// How long the compiler may look at a text that is refused anyway.
  private static let compilationTime = Duration.seconds(10)

  /// What the text says; where its interface is wrong, what the compiler finds in the rest is told with it.
  func reading(_ options: FilterReader.Options) throws(DiagnosticsError) -> FilterReading {
    let reader = FilterReader(files: files)
    do throws(DiagnosticsError) {
      return try reader.read(source, options: options)
    } catch {
      guard let draft = try? reader.draft(source, options: options), let manifest = draft.manifest else { throw error }
      let found = diagnostics(in: manifest, doubting: DoubtfulNames(of: draft, in: source))
      throw DiagnosticsError((error.diagnostics + found.filter { !error.diagnostics.contains($0) }).inOrderOfPlaces)
    }
  }

  /// What the compiler refuses, but for statements with names that the errors of the interface leave open, and for what Etalon writes around the text,
  /// which is as wrong as the interface that it declares.
  private func diagnostics(in manifest: FilterManifest, doubting names: DoubtfulNames) -> [Diagnostic] {
    do throws(CompileError) {
      _ = try FilterCompilation(compiler: ShaderCompiler(cache: .user), deadline: ContinuousClock.now + Self.compilationTime)
        .warnings(of: manifest)
      return []
    } catch {
      guard case .diagnostics(let found) = error else { return [] }
      return found.diagnostics.filter { $0.severity == .error && !$0.id.hasPrefix("internal.") && !names.mayCause($0) }
    }
  }
}

// MARK: files that are no text

/// Tells the text of a filter from files that are no text at all, before every byte of them becomes an error of its own.
enum TextCheck {
  /// The text in a file.
  ///
  /// - Parameter limit: the most bytes that it may have.
  static func text(ofFile path: String, limit: Int) throws -> SourceText {
    let start = FileReader.start(of: path, count: limit + 1)
    if start.count > limit { throw tooLong(path, start, limit) }
    return try text(path, FileReader.bytes(of: path, limit: limit))
  }

  /// The bytes as a source text; anything with a zero byte is refused.
  static func text(_ path: String, _ bytes: [UInt8]) throws -> SourceText {
    guard let zero = bytes.firstIndex(of: 0) else { return SourceText(path: path, bytes: bytes) }
    if let kind = PictureReader.kind(of: bytes) {
      let word = ShellWord.quoted(path)
      let what = ["video", "sound", "picture"].first(where: kind.contains)
      throw RenderError(
        .invalidInput, "'\(path)' is not the text of a shader", underlying: "it is \(kind)",
        help: [
          what.map { "name a shader; one that reads the \($0) shows it: etalon render SHADER -i \(word)" } ?? "name the text of a shader"
        ])
    }
    throw DiagnosticsError(
      Diagnostic(
        "text.zero-byte", "'\(path)' is not the text of a shader: it has zero bytes",
        labels: [.init(SourceText(path: path, bytes: bytes), zero..<zero + 1, "the first one")], help: ["save it as UTF-8 text"]))
  }

  /// What is wrong with a text that is longer than it may be; its start is enough.
  static func tooLong(_ path: String, _ start: [UInt8], _ limit: Int) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "text.too-long", "'\(path)' is larger than \(limit >> 20) MiB",
        labels: [.init(SourceText(path: path, bytes: start), limit..<limit + 1, "beyond that")],
        help: ["see whether it is the text of a shader; tables of numbers belong into a picture"]))
  }
}
