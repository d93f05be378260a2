internal import EtalonDiagnostics
internal import EtalonSystem
internal import Glibc

/// Frames on the disk, in a file without a name that is gone with the object.
///
/// **Concurrency**: used by one thread at a time.
final class FrameSpool {
  private let path: String
  private let frameBytes: Int
  private let descriptor: Int32
  private(set) var count = 0

  /// Makes the file beside another one, whose path errors tell.
  init(beside path: String, frameBytes: Int) throws(RenderError) {
    self.path = path
    self.frameBytes = frameBytes
    guard let made = TemporaryFiles.makeFile(for: path, permissions: 0o600) else { throw WriteFailure.error(path, "open") }
    close(made.descriptor)
    descriptor = unsafe open(made.path, O_RDWR | O_CLOEXEC)
    let failure = descriptor < 0 ? WriteFailure.error(path, "open") : nil
    TemporaryFiles.remove(made.path)
    if let failure { throw failure }
  }

  /// Adds a frame.
  func append(_ frame: [UInt8]) throws(RenderError) {
    precondition(frame.count == frameBytes, "a frame of \(frame.count) bytes instead of \(frameBytes)")
    var done = 0
    while done < frameBytes {
      let written = unsafe frame.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, frameBytes - done)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw WriteFailure.error(path, "write") }
      done += written
    }
    count += 1
  }

  /// The bytes of a frame.
  func frame(_ number: Int) throws(RenderError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: frameBytes)
    var done = 0
    while done < frameBytes {
      let read = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(descriptor, bytes.baseAddress.map { unsafe $0 + done }, frameBytes - done, number * frameBytes + done)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        let code = errno
        throw RenderError(
          .cannotWrite, "cannot write '\(path)'", operation: "read",
          underlying: read == 0 ? "a temporary file became shorter" : WriteFailure.text(code))
      }
      done += read
    }
    return bytes
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
