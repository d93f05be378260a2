internal import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation
internal import Glibc

/// A folder that appears with all its files or not at all.
struct NewFolder {
  private let path: String

  /// Names a folder that must not exist yet.
  init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// Writes the files, some perhaps in folders of their own, into a folder beside the place of this one, and renames it.
  ///
  /// - Parameter otherwise: what to do where the folder is there already.
  func write(
    _ files: [(name: String, bytes: [UInt8])], otherwise: String = "name another folder, or remove this one"
  ) throws(RenderError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw failure(nil, "it exists already", help: [otherwise]) }
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    guard let draft = TemporaryFiles.makeFolder(for: path) else {
      let code = errno
      throw failure(
        "mkdir", unsafe String(cString: strerror(code)),
        help: code == ENOENT ? ["make the folder around it first: mkdir -p '\(parent)'"] : [])
    }
    do {
      for file in files {
        let url = URL(fileURLWithPath: draft + "/" + file.name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url)
      }
    } catch {
      TemporaryFiles.remove(draft)
      throw failure(nil, error.localizedDescription, help: [])
    }
    guard unsafe rename(draft, path) == 0 else {
      let code = errno
      TemporaryFiles.remove(draft)
      throw failure("rename", unsafe String(cString: strerror(code)), help: [])
    }
    TemporaryFiles.release(draft)
  }

  private func failure(_ operation: String?, _ reason: String, help: [String]) -> RenderError {
    RenderError(.cannotWrite, "cannot write '\(path)'", operation: operation, underlying: reason, help: help)
  }
}
