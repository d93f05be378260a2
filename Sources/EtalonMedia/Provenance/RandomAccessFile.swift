package import EtalonDiagnostics
import Glibc

/// A regular file of which pieces are read.
///
/// **Concurrency**: usable from every thread.
package final class RandomAccessFile {
  private let descriptor: Int32
  /// Bytes; 0 of what is no regular file.
  package let size: Int

  /// Opens a file.
  package init(_ path: String) throws(RenderError) {
    // Whoever writes into a pipe would take this for the reader, and be ended when it is closed.
    guard FileKind(path: path) != .device else {
      (descriptor, size) = (-1, 0)
      return
    }
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      size = 0
      throw RenderError(.missingInput, "cannot read '\(path)'", operation: "open", underlying: lastSystemError())
    }
    size = Self.size(of: descriptor)
  }

  /// Takes a file that was opened, and closes it at its end.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    size = Self.size(of: descriptor)
  }

  private static func size(of descriptor: Int32) -> Int {
    var information = stat()
    let isRegular = unsafe fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    return isRegular ? Int(information.st_size) : 0
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Some bytes of the file, nil when they are not all there.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset + count <= size else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, count, offset) }
    return got == count ? bytes : nil
  }
}
