package import Etalon
package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation

/// The cases of what was named: of folders, filters, and files of cases.
///
/// ```swift
/// let selection = TestSelection(["Plugins"], in: library)
/// ```
/// Filters without cases become cases of their own, which need no reference. Nothing is left out silently: words that lead to nothing, files that no case
/// reads and cases with errors are diagnostics. Which files no case reads is told once all files of cases of their folder are without errors.
package struct TestSelection: Sendable {
  package private(set) var cases: [TestCase] = []
  package private(set) var diagnostics: [Diagnostic] = []
  /// The files and folders that diagnostics are about which have no place in a text.
  private var places: [Diagnostic: String] = [:]
  private var known: Set<String> = []
  private var caseFiles: Set<String> = []
  /// The files that the cases name.
  private var named = NamedFiles()
  private var folders: Set<String> = []
  /// The files of cases with errors, of which it is not known what they read.
  private var unread: Set<String> = []
  private let deviceKeys: [ReferenceKey]

  /// Finds them, in the order of the words, by name within a folder.
  ///
  /// - Parameter device: the device on which they are going to run.
  package init(_ words: [String], in library: FilterLibrary, on device: TestDevice? = nil) {
    deviceKeys = device?.referenceKeys ?? []
    var filters: [String] = []
    for word in words { add(word, library, &filters) }
    let tested = testedSubjects
    for path in filters.sorted() where !isTested(path, among: tested) { add(plain: path) }
    for folder in folders.sorted() { checkOrphans(in: folder) }
  }

  /// What is wrong, as results.
  package var diagnosticResults: [CaseResult] { diagnostics.map { CaseResult($0, about: places[$0]) } }

  private mutating func report(_ found: Diagnostic, about path: String) {
    diagnostics.append(found)
    places[found] = path
  }

  private mutating func add(_ word: String, _ library: FilterLibrary, _ filters: inout [String]) {
    if CaseFiles.isCaseFile(word) { return add(file: word, only: nil) }
    if let (path, name) = Self.caseWithName(word) { return add(file: path, only: name) }
    let targets = CheckTargets([word], in: library)
    diagnostics += targets.diagnostics
    for folder in targets.folders { add(CaseFiles.inFolder(folder)) }
    for path in targets.paths where targets.folders.isEmpty { add(CaseFiles.ofFilter(path)) }
    let graphs = targets.folders.flatMap { CaseFiles.graphs(in: $0) }
    filters += targets.paths + graphs.filter { !targets.paths.contains($0) }
    if targets.paths.isEmpty, graphs.isEmpty, targets.diagnostics.isEmpty,
      targets.folders.allSatisfy({ CaseFiles.inFolder($0).files.isEmpty })
    {
      let found = targets.folders.map { CaseFiles.named($0) }
      guard found.allSatisfy(\.files.isEmpty) else { return found.forEach { add($0) } }
      report(Self.nothing(word, targets.folders), about: word)
    }
  }

  /// The diagnostic for folders in which there is nothing to test.
  private static func nothing(_ word: String, _ folders: [String]) -> Diagnostic {
    let message = "there is nothing to test in '\(word)'"
    guard let file = folders.flatMap(CaseFiles.withoutSubject).first else {
      return Diagnostic("test.nothing", message, help: ["name a folder with filters, a filter, or a file of cases"])
    }
    return Diagnostic(
      "test.nothing", "\(message): '\(file)' does not say what it is about, and lies beside no filter",
      help: [
        "if it holds cases, write 'filter: PATH' into it, or move it to the folder 'tests' of its filter",
        "name a folder with filters, a filter, or a file of cases",
      ])
  }

  private mutating func add(_ found: CaseFiles) {
    for file in found.files { add(file: file, only: nil) }
    folders.formUnion(found.folders)
  }

  /// A case of a file that has several: `tests/soft.yaml:wide`.
  private static func caseWithName(_ word: String) -> (path: String, name: String)? {
    guard let colon = word.lastIndex(of: ":"), CaseFiles.isCaseFile(String(word[..<colon])) else { return nil }
    return (String(word[..<colon]), String(word[word.index(after: colon)...]))
  }

  // MARK: reading files of cases

  private mutating func add(file path: String, only name: String?) {
    guard name != nil || caseFiles.insert(NamedFiles.plain(path)).inserted else { return }
    let source: SourceText
    do throws(RenderError) { source = SourceText(path: path, bytes: try FileReader.bytes(of: path, limit: 1 << 20)) } catch {
      unread.insert(NamedFiles.plain(path))
      return report(error.diagnostic, about: path)
    }
    let reading = CaseFileReader(source, owner: CaseFiles.owner(of: path)).read()
    if !reading.diagnostics.isEmpty { unread.insert(NamedFiles.plain(path)) }
    named.add(reading.files)
    let wanted = reading.cases.filter { name == nil || $0.name == name }
    for found in wanted { add(found) }
    guard let name, wanted.isEmpty else { return diagnostics += reading.diagnostics }
    let nearest = NearestName.find(name, in: reading.cases.map(\.name)).map { "did you mean '\(path):\($0)'?" }
    let all = reading.cases.map(\.name).joined(separator: ", ")
    diagnostics += reading.diagnostics
    if reading.diagnostics.isEmpty {
      report(
        Diagnostic("test.unknown-case", "'\(path)' has no case '\(name)'", help: [nearest ?? "its cases are \(all)"]), about: path)
    }
  }

  private mutating func add(_ found: TestCase) {
    if known.insert(found.id).inserted { cases.append(found) }
  }

  /// Adds a filter without cases; cases of it in a folder of the wrong name are reported.
  private mutating func add(plain path: String) {
    add(TestCase(plain: path))
    guard let misnamed = CaseFiles.misnamedFolder(of: path) else { return }
    let home = CaseFiles.home(of: path)
    report(
      Diagnostic(
        "test.folder", "'\(misnamed)' seems to hold cases of '\(path)', and is not looked at", severity: .warning,
        help: ["cases are looked for in '\(home)': mv \(ShellWord.quoted(misnamed)) \(ShellWord.quoted(home))"]), about: misnamed)
  }

  /// The paths of what cases are about, and the names of filters that they find in libraries.
  private var testedSubjects: Set<String> {
    Set(
      cases.compactMap { testCase in
        switch testCase.subject {
        case .node(let node): NamedFiles.plain(node.filter.text)
        case .document(let word, _, _): NamedFiles.plain(word.text)
        case .plain: nil
        }
      })
  }

  /// Whether a filter has a case, if only one with an error.
  private func isTested(_ path: String, among subjects: Set<String>) -> Bool {
    if subjects.contains(NamedFiles.plain(path)) || subjects.contains(FilterPath.name(of: path)) { return true }
    return CaseFiles.ofFilter(path).files.contains { caseFiles.contains(NamedFiles.plain($0)) }
  }

  // MARK: files that no case reads

  private mutating func checkOrphans(in folder: String) {
    for entry in CaseFiles.unreadable(in: folder) {
      let path = entry.path.isEmpty ? folder : FolderPath.join(folder, entry.path)
      report(Diagnostic("test.unreadable", "'\(path)' is \(entry.kind): no case in it is run", help: [entry.help]), about: path)
    }
    let isRead = !unread.contains { $0.hasPrefix(NamedFiles.plain(folder) + "/") }
    for path in CaseFiles.others(in: folder) {
      if let key = named.specialKey(of: path) {
        check(key, of: path)
      } else if isRead, !named.contains(path) {
        report(
          Diagnostic(
            "test.orphan", "no case reads '\(path)'",
            help: ["remove it, or write a case that names it: 'reference: \(FilterPath.fileName(of: path))'"]), about: path)
      }
    }
  }

  /// Reports pictures for devices that are not known: one with a misspelt name would never be compared with anything.
  private mutating func check(_ key: ReferenceKey, of path: String) {
    guard !key.isPlausible, !deviceKeys.contains(key) else { return }
    let name = FilterPath.fileName(of: path)
    let message = "no device is known that '\(path)' could be for"
    if let nearest = key.nearest {
      return report(Diagnostic("test.unknown-device", message, help: ["did you mean '@\(nearest)' in '\(name)'?"]), about: path)
    }
    let here = deviceKeys.map { "'@\($0.text)'" }.joined(separator: ", ")
    report(
      Diagnostic(
        "test.unknown-device", message, severity: .warning,
        help: ["behind the @ stands what a device, its driver or its backend is called" + (here.isEmpty ? "" : "; here: \(here)")]),
      about: path)
  }
}

