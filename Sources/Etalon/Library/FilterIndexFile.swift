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

  private let folder: String
  private let path: String
  /// Another build may read filters in another way.
  private let writer: String

  /// The index of the library that lies at a path.
  init(folder: String, library: String) {
    self.folder = folder
    let real = LibraryScan.realPath(library) ?? library
    path = "\(folder)/\(ContentHash(of: Array(real.utf8)).description.prefix(32))\(Self.suffix)"
    let program = FileStamp(path: "/proc/self/exe")
    writer = "\(Self.version) \(EtalonVersion.current) \(program?.size ?? 0) \(program?.modified ?? 0)"
  }

  /// The records by the paths of filters; none when there is no usable index.
  func read() -> [String: Record] {
    guard let data = FileManager.default.contents(atPath: path), data.count > Self.hashLength else { return [:] }
    let body = [UInt8](data.dropFirst(Self.hashLength))
    guard data.prefix(Self.hashLength) == Data(ContentHash(of: body).description.utf8),
      let document = try? JSONDecoder().decode(Document.self, from: Data(body)), document.writer == writer
    else { return [:] }
    return document.records
  }

  func write(_ records: [String: Record]) {
    guard let body = try? JSONEncoder().encode(Document(writer: writer, records: records)) else { return }
    let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: owner)
    try? (Data(ContentHash(of: [UInt8](body)).description.utf8) + body).write(to: URL(filePath: path), options: .atomic)
    removeOldIndexes()
  }

  private static let hashLength = 64

  private func removeOldIndexes() {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(Self.suffix) }
    guard names.count > Self.mostIndexes else { return }
    let newestFirst = names.map { (path: "\(folder)/\($0)", written: FileStamp(path: "\(folder)/\($0)")?.modified ?? 0) }
      .sorted { $0.written > $1.written }
    for index in newestFirst.dropFirst(Self.mostIndexes) { try? FileManager.default.removeItem(atPath: index.path) }
  }
}
