import EtalonDiagnostics
import EtalonManifest

@testable import EtalonGraph

/// The text of a graph that was read, one thing on each line.
enum GraphPrinter {
  static func text(_ graph: GraphText) -> String {
    var lines = ["folder '\(graph.folder)'"]
    lines += graph.clock.sorted { $0.key < $1.key }.map { "\($0.key) = \(text($0.value))" }
    lines += graph.inputs.sorted { $0.key < $1.key }.map { "input \($0.key) = \(text($0.value))" }
    for node in graph.nodes {
      lines.append("node \(text(node.name)): \(text(node.filter))")
      lines += node.inputs.map { "  \($0.name.map(text) ?? "first input") <- \(text($0.origin))" }
      lines += node.settings.map { "  \(text($0.name)) = \(text($0.value))" }
    }
    lines += graph.chains.map { "chain \(text($0.name)): \($0.stages.map(text).joined(separator: " + "))" }
    for output in graph.outputs {
      let more = [output.file, output.alpha, output.bits].compactMap { $0.map(text) }
      lines.append(["output \(text(output.name)) <- \(text(output.origin))"].appending(more).joined(separator: ", "))
    }
    for parameter in graph.parameters {
      let more = [parameter.label, parameter.minimum, parameter.maximum].compactMap { $0.map(text) }
      let initial = parameter.initial.map { ["default \(text($0))"] } ?? []
      lines.append(
        ["parameter \(text(parameter.name)) -> \(parameter.targets.map(text).joined(separator: ", "))"].appending(initial + more).joined(
          separator: ", "))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func text(_ origin: GraphText.Origin) -> String {
    switch origin {
    case .node(let word): text(word)
    case .before(let word): "previous \(text(word))"
    case .file(let word, let fields): "file \(text(word))" + fields.map { " \($0.key)=\(text($0.value))" }.joined()
    }
  }

  /// The text, and what stands at its place where that is something else.
  private static func text(_ word: GraphText.Word) -> String { text(word.text, word.place) }

  private static func text(_ text: String, _ place: SourceRange) -> String {
    let written = String(decoding: place.source.bytes[place.range], as: UTF8.self)
    return written == text ? "'\(text)'" : "'\(text)' as \(written.replacing("\n", with: "\\n"))"
  }

  private static func text(_ node: LocatedNode) -> String {
    switch node.content {
    case .scalar(let scalar): text(scalar, node.place)
    case .sequence(let elements): "[" + elements.map { text($0) }.joined(separator: ", ") + "] as " + text("", node.place)
    case .mapping(let members):
      "{" + members.map { "\(text($0.key, $0.keyPlace)): \(text($0.value))" }.joined(separator: ", ") + "} as " + text("", node.place)
    }
  }
}

extension [String] {
  fileprivate func appending(_ others: [String]) -> [String] { self + others }
}
