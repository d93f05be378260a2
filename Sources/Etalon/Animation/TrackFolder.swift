internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import Synchronization

/// Reads the tracks that values mention, each once.
///
/// **Concurrency**: usable from every thread.
final class TrackFolder: TrackFiles {
  /// The largest file, in bytes.
  private static let largestFile = 1 << 26

  private let folder: String
  private let tables = Mutex<[String: TrackTable]>([:])

  /// - Parameter folder: what relative paths start from, with a slash at its end; empty is the working folder.
  init(_ folder: String = "") { self.folder = folder }

  func table(_ path: String, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable {
    let file = path.hasPrefix("/") ? path : folder + path
    if let known = tables.withLock({ $0[file] }) { return known }
    let bytes: [UInt8]
    do throws(RenderError) { bytes = try text(of: file) } catch {
      throw .failure(error.asked(at: Diagnostic.Label(place.source, place.range, "asked for here")))
    }
    let table: TrackTable
    do throws(DiagnosticsError) { table = try TrackTable(SourceText(path: file, bytes: bytes)) } catch { throw .diagnostics(error) }
    tables.withLock { $0[file] = table }
    return table
  }

  private func text(of file: String) throws(RenderError) -> [UInt8] {
    let bytes = try FileReader.bytes(of: file, limit: Self.largestFile)
    guard !bytes.contains(0) else {
      throw RenderError(.invalidInput, "'\(file)' is not a CSV file", underlying: "it has zero bytes", help: ["save it as UTF-8 text"])
    }
    return bytes
  }

  /// The files that were read, as paths that can be watched.
  var files: [String] { tables.withLock { $0.keys.sorted() } }
}
