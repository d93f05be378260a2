internal import CLaneKernels
internal import EtalonDiagnostics

/// Owns the registers that one thread runs a program with.
///
/// **Concurrency**: used by one thread at a time.
@safe final class RegisterBlock: @unchecked Sendable {
  let bytes: UnsafeMutablePointer<CChar>

  init(for program: Program, kernel: String) throws(RenderError) {
    guard let memory = unsafe lane_allocate(program.registerByteCount) else {
      throw RenderError(.tryAgain, "not enough memory for the registers of kernel '\(kernel)'")
    }
    unsafe bytes = memory.bindMemory(to: CChar.self, capacity: program.registerByteCount)
    for (offset, word) in program.constants { unsafe lane_set_scalar(bytes, offset, word) }
  }

  deinit { unsafe lane_free(bytes) }
}

/// Owns bytes that kernels read or write.
///
/// **Concurrency**: written by one frame at a time.
@safe final class ByteBlock: @unchecked Sendable {
  let start: UnsafeMutablePointer<UInt8>
  let byteCount: Int

  init(byteCount: Int, name: String) throws(RenderError) {
    guard let memory = unsafe lane_allocate(byteCount) else {
      throw RenderError(.tryAgain, "not enough memory for \(name) (\(byteCount) bytes)")
    }
    self.byteCount = byteCount
    unsafe start = memory.bindMemory(to: UInt8.self, capacity: byteCount)
  }

  deinit { unsafe lane_free(start) }

  /// Copies bytes to the start; what does not fit is left out.
  func write(_ bytes: [UInt8]) {
    for (index, byte) in bytes.prefix(byteCount).enumerated() { unsafe start[index] = byte }
  }

  /// What the lane kernels need to know about it.
  var descriptor: lane_buffer { unsafe lane_buffer(bytes: start, byte_count: UInt64(byteCount)) }

  /// What the lane kernels need to know about it as a constant array.
  var constants: lane_constants {
    unsafe lane_constants(
      words: UnsafeRawPointer(start).bindMemory(to: UInt32.self, capacity: byteCount / 4), word_count: UInt32(byteCount / 4))
  }
}
