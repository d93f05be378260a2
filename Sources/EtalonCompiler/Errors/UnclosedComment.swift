internal import EtalonDiagnostics
internal import EtalonManifest

/// A `/*` without `*/`, which swallows the rest of the text.
enum UnclosedComment {
  static func finding(_ context: MessageContext) -> Finding? {
    guard let place = context.tokens.lastSpace.flatMap(opening) else { return nil }
    return Finding(
      id: "glsl.syntax", message: "this comment is never closed", mark: .source(place), label: "no '*/' for this", damage: .rest)
  }

  /// The `/*` in a run of white space and comments that has no end.
  private static func opening(_ space: SourceRange) -> SourceRange? {
    let bytes = space.source.bytes
    var index = space.range.lowerBound
    let end = space.range.upperBound
    func isAt(_ index: Int, _ text: String) -> Bool { bytes[index..<end].starts(with: text.utf8) }
    while index < end {
      if isAt(index, "//") {
        while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if isAt(index, "/*") {
        let start = index
        index += 2
        while index < end, !isAt(index, "*/") { index += 1 }
        if index >= end { return SourceRange(space.source, start..<start + 2) }
        index += 2
      } else {
        index += 1
      }
    }
    return nil
  }
}
