internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Reads `tolerance`: a record, or a list of records with `when`, of which the first counts that fits the device.
struct ToleranceReader {
  /// What pictures are compared as, and their size where it is known: they decide which limits can be exceeded.
  let kinds: Set<ChannelKind>
  let size: Size?
  /// Whether the numbers behind levels are there, too.
  private let seesNaN: Bool
  /// The invariant that the tolerance is for, where that compares nothing with the CPU device; nil for all else.
  private let asksNobody: String?
  private(set) var diagnostics: [Diagnostic] = []

  init(comparing kinds: Set<ChannelKind>, size: Size?, seesNaN: Bool = false, asksNobody: String? = nil) {
    (self.kinds, self.size, self.seesNaN, self.asksNobody) = (kinds, size, seesNaN, asksNobody)
  }

  mutating func read(_ node: LocatedNode) -> ToleranceRules {
    guard case .sequence(let elements) = node.content else { return ToleranceRules([rule(node)].compactMap(\.self)) }
    if elements.isEmpty { report("'tolerance' says nothing", node, "empty", "write 'tolerance: { channel: 1 }', or leave it out") }
    var rules: [ToleranceRules.Rule] = []
    var isComplete = false
    for element in elements {
      if isComplete {
        report("nothing is left for this tolerance", element, "never counts", "put those with 'when' before the one without")
      }
      guard let rule = rule(element) else { continue }
      isComplete = isComplete || rule.condition == .always
      rules.append(rule)
    }
    return ToleranceRules(rules)
  }

  private mutating func rule(_ node: LocatedNode) -> ToleranceRules.Rule? {
    if node.scalar == "exact" { return .init(condition: .always, tolerance: .exact) }
    guard let members = node.members else {
      diagnostics.append(
        DocumentMembers.wrongForm(node, named: "'tolerance'", expected: "'exact' or limits", help: "write 'tolerance: { channel: 1 }'"))
      return nil
    }
    var conditions = DeviceConditionReader()
    let condition = members.first { $0.key == "when" }.map { conditions.read($0.value) } ?? .always
    diagnostics += conditions.diagnostics
    let limits = members.filter { $0.key != "when" && $0.key != "within" }
    let within = members.first { $0.key == "within" }
    if let within, within.value.scalar != "vulkan" {
      report("expected 'vulkan' after 'within'", within.value, "not a specification", "write 'within: vulkan'")
    } else if let within, let asksNobody {
      diagnostics.append(
        Diagnostic(
          "case.tolerance", "'\(asksNobody)' asks no specification: it compares pictures of one device",
          labels: [.init(within.keyPlace.source, within.keyPlace.range, "never counts")],
          help: ["leave it out; the invariant 'cpu' and references ask it"]))
    }
    if limits.isEmpty, within == nil {
      report("'tolerance' limits nothing", node, "no limit", "write 'tolerance: { channel: 1 }', or 'exact'")
    }
    guard !limits.isEmpty || within == nil else { return .init(condition: condition, tolerance: .exact, isWithinSpecification: true) }
    return tolerance(limits, at: node).map { .init(condition: condition, tolerance: $0, isWithinSpecification: within != nil) }
  }

  private mutating func tolerance(_ members: [LocatedNode.Member], at node: LocatedNode) -> Tolerance? {
    var leaves = ToleranceLeaves()
    leaves.add(members, prefix: "")
    diagnostics += leaves.diagnostics
    guard leaves.diagnostics.isEmpty else { return nil }
    let (tolerance, found) = ToleranceSettings(leaves.texts).read(comparing: kinds, size: size)
    let problems = found.filter { !seesNaN || $0.key != "nan" }
    diagnostics += problems.map { leaves.diagnostic($0, id: "case.tolerance", at: node.place) }
    return problems.isEmpty ? tolerance : nil
  }

  private mutating func report(_ message: String, _ node: LocatedNode, _ label: String, _ help: String) {
    diagnostics.append(
      Diagnostic("case.tolerance", message, labels: [.init(node.place.source, node.place.range, label)], help: [help]))
  }
}
