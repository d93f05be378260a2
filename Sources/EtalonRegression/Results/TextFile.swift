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

  /// Refuses to write over a file that is not of the kind that is written, as its first and last bytes show.
  ///
  /// What is no file, such as a pipe, holds nothing that could be lost.
  ///
  /// - Parameters:
  ///   - start: what files of the kind start with.
  ///   - signs: what no other files of that language have.
  package static func refuseForeign(_ path: String, startingWith start: String, signs: [String]) throws(RenderError) {
    guard let file = try? RandomAccessFile(path), file.size > 0 else { return }
    let count = min(file.size, lookedAt)
    guard let first = file.bytes(at: 0, count: count), let last = file.bytes(at: file.size - count, count: count) else { return }
    let isOwn = first.starts(with: start.utf8) && signs.allSatisfy { holds(first, $0) || holds(last, $0) }
    guard !isOwn else { return }
    throw RenderError(.cannotWrite, "cannot write '\(path)': another file is there", help: ["name a new file, or remove that one"])
  }

  /// The same for JSON, which cases and graphs are as well.
  package static func refuseForeign(_ path: String, keys: [String]) throws(RenderError) {
    try refuseForeign(path, startingWith: "{", signs: keys.map { "\"\($0)\"" })
  }

  /// How many bytes of both ends of a file are looked at.
  private static let lookedAt = 4096

  private static func holds(_ bytes: [UInt8], _ sign: String) -> Bool { Data(bytes).range(of: Data(sign.utf8)) != nil }

  /// Makes the folder that a file is to lie in.
  package static func makeFolder(of path: String) throws(RenderError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make the folder '\(folder)'", underlying: error.localizedDescription)
    }
  }
}
