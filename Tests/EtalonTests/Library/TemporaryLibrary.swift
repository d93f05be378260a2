import EtalonDiagnostics
import EtalonManifest
import EtalonTypes
import Foundation
import Synchronization

@testable import Etalon

/// A library in a folder of its own, which is removed with it.
final class TemporaryLibrary: Sendable {
  static let generator = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0.0, 1.0); }\n"
  static let filter = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy); }\n"

  let base: String
  var path: String { base + "/library" }
  var cache: String { base + "/cache" }

  /// Writes files with these texts.
  init(_ files: [String: String] = [:]) throws {
    base = FileManager.default.temporaryDirectory.appending(path: "etalon-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: base + "/library", withIntermediateDirectories: true)
    for (file, text) in files { try write(text, to: file) }
  }

  deinit { try? FileManager.default.removeItem(atPath: base) }

  /// Writes a file and the folders that it lies in.
  func write(_ text: String, to file: String) throws {
    let url = URL(filePath: "\(path)/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  var library: FilterLibrary { FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: path, origin: .option)])) }
}

/// Reads files and counts them.
final class CountingReader: Sendable {
  private let paths = Mutex<[String]>([])

  /// The file names that were read since the last call.
  func take() -> [String] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths.map { URL(filePath: $0).lastPathComponent }.sorted()
    }
  }

  func indexer(cache: String?) -> FilterIndexer {
    FilterIndexer(cacheFolder: cache, shortestAge: 0) { path in
      self.paths.withLock { $0.append(path) }
      return try FilterFile.read(path)
    }
  }
}
