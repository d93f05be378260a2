internal import EtalonDiagnostics
internal import EtalonTypes

/// What `project.json` says: which passes there are, in which order, and what their channels read.
///
/// Keys: `shadertoy` (1), `name`, `description`, `credit`, `license`, `categories`, `passes` (objects with `name` and `channels`) and `parameters` (objects
/// with `name`, `minimum`, `maximum`, `step`, `label`, `help`). Keys that nobody reads are refused.
struct ProjectFile {
  struct Pass {
    let name: ShaderToyProject.PassName
    let channels: [ShaderToyProject.Channel]
    let place: SourceRange
  }

  private(set) var title: String?
  private(set) var about = FilterManifest.About()
  private(set) var passes: [Pass] = []
  /// The names of all passes that are listed, those with mistakes too.
  private(set) var names: Set<ShaderToyProject.PassName> = []
  private(set) var parameters: [ExposedConstant] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText) {
    let reading = JSONReader().read(source)
    diagnostics = reading.diagnostics
    guard let root = reading.value else { return }
    var members = JSONMembers(root, of: "the project")
    members.reportMissing("shadertoy", help: ["write \"shadertoy\": 1"])
    if let version = members.number("shadertoy"), version.value != 1 {
      members.report("project.version", "the project has another version than 1", at: version.place, "expected 1")
    }
    title = members.string("name")?.value
    about = .init(
      description: members.string("description")?.value, credit: members.string("credit")?.value, license: members.string("license")?.value,
      categories: members.strings("categories")?.map(\.value) ?? [])
    members.reportMissing("passes", help: [#"write "passes": [{"name": "image"}]"#])
    let list = members.array("passes")
    let constants = members.array("parameters")?.value ?? []
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    for pass in list?.value ?? [] { add(pass) }
    for constant in constants { add(parameter: constant) }
    if let list, !names.contains(.image), diagnostics.isEmpty {
      report(
        "project.no-image", "the project has no pass 'image'", SourceRange(source, list.place.range.prefix(1)), "not in here",
        help: [#"add {"name": "image"}"#])
    }
  }

  // MARK: passes

  private mutating func add(_ json: LocatedJSON) {
    var members = JSONMembers(json, of: "the pass")
    members.reportMissing("name")
    let written = members.string("name")
    let channels = members.object("channels")
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard let written, let name = name(written) else { return }
    if !names.insert(name).inserted {
      report("project.pass-twice", "the pass '\(name.rawValue)' is listed twice", written.place, "again", help: ["remove one of them"])
    }
    var found: [ShaderToyProject.Channel] = []
    for member in channels?.members ?? [] {
      guard let index = ShaderToyUniforms.channels.firstIndex(of: member.key) else {
        report(
          "project.channel", "'\(name.rawValue)' has no channel '\(member.key)'", member.keyPlace, "unknown",
          help: ["channels are iChannel0, iChannel1, iChannel2 and iChannel3"])
        continue
      }
      let channel = ProjectChannel(member.value, index: index, named: "'\(member.key)' of '\(name.rawValue)'")
      diagnostics += channel.diagnostics
      if let channel = channel.channel { found.append(channel) }
    }
    passes.append(Pass(name: name, channels: found, place: written.place))
  }

  private mutating func name(_ written: Placed<String>) -> ShaderToyProject.PassName? {
    let offered = ShaderToyProject.PassName.allCases.filter { $0.isTarget || $0 == .image }
    if let name = offered.first(where: { $0.rawValue == written.value }) { return name }
    var help = NearestName.find(written.value, in: offered.map(\.rawValue)).map { ["did you mean '\($0)'?"] } ?? []
    if written.value == "common" { help = ["'common.glsl' is put in front of every pass when it is there; do not list it"] }
    if written.value == "sound" { help = ["remove it: no picture depends on sound"] }
    report(
      "project.pass-name", "there is no pass '\(written.value)'", written.place, "unknown", help: help,
      notes: ["passes: " + offered.map(\.rawValue).joined(separator: ", ")])
    return nil
  }

  // MARK: parameters

  private mutating func add(parameter json: LocatedJSON) {
    var members = JSONMembers(json, of: "the parameter")
    members.reportMissing("name")
    let name = members.string("name")
    let minimum = bound("minimum", &members)
    let maximum = bound("maximum", &members)
    let step = members.number("step")
    if let step, step.value <= 0 { members.report("project.step", "a step is above 0", at: step.place, "too small") }
    checkRange(minimum, maximum, of: name, &members)
    let label = members.string("label")?.value
    let help = members.string("help")?.value
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard let name else { return }
    if parameters.contains(where: { $0.name == name.value }) {
      report(
        "project.parameter-twice", "the parameter '\(name.value)' is declared twice", name.place, "again", help: ["remove one of them"])
    }
    parameters.append(
      ExposedConstant(
        name: name.value, minimum: minimum?.value, maximum: maximum?.value, step: step?.value, label: label, help: help, place: name.place))
  }

  /// A range has both ends, and values between them.
  private func checkRange(
    _ minimum: Placed<[Double]>?, _ maximum: Placed<[Double]>?, of name: Placed<String>?, _ members: inout JSONMembers
  ) {
    let owner = name.map { "the parameter '\($0.value)'" } ?? "the parameter"
    for (key, other) in [("minimum", "maximum"), ("maximum", "minimum")] where members.object[key] == nil {
      guard let place = members.object[other]?.place else { continue }
      members.report(
        "project.half-range", "\(owner) has '\(other)' but no '\(key)'", at: place, "half of a range", help: ["add '\(key)'"])
    }
    guard let minimum, let maximum else { return }
    let count = max(minimum.value.count, maximum.value.count)
    func spread(_ numbers: [Double]) -> [Double] { numbers.count == 1 ? Array(repeating: numbers[0], count: count) : numbers }
    if zip(spread(minimum.value), spread(maximum.value)).contains(where: { $0 > $1 }) {
      members.report(
        "project.empty-range", "no value of \(owner) is between 'minimum' and 'maximum'", at: maximum.place, "less than 'minimum'",
        help: ["swap 'minimum' and 'maximum'"])
    }
  }

  /// A number, or an array with one for each component.
  private func bound(_ key: String, _ members: inout JSONMembers) -> Placed<[Double]>? {
    if members.value(key)?.elements != nil { return members.numbers(key) }
    return members.number(key).map { Placed([$0.value], at: $0.place) }
  }

  private mutating func report(
    _ id: String, _ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(place.source, place.range, label)], help: help, notes: notes))
  }
}
