package import EtalonDiagnostics
package import EtalonManifest

/// Where somebody wrote a value, for diagnostics.
///
/// All origins are equal: a value is the same wherever it was written, so that recipes with equal values are equal.
package struct ValueOrigin: Sendable, Hashable {
  /// Nil for a value that a program made.
  package let place: SourceRange?

  package init(_ place: SourceRange?) { self.place = place }

  /// A label at the place; none for a value that a program made.
  package func labels(_ message: String) -> [Diagnostic.Label] { place.map { [.init($0.source, $0.range, message)] } ?? [] }

  package static func == (a: ValueOrigin, b: ValueOrigin) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
