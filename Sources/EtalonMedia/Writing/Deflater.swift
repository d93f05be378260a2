internal import CDeflate

/// How hard an encoder tries to make files small.
package enum CompressionPreset: String, Sendable, Hashable, CaseIterable {
  /// As fast as writing raw pixels on most disks; the default.
  case fast
  /// About a tenth smaller, six times slower.
  case small
}

/// The library that compresses.
package enum DeflateLibrary: Sendable, Hashable, CaseIterable {
  /// ISA-L's igzip, where it is installed.
  case isal
  /// libdeflate, always there.
  case libdeflate

  /// Whether this process can use it.
  package var isAvailable: Bool { self == .libdeflate || cdeflate_has_isal() }

  /// The name with its version, such as `libdeflate 1.14`.
  package var description: String { unsafe String(cString: cdeflate_library_name(cLibrary)) }

  /// What a preset uses on this machine.
  package static func best(for preset: CompressionPreset) -> DeflateLibrary {
    preset == .fast && DeflateLibrary.isal.isAvailable ? .isal : .libdeflate
  }

  fileprivate var cLibrary: cdeflate_library { self == .isal ? CDEFLATE_ISAL : CDEFLATE_LIBDEFLATE }
}

/// Makes zlib streams with one library at one level; keeps its memory from one to the next.
@safe final class Deflater {
  private let stream: OpaquePointer
  private var output: [UInt8] = []

  init(_ library: DeflateLibrary, level: Int) {
    guard let stream = unsafe cdeflate_new(library.cLibrary, Int32(level)) else {
      preconditionFailure("\(library.description) at level \(level)")
    }
    unsafe self.stream = stream
  }

  deinit { unsafe cdeflate_free(stream) }

  /// Whether input may come in pieces; otherwise all of it must come at once.
  var takesPieces: Bool { unsafe cdeflate_takes_pieces(stream) }

  func begin() { unsafe cdeflate_begin(stream) }

  /// Compresses a piece and hands out what comes of it, perhaps nothing.
  func compress<Failure: Error>(
    _ input: ArraySlice<UInt8>, isLast: Bool, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let room = unsafe cdeflate_room(stream, input.count)
    if output.count < room { output = [UInt8](repeating: 0, count: room) }
    var progress = CDEFLATE_MORE
    var isFed = false
    while progress == CDEFLATE_MORE {
      var written = 0
      unsafe input.withUnsafeBufferPointer { input in
        if !isFed { unsafe cdeflate_feed(stream, input.baseAddress, input.count, isLast) }
        isFed = true
        unsafe output.withUnsafeMutableBufferPointer { output in
          progress = unsafe cdeflate_run(stream, output.baseAddress, output.count, &written)
        }
      }
      precondition(progress != CDEFLATE_FAILED, "a compressor with enough room failed")
      if written > 0 { try body(output[..<written]) }
    }
  }
}
