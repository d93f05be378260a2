internal import EtalonDiagnostics

/// Ways through the text of the JSON.
extension JSONParser {
  var peek: UInt8? { offset < end ? source.bytes[offset] : nil }

  func word(at start: Int) -> Range<Int> {
    var stop = start
    while stop < end, source.bytes[stop].isJSONWordPart { stop += 1 }
    return start..<stop
  }

  mutating func skipBlanks() {
    while let byte = peek {
      if byte <= 0x20 {
        offset += 1
      } else if byte == UInt8(ascii: "/"), let comment = comment(at: offset) {
        report(.comment, offset..<min(comment, endOfLine(from: offset)), "a comment")
        offset = comment
      } else {
        return
      }
    }
  }

  /// Where a comment ends; nil when there is none.
  func comment(at start: Int) -> Int? {
    guard start + 1 < end else { return nil }
    if source.bytes[start + 1] == UInt8(ascii: "/") { return endOfLine(from: start) }
    guard source.bytes[start + 1] == UInt8(ascii: "*") else { return nil }
    var stop = start + 2
    while stop + 1 < end, !(source.bytes[stop] == UInt8(ascii: "*") && source.bytes[stop + 1] == UInt8(ascii: "/")) { stop += 1 }
    return min(stop + 2, end)
  }

  /// Goes to the comma or closing bracket behind a mistake, past whole brackets and strings.
  mutating func skipToSeparator() {
    var open = 0
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open > 0 else { return }
        open -= 1
      case UInt8(ascii: ",") where open == 0: return
      case UInt8(ascii: "\""):
        var scanner = JSONStringScanner(bytes: source.bytes, start: offset, end: end, joinsLines: false)
        _ = scanner.scan()
        offset = scanner.offset - 1
      default: break
      }
      offset += 1
    }
  }

  func endOfLine(from start: Int) -> Int {
    source.bytes[start..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
  }
}

extension UInt8 {
  var startsJSONNumber: Bool { (0x30...0x39).contains(self) || "+-.".utf8.contains(self) }
  var isJSONWordPart: Bool { startsJSONNumber || (0x61...0x7A).contains(self | 0x20) || "_$".utf8.contains(self) || self >= 0x80 }
  var startsJSONValue: Bool { isJSONWordPart || "\"'{[".utf8.contains(self) }
  var closesJSON: Bool { self == UInt8(ascii: "}") || self == UInt8(ascii: "]") }
}
