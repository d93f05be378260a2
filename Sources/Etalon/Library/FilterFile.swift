package import EtalonDiagnostics
internal import EtalonDialects
package import EtalonManifest
internal import EtalonMedia
package import Foundation
internal import Synchronization

/// A filter file of any dialect, or the folder of a project, read but not compiled.
package enum FilterFile {
  /// What a file says about its filter.
  package struct Reading: Sendable {
    package let path: String
    package let manifest: FilterManifest
    package let warnings: [Diagnostic]
    /// The text of the file itself; nil for a folder.
    package let text: SourceText?
    /// The file and the texts that passes contain.
    package let files: [String]
    /// Whether it is the sound that the file makes: blocks of samples, and no picture.
    package var isSound = false

    /// What it makes of pictures: generator, filter, composite or transition; sound for one that makes none.
    package var kind: String { isSound ? FilterDescription.soundKind : manifest.kind.rawValue }

    /// What the filter says about itself.
    package var description: FilterDescription { FilterDescription(manifest, path: path, kind: kind) }
  }

  /// Reads a file; throws `DiagnosticsError` for what its author wrote and `RenderError` for what the world did.
  ///
  /// - Parameter dialect: the name of a dialect, for a file whose content does not tell it.
  /// - Parameter library: where the nodes of a graph document find their filters; nil for the usual folders.
  package static func read(
    _ path: String, dialect: String? = nil, dropsFileScopeConst: Bool = false, library: FilterLibrary? = nil
  ) throws -> Reading {
    if dialect == nil, GraphDocument.isGraph(path) {
      return try GraphDocument.reading(path, library: library ?? FilterLibrary(try LibrarySearch(named: [])))
    }
    return try read(path, .pictures, dialect, dropsFileScopeConst)
  }

  /// The same, and of a text that makes a sound and no picture its sound.
  package static func readPictureOrSound(_ path: String, dialect: String? = nil, library: FilterLibrary? = nil) throws -> Reading {
    do { return try read(path, dialect: dialect, library: library) } catch let error as DiagnosticsError {
      let isSound = error.diagnostics.contains { $0.id == ShaderToySound.onlySound } && !(dialect == nil && GraphDocument.isGraph(path))
      guard isSound else { throw error }
      return try read(path, .sound, dialect, false)
    }
  }

  /// What a file says about the sound that it makes; nil for one that makes none.
  package static func readSound(_ path: String, dialect: String? = nil, dropsFileScopeConst: Bool = false) throws -> Reading? {
    if dialect == nil, GraphDocument.isGraph(path) { return nil }
    do { return try read(path, .sound, dialect, dropsFileScopeConst) } catch {
      guard SoundExport.hasNone(error) else { throw error }
      return nil
    }
  }

  private static func read(
    _ path: String, _ part: FilterReader.Part, _ dialect: String?, _ dropsFileScopeConst: Bool
  ) throws -> Reading {
    let text = try FilterText(.file(path))
    var options = FilterReader.Options()
    options.dialect = dialect.flatMap(FilterManifest.Dialect.init)
    options.dropsFileScopeConst = dropsFileScopeConst
    options.part = part
    let reading = try text.reading(options)
    var source: SourceText?
    if case .text(let text, _) = text.source { source = text }
    return Reading(
      path: path, manifest: reading.manifest, warnings: reading.warnings, text: source, files: text.paths(of: reading.manifest),
      isSound: part == .sound)
  }

  /// Whether a file is a filter or a graph: by its name, and by its content where the name leaves it open.
  package static func mayBeFilter(_ path: String) -> Bool {
    guard let name = path.split(separator: "/").last.map(String.init), FilterFileType.stem(of: name) != nil else { return false }
    return !FilterFileType.isDecidedByContent(name) || FilterFileType.isFilter(path) || GraphDocument.isGraph(path)
  }

  /// The bytes of a file; nil when it cannot be read.
  static func bytes(of path: String) -> [UInt8]? { try? FileReader.bytes(of: path, limit: FilterText.largestFile) }
}

/// Tells from names which files of a folder may be filters.
enum FilterFileType {
  /// In the order in which people look for them.
  static let extensions = ["glsl", "frag", "fs", "comp", "json", "yaml", "yml"]

  /// What may stand between the name and the extension, as in `plasma.frag.glsl`.
  private static let innerExtensions = ["frag", "comp", "fs"]

  /// Folders that hold what belongs to filters but no filters.
  static let ignoredFolders: Set<String> = ["tests", "references"]

  /// The file name without the extension of a filter; nil for other files.
  static func stem(of fileName: String) -> String? {
    guard let (outer, ending) = parts(of: fileName[...]), extensions.contains(ending) else { return nil }
    guard let (inner, innerEnding) = parts(of: outer), innerExtensions.contains(innerEnding) else { return String(outer) }
    return String(inner)
  }

  /// Whether the content of a file decides: JSON and YAML have many other uses beside filters.
  static func isDecidedByContent(_ fileName: String) -> Bool {
    parts(of: fileName[...]).map { ["json", "yaml", "yml"].contains($0.ending) } ?? false
  }

