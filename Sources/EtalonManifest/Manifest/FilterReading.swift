package import EtalonDiagnostics

/// A manifest and what a user should know about it.
package struct FilterReading: Sendable {
  package let manifest: FilterManifest
  package let warnings: [Diagnostic]

  package init(manifest: FilterManifest, warnings: [Diagnostic]) {
    self.manifest = manifest
    self.warnings = warnings
  }
}
