package import EtalonComparison
package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest

/// The texts of a nested record of limits by dotted keys, and where each stands.
package struct ToleranceLeaves: Sendable {
  package private(set) var texts: [String: String] = [:]
  package private(set) var diagnostics: [Diagnostic] = []
  /// Of keys and values.
  private var places: [String: (key: SourceRange, value: SourceRange)] = [:]

  package init() {}

  /// Reads a file that holds a tolerance alone: JSON where its name says so, else YAML.
  package init(_ source: SourceText) throws(DiagnosticsError) {
    let tree = try GraphDocumentReader.tree(of: source)
    guard let members = tree.members else {
      throw DiagnosticsError([
        DocumentMembers.wrongForm(tree, named: "the tolerance", expected: "limits", help: "write '{ channel: 2, flip: { mean: 0.01 } }'")
          .ofTolerance
      ])
    }
    add(members, prefix: "")
    diagnostics = diagnostics.map(\.ofTolerance)
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
  }

  package mutating func add(_ members: [LocatedNode.Member], prefix: String) {
    for member in members {
      let key = prefix + member.key
      places[key] = (member.keyPlace, member.value.place)
      switch member.value.content {
      case .mapping(let inner): add(inner, prefix: key + ".")
      case .scalar(let text) where !text.isEmpty: texts[key] = text
      case .scalar: diagnostics.append(DocumentMembers.empty(member.key, of: "'tolerance'", member.value))
      case .sequence: diagnostics.append(DocumentMembers.wrongForm(member.value, named: "'\(key)'", expected: "one value or limits"))
      }
    }
  }

  /// A problem as a person reads it: at the key where that is wrong, at the value otherwise.
  func diagnostic(_ problem: ToleranceProblem, id: String, at whole: SourceRange) -> Diagnostic {
    let place = place(of: problem) ?? whole
    return problem.diagnostic(id: id, label: .init(place.source, place.range, problem.label))
  }

  /// The same for a file that holds a tolerance alone; nil where the file has nothing like the key.
  package func diagnostic(_ problem: ToleranceProblem) -> Diagnostic? {
    place(of: problem).map { problem.diagnostic(label: .init($0.source, $0.range, problem.label)) }
  }

  /// The place of a key, or of the record that it would be in.
  private func place(of problem: ToleranceProblem) -> SourceRange? {
    var key = problem.key[...]
    while true {
      if let place = places[String(key)] { return problem.part == .key ? place.key : place.value }
      guard let dot = key.lastIndex(of: ".") else { return nil }
      key = key[..<dot]
    }
  }
}

extension ToleranceProblem {
  /// What stands under the place.
  package var label: String { candidates.isEmpty ? "in this tolerance" : "unknown" }

  /// The problem with the nearest known name of an unknown one.
  package func diagnostic(id: String? = nil, label: Diagnostic.Label?) -> Diagnostic {
    let nearest = NearestName.find(key, in: candidates).map { "did you mean '\($0)'?" }
    return Diagnostic(
      id ?? "tolerance.\(candidates.isEmpty ? "value" : "unknown-key")", message, labels: [label].compactMap(\.self),
      help: [nearest ?? help].compactMap(\.self))
  }
}

extension Diagnostic {
  /// The same under the name of the file that it is about.
  fileprivate var ofTolerance: Diagnostic {
    id.hasPrefix("graph.") ? Diagnostic("tolerance." + id.dropFirst(6), message, labels: labels, help: help) : self
  }
}
