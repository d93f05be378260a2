/// A text that a person wrote, with the name they know it by.
///
/// Positions inside are UTF-8 byte offsets, so that they mean the same to every stage that the text goes through.
///
/// **Concurrency**: an immutable value.
public struct SourceText: Sendable, Hashable {
  /// The path as the user typed it, or a name in angle brackets (`<stdin>`).
  public let path: String
  /// The UTF-8 bytes of the text.
  public let bytes: [UInt8]
  /// The byte offset at which each line starts; the first is 0.
  private let lineStarts: [Int]

  /// Indexes the lines of a text.
  ///
  /// `\n`, `\r\n` and `\r` end a line.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let endsLine = byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A))
      if endsLine { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// Indexes the lines of a string.
  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The text as a string; bytes that are not UTF-8 become U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of lines, at least 1.
  public var lineCount: Int { lineStarts.count }

  /// The bytes of a line (1-based) without its line ending.
  public func byteRange(ofLine line: Int) -> Range<Int> {
    precondition((1...lineCount).contains(line), "line \(line) of \(lineCount)")
    let start = lineStarts[line - 1]
    var end = line < lineCount ? lineStarts[line] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The text of a line (1-based) without its line ending.
  public func line(_ line: Int) -> String {
    String(decoding: bytes[byteRange(ofLine: line)], as: UTF8.self)
  }

  /// The line and column (both 1-based, the column in Unicode scalars) of a byte offset.
  public func position(at offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let column = String(decoding: bytes[lineStarts[low]..<offset], as: UTF8.self).unicodeScalars.count
    return (low + 1, column + 1)
  }
}
