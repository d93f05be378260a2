package import EtalonComparison

/// How far pictures may differ, perhaps depending on the device: the first rule whose condition holds counts.
package struct ToleranceRules: Sendable, Hashable {
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
