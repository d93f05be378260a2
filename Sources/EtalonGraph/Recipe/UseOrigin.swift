package import EtalonDiagnostics
internal import EtalonManifest

/// Who applies a filter, for diagnostics: a node of a graph, with the place where it is written, or a call in a program.
///
/// All origins are equal: the origin does not change the picture, so that recipes that make it alike are equal.
package struct UseOrigin: Sendable, Hashable {
  private enum Author: Sendable {
    case unknown
    case node(GraphText.Node)
    case call(ProgramCall)
  }

  private let author: Author

  /// - Parameter node: nil for a filter that is rendered by itself.
  package init(_ node: GraphText.Node? = nil) { author = node.map { .node($0) } ?? .unknown }

  package init(_ call: ProgramCall) { author = .call(call) }

  private var node: GraphText.Node? { if case .node(let node) = author { node } else { nil } }

  /// An error that shows when the filter is applied, told first where the node is written, or where the call is.
  ///
  /// - Parameter builtIn: the name of a text that is part of Etalon, whose places mean nothing to users.
  func placed(_ found: Diagnostic, besides builtIn: String) -> Diagnostic {
    let own = found.labels.filter { $0.source.path != builtIn }
    switch author {
    case .unknown: return found
    case .node(let node):
      return told(found, "in the \(node.isStage ? "stage" : "node") '\(node.name.text)'", [node.filter.label("applied here")] + own)
    case .call(let call): return told(found, "in \(call)", own)
    }
  }

  private func told(_ found: Diagnostic, _ words: String, _ labels: [Diagnostic.Label]) -> Diagnostic {
    Diagnostic(
      found.id, "\(words): \(found.message)", severity: found.severity, labels: labels, help: found.help, notes: found.notes)
  }

  // MARK: values

  /// Whose values they are, for the middle of a sentence; empty where that is not known.
  var ofNode: String {
    switch author {
    case .unknown: ""
    case .node(let node): " of '\(node.name.text)'"
    case .call(let call): " in \(call)"
    }
  }

  /// The places of some of the values, else of the filter.
  func labels(ofValues names: [String], _ message: String) -> [Diagnostic.Label] {
    guard let node else { return [] }
    let places = node.settings.filter { names.contains($0.name.text) }.map(\.value.place)
    return places.isEmpty ? [node.filter.label("applied here")] : places.map { $0.label(message) }
  }

  /// Where a value is written; nil where it is not known.
  package func place(ofValue name: String) -> SourceRange? { node?.settings.last { $0.name.text == name }?.value.place }

  /// What to write to change a value.
  func change(of name: String) -> String {
    switch author {
    case .unknown: "--set \(name)=…"
    case .node(let node): node.isStage ? "'\(name)=…'" : "'\(name): …'"
    case .call: "'\"\(name)\": …'"
    }
  }

  package static func == (a: UseOrigin, b: UseOrigin) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

/// A call in the text of a program that uses Etalon, such as `'cropped(to:)' at Poster/Glow.swift:12`.
///
/// **Concurrency**: an immutable value.
package struct ProgramCall: Sendable, CustomStringConvertible {
  private let function: String
  private let fileID: String
  private let line: Int

  /// - Parameter fileID: the module and the file, as `#fileID` says.
  package init(_ function: String, _ fileID: String, _ line: Int) {
    self.function = function
    self.fileID = fileID
    self.line = line
  }

  /// The file and its line.
  package var place: String { "\(fileID):\(line)" }

  package var description: String { "'\(function)' at \(place)" }
}
