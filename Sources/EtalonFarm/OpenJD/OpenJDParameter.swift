internal import Etalon
internal import EtalonTypes

/// A job parameter of a template (section 2 of the specification 2023-09): what a person may change before the job is sent.
struct OpenJDParameter: Sendable {
  let name: String
  /// The members of its definition, in order.
  let definition: OrderedJSON
  /// What it is where the template has no default: the default of a path is relative to the template.
  let value: String?

  /// What stands for it in the words of a command.
  var reference: String { "{{Param.\(name)}}" }

  private static let longestLabel = 64
  private static let longestDescription = 2048

  /// A label or a description, which may have no control characters, and ends somewhere.
  private static func text(_ text: String?, atMost count: Int) -> OrderedJSON? {
    let plain = (text ?? "").unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
    return plain.isEmpty ? nil : .text(String(plain.prefix(count)))
  }

  private static func interface(_ control: String, _ label: String?, _ group: String) -> OrderedJSON {
    .members([
      "control": .text(control), "label": text(label, atMost: longestLabel), "groupLabel": text(group, atMost: longestLabel),
    ])
  }
}

// MARK: paths

extension OpenJDParameter {
  /// Which way the bytes of a path go.
  enum Flow: String { case into = "IN", out = "OUT", both = "INOUT" }

  /// A file or a folder.
  ///
  /// - Parameter value: its absolute path; nil where `relative`, below the template, is its default.
  init(_ name: String, isFolder: Bool, _ flow: Flow, label: String, value: String? = nil, relative: String? = nil) {
    self.name = name
    self.value = value
    definition = .members([
      "name": .text(name), "type": .text("PATH"),
      "userInterface": Self.interface(isFolder ? "CHOOSE_DIRECTORY" : "CHOOSE_INPUT_FILE", label, "Files"),
      "objectType": .text(isFolder ? "DIRECTORY" : "FILE"), "dataFlow": .text(flow.rawValue),
      "default": relative.map { .text($0) },
    ])
  }
}

// MARK: the job

extension OpenJDParameter {
  /// The command that workers run.
  init(command: String) {
    name = "Etalon"
    value = nil
    definition = .members([
      "name": .text(name), "type": .text("STRING"), "userInterface": Self.interface("LINE_EDIT", "etalon on workers", "Job"),
      "description": .text("The command: a name on the path of workers, or an absolute path."), "default": .text(command),
    ])
  }

  init(frames: String) {
    name = "Frames"
    value = nil
    definition = .members([
      "name": .text(name), "type": .text("STRING"), "userInterface": Self.interface("LINE_EDIT", "Frames", "Job"),
      "default": .text(frames),
    ])
  }

  init(chunkSize: Int) {
    name = "ChunkSize"
    value = nil
    definition = .members([
      "name": .text(name), "type": .text("INT"), "userInterface": Self.interface("SPIN_BOX", "Frames of a task", "Job"),
      "minValue": .integer(1), "default": .integer(chunkSize),
    ])
  }
}

// MARK: values

extension OpenJDParameter {
  /// What `--set` is given for a parameter of the filter; nil where saying it would change what is rendered, or nothing can be said.
  ///
  /// - Parameters:
  ///   - parameter: of a constant only one that was typed: another value compiles the filter anew.
  ///   - typed: what was typed for it.
  init?(_ parameter: RequestDescription.Parameter, named name: String, typed: String?) {
    let declaration = parameter.declaration
    guard let text = typed ?? Self.standing(parameter) else { return nil }
    self.name = name
    value = nil
    let (type, control, limits) = Self.form(of: declaration, text)
    definition = .members([
      "name": .text(name), "type": .text(type),
      "userInterface": Self.interface(
        control, declaration.label ?? declaration.name, declaration.group ?? parameter.node ?? "Values"),
      "description": Self.text(declaration.help, atMost: Self.longestDescription),
      "minValue": limits.least, "maxValue": limits.most, "allowedValues": limits.choices.map { .list($0) }, "default": limits.value,
    ])
  }

  /// The value that a parameter has while nothing is typed; nil where a clock gives it, where it changes over time, and where its text may be rounded.
  private static func standing(_ parameter: RequestDescription.Parameter) -> String? {
    guard !parameter.isConstant, !parameter.isAnimated else { return nil }
    guard let written = parameter.value else {
      let declaration = parameter.declaration, color = declaration.default.text(isColor: declaration.kind == "color")
      return declaration.followsClock ? nil : color.hasPrefix("#") ? color : declaration.default.exactText
    }
    let longest = written.split { !$0.isNumber }.map(\.count).max() ?? 0
    return written.hasPrefix("#") || longest < 6 ? written : nil
  }

  private typealias Limits = (least: OrderedJSON?, most: OrderedJSON?, choices: [OrderedJSON]?, value: OrderedJSON)

  /// The type of a parameter, how a person changes it, and what it may be.
  private static func form(of declaration: FilterDescription.Parameter, _ text: String) -> (type: String, control: String, limits: Limits) {
    let isChoice = declaration.choices != nil
    let whole = Double(text).flatMap { Int(exactly: $0) }
    if let choices = declaration.choices, let chosen = choices.first(where: { $0.value == whole || $0.label == text }) {
      let labels = choices.map(\.label)
      // A label that is a number could be read as another choice.
      if Set(labels).count == labels.count, !labels.contains(where: { $0.isEmpty || Double($0) != nil }) {
        return ("STRING", "DROPDOWN_LIST", (nil, nil, labels.map { .text($0) }, .text(chosen.label)))
      }
      return ("INT", "DROPDOWN_LIST", (nil, nil, choices.map { .integer($0.value) }, .integer(chosen.value)))
    }
    if declaration.type == "bool", let isOn = ["true": true, "1": true, "on": true, "false": false, "0": false, "off": false][text] {
      return ("STRING", "CHECK_BOX", (nil, nil, [.text("1"), .text("0")], .text(isOn ? "1" : "0")))
    }
    if declaration.type == "float", let number = Double(text), number.isFinite {
      let (least, most) = (limit(declaration.minimum), limit(declaration.maximum))
      return ("FLOAT", "SPIN_BOX", (least.map { .number($0) }, most.map { .number($0) }, nil, .number(number)))
    }
    if declaration.type == "int" || declaration.type == "uint", !isChoice, let number = whole {
      let (least, most) = (limit(declaration.minimum), limit(declaration.maximum))
      return ("INT", "SPIN_BOX", (least.map { .integer(Int($0)) }, most.map { .integer(Int($0)) }, nil, .integer(number)))
    }
    return ("STRING", "LINE_EDIT", (nil, nil, nil, .text(text)))

    func limit(_ value: DescribedValue?) -> Double? { value.flatMap { Double($0.exactText) } }
  }
}
