package import EtalonDiagnostics

/// Something that takes the bytes of a file in order.
package protocol ByteSink: AnyObject {
  /// Takes the next bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError)
}

extension ByteSink {
  /// Takes the bytes of an array.
  package func write(_ bytes: [UInt8]) throws(RenderError) {
    var failure: RenderError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(RenderError) { try unsafe write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// Collects the bytes of a file in memory.
package final class MemorySink: ByteSink {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  /// Starts with nothing.
  package init() {}

  /// Appends the bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes.append(contentsOf: bytes)
  }

  /// Forgets the bytes and keeps the memory for the next file.
  package func reset() {
    bytes.removeAll(keepingCapacity: true)
  }
}
