internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonManifest
internal import EtalonSystem
internal import Foundation

/// Finds what may be a filter in a folder and the folders in it, from names alone: no file is opened.
///
/// Hidden files and folders, and those named `tests` or `references`, hold no filters. A folder is a filter when it holds one filter file and that has
/// its name, or the files of a ShaderToy project; then nothing else in it is a filter. Links are followed, into each folder once.
struct LibraryScan {
  private static let deepestFolder = 8
  private static let mostFilters = 20_000

  private let root: String
  private var entered: EnteredFolders
  /// Links to folders, which wait until all folders that lie here are known.
  private var links: [(folder: String, categories: [String])] = []
  private(set) var candidates: [FilterCandidate] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Looks through the folder and those in it.
  init(_ root: String) {
    self.init(at: root)
    search("", categories: [])
    while !links.isEmpty {
      let link = links.removeFirst()
      descend(into: link.folder, link.categories)
    }
  }

  /// Looks only for the filter that the folder itself is; there is none in a folder that holds several filters.
  init(filterFolder root: String, named name: String) {
    self.init(at: root)
    guard let content = content(of: "") else { return }
    if !addProject("", content.files, [name]) { _ = addOnlyFilter(of: "", content.files, [name]) }
  }

  private init(at root: String) {
    self.root = root
    entered = EnteredFolders(around: root)
  }

  private mutating func search(_ folder: String, categories: [String]) {
    guard entered.enter(path(folder)) else { return }
    guard let content = content(of: folder) else {
      return report("library.unreadable", "cannot read the folder '\(path(folder))'", help: ["see what its permissions are"])
    }
    if addProject(folder, content.files, categories) || addOnlyFilter(of: folder, content.files, categories) { return }
    links += content.links.map { (join(folder, $0), categories + [$0]) }
    let files = Set(content.files)
    for name in content.files { add(name, in: folder, files, categories) }
    for name in content.folders { descend(into: join(folder, name), categories + [name]) }
  }

  private mutating func content(of folder: String) -> (files: [String], folders: [String], links: [String])? {
    guard let listed = FolderNames(path(folder)) else { return nil }
    for name in listed.escaped {
      report(
        "library.encoding", "the name '\(path(join(folder, name)))' is not UTF-8, so that nothing can be opened by it", help: ["rename it"])
    }
    var files: [String] = [], folders: [String] = [], links: [String] = []
    for name in listed.names where !name.hasPrefix(".") {
      let path = path(join(folder, name))
      switch FolderEntry(path) {
      case .file: files.append(name)
      case .folder: if !FilterFileType.ignoredFolders.contains(name) { folders.append(name) }
      case .linkedFolder where entered.isElsewhere(path):
        report(
          "library.link-elsewhere", "'\(path)' is a link to another file system, and is not looked at", help: ["name the folder itself"])
      case .linkedFolder: if !FilterFileType.ignoredFolders.contains(name) { links.append(name) }
      case .closed:
        report("library.unreadable", "cannot look at '\(path)'", help: ["see what the permissions of its folders are"])
      case .brokenLink where mayBeFilter(name): report("library.broken-link", "'\(path)' is a link to nothing", help: ["remove it"])
      case .other where mayBeFilter(name):
        report("library.no-file", "'\(path)' is no regular file, and is not read", help: ["put a file in its place"])
      case .brokenLink, .other, .missing: break
      }
    }
    return (files, folders, links)
  }

  private mutating func descend(into folder: String, _ categories: [String]) {
    guard categories.count <= Self.deepestFolder else {
      return report("library.depth", "'\(path(folder))' lies deeper than \(Self.deepestFolder) folders", help: ["move it up"])
    }
    search(folder, categories: categories)
  }

  // MARK: what is a filter

  private mutating func addProject(_ folder: String, _ files: [String], _ categories: [String]) -> Bool {
    guard let folderName = categories.last, ShaderToyFolder.isProject(files) else { return false }
    add(folderName, at: folder, files.filter { FilterFileType.stem(of: $0) != nil }.map { join(folder, $0) }, categories.dropLast())
    return true
  }

