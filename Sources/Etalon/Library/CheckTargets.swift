package import EtalonDiagnostics
internal import Foundation

/// The files that are to be checked: files, filters by name, and whole libraries.
package struct CheckTargets: Sendable {
  /// Files, lines of files with an export on each, and folders of ShaderToy projects, each once.
  package private(set) var paths: [String] = []
  /// The folders of filters among them.
  package private(set) var folders: [String] = []
  /// What is wrong with the libraries themselves.
  package private(set) var diagnostics: [Diagnostic] = []
  /// What is passed over, and why.
  package private(set) var notes: [Diagnostic] = []

  /// Finds them; a name that no filter has is a diagnostic like any other.
  package init(_ words: [String], in library: FilterLibrary) {
    for word in words { add(word, library) }
    var known: Set<String> = []
    paths = paths.filter { known.insert($0).inserted }
  }

  private mutating func add(_ word: String, _ library: FilterLibrary) {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: word, isDirectory: &isFolder)
    if exists, isFolder.boolValue, FilterLibrary.filter(inFolder: word) == nil {
      let folder = word.count > 1 && word.hasSuffix("/") ? String(word.dropLast()) : word
      folders.append(folder)
      add(FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: folder, origin: .option)])))
      paths += GraphDocument.documents(inFolder: folder)
      return
    }
    if exists, ExportLines.recognizes(word), let lines = try? ExportLines.of(word), !lines.numbers.isEmpty {
      paths += lines.numbers.map { "\(word):\($0)" }
      return
    }
    do throws(DiagnosticsError) { paths.append(try library.path(of: word)) } catch { diagnostics += error.diagnostics }
  }

  private mutating func add(_ library: FilterLibrary) {
    let contents = library.contents
    let helpers = IncludedTexts.helpers(among: contents.paths)
    paths += contents.paths.filter { !helpers.contains($0) }
    notes += helpers.sorted().map { path in
      Diagnostic("library.included-text", "'\(path)' is passed over: other files include it, and it is no filter itself", severity: .note)
    }
    diagnostics += library.warnings + contents.duplicates
  }
}
