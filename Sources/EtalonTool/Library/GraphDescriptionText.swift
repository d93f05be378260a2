import Etalon

/// A description of a graph for people: its pictures and filters, and what can be set.
struct GraphDescriptionText {
  private let graph: GraphDescription

  init(_ graph: GraphDescription) { self.graph = graph }

  /// Sections with empty lines between them; ends in a newline.
  var text: String {
    let rows = [
      section("inputs", graph.inputs.map { [$0.name, $0.file ?? "to be given"] }),
      section("nodes", graph.nodes.map { [$0.name, $0.filter] }),
      parameters("parameters", graph.parameters.filter { !$0.sets.isEmpty }),
      parameters("parameters of nodes", graph.parameters.filter(\.sets.isEmpty)),
      section("outputs", graph.outputs.map { [$0.name, $0.node, $0.file ?? ""] }),
    ]
    return ([heading] + rows).filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private var heading: [String] {
    let clock = ["size", "rate", "first", "start", "frames", "duration", "format", "workingSpace"].compactMap { key in
      graph.clock[key].map { "\(key) \($0.onOneLine)" }
    }
    var lines = ["\(graph.name.onOneLine)  \(graph.filterKind), graph", "  \(graph.path)"]
    if let description = graph.description { lines.append("  \(description.onOneLine)") }
    let by = [graph.credit.map { "by \($0.onOneLine)" }, graph.license.map { "license: \($0.onOneLine)" }].compactMap(\.self)
    if !by.isEmpty { lines.append("  " + by.joined(separator: ", ")) }
    if !graph.categories.isEmpty { lines.append("  categories: \(graph.categories.map(\.onOneLine).joined(separator: ", "))") }
    return lines + (clock.isEmpty ? [] : ["  " + clock.joined(separator: ", ")])
  }

  private func parameters(_ title: String, _ parameters: [GraphDescription.Parameter]) -> [String] {
    var remarks: [String: [String]] = [:]
    for parameter in parameters {
      remarks[parameter.declaration.name] = [
        parameter.sets.isEmpty ? nil : "sets \(parameter.sets.map(\.onOneLine).joined(separator: ", "))",
        parameter.written.map { "is \($0.onOneLine)" },
      ].compactMap(\.self)
    }
    return ParameterTable(parameters.map(\.declaration), title: title, remarks: remarks).lines
  }

  private func section(_ title: String, _ rows: [[String]]) -> [String] {
    var table = TextTable()
    for row in rows { table.add(row.map(\.onOneLine)) }
    return rows.isEmpty ? [] : [title] + table.lines()
  }
}
