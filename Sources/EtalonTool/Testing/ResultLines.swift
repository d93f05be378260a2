import EtalonDiagnostics
import EtalonRegression
import Foundation
import Synchronization

/// Writes a line of JSON for every case as soon as nothing about it will change, so that a run that is ended leaves the lines of what was done.
///
/// **Concurrency**: usable from every thread; each line is written at once.
final class ResultLines: Sendable {
  private let path: String
  /// Nil for standard output.
  private let file: FileHandle?
  private let failure = Mutex<String?>(nil)

  /// Nil where nobody asked for lines.
  ///
  /// - Parameter path: the file, which is emptied when it held lines; `-` for standard output.
  convenience init?(_ path: String?) throws(RenderError) {
    guard let path else { return nil }
    try self.init(path: path)
  }

  private init(path: String) throws(RenderError) {
    self.path = path
    guard path != "-" else {
      file = nil
      return
    }
    try Self.refuseForeign(path)
    try TextFile.makeFolder(of: path)
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
      throw RenderError(.cannotWrite, "cannot write '\(path)'", help: ["name a file in a folder that you may write to, or '-'"])
    }
    self.file = file
  }

  /// Refuses to write over a file that holds no lines.
  static func refuseForeign(_ path: String?) throws(RenderError) {
    if let path, path != "-" { try TextFile.refuseForeign(path, keys: ["id", "verdict"]) }
  }

  func write(_ result: some Encodable) {
    let line = JSONText.text(result)
    guard let file else { return StandardOutput.write(line) }
    failure.withLock { failure in
      guard failure == nil else { return }
      do { try file.write(contentsOf: Data(line.utf8)) } catch { failure = error.localizedDescription }
    }
  }

  /// Throws when a line could not be written.
  func close() throws(RenderError) {
    guard let failure = failure.withLock({ $0 }) else { return }
    throw RenderError(.cannotWrite, "cannot write '\(path)'", underlying: failure)
  }
}
