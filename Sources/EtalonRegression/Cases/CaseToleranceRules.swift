package import EtalonComparison
package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// How far pictures may differ, perhaps depending on the device: the first rule whose condition holds counts.
package struct CaseToleranceRules: Sendable, Hashable {
  /// A tolerance with the devices that it is for.
  package struct Rule: Sendable, Hashable {
    package let condition: DeviceCondition
    package let tolerance: Tolerance
    /// Whether pixels may also be whatever the Vulkan specification allows.
    package var isWithinSpecification = false
  }

  package var rules: [Rule] = []

  package init(_ rules: [Rule] = []) { self.rules = rules }

  /// Whether pixels of a device may be whatever the Vulkan specification allows.
  package func isWithinSpecification(on device: TestDevice) -> Bool {
    rules.first { $0.condition.holds(on: device) }?.isWithinSpecification ?? false
  }

  /// What counts on a device; nil where nothing is said about it.
  package func tolerance(on device: TestDevice) -> Tolerance? { rules.first { $0.condition.holds(on: device) }?.tolerance }
}

extension Tolerance {
  /// What is wrong with the limits for pictures of a kind and a size.
  func limitDiagnostics(comparing kind: ChannelKind, size: Size?) -> [ToleranceDiagnostic] {
    diagnostics(comparing: [kind], size: size).filter { !Tolerance.policyKeys.contains($0.key) }
  }

  /// The tolerance for levels: limits of floats, which are fractions of white, become limits of the largest difference.
  func inLevels(_ kind: ChannelKind, comparesFloats: Bool) -> Tolerance {
    guard comparesFloats || !limitDiagnostics(comparing: kind, size: nil).isEmpty else { return self }
    return Tolerance(channel: Limit(fail: min(254, ((color.channel?.fail ?? 0) * 255).rounded(.up))))
  }
}

// MARK: - reading 'tolerance'

/// Reads `tolerance`: a record, or a list of records with `when`, of which the first counts that fits the device.
struct CaseToleranceReader {
  /// What pictures are compared as, and their size where it is known: they decide which limits can be exceeded.
  let kinds: Set<ChannelKind>
  let size: Size?
  /// Whether the floats behind levels are compared, too, so that `nan` means something.
  private let seesNaN: Bool
  /// The invariant that the tolerance is for, where that compares nothing with the CPU device; nil for all else.
  private let ownDeviceInvariant: String?
  private(set) var diagnostics: [Diagnostic] = []

  init(comparing kinds: Set<ChannelKind>, size: Size?, seesNaN: Bool = false, ownDeviceInvariant: String? = nil) {
    (self.kinds, self.size, self.seesNaN, self.ownDeviceInvariant) = (kinds, size, seesNaN, ownDeviceInvariant)
  }

  mutating func read(_ node: LocatedNode) -> CaseToleranceRules {
    guard case .sequence(let elements) = node.content else { return CaseToleranceRules([rule(node)].compactMap(\.self)) }
    if elements.isEmpty { report("'tolerance' says nothing", node, "empty", "write 'tolerance: { channel: 1 }', or leave it out") }
    var rules: [CaseToleranceRules.Rule] = []
    var isComplete = false
    for element in elements {
      if isComplete {
        report("nothing is left for this tolerance", element, "never counts", "put those with 'when' before the one without")
      }
      guard let rule = rule(element) else { continue }
      isComplete = isComplete || rule.condition == .always
      rules.append(rule)
    }
    return CaseToleranceRules(rules)
  }

  private mutating func rule(_ node: LocatedNode) -> CaseToleranceRules.Rule? {
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
    } else if let within, let ownDeviceInvariant {
      diagnostics.append(
        Diagnostic(
          "case.tolerance", "'\(ownDeviceInvariant)' asks no specification: it compares pictures of one device",
          labels: [within.keyPlace.label("never counts")],
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
    let errors = found.filter { !seesNaN || $0.key != "nan" }
    diagnostics += errors.map { leaves.diagnostic($0, id: "case.tolerance", at: node.place) }
    return errors.isEmpty ? tolerance : nil
  }

  private mutating func report(_ message: String, _ node: LocatedNode, _ label: String, _ help: String) {
    diagnostics.append(
      Diagnostic("case.tolerance", message, labels: [node.place.label(label)], help: [help]))
  }
}

/// The texts of a nested record of limits by dotted keys, and where each stands.
package struct ToleranceLeaves: Sendable {
  package private(set) var texts: [String: String] = [:]
  package private(set) var diagnostics: [Diagnostic] = []
  /// Of keys and values.
  private var places: [String: (key: SourceRange, value: SourceRange)] = [:]

  package init() {}

  /// Reads a file that holds a tolerance alone: JSON where its name says so, else YAML.
  package init(_ source: SourceText) throws(DiagnosticsError) {
    let tree = try GraphDocumentReader.tree(of: source)
    guard let members = tree.members else {
      throw DiagnosticsError([
        DocumentMembers.wrongForm(tree, named: "the tolerance", expected: "limits", help: "write '{ channel: 2, flip: { mean: 0.01 } }'")
          .ofTolerance
      ])
    }
    add(members, prefix: "")
    diagnostics = diagnostics.map(\.ofTolerance)
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
  }

  package mutating func add(_ members: [LocatedNode.Member], prefix: String) {
    for member in members {
      let key = prefix + member.key
      places[key] = (member.keyPlace, member.value.place)
      switch member.value.content {
      case .mapping(let inner): add(inner, prefix: key + ".")
      case .scalar(let text) where !text.isEmpty: texts[key] = text
      case .scalar: diagnostics.append(DocumentMembers.empty(member.key, of: "'tolerance'", member.value))
      case .sequence: diagnostics.append(DocumentMembers.wrongForm(member.value, named: "'\(key)'", expected: "one value or limits"))
      }
    }
  }

  /// A diagnostic as a person reads it: at the key where that is wrong, at the value otherwise.
  func diagnostic(_ found: ToleranceDiagnostic, id: String, at whole: SourceRange) -> Diagnostic {
    let place = place(of: found) ?? whole
    return found.diagnostic(id: id, label: place.label(found.label))
  }

  /// The same for a file that holds a tolerance alone; nil where the file has nothing like the key.
  package func diagnostic(_ found: ToleranceDiagnostic) -> Diagnostic? {
    place(of: found).map { found.diagnostic(label: $0.label(found.label)) }
  }

  /// The place of a key, or of the record that it would be in.
  private func place(of found: ToleranceDiagnostic) -> SourceRange? {
    var key = found.key[...]
    while true {
      if let place = places[String(key)] { return found.part == .key ? place.key : place.value }
      guard let dot = key.lastIndex(of: ".") else { return nil }
      key = key[..<dot]
    }
  }
}

extension ToleranceDiagnostic {
  /// What stands under the place.
  package var label: String { candidates.isEmpty ? "in this tolerance" : "unknown" }

  /// The diagnostic with the nearest known name of an unknown one.
  package func diagnostic(id: String? = nil, label: Diagnostic.Label?) -> Diagnostic {
    let nearest = NearestName.find(key, in: candidates).map { "did you mean '\($0)'?" }
    return Diagnostic(
      id ?? "tolerance.\(candidates.isEmpty ? "value" : "unknown-key")", message, labels: [label].compactMap(\.self),
      help: [nearest ?? help].compactMap(\.self))
  }
}

extension Diagnostic {
  /// The same under the name of the file that it is about.
  fileprivate var ofTolerance: Diagnostic {
    id.hasPrefix("graph.") ? Diagnostic("tolerance." + id.dropFirst(6), message, labels: labels, help: help) : self
  }
}
