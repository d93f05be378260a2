internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation

/// The files of cases that lie beside filters: in `name/tests` of a filter that is a folder, in `tests/name` beside a single file.
struct CaseFiles {
  /// In alphabetical order.
  private(set) var files: [String] = []
  /// The folders named `tests` in which they lie.
  private(set) var folders: [String] = []

  private static let folderName = "tests"
  private static let extensions = [".yaml", ".yml", ".json"]

  /// All below a folder.
  static func inFolder(_ path: String) -> CaseFiles {
    var found = CaseFiles()
    found.search(path)
    return found
  }

  /// Those of one filter or graph.
  static func ofFilter(_ path: String) -> CaseFiles {
    var found = CaseFiles()
    let isFolder = Self.isFolder(path)
    let folder = isFolder ? path : FolderPath.parent(of: path)
    let tests = FolderPath.join(folder, folderName)
    if isFolder || isOnlyFilter(path, of: folder) { found.take(tests) }
    let (stem, name) = (FilterPath.stem(of: path), FilterPath.name(of: path))
    if !isFolder { found.take("\(tests)/\(stem)") }
    if !isFolder, name != stem { found.take("\(tests)/\(name)") }
    return found
  }

  /// A folder beside a filter that holds cases, as it seems, and is not looked at because it is called `test` or `Tests`; nil where there is none.
  static func misnamedFolder(of path: String) -> String? {
    let isFolder = isFolder(path), folder = isFolder ? path : FolderPath.parent(of: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let roots = names.sorted().filter { $0 != folderName && ["test", folderName].contains($0.lowercased()) }.map {
      FolderPath.join(folder, $0)
    }
    let own = isFolder || isOnlyFilter(path, of: folder) ? roots : []
    let single = isFolder ? [] : roots.flatMap { root in [FilterPath.stem(of: path), FilterPath.name(of: path)].map { "\(root)/\($0)" } }
    return (own + single).first { !caseFiles(in: $0).isEmpty }
  }

  /// The files that lie in a folder, or below it, and look like cases.
  private static func caseFiles(in folder: String) -> [String] {
    FolderTree(folder).files.filter { path in extensions.contains { path.hasSuffix($0) } }.map { FolderPath.join(folder, $0) }.filter {
      !GraphDocument.isGraph($0)
    }
  }

  /// Where cases of a filter belong that has none yet.
  static func home(of path: String) -> String {
    if isFolder(path) { return FolderPath.join(path, folderName) }
    let folder = FolderPath.parent(of: path)
    let tests = FolderPath.join(folder, folderName)
    return isOnlyFilter(path, of: folder) ? tests : "\(tests)/\(FilterPath.name(of: path))"
  }

  /// The graph documents in a folder that libraries do not offer as filters, because nothing of them is left open.
  static func graphs(in folder: String) -> [String] {
    let paths = FolderTree(folder) { $0 != folderName && $0 != "references" }.files
    return paths.filter { path in extensions.contains { path.hasSuffix($0) } }.map { FolderPath.join(folder, $0) }.filter(
      GraphDocument.isGraph)
  }

  /// Whether a path is a file of cases: YAML or JSON in a folder named `tests`, or one that says which filter or graph it is about.
  static func isCaseFile(_ path: String) -> Bool {
    guard extensions.contains(where: { path.hasSuffix($0) }), FileManager.default.fileExists(atPath: path), !isFolder(path) else {
      return false
    }
    guard !GraphDocument.isGraph(path) else { return false }
    return path.split(separator: "/").dropLast().contains { $0 == folderName } || namesSubject(path)
  }

  /// Whether a file says which filter or graph its cases are about.
  private static func namesSubject(_ path: String) -> Bool {
    guard let bytes = try? FileReader.bytes(of: path, limit: 1 << 20),
      let members = try? GraphDocumentReader.tree(of: SourceText(path: path, bytes: bytes)).members
    else { return false }
    let cases = members.first { $0.key == "cases" }?.value.members ?? []
    return (members + cases.flatMap { $0.value.members ?? [] }).contains { ["filter", "graph"].contains($0.key) && $0.value.scalar != nil }
  }

  /// The files of cases in a folder that the command line names and that has neither filters nor a folder of tests: one within such a folder, or one of files,
  /// in folders of their own or not, that say what they are about.
  static func named(_ folder: String) -> CaseFiles {
    var found = CaseFiles()
    let path = typed(folder)
    if path.split(separator: "/").contains(where: { $0 == folderName }) {
      found.take(path)
    } else {
      found.files = caseFiles(in: path).filter(isCaseFile)
    }
    return found
  }

  /// The files in a folder that would be cases if they said what they are about.
  static func withoutSubject(in folder: String) -> [String] { caseFiles(in: folder).filter { !isCaseFile($0) } }

  /// A folder by a path that shows whether it lies in one named `tests`, also where the path is `.`.
  private static func typed(_ folder: String) -> String {
    guard !folder.split(separator: "/").contains(where: { $0 == folderName }) else { return folder }
    let parts = URL(filePath: folder).standardizedFileURL.path.split(separator: "/")
    guard folder.split(separator: "/").allSatisfy({ $0 == "." || $0 == ".." }), let tests = parts.lastIndex(where: { $0 == folderName })
    else {
      return folder
    }
    let below = parts[tests...]
    return ([folder] + below.map { _ in ".." } + below.map(String.init)).filter { $0 != "." }.joined(separator: "/")
  }

  /// The filter or graph that a file of cases lies beside; nil where there is none.
  static func owner(of path: String) -> String? {
    let folder = FolderPath.parent(of: path)
    let (name, parent) = (FilterPath.fileName(of: folder), FolderPath.parent(of: folder))
    if name == folderName { return filter(inFolder: parent).map(FolderPath.typed) }
    guard FilterPath.fileName(of: parent) == folderName else { return nil }
    let home = FolderPath.parent(of: parent)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    let candidates = names.sorted().filter {
      FilterPath.name(of: $0) == FilterPath.name(of: name) && $0.contains(".") && !isFolder(FolderPath.join(home, $0))
    }
    let filters = candidates.map { FolderPath.join(home, $0) }.filter(FilterFile.mayBeFilter)
    return filters.first.map(FolderPath.typed)
  }

  /// What cannot be read in a folder of tests.
  static func unreadable(in folder: String) -> [FolderTree.UnreadableEntry] { FolderTree(folder).unreadable }

  /// The files below a folder of tests that are no cases.
  static func others(in folder: String) -> [String] {
    FolderTree(folder).files.filter { name in !extensions.contains { name.hasSuffix($0) } && !name.hasSuffix(".md") }.map {
      FolderPath.join(folder, $0)
    }
  }

  private mutating func search(_ folder: String) {
    if FilterPath.fileName(of: folder) == Self.folderName { return take(folder) }
    for inside in FolderTree(folder, entering: { $0 != Self.folderName }).folders where FilterPath.fileName(of: inside) == Self.folderName {
      take(FolderPath.join(folder, inside))
    }
  }

  private mutating func take(_ folder: String) {
    guard Self.isFolder(folder) else { return }
    folders.append(folder)
    files += Self.caseFiles(in: folder)
  }

  static func isOnlyFilter(_ path: String, of folder: String) -> Bool {
    filter(inFolder: folder).map { NamedFiles.plain($0) == NamedFiles.plain(path) } ?? false
  }

  private static func filter(inFolder path: String) -> String? {
    if let filter = FilterLibrary.filter(inFolder: path) { return filter }
    // The folder of `.` has its name from where it really lies.
    guard path == "." || path.hasSuffix("..") else { return nil }
    return FilterLibrary.filter(inFolder: URL(filePath: path).standardizedFileURL.path)
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

/// Paths of folders as text.
enum FolderPath {
  /// `.` for a bare name.
  static func parent(of path: String) -> String {
    let path = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
    guard let slash = path.lastIndex(of: "/") else { return path == "." ? ".." : "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The path in a form that cannot be the name of a filter.
  static func typed(_ path: String) -> String { path.contains("/") || path.contains(".") ? path : "./\(path)" }
}

// MARK: - files of filters and graphs

/// The files that a filter or graph consists of, without those of filters that it uses.
enum SubjectFiles {
  /// With the file or folder itself.
  static func own(of subject: String) -> Set<String> {
    if GraphDocument.isGraph(subject) { return [subject] }
    return Set([subject] + ((try? FilterFile.read(subject).files) ?? []).map(file))
  }

  /// The file that a text lies in: `export.json` of `export.json#image`.
  static func file(_ path: String) -> String {
    let plain = NamedFiles.plain(path)
    guard let mark = plain.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: plain) else { return plain }
    return String(plain[..<mark])
  }
}

extension TestCase {
  /// The path of the filter or graph that the case is about.
  func subjectPath(in library: FilterLibrary) throws -> String {
    switch subject {
    case .node(let node): NamedFiles.plain(try library.path(of: node.filter.text))
    case .document(let word, _, _): NamedFiles.plain(word.text)
    case .plain(let path): NamedFiles.plain(path)
    }
  }
}