  /// What stands before the last dot, and what behind it, in small letters; nil without a dot.
  private static func parts(of name: Substring) -> (stem: Substring, ending: String)? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return (name[..<dot], name[name.utf8.index(after: dot)...].lowercased())
  }

  /// Whether the content of such a file is a filter; a file that cannot be read counts as one, so that reading it tells why.
  static func isFilter(_ path: String) -> Bool {
    guard let bytes = FilterFile.bytes(of: path) else { return true }
    let isJSON = path.lowercased().hasSuffix(".json")
    return (isJSON && (isProject(bytes) || isFailedDownload(bytes))) || GraphDocument.isFilter(path)
  }

  /// Whether a file that should be JSON is what a site answers in the place of a shader, which should be reported: a page, an error, a shader without
  /// passes, or nothing at all.
  static func isFailedDownload(_ bytes: [UInt8]) -> Bool {
    // The first byte that is neither blank nor of a byte order mark.
    let text = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = text.first, first != UInt8(ascii: "<") else { return true }
    let inner = text.dropFirst().drop { $0 <= 0x20 }
    if first == UInt8(ascii: "[") { return inner.first == UInt8(ascii: "]") }
    return first == UInt8(ascii: "{") && (inner.starts(with: "\"Error\"".utf8) || inner.starts(with: "\"Shader\"".utf8))
  }

  /// Whether JSON holds the passes of a ShaderToy.
  static func isProject(_ bytes: [UInt8]) -> Bool { bytes.firstRange(of: Array("\"renderpass\"".utf8)) != nil }
}

// MARK: names

/// The names under which libraries offer filters: words of small letters and digits with hyphens between them.
package enum FilterName {
  /// The name that a file or folder gives to a filter: `Bad TV` is `bad-tv`, `WaveScrawler` is `wave-scrawler`; nil when no letter or digit is left.
  package static func kebabCase(_ text: String) -> String? {
    if isKebabCase(text.utf8) { return text }
    let characters = Array(text)
    var name = ""
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !name.hasSuffix("-") { name += "-" }
        continue
      }
      if startsWord(index, characters), !name.hasSuffix("-") { name += "-" }
      name += character.lowercased()
    }
    name = name.trimming("-")
    return name.isEmpty ? nil : name
  }

  /// Whether a text is such a name.
  package static func isName(_ text: String) -> Bool { kebabCase(text) == text }

  /// Whether a text is in kebab-case as it is, as the names of most files and folders are; the bytes are enough to see that.
  private static func isKebabCase(_ bytes: String.UTF8View) -> Bool {
    var isWord = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): isWord = true
      case UInt8(ascii: "-") where isWord: isWord = false
      default: return false
      }
    }
    return isWord
  }

  /// Whether a capital begins a word: after a small letter or digit, or before a small letter as the `T` of `HTMLText`.
  private static func startsWord(_ index: Int, _ characters: [Character]) -> Bool {
    guard index > 0, characters[index].isUppercase else { return false }
    let before = characters[index - 1]
    if before.isLowercase || before.isNumber { return true }
    return before.isUppercase && index + 1 < characters.count && characters[index + 1].isLowercase
  }
}

extension String {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }
}

// MARK: lines of exports

/// A file with an export of a ShaderToy on every line, as data sets are published; one of them is named `exports.jsonl:3`.
package struct ExportLines: Sendable {
  private static let ending = ".jsonl"
  private static let largestFile = 1 << 30

  /// The files that were read last: many lines of one are asked for in a row.
  private static let memory = Mutex<(path: String, stamp: FileStamp, lines: ExportLines)?>(nil)

  /// The lines with something on them, by their number, counted from 1.
  private let lines: [Int: Data]

  /// The numbers of the lines with something on them.
  var numbers: [Int] { lines.keys.sorted() }

  /// Whether a path names such a file as a whole.
  static func recognizes(_ path: String) -> Bool { path.lowercased().hasSuffix(ending) }

  /// The file and the number in `exports.jsonl:3`; nil for any other path.
  static func line(_ path: String) -> (file: String, number: Int)? {
    guard let colon = path.lastIndex(of: ":"), let number = Int(path[path.index(after: colon)...]), recognizes(String(path[..<colon]))
    else {
      return nil
    }
    return (String(path[..<colon]), number)
  }

  /// Reads a file, unless it was the last one that was read.
  static func of(_ path: String) throws -> ExportLines {
    let stamp = FileStamp(path: path)
    if let known = memory.withLock({ $0 }), known.path == path, known.stamp == stamp { return known.lines }
    let bytes = Data(try FileReader.bytes(of: path, limit: largestFile))
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().filter { _, line in
      line.contains { $0 > 0x20 }
    }
    let all = ExportLines(lines: Dictionary(uniqueKeysWithValues: lines.map { ($0 + 1, $1) }))
    if let stamp { memory.withLock { $0 = (path, stamp, all) } }
    return all
  }

  /// The lines of a file with something on them, damaged ones too, with their numbers, counted from 1.
  package static func all(in path: String) throws(RenderError) -> [(number: Int, bytes: Data)] {
    let data = Data(try FileReader.bytes(of: path, limit: largestFile))
    return data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap { index, bytes in
      bytes.contains { $0 > 0x20 } ? (index + 1, Data(bytes)) : nil
    }
  }

  /// Whether a line holds a ShaderToy.
  package static func isProject(_ line: Data) -> Bool { FilterFileType.isProject([UInt8](line)) }

  /// The bytes of the line that a path names.
  static func bytes(of line: (file: String, number: Int)) throws -> [UInt8] {
    let lines = try of(line.file)
    if let bytes = lines.lines[line.number] { return [UInt8](bytes) }
    throw DiagnosticsError(
      Diagnostic(
        "library.no-line", "'\(line.file)' has nothing on line \(line.number)",
        help: lines.numbers.last.map { ["the last line is '\(line.file):\($0)'"] } ?? []))
  }

  /// What to say about a whole file where one filter is meant.
  static func severalFilters(_ path: String) throws -> DiagnosticsError {
    let numbers = try of(path).numbers
    let what = numbers.count == 1 ? "a ShaderToy" : "\(numbers.count) ShaderToys"
    return DiagnosticsError(
      Diagnostic(
        "library.several-lines", "'\(path)' holds \(what), one on each line",
        help: numbers.first.map { ["name one of them with its line: '\(path):\($0)'"] } ?? ["put a JSON export on its first line"]))
  }
}
