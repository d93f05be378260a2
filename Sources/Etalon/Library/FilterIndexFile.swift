internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// What is remembered about the files of one library between runs.
///
/// The file appears whole or not at all; one that is damaged, or was written by another build of Etalon, counts as missing. A folder that cannot be
/// written is no error: then every run reads all files.
///
/// **Concurrency**: several processes may use one file; the last one to finish wins, which loses nothing but time.
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

  /// To be raised when `Record` changes.
  private static let version = 1
  private static let suffix = ".filters"
  /// Of so many libraries the indexes are kept, those that were written last.
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
