package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Filters by name, from one folder or several: the first folder that has a name wins.
///
/// ```swift
/// let library = try FilterLibrary(directory: "Plugins")
/// let blur = try library["gaussian-blur"]
/// ```
/// Finding a filter reads the names of files; only for a name that none has are their aliases read, and exports, whose titles are names, too. A filter that
/// was asked for is read once.
///
/// **Concurrency**: an immutable value with shared storage; it shows the folders as they were when it was made.
public struct FilterLibrary: Sendable {
  private struct Folder {
    let folder: LibraryFolder
    let scan: LibraryScan
    let candidates: [String: [FilterCandidate]]
  }

  private let search: LibrarySearch
  private let folders: [Folder]
  /// The filters that were asked for.
  private let loaded = LoadedFilters()

  /// Looks through the folders of a search.
  package init(_ search: LibrarySearch) {
    self.search = search
    folders = search.folders.map { folder in
      let scan = LibraryScan(folder.path)
      return Folder(folder: folder, scan: scan, candidates: Dictionary(grouping: scan.candidates, by: \.name))
    }
  }

  /// Whether a file lies in one of the folders.
  package func holds(_ path: String) -> Bool {
    func real(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path }
    let path = real(path)
    return search.folders.contains { path.hasPrefix(real($0.path) + "/") }
  }

  // MARK: finding one

  /// The file of a filter, or the folder of a ShaderToy project.
  ///
  /// Throws what is wrong with the name: no filter has it (with the nearest name that one has), or two files of one folder have it.
  package func location(of name: String) throws(DiagnosticsError) -> String {
    for folder in folders {
      let found = filters(named: name, in: folder)
      guard found.count <= 1 else { throw DiagnosticsError(Self.ambiguous(name, found.map { Self.path($0, folder) })) }
      if let candidate = found.first { return Self.path(candidate, folder) }
    }
    for meant in [paths(ofAlias: name), paths(ofTitle: name)] {
      guard meant.count <= 1 else { throw DiagnosticsError(Self.ambiguous(name, meant)) }
      if let path = meant.first { return path }
    }
    throw DiagnosticsError(unknown(name))
  }

  /// The filters of the first library in which some have an alias.
  private func paths(ofAlias name: String) -> [String] {
    for folder in folders {
      let texts = folder.scan.candidates.filter { !FilterFileType.isDecidedByContent($0.relativePath) }.map { Self.path($0, folder) }
      let paths = texts.filter { path in
        guard let bytes = FilterFile.bytes(of: path), Self.mayHaveAlias(name, bytes) else { return false }
        return (try? FilterFile.read(path))?.manifest.about.aliases.contains(name) ?? false
      }
      if !paths.isEmpty { return paths.sorted() }
    }
    return []
  }

  /// Whether the text of a filter may give it an alias, spelled out or with letters by number; to read it in full costs far more.
  private static func mayHaveAlias(_ name: String, _ bytes: [UInt8]) -> Bool {
    bytes.firstRange(of: Array("\"ALIASES\"".utf8)) != nil
      && [Array("\"\(name)\"".utf8), Array("\\u".utf8)].contains { bytes.firstRange(of: $0) != nil }
  }

  /// The exports of ShaderToys, whose files have the names of their addresses, with a title: `rainy-window` for «Rainy Window».
  private func paths(ofTitle name: String) -> [String] {
    for folder in folders {
      let paths = folder.candidates.values.joined().map { Self.path($0, folder) }.filter { path in
        guard FilterFileType.isDecidedByContent(path), !GraphDocument.isGraph(path), FilterFileType.isFilter(path),
          let title = (try? FilterFile.read(path))?.manifest.about.title
        else { return false }
        return FilterName.kebabCase(title) == name
      }
      if !paths.isEmpty { return paths.sorted() }
    }
    return []
  }

  /// What a person named: a path when the word contains `/` or `.`, else a name.
  package func path(of word: String) throws(DiagnosticsError) -> String {
    guard word.contains("/") || word.contains(".") else { return try location(of: word) }
    return Self.filter(inFolder: word) ?? word
  }