  private mutating func addOnlyFilter(of folder: String, _ files: [String], _ categories: [String]) -> Bool {
    // JSON beside a single text belongs to that text.
    let all = files.filter { FilterFileType.stem(of: $0) != nil }
    let texts = all.filter { !FilterFileType.isDecidedByContent($0) }
    let filters = texts.isEmpty ? all : texts
    guard let folderName = categories.last, filters.count == 1, let file = filters.first, let stem = FilterFileType.stem(of: file),
      let name = FilterName.kebabCase(stem), name == FilterName.kebabCase(folderName)
    else { return false }
    add(file, in: folder, Set(files), categories.dropLast())
    return true
  }

  private mutating func add(_ file: String, in folder: String, _ files: Set<String>, _ categories: [String]) {
    guard let stem = FilterFileType.stem(of: file) else { return }
    let own = [file, "\(stem).vs", "\(stem).vert"].filter(files.contains)
    add(stem, at: join(folder, file), own.map { join(folder, $0) }, categories)
  }

  private mutating func add(_ stem: String, at relativePath: String, _ files: [String], _ categories: [String]) {
    guard let name = FilterName.kebabCase(stem) else {
      return report("library.no-name", "'\(path(relativePath))' has no letter in its name", help: ["rename it, as 'my-filter.glsl'"])
    }
    guard candidates.count < Self.mostFilters else {
      if candidates.count == Self.mostFilters, diagnostics.last?.id != "library.count" {
        report("library.count", "'\(root)' holds more than \(Self.mostFilters) filters", help: ["make several libraries of it"])
      }
      return
    }
    var stamps: [String: FileStamp] = [:]
    for file in files { stamps[file] = FileStamp(path: path(file)) }
    candidates.append(FilterCandidate(name: name, relativePath: relativePath, categories: categories, files: stamps))
  }

  /// Whether something would be a filter, or a folder of filters, by its name.
  private func mayBeFilter(_ name: String) -> Bool { FilterFileType.stem(of: name) != nil || !name.contains(".") }

  private mutating func report(_ id: String, _ message: String, help: [String]) {
    diagnostics.append(Diagnostic(id, message, severity: .warning, help: help))
  }

  private func path(_ relativePath: String) -> String { relativePath.isEmpty ? root : join(root, relativePath) }

  private func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  static func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// A file or folder of a library that is a filter by its name.
struct FilterCandidate: Sendable, Hashable {
  /// In kebab-case.
  let name: String
  /// From the folder of the library; for a ShaderToy project the folder.
  let relativePath: String
  /// The folders that it lies in, from the library on.
  let categories: [String]
  /// What it consists of as far as names tell, with relative paths; the file itself comes first.
  let files: [String: FileStamp]
}

// MARK: texts that others include

/// Tells which files of a library are only parts of others: texts that these include, and in which no filter starts.
enum IncludedTexts {
  /// The files among some that are no filters.
  static func helpers(among paths: [String]) -> Set<String> {
    let texts = paths.filter { !FilterFileType.isDecidedByContent($0) }
    let included = texts.reduce(into: Set<String>()) { $0.formUnion(files(includedBy: $1)) }
    return Set(texts.filter { included.contains(standard($0)) && !isFilter($0) })
  }

  /// The files that a text names in its `#include`s.
  private static func files(includedBy path: String) -> [String] {
    guard let bytes = FilterFile.bytes(of: path), bytes.firstRange(of: Array("#include".utf8)) != nil else { return [] }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return IncludeExpander.names(in: SourceText(path: path, bytes: bytes)).map { standard(folder + $0) }
  }

  private static func isFilter(_ path: String) -> Bool {
    guard let bytes = FilterFile.bytes(of: path) else { return true }
    do throws(DiagnosticsError) { _ = try DialectRecognition().form(of: SourceText(path: path, bytes: bytes)) } catch {
      return !error.diagnostics.contains { $0.id == "dialect.unknown" }
    }
    return true
  }

  private static func standard(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}
