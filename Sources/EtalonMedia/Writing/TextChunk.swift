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