  /// The only filter of a folder that has its name, or the folder of a ShaderToy project; nil for anything else.
  package static func filter(inFolder path: String) -> String? {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let name = path.split(separator: "/").last.map(String.init) else { return nil }
    guard let candidate = LibraryScan(filterFolder: path, named: name).candidates.first else { return nil }
    return candidate.relativePath.isEmpty ? path : "\(path)/\(candidate.relativePath)"
  }

  private func filters(named name: String, in folder: Folder) -> [FilterCandidate] {
    (folder.candidates[name] ?? []).filter { candidate in
      guard FilterFileType.isDecidedByContent(candidate.relativePath) else { return true }
      return FilterFileType.isFilter(Self.path(candidate, folder))
    }
  }

  private static func path(_ candidate: FilterCandidate, _ folder: Folder) -> String { "\(folder.folder.path)/\(candidate.relativePath)" }

  private static func ambiguous(_ name: String, _ paths: [String]) -> Diagnostic {
    Diagnostic(
      "library.duplicate", "'\(name)' is the name of \(paths.count) filters of one library",
      help: ["name the file instead, or rename one of them"], notes: ["they are \(paths.joined(separator: " and "))"])
  }

  private func unknown(_ name: String) -> Diagnostic {
    let names = folders.flatMap { $0.candidates.keys }
    let kebab = FilterName.kebabCase(name)
    let nearest = kebab.flatMap { names.contains($0) ? $0 : nil } ?? NearestName.find(name, in: names)
    let operation = ImageOperation(rawValue: name).map {
      "it is an operation on pictures, for a stage: etalon render photo.png '\($0.form)'"
    }
    let lies = !name.isEmpty && FileManager.default.fileExists(atPath: name) ? "type './\(name)' for what lies here" : nil
    var notes = ["searched \(folders.isEmpty ? "no folder" : folders.map(\.folder.title).joined(separator: ", "))"]
    if let missing = search.missingBuiltIns { notes += [missing.message] + missing.notes }
    return Diagnostic(
      "library.unknown-filter", "no library has a filter '\(name)'",
      help: (operation ?? lies).map { [$0] } ?? [nearest.map { "did you mean '\($0)'?" } ?? advice(name)],
      notes: notes)
  }

  /// The names that some file has, each once, in alphabetical order.
  private var candidateNames: [String] { Set(folders.flatMap { $0.candidates.keys }).sorted() }

  /// The paths of all filters, read or not, and the names that several of them share.
  var contents: (paths: [String], duplicates: [Diagnostic]) {
    var paths: [String] = []
    var duplicates: [Diagnostic] = []
    for folder in folders {
      for (name, _) in folder.candidates.sorted(by: { $0.key < $1.key }) {
        let found = filters(named: name, in: folder).map { Self.path($0, folder) }
        if found.count > 1 { duplicates.append(Self.ambiguous(name, found)) }
        paths += found
      }
    }
    return (paths, duplicates)
  }

  /// What helps when no name is near: perhaps a file was meant.
  private func advice(_ name: String) -> String {
    let isPart = folders.contains { folder in
      folder.candidates.values.contains { $0.contains { $0.name.contains(name) || $0.categories.contains(name) } }
    }
    if !name.isEmpty, isPart { return "type 'etalon list \(name)' for the filters of that kind" }
    return "'etalon list' shows what there is; a file is named with its folder or extension"
  }

  // MARK: showing all

  /// What is wrong with the folders themselves; none of it stops anything.
  package var warnings: [Diagnostic] {
    search.warnings + [search.missingBuiltIns].compactMap(\.self) + folders.flatMap { $0.scan.diagnostics }
  }

  /// All filters, folder by folder in the order of the search, by name within each; files that are no filters after all come with their diagnostic.
  ///
  /// What was read once is remembered in the user's cache folder.
  package func listings() -> [FilterListing] {
    let cache = CacheFolder(ofUser: "libraries")?.path
    return listings(FilterIndexer(cacheFolder: cache) { try FilterFile.readPictureOrSound($0, library: self) })
  }

  func listings(_ indexer: FilterIndexer) -> [FilterListing] {
    var winners: [String: String] = [:]
    return folders.flatMap { folder in
      let listings = listings(of: folder, indexer, winners)
      for listing in listings where winners[listing.name] == nil { winners[listing.name] = listing.path }
      return listings
    }
  }

