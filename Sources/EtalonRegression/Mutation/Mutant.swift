package import EtalonDiagnostics

/// A filter with one small mistake in it.
package struct Mutant: Sendable, Hashable, Codable {
  /// Its place in the order in which mutants are tried.
  package let number: Int
  package let kind: MutationKind
  /// The file that is changed, as it was found.
  package let path: String
  package let line: Int
  package let column: Int
  /// The line as it is, and with the change.
  package let before: String
  package let after: String
  /// The bytes of the file that are replaced, and by what.
  let start: Int
  let end: Int
  let replacement: String

  init(_ change: TextChange, in source: SourceText, number: Int) {
    (self.number, kind, path) = (number, change.kind, source.path)
    (line, column) = source.position(at: change.range.lowerBound)
    (start, end, replacement) = (change.range.lowerBound, change.range.upperBound, change.replacement)
    let first = source.byteRange(ofLine: line)
    let last = source.byteRange(ofLine: source.position(at: change.range.upperBound).line)
    let around = (first.lowerBound..<change.range.lowerBound, change.range.upperBound..<max(last.upperBound, change.range.upperBound))
    // Files of one long line are shown in part.
    let head = String(decoding: source.bytes[around.0.suffix(Self.width)], as: UTF8.self)
    let tail = String(decoding: source.bytes[around.1.prefix(Self.width)], as: UTF8.self)
    before = Self.oneLine(head + String(decoding: source.bytes[change.range], as: UTF8.self) + tail)
    after = Self.oneLine(head + change.replacement + tail)
  }

  /// All mutants of a file, kind by kind as they are found.
  ///
  /// - Parameter isProject: whether it belongs to a ShaderToy project of several passes.
  package static func all(of source: SourceText, isProject: Bool = false) -> [Mutant] {
    FileChanges(source, isProject: isProject).changes.enumerated().map { Mutant($0.element, in: source, number: $0.offset) }
  }

  /// The file with the mistake.
  package func text(of source: SourceText) -> String { String(decoding: change.applied(to: source.bytes), as: UTF8.self) }

  private static let width = 80

  private static func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Where it is, for people.
  package var place: String { "\(path):\(line):\(column)" }

  var change: TextChange { TextChange(kind: kind, range: start..<end, replacement: replacement) }
}
