package import EtalonDiagnostics
internal import EtalonManifest

/// Reads one entry of `nodes`: a filter with its inputs and values, or a chain of stages.
package struct GraphNodeReader {
  package typealias Word = GraphText.Word

  package enum Result {
    case node(GraphText.Node)
    case chain(GraphText.Chain)
  }

  private let name: Word
  private let folder: String
  private var origins: GraphOriginReader
  package private(set) var diagnostics: [Diagnostic] = []

  package init(_ name: Word, folder: String) {
    self.name = name
    self.folder = folder
    origins = GraphOriginReader(folder: folder)
  }

  private var owner: String { "the node '\(name.text)'" }

  /// Of a node with mistakes the name stays, so that nothing else is wrong because of it.
  package mutating func read(_ value: LocatedNode) -> Result {
    var members = DocumentMembers(
      value, of: owner, example: "\(name.text): { filter: \(value.scalar.flatMap { $0.isEmpty ? nil : $0 } ?? "name") }")
    defer { diagnostics += members.diagnostics + origins.diagnostics }
    checkName()
    guard let value = value.members else { return .chain(.init(name: name, stages: [])) }
    if value.contains(where: { $0.key == "chain" }), !value.contains(where: { $0.key == "filter" }) {
      let stages = members.words("chain")
      members.refuseOthers()
      return .chain(.init(name: name, stages: stages))
    }
    members.require("filter", help: "write 'filter: name', or 'chain: [stage, stage]'")
    let filter = members.word("filter").map { GraphOriginReader.isPath($0.text) ? Word(origins.path($0.text), at: $0.place) : $0 }
    let inputs = readInputs(&members)
    let settings = readSettings(&members)
    members.refuseOthers()
    return .node(.init(name: name, filter: filter ?? Word("", at: name.place), inputs: inputs, settings: settings))
  }

  /// A dot stands between a node and its parameter, and `@` before a name where names and files mix.
  private mutating func checkName() {
    guard name.text.isEmpty || name.text.contains(where: { "./@|=, ".contains($0) }) else { return }
    diagnostics.append(
      Diagnostic(
        "graph.node-name", "a node cannot be called '\(name.text)'", labels: [.init(name.place.source, name.place.range, "not a name")],
        help: ["use letters, digits, '-' and '_'"]))
  }

  /// `photo` alone means the first input that the filter reads.
  private mutating func readInputs(_ members: inout DocumentMembers) -> [GraphText.Input] {
    guard let value = members.value("inputs") else { return [] }
    if value.scalar.map({ !$0.isEmpty }) ?? false {
      return origins.picture(value, for: "the input of \(owner)").map { [.init(name: nil, origin: $0)] } ?? []
    }
    return members.mapping("inputs", example: "inputs: { inputImage: photo }").compactMap { member in
      origins.picture(member.value, for: "'\(member.key)' of \(owner)").map { .init(name: Word(member), origin: $0) }
    }
  }

  private mutating func readSettings(_ members: inout DocumentMembers) -> [GraphText.Setting] {
    members.mapping("values", example: "values: { sigma: 6 }").compactMap { member in
      guard member.value.scalar != "" || !member.value.place.range.isEmpty && !isComment(member.value) else {
        diagnostics.append(DocumentMembers.empty(member.key, of: owner, member.value))
        return nil
      }
      return .init(name: Word(member), value: member.value)
    }
  }

  /// Whether an empty value is one that YAML took for a comment; `""` is a text that somebody wrote.
  private func isComment(_ value: LocatedNode) -> Bool {
    value.place.source.bytes[value.place.range].first == UInt8(ascii: "#")
  }
}
