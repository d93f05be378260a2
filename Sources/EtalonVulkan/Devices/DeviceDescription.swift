public import EtalonTypes

/// A Vulkan device of this machine: what it is, what it can do, and what its shortcomings cost.
///
/// **Concurrency**: an immutable value.
public struct DeviceDescription: Sendable, Hashable {
  /// What a device is made of; in the order in which devices are preferred.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A graphics card with memory of its own.
    case gpu
    /// A graphics unit that shares the processor's memory.
    case integrated
    /// A part of a graphics card, handed to a virtual machine.
    case virtual
    /// Something that says nothing about itself.
    case other
    /// A software driver that runs on the processor.
    case cpu
  }

  /// One pool of memory.
  public struct MemoryHeap: Sendable, Hashable {
    /// The size in bytes.
    public let byteCount: Int
    /// Whether it lies beside the device rather than beside the processor.
    public let isDeviceLocal: Bool
  }

  /// Something that the device cannot do.
  public struct MissingFeature: Sendable, Hashable {
    /// Vulkan's name of the feature.
    public let name: String
    /// What does not work, or works differently, without it.
    public let cost: String
  }

  /// The limits that decide which pictures fit.
  public struct Limits: Sendable, Hashable {
    /// The longest side of a texture, in pixels.
    public let maxTextureSide: Int
    /// The largest storage buffer in bytes; larger outputs are rendered in bands.
    public let maxStorageBufferByteCount: Int
    /// The largest single allocation in bytes.
    public let maxAllocationByteCount: Int
    /// The largest uniform block in bytes.
    public let maxUniformBlockByteCount: Int
    /// The shared memory of a workgroup in bytes.
    public let maxSharedMemoryByteCount: Int
    /// The invocations of a workgroup.
    public let maxWorkgroupInvocations: Int
    /// How finely textures are filtered.
    public let samplerPrecision: SamplerPrecision
  }

  /// The number for `--device`: the preferred device is 0.
  public let index: Int
  /// The device's own name, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
  public let name: String
  /// What it is made of.
  public let kind: Kind
  /// The name of the driver, such as `llvmpipe` or `NVIDIA`.
  public let driverName: String
  /// The version as the driver's makers write it, such as `Mesa 22.3.6 (LLVM 15.0.6)`.
  public let driverVersion: String
  /// The version of Vulkan that it speaks, such as `1.3.230`.
  public let apiVersion: String
  /// The pools of memory.
  public let memoryHeaps: [MemoryHeap]
  /// How many invocations run in step.
  public let subgroupSize: Int
  /// The limits that decide which pictures fit.
  public let limits: Limits
  /// Why it cannot be used at all, nil for a usable device.
  public let unusableBecause: String?
  /// What it cannot do.
  public let missingFeatures: [MissingFeature]
  /// What else is worth knowing about this driver.
  public let notes: [String]
}
