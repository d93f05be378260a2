internal import EtalonDiagnostics

/// A text inside of a JSON string, with the places that its bytes have in the file.
struct EscapedText {
  /// The text itself.
  private(set) var bytes: [UInt8] = []
  /// Where each of its bytes begins in the file; one more for its end.
  private var places: [Int] = []

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
  ]

  /// Nil when the string has an escape with a number, which shaders have no use for.
  ///
  /// - Parameter range: the string with its quotes.
  init?(_ range: Range<Int>, of file: [UInt8]) {
    var place = range.lowerBound + 1
    while place < range.upperBound - 1 {
      places.append(place)
      guard file[place] == UInt8(ascii: "\\") else {
        bytes.append(file[place])
        place += 1
        continue
      }
      guard let byte = Self.escapes[file[place + 1]] else { return nil }
      bytes.append(byte)
      place += 2
    }
    places.append(place)
  }

  /// The change as it is made in the file; nil for one whose words the string would have to escape.
  func inFile(_ change: TextChange) -> TextChange? {
    guard !change.replacement.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return nil
    }
    return TextChange(
      kind: change.kind, range: places[change.range.lowerBound]..<places[change.range.upperBound], replacement: change.replacement)
  }
}
