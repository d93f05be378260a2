import Etalon

/// Parameters for people, each with its type, default and range.
struct ParameterTable {
  private let title: String
  private let parameters: [FilterDescription.Parameter]
  /// What else is to be said about some of them, by name.
  private let remarks: [String: [String]]

  init(_ parameters: [FilterDescription.Parameter], title: String = "parameters", remarks: [String: [String]] = [:]) {
    (self.title, self.parameters, self.remarks) = (title, parameters, remarks)
  }

  /// The title and a line for each parameter, with further lines under it; nothing where there is none.
  var lines: [String] {
    var table = TextTable()
    for parameter in parameters {
      table.add([
        parameter.name, parameter.kind, text(parameter.default, parameter) + (parameter.followsClock ? " or the clock" : ""),
        range(parameter),
        parameter.step.map { "step \(DescribedValue.shortText($0))" } ?? "", parameter.unit ?? "", label(parameter.label),
      ])
    }
    guard !parameters.isEmpty else { return [] }
    return [title] + zip(table.lines(), parameters).flatMap { [$0] + details($1) }
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
    return (lines + (remarks[parameter.name] ?? [])).map { "      \($0)" }
  }

  private func label(_ label: String?) -> String { label.map { "'\($0.onOneLine)'" } ?? "" }
}