/// Names of files and filters.
enum FilterPath {
  static func fileName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The name by which a library knows a file.
  static func name(of path: String) -> String {
    let stem = stem(of: path)
    return FilterName.kebabCase(stem) ?? stem
  }

  /// The name of the file up to its first dot.
  static func stem(of path: String) -> String {
    let name = fileName(of: path)
    return name.split(separator: ".").first.map(String.init) ?? name
  }
}

extension TestCase {
  /// A filter or graph without cases.
  package init(plain path: String) {
    self.init(
      id: path, name: FilterPath.name(of: path), path: path, place: nil, subjectName: FilterPath.name(of: path), subject: .plain(path: path)
    )
  }
}

/// Which of the cases that were found are run.
package struct CaseFilter: Sendable, Hashable {
  /// Only those whose names contain it, or end like it where it has a `*`; nil for all.
  package var pattern: String?
  /// Only every `count`th, from the `index`th on.
  package var shard: TestResults.Shard?

  package init(pattern: String? = nil, shard: TestResults.Shard? = nil) { (self.pattern, self.shard) = (pattern, shard) }

  /// The cases that are left.
  package func cases(of all: [TestCase]) -> [TestCase] {
    let matching = pattern.map { pattern in all.filter { NamePattern(pattern).matchesPart($0.id) } } ?? all
    guard let shard else { return matching }
    return matching.enumerated().filter { $0.offset % shard.count == shard.index - 1 }.map(\.element)
  }
}
