internal import EtalonDiagnostics
internal import Yams

/// Turns the lines and columns of the YAML library into byte offsets.
///
/// Its columns count Unicode scalars, as ours do; its lines also end at U+0085, U+2028 and U+2029.
struct YAMLPlaces {
  private let bytes: [UInt8]
  private var lineStarts = [0]
  private var last = (line: 1, column: 1, offset: 0)

  init(_ source: SourceText) {
    bytes = source.bytes
    for index in bytes.indices where endsLine(index) { lineStarts.append(index + 1) }
  }

  private func endsLine(_ index: Int) -> Bool {
    switch bytes[index] {
    case 0x0A: true
    case 0x0D: index + 1 == bytes.count || bytes[index + 1] != 0x0A
    case 0x85: index > 0 && bytes[index - 1] == 0xC2
    case 0xA8, 0xA9: index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2
    default: false
    }
  }

  /// The offset of a mark, at most the end of the text.
  ///
  /// Goes on from the mark before where it can: a long line is walked once, not once for each of its values.
  mutating func offset(of mark: Mark?) -> Int {
    guard let mark, mark.line >= 1, mark.line <= lineStarts.count else { return bytes.count }
    if last.line != mark.line || last.column > mark.column { last = (mark.line, 1, lineStarts[mark.line - 1]) }
    while last.column < mark.column, last.offset < bytes.count {
      last.offset += 1
      while last.offset < bytes.count, bytes[last.offset] & 0xC0 == 0x80 { last.offset += 1 }
      last.column += 1
    }
    return last.offset
  }
}
