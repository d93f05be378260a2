internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonSystem
internal import Foundation

/// Finds out what the files of a library are: from the index where nothing changed, else by reading them.
struct FilterIndexer: Sendable {
  /// What became of reading a candidate.
  enum Result: Sendable, Hashable, Codable {
    case filter(FilterSummary)
    case problem(FilterProblem)
    /// JSON that is something else.
    case noFilter
  }

  private let cacheFolder: String?
  private let shortestAge: Int
  private let read: @Sendable (String) throws -> FilterFile.Reading

  /// Without a folder for the index every file is read every time.
  ///
  /// - Parameter shortestAge: nanoseconds. A file that changed more shortly before it was read is not remembered, because it may change again
  ///   without getting another stamp.
  init(
    cacheFolder: String?, shortestAge: Int = 100_000_000,
    read: @escaping @Sendable (String) throws -> FilterFile.Reading = { try FilterFile.read($0) }
  ) {
    self.cacheFolder = cacheFolder
    self.shortestAge = shortestAge
    self.read = read
  }

  /// What the candidates of a library are, in their order.
  func results(for candidates: [FilterCandidate], in library: String) -> [Result] {
    let index = cacheFolder.map { FilterIndexFile(folder: $0, library: library) }
    let known = index?.read() ?? [:]
    var results = candidates.map { candidate in
      known[candidate.relativePath].flatMap { Self.isCurrent($0, candidate, library) ? $0 : nil }
    }
    let missing = results.indices.filter { results[$0] == nil }
    let fresh = records(for: missing.map { candidates[$0] }, in: library)
    for (place, record) in zip(missing, fresh) { results[place] = record }
    let records = Dictionary(
      zip(candidates, results).compactMap { candidate, record in record.map { (candidate.relativePath, $0) } }
    ) { first, _ in first }
    let kept = records.filter { !$0.value.files.isEmpty }
    if kept != known { index?.write(kept) }
    return results.map { $0?.result ?? .noFilter }
  }

  /// Whether every file is as it was, and no other belongs to the filter now.
  private static func isCurrent(_ record: FilterIndexFile.Record, _ candidate: FilterCandidate, _ library: String) -> Bool {
    guard candidate.files.allSatisfy({ record.files[$0.key] == $0.value }) else { return false }
    return record.files.allSatisfy { path, stamp in
      candidate.files[path] == stamp || FileStamp(path: path.hasPrefix("/") ? path : "\(library)/\(path)") == stamp
    }
  }

  private func records(for candidates: [FilterCandidate], in library: String) -> [FilterIndexFile.Record] {
    SharedWork.map(candidates.count) { record(for: candidates[$0], in: library) }
  }

  private func record(for candidate: FilterCandidate, in library: String) -> FilterIndexFile.Record {
    let start = FileStamp.now()
    let path = "\(library)/\(candidate.relativePath)"
    guard Self.mayBeFilter(path) else { return FilterIndexFile.Record(files: candidate.files, result: .noFilter) }
    do {
      let reading = try read(path)
      var files = candidate.files
      for file in reading.files { files[Self.relative(file, to: library)] = FileStamp(path: file) }
      // What a document is follows from filters of all libraries, so it is never remembered.
      if reading.manifest.dialect == .graph { files = [:] }
      return FilterIndexFile.Record(files: settled(files, start), result: .filter(Self.summary(reading.manifest, candidate)))
    } catch {
      // A file that cannot be included may appear at any time, so such a failure is not remembered.
      let files = Self.includes(path) || GraphDocument.isGraph(path) ? [:] : settled(candidate.files, start)
      return FilterIndexFile.Record(files: files, result: .problem(FilterProblem(error)))
    }
  }

  /// The files, or none when one of them is too young to be remembered.
  private func settled(_ files: [String: FileStamp], _ start: Int) -> [String: FileStamp] {
    files.values.contains { start - $0.changed < shortestAge } ? [:] : files
  }

  private static func mayBeFilter(_ path: String) -> Bool {
    guard FilterFileType.isDecidedByContent(path) else { return true }
    return FilterFileType.isFilter(path)
  }

  private static func includes(_ path: String) -> Bool {
    FilterFile.bytes(of: path)?.firstRange(of: Array("#include".utf8)) != nil
  }

  private static func relative(_ path: String, to library: String) -> String {
    if path.hasPrefix(library + "/") { return String(path.dropFirst(library.count + 1)) }
    return path.hasPrefix("/") ? path : URL(filePath: path).path
  }

  private static func summary(_ manifest: FilterManifest, _ candidate: FilterCandidate) -> FilterSummary {
    var known: Set<String> = []
    let categories = (candidate.categories + manifest.about.categories).filter { known.insert(FilterName.kebabCase($0) ?? $0).inserted }
    return FilterSummary(
      kind: manifest.kind.rawValue, dialect: manifest.dialect.rawValue, description: manifest.about.description, categories: categories,
      inputs: manifest.inputs.map(\.name), parameters: manifest.parameters.map(\.name))
  }
}

extension FilterProblem {
  /// The first thing that an error says.
  init(_ error: any Error) {
    switch error {
    case let error as DiagnosticsError:
      let diagnostic = error.diagnostics.first { $0.severity == .error } ?? error.diagnostics[0]
      let place = diagnostic.labels.first.map { label in
        let position = label.source.position(at: label.range.lowerBound)
        return Place(path: label.source.path, line: position.line, column: position.column)
      }
      self.init(id: diagnostic.id, message: diagnostic.message, place: place)
    case let error as RenderError:
      self.init(id: error.diagnostic.id, message: error.diagnostic.message, place: nil)
    default:
      self.init(id: "render.\(RenderError.Code.internalError.word)", message: "\(error)", place: nil)
    }
  }
}
