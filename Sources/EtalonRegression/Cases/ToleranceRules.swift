package import EtalonComparison
internal import EtalonTypes

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

extension Tolerance {
  /// What is wrong with the limits for pictures of a kind and a size.
  func limitProblems(comparing kind: ChannelKind, size: Size?) -> [ToleranceProblem] {
    problems(comparing: [kind], size: size).filter { !Tolerance.policyKeys.contains($0.key) }
  }

  /// The tolerance for levels: limits of floats, which are fractions of white, become limits of the largest difference.
  func inLevels(_ kind: ChannelKind, comparesFloats: Bool) -> Tolerance {
    guard comparesFloats || !limitProblems(comparing: kind, size: nil).isEmpty else { return self }
    return Tolerance(channel: Limit(fail: min(254, ((color.channel?.fail ?? 0) * 255).rounded(.up))))
  }
}
