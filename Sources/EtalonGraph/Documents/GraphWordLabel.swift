package import EtalonDiagnostics
internal import EtalonManifest

extension GraphText.Word {
  /// Points at the word in a diagnostic.
  package func label(_ message: String) -> Diagnostic.Label { Diagnostic.Label(place.source, place.range, message) }
}
