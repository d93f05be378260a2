internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

extension GraphText {
  /// The same graph with the defaults of its parameters, and values from outside for `node.parameter`.
  func setting(_ settings: [RenderRequest.Setting]) throws(DiagnosticsError) -> GraphText {
    var changed = self
    var mistakes: [Diagnostic] = []
    for parameter in parameters { changed.take(parameter) }
    for setting in settings {
      let places = SettingText.places(name: setting.name, value: setting.value)
      let target = setting.name
      guard let dot = target.firstIndex(of: "."), let node = nodes.firstIndex(where: { $0.name.text == target[..<dot] }) else {
        mistakes.append(unknown(setting.name, places.name))
        continue
      }
      let name = Word(String(target[target.index(after: dot)...]), at: places.name)
      changed.nodes[node].settings.removeAll { $0.name.text == name.text }
      changed.nodes[node].settings.append(
        Setting(name: name, value: LocatedNode(.scalar(setting.value), at: places.value)))
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return changed
  }

  /// What a parameter has before it is set.
  private mutating func take(_ parameter: Parameter) {
    guard let initial = parameter.initial else { return }
    for target in parameter.targets {
      guard let dot = target.text.firstIndex(of: "."), let node = nodes.firstIndex(where: { $0.name.text == target.text[..<dot] }) else {
        continue
      }
      let name = Word(String(target.text[target.text.index(after: dot)...]), at: target.place)
      nodes[node].settings.removeAll { $0.name.text == name.text }
      nodes[node].settings.append(Setting(name: name, value: initial))
    }
  }

  private func unknown(_ name: String, _ place: SourceRange) -> Diagnostic {
    let nodes = self.nodes.map(\.name.text)
    let stem = name.firstIndex(of: ".").map { String(name[..<$0]) }
    let nearest = NearestName.find(stem ?? name, in: nodes + (stem == nil ? parameters.map(\.name.text) : []))
    let help =
      stem == nil ? "type 'node.parameter', such as '\(nodes.first ?? "blur").\(name)'" : "the nodes are \(nodes.joined(separator: ", "))"
    return Diagnostic(
      "graph.unknown-target", stem.map { "the graph has no node '\($0)'" } ?? "'\(name)' does not say which node it is about",
      labels: [.init(place.source, place.range, "not found")], help: [nearest.map { "did you mean '\($0)'?" } ?? help])
  }

  /// What was written for parameters, by `node.parameter`.
  var values: [String: String] {
    let all = nodes.flatMap { node in
      node.settings.map {
        ("\(node.name.text).\($0.name.text)", String(decoding: $0.value.place.source.bytes[$0.value.place.range], as: UTF8.self))
      }
    }
    return Dictionary(all) { _, last in last }
  }
}
