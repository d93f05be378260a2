package import EtalonDiagnostics
package import EtalonTypes

/// The values of a filter's parameters: the defaults, and what a person typed instead, checked against type, range, step and choices.
///
/// A value that does not fit is refused, never changed.
package struct ParameterValues: Sendable, Hashable {
  private var values: [String: Value]

  /// The defaults of a filter's parameters; those that follow a clock have no value of their own.
  package init(defaultsOf manifest: FilterManifest) {
    values = Dictionary(manifest.parameters.filter { !$0.followsClock }.map { ($0.name, $0.defaultValue) }) { first, _ in first }
  }

  /// Reads what a person typed; names of constants are accepted too, because the text has taken those values already.
  package init(_ typed: [String: String], of manifest: FilterManifest) throws(DiagnosticsError) {
    self.init(defaultsOf: manifest)
    var mistakes: [Diagnostic] = []
    for (name, text) in typed.sorted(by: { $0.key < $1.key }) {
      let value = TypedValue(name: name, text: text)
      if let parameter = manifest.parameters.first(where: { $0.name == name }) {
        switch ParameterCheck(parameter).read(value) {
        case .success(let value): values[name] = value
        case .failure(let error): mistakes += error.diagnostics
        }
      } else if let unknown = Self.unknownName(name, text, in: manifest) {
        mistakes.append(unknown)
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  /// What is wrong with setting a name that the filter does not have; nil for one that it has.
  package static func unknownName(_ name: String, _ text: String, in manifest: FilterManifest) -> Diagnostic? {
    let known = manifest.constants.map(\.name) + manifest.parameters.map(\.name)
    guard !known.contains(name) else { return nil }
    let labelled = manifest.parameters.first { $0.label?.lowercased() == name.lowercased() }
    return TypedValue(name: name, text: text).unknownName(in: manifest.name, known: known, nearest: labelled?.name)
  }

  /// The value of a parameter; nil when the filter has none of that name, or a clock gives it.
  package subscript(name: String) -> Value? { values[name] }

  /// The same values with another one for a parameter, which was checked before.
  package func setting(_ name: String, to value: Value) -> ParameterValues {
    var changed = self
    changed.values[name] = value
    return changed
  }
}
