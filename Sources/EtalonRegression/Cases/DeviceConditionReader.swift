internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// Reads `when`: a mapping whose members all have to hold, or a list of such mappings.
struct DeviceConditionReader {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func read(_ node: LocatedNode) -> DeviceCondition {
    guard case .sequence(let elements) = node.content else { return mapping(node) }
    if elements.isEmpty { refuseEmpty(node) }
    return .any(elements.map { mapping($0) })
  }

  private mutating func mapping(_ node: LocatedNode) -> DeviceCondition {
    var members = DocumentMembers(node, of: "'when'", example: "when: { backend: vulkan }")
    if node.members?.isEmpty ?? false { refuseEmpty(node) }
    var conditions: [DeviceCondition] = []
    for property in DeviceCondition.Property.allCases {
      guard let word = members.word(property.rawValue) else { continue }
      if property == .backend, !TestDevice.backends.contains(where: { NamePattern(word.text).matchesWhole($0) }) {
        members.report(
          "case.condition", "no backend is called '\(word.text)'", at: word.place, "never true",
          help: ["choose from \(TestDevice.backends.joined(separator: ", "))"])
      }
      // A word that a pattern leaves open may become a known one.
      let isOpen = word.text.prefix { $0 != " " }.contains { "*?[".contains($0) }
      if property == .driver || property == .device, !isOpen, let key = ReferenceKey(word.text), !key.isPlausible, let nearest = key.nearest
      {
        members.report(
          "case.condition", "no \(property.rawValue) is known that is called '\(word.text)'", at: word.place, "never true",
          help: ["did you mean '\(nearest)'?", "write '*\(word.text)' if there is one"])
      }
      conditions.append(.matches(property, word.text))
    }
    if let inner = members.value("not") { conditions.append(.not(read(inner))) }
    members.refuseOthers()
    diagnostics += members.diagnostics
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func refuseEmpty(_ node: LocatedNode) {
    diagnostics.append(
      Diagnostic(
        "case.condition", "'when' says nothing", labels: [.init(node.place.source, node.place.range, "empty")],
        help: ["write 'when: { backend: vulkan }', or leave it out"]))
  }
}
