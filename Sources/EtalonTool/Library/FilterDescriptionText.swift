import Etalon

/// A description for people: what the filter is, and what can be set, each with its range.
struct FilterDescriptionText {
  private let filter: FilterDescription

  init(_ filter: FilterDescription) { self.filter = filter }

  /// Sections with empty lines between them; ends in a newline.
  var text: String {
    let sections = [heading, inputs, parameters, constants, constraints, targets, passes].filter { !$0.isEmpty }
    return sections.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private var heading: [String] {
    var lines = ["\(filter.name.onOneLine)  \(filter.kind), \(filter.dialect)", "  \(filter.path)"]
    if let description = filter.description { lines.append("  \(description.onOneLine)") }
    let by = [filter.credit.map { Self.credit($0.onOneLine) }, filter.license.map { "license: \($0.onOneLine)" }].compactMap(\.self)
    if !by.isEmpty { lines.append("  " + by.joined(separator: ", ")) }
    if !filter.categories.isEmpty { lines.append("  categories: \(filter.categories.map(\.onOneLine).joined(separator: ", "))") }
    return lines
  }

  /// Many authors write the `by` themselves.
  private static func credit(_ text: String) -> String { text.lowercased().hasPrefix("by ") ? text : "by \(text)" }

  private var inputs: [String] {
    var table = TextTable()
    for input in filter.inputs {
      let shape = input.shape == "flat" ? "" : input.shape
      table.add([
        input.name, shape, "\(input.interpolation), \(input.address)\(input.isFlipped ? ", upside down" : "")", origin(input),
        label(input.label),
      ])
    }
    return section("inputs", table)
  }

  private func origin(_ input: FilterDescription.Input) -> String {
    switch input.origin {
    case "user": "to be given"
    case "keyboard": "the keyboard"
    case "sound": "a sound to be given: \(input.source ?? "")"
    case "nothing": "black unless given"
    case "unread": "not needed: nothing that runs reads it"
    default: "\(input.origin) \((input.title.map { "'\($0)'" } ?? input.source)?.onOneLine ?? "")"
    }
  }

  private var parameters: [String] { ParameterTable(filter.parameters).lines }

  private var constants: [String] {
    var table = TextTable()
    for constant in filter.constants { table.add([constant.name, constant.type, constant.value.text(isColor: false)]) }
    return section("constants that --set can change", table)
  }

  private var constraints: [String] {
    filter.constraints.isEmpty ? [] : ["constraints"] + filter.constraints.map { "  \($0.onOneLine)" }
  }

  private var targets: [String] {
    var table = TextTable()
    for target in filter.targets {
      let shape = target.shape == "flat" ? "" : target.shape
      table.add([target.name, target.format, shape, target.extent.onOneLine, target.isPersistent ? "kept from frame to frame" : ""])
    }
    for buffer in filter.buffers {
      table.add([buffer.name, "\(buffer.type)[\(buffer.count.onOneLine)]", "", "", buffer.isPersistent ? "kept from frame to frame" : ""])
    }
    return section("between passes", table)
  }

  private var passes: [String] {
    var table = TextTable()
    for pass in filter.passes {
      let writes = (pass.writes + (pass.writesResult ? ["the result"] : [])).joined(separator: ", ")
      table.add([
        pass.name, writes.isEmpty ? "" : "writes \(writes)", pass.reads.isEmpty ? "" : "reads \(pass.reads.joined(separator: ", "))",
        pass.buffers.isEmpty ? "" : "uses \(pass.buffers.joined(separator: ", "))", pass.iterations > 1 ? "\(pass.iterations) times" : "",
      ])
    }
    let outputs = filter.outputs.count > 1 ? ["outputs: \(filter.outputs.joined(separator: ", "))"] : []
    return section("passes", table) + outputs + ["alpha of the result: \(filter.alpha)"]
  }

  private func section(_ title: String, _ table: TextTable) -> [String] {
    let lines = table.lines()
    return lines.isEmpty ? [] : [title] + lines
  }

  private func label(_ label: String?) -> String { label.map { "'\($0.onOneLine)'" } ?? "" }
}
