package import EtalonDiagnostics

/// A filter as far as its text could be understood, with everything that was found.
package struct FilterDraft: Sendable {
  /// Nil when too little was understood to compile anything; one whose diagnostics hold errors must not be rendered.
  package let manifest: FilterManifest?
  /// Errors, warnings and notes.
  package let diagnostics: [Diagnostic]

  init(_ manifest: FilterManifest?, _ diagnostics: [Diagnostic]) {
    self.manifest = manifest
    self.diagnostics = diagnostics
  }

  /// Whether nothing is wrong.
  var isRight: Bool { manifest != nil && !diagnostics.contains { $0.severity == .error } }

  /// The filter; throws everything that was found when some of it is wrong.
  func reading() throws(DiagnosticsError) -> FilterReading {
    guard isRight, let manifest else { throw DiagnosticsError(diagnostics.inOrderOfPlaces) }
    return FilterReading(manifest: manifest, warnings: diagnostics.inOrderOfPlaces)
  }
}
