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
    default: "\(input.origin) \((input.title.map { "'\($0)'" } ?? input.source)?.onOneLine ?? "")"
    }
  }

  private var parameters: [String] {
    var table = TextTable()
    for parameter in filter.parameters {
      table.add([
        parameter.name, parameter.kind, text(parameter.default, parameter) + (parameter.followsClock ? " or the clock" : ""),
        range(parameter),
        parameter.step.map { "step \(DescribedValue.shortText($0))" } ?? "", parameter.unit ?? "", label(parameter.label),
      ])
    }
    let lines = section("parameters", table)
    guard !lines.isEmpty else { return [] }
    return [lines[0]] + zip(lines.dropFirst(), filter.parameters).flatMap { [$0] + details($1) }
  }

  private func range(_ parameter: FilterDescription.Parameter) -> String {
    switch (parameter.minimum.map { text($0, parameter) }, parameter.maximum.map { text($0, parameter) }) {
    case (let low?, let high?): "\(low) to \(high)"
    case (let low?, nil): "at least \(low)"
    case (nil, let high?): "at most \(high)"
    case (nil, nil): ""
    }
  }

  private func text(_ value: DescribedValue, _ parameter: FilterDescription.Parameter) -> String {
    value.text(isColor: parameter.kind == "color")
  }

  private func details(_ parameter: FilterDescription.Parameter) -> [String] {
    var lines: [String] = []
    if let choices = parameter.choices {
      lines.append("choices: " + choices.map { "\($0.value) \(label($0.label))" }.joined(separator: ", "))
    }
    if let identity = parameter.identity { lines.append("changes nothing at \(text(identity, parameter))") }
    if let group = parameter.group { lines.append("group: \(group.onOneLine)") }
    if let help = parameter.help { lines.append(help.onOneLine) }
    return lines.map { "      \($0)" }
  }

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
