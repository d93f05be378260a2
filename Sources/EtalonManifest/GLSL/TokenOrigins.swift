internal import EtalonDiagnostics

extension [Token] {
  /// The place in the author's text from the first to the last of some tokens; nil when it is not one place in one file.
  func origin(of places: some Collection<Int>) -> SourceRange? {
    let origins = places.compactMap { self[$0].origin }
    guard let first = origins.first, let last = origins.last(where: { $0.source == first.source }) else { return nil }
    guard last.range.upperBound >= first.range.lowerBound else { return nil }
    return SourceRange(first.source, first.range.lowerBound..<last.range.upperBound)
  }

  /// A label at the author's place of some tokens; none when Etalon wrote them.
  func labels(at places: some Collection<Int>, _ message: String) -> [Diagnostic.Label] {
    origin(of: places).map { [Diagnostic.Label($0.source, $0.range, message)] } ?? []
  }
}
