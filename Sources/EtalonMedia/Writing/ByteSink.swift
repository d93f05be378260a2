package import EtalonDiagnostics

/// Something that takes the bytes of a file in order.
package protocol ByteSink: AnyObject {
  /// Takes the next bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError)
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
