internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Glibc

/// Finds out what the files of a library are: from the index where nothing changed, else by reading them.
struct FilterIndexer: Sendable {
  /// What became of reading a candidate.
  enum Result: Sendable, Hashable, Codable {
    case filter(FilterSummary)
    case diagnostic(FilterDiagnostic)
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
    read: @escaping @Sendable (String) throws -> FilterFile.Reading = { try FilterFile.readPictureOrSound($0) }
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
      return FilterIndexFile.Record(files: settled(files, start), result: .filter(Self.summary(reading, candidate)))
    } catch {
      // A file that cannot be included may appear at any time, so such a failure is not remembered.
      let files = Self.includes(path) || GraphDocument.isGraph(path) ? [:] : settled(candidate.files, start)
      return FilterIndexFile.Record(files: files, result: .diagnostic(FilterDiagnostic(error)))
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

  private static func summary(_ reading: FilterFile.Reading, _ candidate: FilterCandidate) -> FilterSummary {
    let manifest = reading.manifest
    var known: Set<String> = []
    let categories = (candidate.categories + manifest.about.categories).filter { known.insert(FilterName.kebabCase($0) ?? $0).inserted }
    return FilterSummary(
      kind: reading.kind, dialect: manifest.dialect.rawValue, title: manifest.about.title,
      description: manifest.about.description, categories: categories,
      aliases: manifest.about.aliases, inputs: manifest.inputs.map(\.name), parameters: manifest.parameters.map(\.name))
  }
}

extension FilterDiagnostic {
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

// MARK: what is remembered

/// What a list tells about a filter.
package struct FilterSummary: Sendable, Hashable, Codable {
  /// generator, filter, composite or transition; sound for a text that makes a sound and no picture.
  package let kind: String
  package let dialect: String
  /// What people call it; nil where that is the name.
  package let title: String?
  package let description: String?
  package let categories: [String]
  /// Other names by which it is found.
  package let aliases: [String]
  /// The names of the image inputs.
  package let inputs: [String]
  /// The names of the parameters.
  package let parameters: [String]
}

/// Why a file of a library is no filter after all.
package struct FilterDiagnostic: Sendable, Hashable, Codable {
  package let id: String
  package let message: String
  /// Where it is wrong; nil for an error of the whole file.
  package let place: Place?

  /// A place in a text, counted from 1.
  package struct Place: Sendable, Hashable, Codable {
    package let path: String
    package let line: Int
    package let column: Int
  }
}

/// What is remembered about the files of one library between runs.
///
/// The file appears whole or not at all; one that is damaged, or was written by another build of Etalon, counts as missing. A folder that cannot be
/// written is no error: then every run reads all files.
///
/// **Concurrency**: several processes may use one file; the last one to finish wins, and what the others wrote is read again.
struct FilterIndexFile {
  /// What reading one filter gave, and the files that this depends on.
  struct Record: Sendable, Hashable, Codable {
    /// By path: relative to the library, or absolute.
    let files: [String: FileStamp]
    let result: FilterIndexer.Result
  }

  private struct Document: Codable {
    let writer: String
    let records: [String: Record]
  }

  /// Raised when `Record` changes.
  private static let version = 3
  private static let suffix = ".filters"
  /// The indexes of so many libraries are kept: those that were written last.
  private static let mostIndexes = 64

  /// A larger file cannot be one of ours.
  private static let largestFile = 256 << 20

  private let folder: CacheFolder
  private let name: String
  /// The library, whose name the file is a hash of.
  private let library: String
  /// Another build may read filters in another way.
  private let writer: String

  /// The index of the library that lies at a path.
  init(folder: String, library: String) {
    self.folder = CacheFolder(path: folder)
    self.library = LibraryScan.realPath(library) ?? library
    name = "\(ContentHash(of: Array(self.library.utf8)).description.prefix(32))\(Self.suffix)"
    let program = FileStamp(path: "/proc/self/exe")
    writer = "\(Self.version) \(EtalonVersion.current) \(program?.size ?? 0) \(program?.modified ?? 0)"
  }

  /// The records by the paths of filters; none when there is no usable index.
  func read() -> [String: Record] {
    guard let bytes = folder.read(name, key: library, limit: Self.largestFile),
      let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.writer == writer
    else { return [:] }
    return document.records
  }

  func write(_ records: [String: Record]) {
    guard let body = try? JSONEncoder().encode(Document(writer: writer, records: records)) else { return }
    folder.write([UInt8](body), as: name, key: library)
    folder.prune(Self.suffix, toBytes: .max, count: Self.mostIndexes)
  }
}

/// What changes about a file when it is written.
struct FileStamp: Sendable, Hashable, Codable {
  let size: Int
  /// Nanoseconds of the last change of the content.
  let modified: Int
  /// Nanoseconds of the last change of anything, which no program can set back.
  let changed: Int

  /// The stamp of a file as it is now, links followed; nil when there is none.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    size = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// The moment that stamps of this moment would have.
  static func now() -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }
}
