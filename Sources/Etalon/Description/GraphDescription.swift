/// Everything that can be set from outside in a graph document, and what leaves it, as data for text and JSON.
///
/// As JSON it has these keys, and absent ones are not in the document: `{"version": 1, "kind": "graph", "path", "name", "filterKind", "description",
/// "credit", "license", "categories": [], "clock": {"size", "rate", …}, "inputs": [], "nodes": [], "parameters": [], "outputs": []}`. An input
/// without a `file` is open. A parameter has the keys of a filter's parameter, and `written` and `sets`.
package struct GraphDescription: Sendable, Encodable {
  package let version = 1
  package let kind = "graph"
  package let path: String
  /// What it is called as a filter.
  package let name: String
  /// What it is used for as a filter: generator, filter, composite or transition.
  package let filterKind: String
  package let description: String?
  package let credit: String?
  package let license: String?
  package let categories: [String]
  /// `size`, `rate`, `first`, `start`, `frames`, `duration`, `format`, `workingSpace`: as written.
  package let clock: [String: String]
  /// Those that the document leaves open first, in its order.
  package let inputs: [Input]
  package let nodes: [Node]
  /// Those that the document names, then `node.parameter` of all nodes.
  package let parameters: [Parameter]
  /// The result first.
  package let outputs: [Output]

  /// A picture, a sequence or a sound that the document names.
  package struct Input: Sendable, Encodable {
    package let name: String
    /// Nil for an input whose picture comes from whoever applies the graph.
    package let file: String?
  }

  /// One application of a filter.
  package struct Node: Sendable, Encodable {
    package let name: String
    package let filter: String
  }

  /// A picture that leaves the graph.
  package struct Output: Sendable, Encodable {
    package let name: String
    package let node: String
    /// Where its frames go; nil where the command line says it.
    package let file: String?
  }

  /// A value that `--set` can change.
  package struct Parameter: Sendable, Encodable {
    /// What its filter declares, under the name that it has outside.
    package let declaration: FilterDescription.Parameter
    /// The value in the document, as written; nil is the default of the filter.
    package let written: String?
    /// Every `node.parameter` that a name of the document stands for; empty for a parameter of a node itself.
    package let sets: [String]

    private enum Key: String, CodingKey { case written, sets }

    package func encode(to encoder: any Encoder) throws {
      try declaration.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(written, forKey: .written)
      try sets.isEmpty ? () : container.encode(sets, forKey: .sets)
    }
  }
}
