internal import EtalonDiagnostics
internal import Synchronization

extension FilterLibrary {
  /// The filters that Etalon ships.
  ///
  /// Without them — they are a folder beside the program — looking up any name throws and says where they were looked for.
  public static let builtIn = FilterLibrary(.builtInOnly)

  /// The filters in a folder and its subfolders, then those that Etalon ships.
  ///
  /// Throws `RenderError` when there is no such folder.
  public init(directory: String) throws(RenderError) {
    self.init(try LibrarySearch(named: [directory], environment: [:]))
  }

  /// The filter of a name; it is read when it is first asked for.
  ///
  /// Throws `DiagnosticsError` for a name that nobody has, with the nearest one, and for what is wrong with the file; `RenderError` for a file that
  /// cannot be read.
  public subscript(name: String) -> Filter {
    get throws { try loaded.filter(at: try location(of: name), in: self) }
  }

  /// The names of all filters, in alphabetical order; files that turn out to be no filters are among them.
  public var names: [String] { candidateNames }
}

/// The filters of a library that were asked for, by their paths.
///
/// **Concurrency**: usable from every thread.
final class LoadedFilters: Sendable {
  private let known = Mutex<[String: Filter]>([:])

  func filter(at path: String, in library: FilterLibrary) throws -> Filter {
    if let filter = known.withLock({ $0[path] }) { return filter }
    let filter = try Filter(contentsOf: path, library: library)
    return known.withLock { known in
      known[path] = known[path] ?? filter
      return known[path] ?? filter
    }
  }
}
