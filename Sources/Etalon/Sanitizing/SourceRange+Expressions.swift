internal import EtalonDiagnostics
internal import EtalonManifest

/// Places that compilers name, turned into those that people look for.
extension SourceRange {
  private static let blank = UInt8(ascii: " ")

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// The call that ends in the parenthesis of the range, from its name on: compilers give a call the place of its end.
  ///
  /// What goes over several lines, or ends in something else, stays as it is.
  var wholeCall: SourceRange {
    let bytes = source.bytes
    guard range.count == 1, bytes[range.lowerBound] == UInt8(ascii: ")") else { return self }
    let line = source.byteRange(ofLine: source.position(at: range.lowerBound).line)
    var depth = 0
    var place = range.lowerBound
    while place >= line.lowerBound {
      if bytes[place] == UInt8(ascii: ")") { depth += 1 }
      if bytes[place] == UInt8(ascii: "(") { depth -= 1 }
      if depth == 0 { break }
      place -= 1
    }
    guard place > line.lowerBound, depth == 0 else { return self }
    var start = place
    while start > line.lowerBound, bytes[start - 1] == Self.blank { start -= 1 }
    while start > line.lowerBound, Self.isWord(bytes[start - 1]) { start -= 1 }
    return SourceRange(source, start..<range.upperBound)
  }

  /// The variable on the line of the range, where it stands there: `color` for `color.a`.
  func narrowed(to variable: String?) -> SourceRange {
    guard let name = variable?.prefix(while: { $0 != "." && $0 != "[" && $0 != "(" }), !name.isEmpty else { return self }
    let bytes = source.bytes, word = Array(name.utf8)
    let line = source.byteRange(ofLine: source.position(at: range.lowerBound).line)
    var found: Int?
    for start in line where start + word.count <= line.upperBound && bytes[start..<start + word.count].elementsEqual(word) {
      let isWhole =
        (start == line.lowerBound || !Self.isWord(bytes[start - 1]))
        && (start + word.count == line.upperBound || !Self.isWord(bytes[start + word.count]))
      // The last one in front of the place, else the first behind it.
      if isWhole, found == nil || start <= range.lowerBound { found = start }
    }
    return found.map { SourceRange(source, $0..<$0 + word.count) } ?? self
  }
}
