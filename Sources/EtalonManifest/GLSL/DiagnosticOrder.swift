package import EtalonDiagnostics

extension [Diagnostic] {
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
