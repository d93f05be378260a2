internal import EtalonDiagnostics
internal import EtalonManifest

/// Splits the text of stages into words at blanks; quotes and brackets keep blanks together.
///
/// ```
/// blur: gaussian-blur sigma=(2 + 3*progress)    →  blur:  gaussian-blur  sigma=(2 + 3*progress)
/// ```
/// A quote counts at the beginning of a word and behind `=`, so that `bob's.png` is a word.
struct StageWords {
  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  private let source: SourceText
  private let end: Int
  private var offset: Int

  /// The words of a part of a text.
  static func all(in place: SourceRange) throws(DiagnosticsError) -> [SourceRange] {
    var words = StageWords(place)
    var found: [SourceRange] = []
    while let word = try words.next() { found.append(word) }
    return found
  }

  private init(_ place: SourceRange) {
    source = place.source
    offset = place.range.lowerBound
    end = place.range.upperBound
  }

  private var byte: UInt8? { offset < end ? source.bytes[offset] : nil }

  private mutating func next() throws(DiagnosticsError) -> SourceRange? {
    while let byte, byte <= 0x20 { offset += 1 }
    let start = offset
    while let byte, byte > 0x20 {
      let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      if isQuote, offset == start || source.bytes[offset - 1] == UInt8(ascii: "=") {
        try skipQuotes(byte)
      } else if Self.closing[byte] != nil {
        try skipBrackets()
      } else {
        offset += 1
      }
    }
    return offset > start ? SourceRange(source, start..<offset) : nil
  }

  private mutating func skipQuotes(_ quote: UInt8) throws(DiagnosticsError) {
    guard let end = source.bytes[(offset + 1)..<end].firstIndex(of: quote) else {
      throw mistake("a quote that is never closed", at: offset, help: "end with \(Character(Unicode.Scalar(quote)))")
    }
    offset = end + 1
  }

  private mutating func skipBrackets() throws(DiagnosticsError) {
    var open: [(offset: Int, closing: UInt8)] = []
    repeat {
      guard let byte else {
        let last = open[open.count - 1]
        throw mistake("a bracket that is never closed", at: last.offset, help: "end with '\(Character(Unicode.Scalar(last.closing)))'")
      }
      if let closing = Self.closing[byte] {
        open.append((offset, closing))
      } else if byte == open[open.count - 1].closing {
        open.removeLast()
      }
      offset += 1
    } while !open.isEmpty
  }

  private func mistake(_ message: String, at offset: Int, help: String) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("stage.form", message, labels: [.init(source, offset..<offset + 1, "opened here")], help: [help]))
  }
}
