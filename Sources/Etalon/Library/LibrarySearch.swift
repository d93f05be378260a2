package import EtalonDiagnostics
internal import EtalonPlugins
internal import Foundation

/// The folders that filters are looked up in, in that order: those of the command line, of `ETALON_PATH`, the user's own, and the built-in ones.
package struct LibrarySearch: Sendable {
  package let folders: [LibraryFolder]
  /// What is missing but stops nothing.
  package let warnings: [Diagnostic]
  /// Where the built-in filters were looked for in vain; empty when they were found.
  let placesWithoutBuiltIns: [String]

  /// Collects the folders; one that a person named on the command line has to be there.
  package init(named: [String], environment: [String: String] = ProcessInfo.processInfo.environment) throws(RenderError) {
    var folders: [LibraryFolder] = []
    var warnings: [Diagnostic] = []
    for path in named {
      guard Self.isFolder(path) else { throw Self.missing(path) }
      folders.append(LibraryFolder(path: path, origin: .option))
    }
    for path in Self.environmentPaths(environment) {
      if Self.isFolder(path) {
        folders.append(LibraryFolder(path: path, origin: .environment))
      } else {
        warnings.append(
          Diagnostic("library.missing", "ETALON_PATH names the folder '\(path)', which is not there", severity: .warning))
      }
    }
    if let path = Self.userPath(environment), Self.isFolder(path) { folders.append(LibraryFolder(path: path, origin: .user)) }
    let builtIn = BuiltInFilters.folder
    if let builtIn { folders.append(LibraryFolder(path: builtIn, origin: .builtIn)) }
    placesWithoutBuiltIns = builtIn == nil ? BuiltInFilters.places : []
    var known: Set<String> = []
    self.folders = folders.filter { known.insert(LibraryScan.realPath($0.path) ?? $0.path).inserted }
    self.warnings = warnings
  }

  /// Searches the built-in filters and nothing else.
  static let builtInOnly = LibrarySearch(folders: [], builtIn: BuiltInFilters.folder)

  private init(folders: [LibraryFolder], builtIn: String?) {
    self.folders = folders + (builtIn.map { [LibraryFolder(path: $0, origin: .builtIn)] } ?? [])
    warnings = []
    placesWithoutBuiltIns = builtIn == nil ? BuiltInFilters.places : []
  }

  /// Searches these folders and no others.
  package init(folders: [LibraryFolder]) {
    self.folders = folders
    warnings = []
    placesWithoutBuiltIns = []
  }

  /// Says that the built-in filters are not where they belong; nil when they are.
  package var missingBuiltIns: Diagnostic? {
    guard !placesWithoutBuiltIns.isEmpty else { return nil }
    return Diagnostic(
      "library.no-built-in", "the built-in filters are not installed beside the command", severity: .warning,
      help: ["copy the folder '\(BuiltInFilters.folderName)' of the build to where the command is"],
      notes: ["looked in \(placesWithoutBuiltIns.joined(separator: ", "))"])
  }

  private static func environmentPaths(_ environment: [String: String]) -> [String] {
    (environment["ETALON_PATH"] ?? "").split(separator: ":").map(String.init)
  }

  /// `$XDG_DATA_HOME/etalon/filters`, else `~/.local/share/etalon/filters`; the specification has relative paths ignored.
  static func userPath(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/etalon/filters" }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/etalon/filters" }
    return nil
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func missing(_ path: String) -> RenderError {
    let isFile = FileManager.default.fileExists(atPath: path)
    return RenderError(
      .missingInput, "cannot search the library '\(path)'", underlying: isFile ? "it is a file" : "there is no such folder",
      help: isFile ? ["name the folder that it lies in"] : [])
  }
}

/// A folder that filters are looked up in, and who named it.
package struct LibraryFolder: Sendable, Hashable {
  /// Who named the folder.
  package enum Origin: String, Sendable, Hashable, CaseIterable {
    case option, environment
    case user
    case builtIn = "built-in"
  }

  package let path: String
  package let origin: Origin

  package init(path: String, origin: Origin) {
    self.path = path
    self.origin = origin
  }

  /// The name under which messages mention it.
  package var title: String {
    switch origin {
    case .option: "\(path) (--library)"
    case .environment: "\(path) (ETALON_PATH)"
    case .user: "\(path) (your own filters)"
    case .builtIn: "built-in filters"
    }
  }
}
