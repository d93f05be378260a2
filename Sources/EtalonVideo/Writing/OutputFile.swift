internal import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation
internal import Glibc

/// The place of a file that appears whole or not at all: a temporary name in the same folder, which is renamed.
///
/// **Concurrency**: used by one thread at a time.
final class OutputFile {
  /// Where it is to appear.
  let path: String
  /// Where it is written; removed with the object unless the file was put in its place.
  let temporaryPath: String
  private var isPlaced = false

  /// Makes an empty file, and the folder around it where there is none.
  init(_ path: String) throws(RenderError) {
    self.path = path
    var information = stat()
    if unsafe stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
      let isFolder = information.st_mode & S_IFMT == S_IFDIR
      throw RenderError(
        .cannotWrite, "cannot write '\(path)'", underlying: isFolder ? "it is a folder" : "a video can only be written to a file",
        help: [isFolder ? "name a file in it" : "write a file, or frames to a pipe with -o -"])
    }
    var made = TemporaryFiles.makeFile(for: path)
    if made == nil, errno == ENOENT {
      try? Self.makeFolder(around: path)
      made = TemporaryFiles.makeFile(for: path)
    }
    guard let made else { throw WriteFailure.error(path, "open") }
    close(made.descriptor)
    temporaryPath = made.path
  }

  /// Makes the folder that a file is to lie in, where there is none.
  static func makeFolder(around path: String) throws(RenderError) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw WriteFailure.error(path, "mkdir")
    }
  }

  /// Gives the file its name, or another one in the same folder.
  func place(as other: String? = nil, synchronizes: Bool) throws(RenderError) {
    if synchronizes {
      let descriptor = unsafe open(temporaryPath, O_RDONLY | O_CLOEXEC)
      defer { if descriptor >= 0 { close(descriptor) } }
      guard descriptor >= 0, fsync(descriptor) == 0 else { throw WriteFailure.error(path, "fsync") }
    }
    guard unsafe rename(temporaryPath, other ?? path) == 0 else { throw WriteFailure.error(other ?? path, "rename") }
    TemporaryFiles.release(temporaryPath)
    isPlaced = true
  }

  /// The bytes that have been written.
  var byteCount: Int {
    var information = stat()
    return unsafe stat(temporaryPath, &information) == 0 ? Int(information.st_size) : 0
  }

  deinit {
    if !isPlaced { TemporaryFiles.remove(temporaryPath) }
  }
}
