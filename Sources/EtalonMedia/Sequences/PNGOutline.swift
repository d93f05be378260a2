internal import CPNG
package import EtalonDiagnostics
package import EtalonTypes
import Glibc

/// What a PNG file says before its pixels, and whether it reaches its end; the pixels themselves are skipped.
package struct PNGOutline: Sendable, Hashable {
  private static let longestText = 1 << 20
  private static let mostChunks = 100_000

  /// Width and height in pixels.
  package let size: Size
  /// Bits of a sample.
  package let bits: Int
  /// Whether there is an alpha channel.
  package let hasAlpha: Bool
  /// The texts in the order of the file; damaged ones are left out.
  package let texts: [TextChunk]
  /// Whether every chunk is there, up to the last.
  package let isComplete: Bool

  /// Reads the outline of a file; nil when the file is not a PNG or ends within its header.
  package init?(path: String) throws(RenderError) {
    let file = try RandomAccessFile(path)
    guard file.bytes(at: 0, count: 8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { return nil }
    guard let header = Chunk(file, at: 8), header.type == "IHDR", header.length == 13, let data = header.data(file) else { return nil }
    let (width, height) = (Self.number(data[0..<4]), Self.number(data[4..<8]))
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else { return nil }
    size = Size(width, height)
    bits = Int(data[8])
    hasAlpha = data[9] & 4 != 0
    (texts, isComplete) = Self.walk(file, from: header.end)
  }

  private static func walk(_ file: RandomAccessFile, from start: Int) -> (texts: [TextChunk], isComplete: Bool) {
    var texts: [TextChunk] = []
    var position = start
    var hasPixels = false
    for _ in 0..<mostChunks {
      guard let chunk = Chunk(file, at: position), chunk.end <= file.size else { return (texts, false) }
      switch chunk.type {
      case "IEND": return (texts, hasPixels)
      case "IDAT": hasPixels = true
      case "tEXt", "iTXt":
        let text = chunk.length <= longestText ? chunk.data(file).flatMap { TextChunk(type: chunk.type, data: $0[...]) } : nil
        if let text { texts.append(text) }
      default: break
      }
      position = chunk.end
    }
    return (texts, false)
  }

  fileprivate static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// Length, type, data and CRC at a place of a file.
  private struct Chunk {
    let start: Int
    let length: Int
    let type: String
    var end: Int { start + 12 + length }

    init?(_ file: RandomAccessFile, at start: Int) {
      guard let head = file.bytes(at: start, count: 8) else { return nil }
      self.start = start
      length = PNGOutline.number(head[0..<4])
      type = String(decoding: head[4..<8], as: UTF8.self)
    }

    /// The data, when its CRC is right.
    func data(_ file: RandomAccessFile) -> [UInt8]? {
      guard let bytes = file.bytes(at: start + 4, count: length + 8) else { return nil }
      let crc = unsafe bytes.withUnsafeBufferPointer { unsafe cpng_crc32($0.baseAddress, length + 4) }
      return PNGOutline.number(bytes.suffix(4)) == Int(crc) ? Array(bytes[4..<(4 + length)]) : nil
    }
  }
}

/// A regular file of which pieces are read.
///
/// **Concurrency**: usable from every thread.
package final class RandomAccessFile {
  private let descriptor: Int32
  /// Bytes; 0 of what is no regular file.
  package let size: Int

  /// Opens a file.
  package init(_ path: String) throws(RenderError) {
    // A process that writes into a pipe would take this for its reader, and be ended by a signal when it is closed.
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
