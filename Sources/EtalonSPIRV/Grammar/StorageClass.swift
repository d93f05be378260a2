// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Where a variable lives, spelled as in the SPIR-V specification.
package enum StorageClass: UInt32, Sendable, Hashable {
  case UniformConstant = 0
  case Input = 1
  case Uniform = 2
  case Output = 3
  case Workgroup = 4
  case CrossWorkgroup = 5
  case Private = 6
  case Function = 7
  case Generic = 8
  case PushConstant = 9
  case AtomicCounter = 10
  case Image = 11
  case StorageBuffer = 12
  case PhysicalStorageBuffer = 5349
}
