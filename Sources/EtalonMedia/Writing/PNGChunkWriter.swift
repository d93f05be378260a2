internal import CPNG
import EtalonDiagnostics

/// Writes the signature and the chunks of a PNG file into a sink.
final class PNGChunkWriter {
  private let sink: any ByteSink
  private var failure: RenderError?

  init(_ sink: any ByteSink) {
    self.sink = sink
  }

  /// Calls the body with a function that writes chunks, between the signature and the end of the file.
  func write(_ body: ((_ type: String, _ data: ArraySlice<UInt8>) throws(RenderError) -> Void) throws(RenderError) -> Void)
    throws(RenderError)
  {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let writer = unsafe cpng_writer_new(takeBytes, context) else { throw Self.outOfMemory }
    defer { unsafe cpng_writer_free(writer) }
    try check(unsafe cpng_write_signature(writer))
    try body { type, data throws(RenderError) in
      let isWritten = unsafe data.withUnsafeBufferPointer { unsafe cpng_write_chunk(writer, type, $0.baseAddress, $0.count) }
      try self.check(isWritten)
    }
    try check(unsafe cpng_write_chunk(writer, "IEND", nil, 0))
    withExtendedLifetime(self) {}
  }

  private func check(_ isWritten: Bool) throws(RenderError) {
    guard !isWritten else { return }
    throw failure ?? Self.outOfMemory
  }

  private static let outOfMemory = RenderError(.cannotWrite, "cannot write a PNG file", operation: "libpng", underlying: "out of memory")

  fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    do throws(RenderError) {
      try unsafe sink.write(bytes)
      return 0
    } catch {
      failure = error
      return 1
    }
  }
}

/// The write function of C, whose context is the chunk writer.
private func takeBytes(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let context = unsafe context else { return 1 }
  let writer = unsafe Unmanaged<PNGChunkWriter>.fromOpaque(context).takeUnretainedValue()
  return unsafe writer.take(UnsafeRawBufferPointer(start: bytes, count: count))
}