  private func listings(of folder: Folder, _ indexer: FilterIndexer, _ winners: [String: String]) -> [FilterListing] {
    let results = indexer.results(for: folder.scan.candidates, in: folder.folder.path)
    let helpers =
      results.contains(where: \.hasNoDialect) ? IncludedTexts.helpers(among: folder.scan.candidates.map { Self.path($0, folder) }) : []
    let filters = zip(folder.scan.candidates, results).filter { $0.1 != .noFilter && !helpers.contains(Self.path($0.0, folder)) }
    let paths = Dictionary(grouping: filters.map(\.0), by: \.name).mapValues { $0.map { Self.path($0, folder) } }
    return filters.map { candidate, result in
      let same = paths[candidate.name] ?? []
      let duplicate = FilterDiagnostic(DiagnosticsError(Self.ambiguous(candidate.name, same)))
      return FilterListing(
        name: candidate.name, path: Self.path(candidate, folder), library: folder.folder,
        content: same.count == 1 ? result.content : .diagnostic(duplicate), shadowedBy: winners[candidate.name])
    }.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
  }
}

extension FilterIndexer.Result {
  /// Whether it is a file in which no filter starts.
  fileprivate var hasNoDialect: Bool {
    if case .diagnostic(let diagnostic) = self { diagnostic.id == "dialect.unknown" } else { false }
  }

  fileprivate var content: FilterListing.Content {
    switch self {
    case .filter(let summary): .filter(summary)
    case .diagnostic(let diagnostic): .diagnostic(diagnostic)
    case .noFilter: preconditionFailure("what is no filter is not listed")
    }
  }
}

// MARK: filters by their names

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
  /// Throws `DiagnosticsError` for a name that no filter has, with the nearest one, and for what is wrong with the file; `RenderError` for a file that
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
private final class LoadedFilters: Sendable {
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

// MARK: listings

/// One filter of one library, as a list shows it.
package struct FilterListing: Sendable, Hashable {
  /// What became of reading it.
  package enum Content: Sendable, Hashable {
    case filter(FilterSummary)
    case diagnostic(FilterDiagnostic)
  }

  package let name: String
  /// The file, or the folder of a ShaderToy project.
  package let path: String
  package let library: LibraryFolder
  package let content: Content
  /// The path of the filter that is used instead, because its library is searched first.
  package let shadowedBy: String?

  /// What is known about it; nil for a file with an error.
  package var summary: FilterSummary? {
    if case .filter(let summary) = content { summary } else { nil }
  }
}

/// Which filters of a list are wanted.
package struct ListingFilter: Sendable, Hashable {
  /// generator, filter, composite, transition or sound; nil for all.
  package var kind: String?
  /// One of the categories, in any spelling that gives the same name; nil for all.
  package var category: String?
  /// Some word of the name, an alias, the description, a category, the dialect, an input or a parameter.
  package var words: [String] = []

  package init() {}

  /// Whether it is one of the wanted; a file with an error is while nothing but words is asked for.
  package func accepts(_ listing: FilterListing) -> Bool {
    let summary = listing.summary
    if let kind, summary?.kind != kind { return false }
    if let category {
      let wanted = FilterName.kebabCase(category) ?? category
      guard let summary, summary.categories.contains(where: { FilterName.kebabCase($0) == wanted }) else { return false }
    }
    let texts = Self.texts(listing).map { $0.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.hasWord(beginningWith: word.lowercased()) } }
  }

  private static func texts(_ listing: FilterListing) -> [String] {
    guard let summary = listing.summary else { return [listing.name, listing.path] }
    let own = [listing.name, summary.title ?? "", summary.description ?? "", summary.dialect, summary.kind]
    return own + summary.categories + summary.aliases + summary.inputs + summary.parameters
  }
}

extension String {
  /// Whether a text occurs where a word begins, so that 'lut' is not found in 'convolution'.
  fileprivate func hasWord(beginningWith text: String) -> Bool {
    ranges(of: text).contains { range in
      range.lowerBound == startIndex || !(self[index(before: range.lowerBound)].isLetter || self[index(before: range.lowerBound)].isNumber)
    }
  }
}
