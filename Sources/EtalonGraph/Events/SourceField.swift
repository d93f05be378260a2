internal import EtalonDiagnostics

/// A field of a line of comma-separated values, without the blanks around it.
struct SourceField {
  let text: String
  /// UTF-8 byte offsets into the source.
  let range: Range<Int>

  /// The fields of a line.
  ///
  /// - Parameter dropsQuotes: whether quotes around a field are no part of it either.
  static func fields(of line: Range<Int>, in source: SourceText, dropsQuotes: Bool = false) -> [SourceField] {
    func isAround(_ byte: UInt8) -> Bool { byte <= 0x20 || dropsQuotes && byte == UInt8(ascii: "\"") }
    return source.bytes[line].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
      let start = part.firstIndex { !isAround($0) } ?? part.endIndex
      let end = max(start, (part.lastIndex { !isAround($0) } ?? start - 1) + 1)
      return SourceField(text: String(decoding: source.bytes[start..<end], as: UTF8.self), range: start..<end)
    }
  }
}
