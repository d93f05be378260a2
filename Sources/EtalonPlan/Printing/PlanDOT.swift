internal import EtalonTypes

/// Prints a plan in the DOT language of Graphviz: boxes are steps, edges are textures.
///
/// **Concurrency**: an immutable value.
package struct PlanDOT: Sendable {
  private let plan: Plan
  private let names: PlanNames

  package init(_ plan: Plan) {
    self.plan = plan
    names = PlanNames(plan)
  }

  /// A directed graph, with a newline at the end.
  package var text: String {
    var lines = ["digraph plan {", "  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];"]
    var writers: [Int: String] = [:]
    for index in names.order where !plan.textures[index].isWritten && plan.textures[index].role != .setup {
      writers[index] = names.texture(index)
      lines.append("  \(names.texture(index)) [shape=oval, label=\(quoted(plan.textures[index].name))];")
    }
    for (index, step) in (plan.setup + plan.steps).enumerated() {
      guard case .dispatch(let pass) = step else { continue }
      lines.append("  s\(index + 1) [label=\(quoted(pass.name + (pass.region.map { " at \($0)" } ?? "")))];")
      for texture in pass.sampledTextures.sorted() {
        guard let writer = writers[texture] else { continue }
        let storage = plan.textures[texture]
        lines.append("  \(writer) -> s\(index + 1) [label=\(quoted("\(storage.format.rawValue) \(storage.size)"))];")
      }
      for texture in pass.targets { writers[texture] = "s\(index + 1)" }
      for case .output(let output) in pass.bindings.values {
        lines.append("  s\(index + 1) -> out\(output);")
      }
    }
    for (index, output) in plan.outputs.enumerated() {
      lines.append("  out\(index) [shape=oval, label=\(quoted("\(output.name) \(output.size)"))];")
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
