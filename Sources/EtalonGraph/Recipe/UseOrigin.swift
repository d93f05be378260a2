internal import EtalonDiagnostics
internal import EtalonManifest

/// Which node of a graph applies a filter, and where it is written, for diagnostics.
///
/// All origins are equal: a picture is the same whichever node makes it, so that recipes that make it alike are equal.
package struct UseOrigin: Sendable, Hashable {
  /// Nil for a filter that is rendered by itself, or that a program applies.
  private let node: GraphText.Node?

  package init(_ node: GraphText.Node? = nil) { self.node = node }

  /// A mistake that shows when the filter is applied, told first where the node is written.
  ///
  /// - Parameter builtIn: the name of a text that nobody but Etalon wrote, whose places mean nothing to others.
  func placed(_ found: Diagnostic, besides builtIn: String) -> Diagnostic {
    guard let node else { return found }
    let labels = [node.filter.label("applied here")] + found.labels.filter { $0.source.path != builtIn }
    return Diagnostic(
      found.id, "\(words(node)): \(found.message)", severity: found.severity, labels: labels, help: found.help, notes: found.notes)
  }

  private func words(_ node: GraphText.Node) -> String {
    node.isStage ? "in the stage '\(node.name.text)'" : "in the node '\(node.name.text)'"
  }

  // MARK: values

  /// Which node the values belong to, for the middle of a sentence; empty where there is none.
  var ofNode: String { node.map { " of '\($0.name.text)'" } ?? "" }

  /// The places of some of the values, else of the filter.
  func labels(ofValues names: [String], _ message: String) -> [Diagnostic.Label] {
    guard let node else { return [] }
    let places = node.settings.filter { names.contains($0.name.text) }.map(\.value.place)
    return places.isEmpty ? [node.filter.label("applied here")] : places.map { Diagnostic.Label($0.source, $0.range, message) }
  }

  /// What to write to change a value.
  func change(of name: String) -> String {
    guard let node else { return "--set \(name)=…" }
    return node.isStage ? "'\(name)=…'" : "'\(name): …'"
  }

  package static func == (a: UseOrigin, b: UseOrigin) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
