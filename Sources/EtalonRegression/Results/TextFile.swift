package import EtalonDiagnostics
internal import EtalonMedia
internal import Foundation

/// Writes texts as whole files.
package enum TextFile {
  /// Replaces the file; its folder is made where it is missing.
  package static func write(_ text: String, to path: String) throws(RenderError) {
    try makeFolder(of: path)
    let file = try AtomicFile(path, replacing: .anything)
    try file.write(Array(text.utf8))
    try file.commit()
  }

  /// Refuses to write over a file that is not of the kind that is written.
  ///
  /// - Parameter keys: the keys that JSON of the kind has; cases and graphs are JSON as well.
  package static func refuseForeign(_ path: String, startingWith start: String, keys: [String] = []) throws(RenderError) {
    guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd(), !bytes.isEmpty else { return }
    let isOwn = bytes.starts(with: start.utf8) && keys.allSatisfy { bytes.range(of: Data("\"\($0)\"".utf8)) != nil }
    guard !isOwn else { return }
    throw RenderError(.cannotWrite, "cannot write '\(path)': another file is there", help: ["name a new file, or remove that one"])
  }

  /// Makes the folder that a file is to lie in.
  package static func makeFolder(of path: String) throws(RenderError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make the folder '\(folder)'", underlying: error.localizedDescription)
    }
  }
}
