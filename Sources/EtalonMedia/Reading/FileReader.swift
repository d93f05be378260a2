package import EtalonDiagnostics
import Glibc

/// Reads whole files, with a limit.
package enum FileReader {
  /// How often a named pipe is looked at that nothing writes into, and the microseconds between.
  private static let patience = (looks: 20, pause: useconds_t(50_000))

  /// The bytes of a file, or of a pipe that something writes into.
  ///
  /// Fails with `missingInput` when it cannot be read and with `invalidInput` when it is larger than `limit`.
  package static func bytes(of path: String, limit: Int) throws(RenderError) -> [UInt8] {
    // Otherwise opening a named pipe would wait without end for something that writes into it.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
    var looks = 0
    while true {
      var count = 0
      let old = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: capacity))
      unsafe bytes.withUnsafeMutableBytes { unsafe count = read(descriptor, $0.baseAddress.map { unsafe $0 + old }, capacity) }
      let failure = errno
      bytes.removeLast(capacity - max(0, count))
      if count < 0, failure == EINTR { continue }
      if count < 0, failure == EAGAIN {
        _ = events(of: descriptor, timeout: -1)
        continue
      }
      guard count >= 0 else { throw cannotRead(path, "read", systemErrorText(failure)) }
      if count == 0 {
        // Files and pipes that were written to are ready at their end; a named pipe that nothing has opened yet is not.
        guard bytes.isEmpty, events(of: descriptor, timeout: 0) == 0 else { return bytes }
        looks += 1
        guard looks < patience.looks else { throw hasNoWriter(path) }
        usleep(patience.pause)
        continue
      }
      guard bytes.count <= limit else { throw tooLarge(path, limit) }
      capacity = bytes.count >= expected ? max(1 << 16, bytes.count) : expected - bytes.count + 1
    }
  }

  /// What has become of a file, within a time in milliseconds; 0 for nothing.
  private static func events(of descriptor: Int32, timeout: Int32) -> Int16 {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, timeout) > 0 ? state.revents : 0
  }

  private static func hasNoWriter(_ path: String) -> RenderError {
    RenderError(
      .missingInput, "cannot read '\(path)'", underlying: "it is a named pipe that nothing writes into",
      help: ["start what writes into it first, or name a file"])
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
