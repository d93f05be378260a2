/// Finds where a scalar ends of which the parser tells only the beginning and the text.
struct YAMLScalarEnd {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// Behind the closing quote; nil when there is none.
  func quoted(_ start: Int) -> Int? {
    let quote = bytes[start]
    var offset = start + 1
    while offset < bytes.endIndex {
      if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset += 2
      } else if bytes[offset] != quote {
        offset += 1
      } else if quote == UInt8(ascii: "'"), offset + 1 < bytes.endIndex, bytes[offset + 1] == quote {
        offset += 2
      } else {
        return offset + 1
      }
    }
    return nil
  }

  /// Behind the last letter of a text that may be folded over several lines.
  func plain(_ start: Int, _ text: String) -> Int {
    var offset = start
    var end = start
    for byte in text.utf8 where !Self.isBlank(byte) {
      while offset < bytes.endIndex, Self.isBlank(bytes[offset]) { offset += 1 }
      guard offset < bytes.endIndex, bytes[offset] == byte else { return end }
      offset += 1
      end = offset
    }
    return end
  }

  /// Behind the last letter of the lines below `|` or `>`.
  func block(_ start: Int, _ text: String) -> Int {
    let header = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    return text.utf8.allSatisfy(Self.isBlank) ? header : plain(header, text)
  }

  /// Behind a `]` or `}`, with commas and comments before it.
  func bracket(_ start: Int) -> Int {
    var offset = start
    while offset < bytes.endIndex {
      switch bytes[offset] {
      case UInt8(ascii: "]"), UInt8(ascii: "}"): return offset + 1
      case UInt8(ascii: "#"): offset = bytes[offset...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      default: offset += 1
      }
    }
    return offset
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
