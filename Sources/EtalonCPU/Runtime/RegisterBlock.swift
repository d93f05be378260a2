internal import CLaneKernels
internal import EtalonDiagnostics

/// Owns the registers that one thread runs a program with, for all batches of a workgroup, and the workgroup's shared memory.
///
/// **Concurrency**: used by one thread at a time.
@safe final class RegisterBlock: @unchecked Sendable {
  /// The registers of the first batch; those of the next ones follow.
  let bytes: UnsafeMutablePointer<CChar>
  private let program: Program

  init(for program: Program, kernel: String) throws(RenderError) {
    let registerByteCount = program.batchCount * program.registerByteCount
    guard let memory = unsafe lane_allocate(registerByteCount + program.sharedByteCount) else {
      throw RenderError(.outOfMemory, "not enough memory for the registers of kernel '\(kernel)'")
    }
    self.program = program
    unsafe bytes = memory.bindMemory(to: CChar.self, capacity: registerByteCount + program.sharedByteCount)
    for batch in 0..<program.batchCount {
      for (offset, word) in program.constants { unsafe lane_set_scalar(registers(batch), offset, word) }
    }
  }

  /// The registers of a batch.
  func registers(_ batch: Int) -> UnsafeMutablePointer<CChar> { unsafe bytes.advanced(by: batch * program.registerByteCount) }

  /// The shared memory.
  var shared: UnsafeMutablePointer<CChar> { unsafe registers(program.batchCount) }

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
      throw RenderError(.outOfMemory, "not enough memory for \(name) (\(byteCount) bytes)")
    }
    self.byteCount = byteCount
    unsafe start = memory.bindMemory(to: UInt8.self, capacity: byteCount)
  }

  deinit { unsafe lane_free(start) }

  /// A copy of all bytes.
  var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: byteCount)) }

  /// Makes all bytes zero.
  func clear() { unsafe start.update(repeating: 0, count: byteCount) }

  /// Sets every byte to what a function of its number says.
  func fill(_ byte: (Int) -> UInt8) {
    for index in 0..<byteCount { unsafe start[index] = byte(index) }
  }

  /// Copies bytes to the start; what does not fit is left out.
  func write(_ bytes: [UInt8]) {
    for (index, byte) in bytes.prefix(byteCount).enumerated() { unsafe start[index] = byte }
  }

  /// Copies words to the start.
  func write(_ words: [UInt32]) { write(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }) }

  /// What the lane kernels need to know about it.
  var descriptor: lane_buffer { unsafe lane_buffer(bytes: start, byte_count: UInt64(byteCount)) }

  /// What the lane kernels need to know about it as a constant array.
  var constants: lane_constants {
    unsafe lane_constants(
      words: UnsafeRawPointer(start).bindMemory(to: UInt32.self, capacity: byteCount / 4), word_count: UInt32(byteCount / 4))
  }
}
