package import EtalonDiagnostics
internal import EtalonManifest

extension GraphText.Word {
  /// Points at the word in a diagnostic.
  package func label(_ message: String) -> Diagnostic.Label { Diagnostic.Label(place.source, place.range, message) }

  /// Whether it stands on the command line and not in a document.
  package var isTyped: Bool { place.source.path == "stages" || place.source.path.hasPrefix("stage ") }

  /// Points at a part of the word, given in bytes of its text; at all of it where quotes or escapes are between.
  package func label(_ message: String, at part: Range<Int>) -> Diagnostic.Label {
    guard place.range.count == text.utf8.count else { return Diagnostic.Label(place.source, place.range, message) }
    let start = place.range.lowerBound
    return Diagnostic.Label(place.source, start + part.lowerBound..<start + part.upperBound, message)
  }
}
