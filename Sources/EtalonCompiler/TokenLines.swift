package import EtalonDiagnostics
package import EtalonGLSL

/// A generated text with every token on a line of its own.
///
/// The compiler knows lines only, in its errors and in the debug lines of SPIR-V. With one token on each of them a line is as good as a line
/// and a column: `origin(ofLine:)` finds what the author wrote. White space and comments are gone, so texts that differ in nothing else are the
/// same text.
///
/// **Concurrency**: an immutable value.
package struct TokenLines: Sendable {
  /// What the compiler reads, as UTF-8.
  let bytes: [UInt8]
  let source: GeneratedSource
  /// For each line, which piece it is from.
  private let pieceOfLine: [Int]
  /// For each piece the line that it starts on, counted from zero.
  private let firstLineOfPiece: [Int]

  package init(_ source: GeneratedSource) {
    var bytes: [UInt8] = []
    var pieceOfLine: [Int] = []
    var firstLineOfPiece: [Int] = []
    for (index, piece) in source.pieces.enumerated() {
      firstLineOfPiece.append(pieceOfLine.count)
      guard piece.kind != .space else { continue }
      let start = bytes.count
      Self.append(piece.text, to: &bytes)
      pieceOfLine += repeatElement(index, count: bytes[start...].count { $0 == Self.newline })
    }
    self.bytes = bytes
    self.source = source
    self.pieceOfLine = pieceOfLine
    self.firstLineOfPiece = firstLineOfPiece
  }

  private static let newline = UInt8(ascii: "\n")

  /// Adds text that ends in `\n`, with `\n` for every kind of line end, because the compiler counts only those.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\r") {
        bytes.append(newline)
      } else if !(byte == newline && previous == UInt8(ascii: "\r")) {
        bytes.append(byte)
      }
      previous = byte
    }
    if bytes.last != newline { bytes.append(newline) }
  }

  /// The piece that a line (1-based) is from and the line inside that piece (0-based); nil past the end.
  func piece(ofLine line: Int) -> (index: Int, lineInside: Int)? {
    guard pieceOfLine.indices.contains(line - 1) else { return nil }
    let index = pieceOfLine[line - 1]
    return (index, line - 1 - firstLineOfPiece[index])
  }

  /// Whether the value that is stored at a line (1-based) is one that a rewrite gave a declaration: ` = 0.0` behind the author's name.
  package func isAddedValue(atLine line: Int) -> Bool {
    guard let (index, _) = piece(ofLine: line) else { return false }
    if source.pieces[index].origin == nil { return true }
    return source.pieces[(index + 1)...].first { $0.kind != .space }.map { $0.text == "=" && $0.origin == nil } ?? false
  }

  /// Where the author wrote a name first, on a line (1-based) or behind it; nil where that is text of Etalon's.
  package func origin(ofName name: String, fromLine line: Int) -> SourceRange? {
    guard let (index, _) = piece(ofLine: line) else { return nil }
    return source.pieces[index...].first { $0.kind != .space && $0.text == name }?.origin
  }

  /// What the author wrote on a line (1-based); nil for text that Etalon added and past the end.
  package func origin(ofLine line: Int) -> SourceRange? {
    guard let (index, lineInside) = piece(ofLine: line), let origin = source.pieces[index].origin else { return nil }
    return source.pieces[index].kind == .directive ? origin.line(lineInside) : origin
  }
}

extension SourceRange {
  /// The part of a range that is on one of its lines (0-based), without white space at its ends; the last line when there are fewer.
  func line(_ wanted: Int) -> SourceRange {
    let first = source.position(at: range.lowerBound).line
    let last = source.position(at: range.upperBound).line
    var part = source.byteRange(ofLine: min(first + wanted, last)).clamped(to: range)
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    while let byte = source.bytes[part].last, isBlank(byte) { part = part.lowerBound..<part.upperBound - 1 }
    while let byte = source.bytes[part].first, isBlank(byte) { part = part.lowerBound + 1..<part.upperBound }
    return SourceRange(source, part)
  }
}
