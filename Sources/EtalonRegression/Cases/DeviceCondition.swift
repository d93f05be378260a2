internal import Foundation

/// Which devices something is about.
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
  /// Whether a device can be like this, as far as that can be told without one.
  var canHold: Bool { TestDevice.backends.contains { value(on: $0) != false } }

  /// Whether it holds on devices of a backend; nil where that hangs on the device.
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

  /// Whether the whole of a text is like this.
  package func matchesWhole(_ name: String) -> Bool { unsafe fnmatch(text, name.lowercased(), 0) == 0 }

  /// Whether a text contains this, or ends like this where it has a `*`.
  package func matchesPart(_ name: String) -> Bool {
    text.contains("*") ? unsafe fnmatch("*\(text)", name.lowercased(), 0) == 0 : name.lowercased().contains(text)
  }
}
