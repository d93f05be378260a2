import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph

/// `etalon describe`: what can be set, with its types and ranges.
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Tells what a filter, a graph, a picture or a video is: inputs, parameters, ranges; sizes, rates, colors, layers.",
    discussion: """
      etalon describe gaussian-blur
      etalon describe plasma.glsl --json
      etalon describe graph.yaml
      etalon describe clip.mp4
      etalon describe plate.0001.tif
      etalon describe beauty.exr
      """)

  @Argument(help: ArgumentHelp("A filter by its name, a file, a graph document, a picture, or a video.", valueName: "filter"))
  var filter: String

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var dialect: DialectOption

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: ArgumentHelp("How mistakes are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  func run() throws {
    let report = FailureReport(format: diagnostics)
    do {
      let library = try libraries.open()
      if let operation = ImageOperation(rawValue: filter), (try? library.path(of: filter)) == nil {
        return write(FilterDescription(operation))
      }
      if VideoReport.isVideo(filter) {
        let video = try VideoReport(filter)
        return StandardOutput.write(json ? JSONText.text(video) : video.text)
      }
      if let exr = try EXRReport(ofFile: filter) { return StandardOutput.write(json ? JSONText.text(exr) : exr.text) }
      if PictureReport.isPicture(filter) {
        let picture = try PictureReport(filter)
        return StandardOutput.write(json ? JSONText.text(picture) : picture.text)
      }
      let path = try library.path(of: filter)
      if GraphDocument.isGraph(path) {
        let description = try GraphDescription(path, library: library)
        return StandardOutput.write(json ? JSONText.text(description) : GraphDescriptionText(description).text)
      }
      let reading = try FilterFile.readPictureOrSound(path, dialect: dialect.name())
      report.print(reading.warnings)
      write(reading.description)
      if let operation = ImageOperation(rawValue: filter), !json { write(FilterDescription(operation), below: true) }
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }

  /// - Parameter below: whether another description stands above it.
  private func write(_ description: FilterDescription, below: Bool = false) {
    StandardOutput.write((below ? "\n" : "") + (json ? JSONText.text(description) : FilterDescriptionText(description).text))
  }
}

// MARK: text

/// A description for people: what the filter is, and what can be set, each with its range.
private struct FilterDescriptionText {
  private let filter: FilterDescription

  init(_ filter: FilterDescription) { self.filter = filter }

  /// Sections with empty lines between them; ends in a newline.
  var text: String {
    let sections = [heading, inputs, parameters, constants, constraints, targets, passes].filter { !$0.isEmpty }
    return sections.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private var heading: [String] {
    var lines = ["\(filter.name.onOneLine)  \(filter.kind), \(filter.dialect)", "  \(filter.path)"]
    if let title = filter.title { lines.append("  title: \(title.onOneLine)") }
    if let description = filter.description { lines.append("  \(description.onOneLine)") }
    let by = [filter.credit.map { Self.credit($0.onOneLine) }, filter.license.map { "license: \($0.onOneLine)" }].compactMap(\.self)
    if !by.isEmpty { lines.append("  " + by.joined(separator: ", ")) }
    if let aliases = filter.aliases { lines.append("  also found as: \(aliases.joined(separator: ", "))") }
    if !filter.categories.isEmpty { lines.append("  categories: \(filter.categories.map(\.onOneLine).joined(separator: ", "))") }
    return lines
  }

  /// Many authors begin the credit with `by`, which is not repeated.
  private static func credit(_ text: String) -> String { text.lowercased().hasPrefix("by ") ? text : "by \(text)" }

  private var inputs: [String] {
    var table = TextTable()
    for input in filter.inputs {
      let shape = input.shape == "flat" ? "" : input.shape
      let sampler = "\(input.interpolation), \(input.address)" + (input.isFlipped ? ", upside down" : "")
      table.add([input.name, shape, sampler, origin(input), label(input.label), frames(input)])
    }
    guard !filter.inputs.isEmpty else { return [] }
    var lines = ["inputs"]
    for (line, input) in zip(table.lines(), filter.inputs) {
      lines.append(line)
      if let help = input.help { lines.append("      \(help.onOneLine)") }
    }
    return lines
  }

  /// The frames that are read of it, and what lies beyond its ends.
  private func frames(_ input: FilterDescription.Input) -> String {
    guard let frames = input.frames, let ends = input.ends, frames.count == 2 else { return "" }
    return "frames \(frames[0]) to \(frames[1] > 0 ? "+" : "")\(frames[1]), ends: \(ends)"
  }

  private func origin(_ input: FilterDescription.Input) -> String {
    switch input.origin {
    case "user": "to be given"
    case "keyboard": "the keyboard"
    case "sound": "a sound to be given: \(input.source ?? "")"
    case "nothing": "black unless given"
    case "table": "a color table ('.cube' file or Hald picture); changes nothing unless given"
    case "font": "a font (TrueType or OpenType file); none unless given"
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
    let result =
      filter.kind == FilterDescription.soundKind
      ? "the result is a sound: etalon render \(ShellWord.quoted(filter.path)) -o name.wav" : "alpha of the result: \(filter.alpha)"
    return section("passes", table) + outputs + [result]
  }

  private func section(_ title: String, _ table: TextTable) -> [String] {
    let lines = table.lines()
    return lines.isEmpty ? [] : [title] + lines
  }

  private func label(_ label: String?) -> String { label.map { "'\($0.onOneLine)'" } ?? "" }
}

/// A description of a graph for people: its pictures and filters, and what can be set.
private struct GraphDescriptionText {
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

/// Parameters for people, each with its type, default and range.
private struct ParameterTable {
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
    parameter.kind == "text" ? "'\(value.text(isColor: false).onOneLine)'" : value.text(isColor: parameter.kind == "color")
  }

  private func details(_ parameter: FilterDescription.Parameter) -> [String] {
    var lines: [String] = []
    if let choices = parameter.choices {
      lines.append("choices: " + choices.map { "\($0.value) \(label($0.label))" }.joined(separator: ", "))
    }
    if let length = parameter.length { lines.append("at most \(length) characters") }
    if let characters = parameter.characters {
      lines.append("of \(characters.joined(separator: ", "))" + (parameter.font.map { "; with '\($0)' those of the font" } ?? ""))
    }
    if let identity = parameter.identity { lines.append("changes nothing at \(text(identity, parameter))") }
    if let group = parameter.group { lines.append("group: \(group.onOneLine)") }
    if let help = parameter.help { lines.append(help.onOneLine) }
    return (lines + (remarks[parameter.name] ?? [])).map { "      \($0)" }
  }

  private func label(_ label: String?) -> String { label.map { "'\($0.onOneLine)'" } ?? "" }
}
