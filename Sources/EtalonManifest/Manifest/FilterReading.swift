package import EtalonDiagnostics

/// A filter as far as its text could be understood, with everything that was found.
package struct FilterDraft: Sendable {
  /// Nil when too little was understood to compile anything; one whose diagnostics hold errors must not be rendered.
  package let manifest: FilterManifest?
  /// Errors, warnings and notes.
  package let diagnostics: [Diagnostic]

  package init(_ manifest: FilterManifest?, _ diagnostics: [Diagnostic]) {
    self.manifest = manifest
    self.diagnostics = diagnostics
  }

  /// Whether nothing is wrong.
  var isRight: Bool { manifest != nil && !diagnostics.contains { $0.severity == .error } }

  /// The filter; throws everything that was found when some of it is wrong.
  package func reading() throws(DiagnosticsError) -> FilterReading {
    guard isRight, let manifest else { throw DiagnosticsError(diagnostics.inOrderOfPlaces) }
    return FilterReading(manifest: manifest, warnings: diagnostics.inOrderOfPlaces)
  }
}

/// A manifest and what a user should know about it.
package struct FilterReading: Sendable {
  package let manifest: FilterManifest
  package let warnings: [Diagnostic]

  package init(manifest: FilterManifest, warnings: [Diagnostic]) {
    self.manifest = manifest
    self.warnings = warnings
  }
}

// MARK: - diagnostics

extension [Diagnostic] {
  /// Reports something about a place; nil for what has none.
  package mutating func report(
    _ id: String, _ message: String, severity: Diagnostic.Severity = .error, at place: SourceRange?, _ label: String,
    further: [Diagnostic.Label] = [], help: [String] = [], notes: [String] = []
  ) {
    let labels = place.map { [$0.label(label)] } ?? []
    append(Diagnostic(id, message, severity: severity, labels: labels + further, help: help, notes: notes))
  }

  /// The diagnostics file by file, each from top to bottom; those without a place come first.
  package var inOrderOfPlaces: [Diagnostic] {
    func key(_ diagnostic: Diagnostic) -> (path: String, offset: Int) {
      diagnostic.labels.first.map { ($0.source.path, $0.range.lowerBound) } ?? ("", 0)
    }
    return enumerated().sorted { a, b in
      let (first, second) = (key(a.element), key(b.element))
      return first == second ? a.offset < b.offset : first < second
    }.map(\.element)
  }
}
