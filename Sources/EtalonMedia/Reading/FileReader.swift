package import EtalonDiagnostics
import Glibc

/// Reads whole files, with a limit.
package enum FileReader {
  /// The bytes of a file; fails with `missingInput` when it cannot be read and with `invalidInput` when it is larger than `limit`.
  package static func bytes(of path: String, limit: Int) throws(RenderError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotRead(path, "open") }
    defer { close(descriptor) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw cannotRead(path, "fstat") }
    if information.st_mode & S_IFMT == S_IFDIR { throw isFolder(path) }
    guard information.st_size <= limit else { throw tooLarge(path, limit) }
    return try readAll(descriptor, path, expected: Int(information.st_size), limit)
  }

  /// The first bytes of a file, or all of a shorter one; none of what cannot be read, such as a pipe.
  package static func start(of path: String, count: Int) -> [UInt8] {
    (try? RandomAccessFile(path)).flatMap { $0.bytes(at: 0, count: min(count, $0.size)) } ?? []
  }

  /// Reads until the end, because the size of a pipe is not known and a file may grow.
  private static func readAll(_ descriptor: Int32, _ path: String, expected: Int, _ limit: Int) throws(RenderError) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = expected + 1
    while true {
      var count = 0
      let old = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: capacity))
      unsafe bytes.withUnsafeMutableBytes { unsafe count = read(descriptor, $0.baseAddress.map { unsafe $0 + old }, capacity) }
      let failure = errno
      bytes.removeLast(capacity - max(0, count))
      if count < 0, failure == EINTR { continue }
      guard count >= 0 else { throw cannotRead(path, "read", systemErrorText(failure)) }
      if count == 0 { return bytes }
      guard bytes.count <= limit else { throw tooLarge(path, limit) }
      capacity = bytes.count >= expected ? max(1 << 16, bytes.count) : expected - bytes.count + 1
    }
  }

  private static func cannotRead(_ path: String, _ operation: String, _ reason: String = lastSystemError()) -> RenderError {
    RenderError(.missingInput, "cannot read '\(path)'", operation: operation, underlying: reason)
  }

  private static func isFolder(_ path: String) -> RenderError {
    RenderError(.missingInput, "cannot read '\(path)'", underlying: "it is a folder", help: ["name a file in it"])
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> RenderError {
    RenderError(.invalidInput, "'\(path)' is larger than \(limit >> 20) MiB")
  }
}
