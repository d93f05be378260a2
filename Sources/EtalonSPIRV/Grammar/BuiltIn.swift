// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What the machine tells a compute shader about an invocation, spelled as in the SPIR-V specification.
package enum BuiltIn: UInt32, Sendable, Hashable {
  case NumWorkgroups = 24
  case WorkgroupSize = 25
  case WorkgroupId = 26
  case LocalInvocationId = 27
  case GlobalInvocationId = 28
  case LocalInvocationIndex = 29
  case SubgroupSize = 36
  case NumSubgroups = 38
  case SubgroupId = 40
  case SubgroupLocalInvocationId = 41
  case SubgroupEqMask = 4416
  case SubgroupGeMask = 4417
  case SubgroupGtMask = 4418
  case SubgroupLeMask = 4419
  case SubgroupLtMask = 4420

  /// How many integers of 32 bits it is.
  var componentCount: Int {
    switch self {
    case .NumWorkgroups, .WorkgroupSize, .WorkgroupId, .LocalInvocationId, .GlobalInvocationId: 3
    case .SubgroupEqMask, .SubgroupGeMask, .SubgroupGtMask, .SubgroupLeMask, .SubgroupLtMask: 4
    case .LocalInvocationIndex, .SubgroupSize, .NumSubgroups, .SubgroupId, .SubgroupLocalInvocationId: 1
    }
  }

  /// Whether its value only means something in a full subgroup.
  package var isAboutSubgroups: Bool {
    switch self {
    case .SubgroupSize, .NumSubgroups, .SubgroupId, .SubgroupLocalInvocationId, .SubgroupEqMask, .SubgroupGeMask, .SubgroupGtMask,
      .SubgroupLeMask, .SubgroupLtMask:
      true
    default: false
    }
  }
}
