internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import Foundation

/// A condition on devices.
///
/// ```yaml
/// when: { backend: vulkan, driver: 'llvmpipe*' }
/// when: [ { backend: cpu }, { not: { driver: 'NVIDIA*' } } ]
/// ```
/// All members of a mapping have to hold, and one of the elements of a list.
package indirect enum DeviceCondition: Sendable, Hashable {
  /// What a member of a condition looks at.
  package enum Property: String, Sendable, Hashable, CaseIterable {
    case backend, device, driver, driverVersion
  }

  case always
  /// The property matches a pattern in which `*` stands for anything; capitals do not count.
  case matches(Property, String)
  case not(DeviceCondition)
  case all([DeviceCondition])
  case any([DeviceCondition])

  /// Whether it holds on a device.
  package func holds(on device: TestDevice) -> Bool {
    switch self {
    case .always: true
    case .matches(let property, let pattern): NamePattern(pattern).matchesWhole(device.text(of: property))
    case .not(let condition): !condition.holds(on: device)
    case .all(let conditions): conditions.allSatisfy { $0.holds(on: device) }
    case .any(let conditions): conditions.contains { $0.holds(on: device) }
    }
  }

  /// The condition as a person would write it.
  package var text: String {
    switch self {
    case .always: "always"
    case .matches(let property, let pattern): "\(property.rawValue): \(pattern)"
    case .not(let condition): "not { \(condition.text) }"
    case .all(let conditions): conditions.map(\.text).joined(separator: ", ")
    case .any(let conditions): conditions.map { "{ \($0.text) }" }.joined(separator: " or ")
    }
  }
}

extension DeviceCondition {
  /// Whether a device can meet the condition, as far as that is known without one.
  var canHold: Bool { TestDevice.backends.contains { value(on: $0) != false } }

  /// Whether it holds on devices of a backend; nil where that depends on the device.
  private func value(on backend: String) -> Bool? {
    switch self {
    case .always: return true
    case .matches(.backend, let pattern): return NamePattern(pattern).matchesWhole(backend)
    case .matches: return nil
    case .not(let condition): return condition.value(on: backend).map { !$0 }
    case .all(let conditions):
      let values = conditions.map { $0.value(on: backend) }
      return values.contains(false) ? false : values.contains(nil) ? nil : true
    case .any(let conditions):
      let values = conditions.map { $0.value(on: backend) }
      return values.contains(true) ? true : values.contains(nil) ? nil : false
    }
  }
}

/// A text to look for, in which `*` stands for anything; capitals do not count.
package struct NamePattern: Sendable, Hashable {
  private let text: String

  package init(_ text: String) { self.text = text.lowercased() }

  /// Whether the whole of a text matches.
  package func matchesWhole(_ name: String) -> Bool { unsafe fnmatch(text, name.lowercased(), 0) == 0 }

  /// Whether a text contains this, or ends like this where it has a `*`.
  package func matchesPart(_ name: String) -> Bool {
    text.contains("*") ? unsafe fnmatch("*\(text)", name.lowercased(), 0) == 0 : name.lowercased().contains(text)
  }
}

// MARK: - reading 'when'

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
        "case.condition", "'when' says nothing", labels: [node.place.label("empty")],
        help: ["write 'when: { backend: vulkan }', or leave it out"]))
  }
}
