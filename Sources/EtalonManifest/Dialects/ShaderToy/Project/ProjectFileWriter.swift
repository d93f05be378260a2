internal import EtalonTypes

/// Writes `project.json` as `ProjectFile` reads it, stably and with one line for each thing a person may want to change.
package struct ProjectFileWriter {
  package init() {}

  /// The text of the file, ending in a newline.
  package func text(_ project: ShaderToyProject) -> String {
    var members = [#""shadertoy": 1"#]
    if let title = project.title { members.append(#""name": \#(quoted(title))"#) }
    if let description = project.about.description { members.append(#""description": \#(quoted(description))"#) }
    if let credit = project.about.credit { members.append(#""credit": \#(quoted(credit))"#) }
    if let license = project.about.license { members.append(#""license": \#(quoted(license))"#) }
    if !project.about.categories.isEmpty {
      members.append(#""categories": [\#(project.about.categories.map(quoted).joined(separator: ", "))]"#)
    }
    let passes = project.passes.filter { $0.name.isTarget || $0.name == .image }
    members.append("\"passes\": \(list(passes.map(pass)))")
    if !project.parameters.isEmpty { members.append("\"parameters\": \(list(project.parameters.map(parameter)))") }
    return "{\n" + members.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }

  private func list(_ elements: [String]) -> String { "[\n" + elements.map { "    " + $0 }.joined(separator: ",\n") + "\n  ]" }

  private func pass(_ pass: ShaderToyProject.Pass) -> String {
    guard !pass.channels.isEmpty else { return #"{ "name": "\#(pass.name.rawValue)" }"# }
    let channels = pass.channels.sorted { $0.index < $1.index }.map { "        \"\($0.name)\": \(channel($0))" }
    return """
      {
            "name": "\(pass.name.rawValue)",
            "channels": {
      \(channels.joined(separator: ",\n"))
            }
          }
      """
  }

  private func channel(_ channel: ShaderToyProject.Channel) -> String {
    var members = source(channel.source)
    if channel.source != .keyboard {
      members.append(#""interpolation": "\#(channel.sampler.interpolation.rawValue)""#)
      members.append(#""address": "\#(channel.sampler.address.rawValue)""#)
    }
    if channel.isFlipped { members.append(#""flipped": true"#) }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  private func source(_ source: ShaderToyProject.Source) -> [String] {
    switch source {
    case .target(let name): return [#""source": "\#(name.rawValue)""#]
    case .keyboard: return [#""source": "keyboard""#]
    case .user: return [#""source": "input""#]
    case .sound(let kind), .unsupported(let kind): return [#""source": \#(quoted(kind))"#]
    case .file(let path, let shape): return [#""file": \#(quoted(path))"#] + self.shape(shape, usual: .flat)
    case .asset(let asset, let shape):
      let entry = ShaderToyAssets.entry(path: asset.id)
      return [#""asset": \#(quoted(entry?.title ?? asset.id))"#] + self.shape(shape, usual: entry?.shape ?? .flat)
    }
  }

  private func shape(_ shape: TextureShape, usual: TextureShape) -> [String] {
    shape == usual ? [] : [#""shape": "\#(shape.rawValue)""#]
  }

  private func parameter(_ parameter: ExposedConstant) -> String {
    var members = [#""name": \#(quoted(parameter.name))"#]
    if let minimum = parameter.minimum { members.append("\"minimum\": \(bound(minimum))") }
    if let maximum = parameter.maximum { members.append("\"maximum\": \(bound(maximum))") }
    if let step = parameter.step { members.append("\"step\": \(number(step))") }
    if let label = parameter.label { members.append(#""label": \#(quoted(label))"#) }
    if let help = parameter.help { members.append(#""help": \#(quoted(help))"#) }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  private func bound(_ numbers: [Double]) -> String {
    numbers.count == 1 ? number(numbers[0]) : "[" + numbers.map(number).joined(separator: ", ") + "]"
  }

  private func number(_ number: Double) -> String { ValueConversion.plainText(Value(.float, [number])) }

  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
