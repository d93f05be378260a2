internal import CDeflate
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

/// A named text in a PNG file.
package struct TextChunk: Sendable, Hashable {
  /// One to 79 ASCII characters.
  package let keyword: String
  /// Any text without zero characters.
  package let text: String

  /// Makes a text; the keyword is a constant of the program.
  package init(_ keyword: String, _ text: String) {
    precondition(Self.allows(keyword: keyword), "keyword '\(keyword)'")
    self.keyword = keyword
    self.text = text
  }

  /// Whether a text can have that name.
  static func allows(keyword: String) -> Bool {
    (1...79).contains(keyword.utf8.count) && keyword.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// `tEXt` holds Latin-1, of which we use ASCII; everything else goes into `iTXt`, which holds UTF-8.
  var encoded: (type: String, data: [UInt8]) {
    let content = text.utf8.filter { $0 != 0 }
    let isPlain = content.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
    return isPlain
      ? ("tEXt", Array(keyword.utf8) + [0] + content)
      : ("iTXt", Array(keyword.utf8) + [0, 0, 0, 0, 0] + content)
  }

  /// Reads the data of a `tEXt` or uncompressed `iTXt` chunk.
  init?(type: String, data: ArraySlice<UInt8>) {
    guard let end = data.prefix(80).firstIndex(of: 0), end > data.startIndex else { return nil }
    let keyword = data[..<end]
    guard keyword.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    var content = data[(end + 1)...]
    if type == "iTXt" {
      guard content.count >= 4, content.prefix(2).elementsEqual([0, 0]) else { return nil }
      content = content.dropFirst(2)
      for _ in ["language", "translated keyword"] {
        guard let end = content.firstIndex(of: 0) else { return nil }
        content = content[(end + 1)...]
      }
    } else if type != "tEXt" {
      return nil
    }
    self.init(String(decoding: keyword, as: UTF8.self), String(decoding: content, as: UTF8.self))
  }
}

// MARK: Compression

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
