/// One compute shader, ready to be executed: its SPIR-V and what it expects to be bound.
///
/// The words are what the compiler emitted (unoptimised, valid for Vulkan 1.1 and SPIR-V 1.3) and not yet hardened: the sanitizer has to see
/// them so. A backend that cannot trust the driver hardens them itself.
///
/// **Concurrency**: an immutable value.
package struct Kernel: Sendable, Hashable {
  /// The filter and the pass, such as `plasma.image`, for messages and for naming objects.
  package let name: String
  /// A whole SPIR-V module with one entry point.
  package let words: [UInt32]
  /// What the module expects to be bound, reflected from its words.
  package let interface: KernelInterface

  package init(name: String, words: [UInt32], interface: KernelInterface) {
    self.name = name
    self.words = words
    self.interface = interface
  }
}

/// What a compute shader expects to be bound, and how its blocks are laid out.
package struct KernelInterface: Sendable, Hashable {
  /// A member of a uniform or push-constant block.
  package struct Member: Sendable, Hashable {
    /// The name in the GLSL text.
    package let name: String
    /// The GLSL spelling of the type, without array sizes: `float`, `ivec2`, `mat3`.
    package let type: String
    /// The number of array elements, nil when the member is no array.
    package let arrayLength: Int?
    /// Bytes from the start of the block.
    package let offset: Int
    /// Bytes from one array element to the next, 0 when the member is no array.
    package let arrayStride: Int
    /// Bytes from one matrix column to the next, or from row to row; 0 when the member is no matrix.
    package let matrixStride: Int
    /// Whether a matrix lies row by row.
    package let isRowMajor: Bool

    package init(
      name: String, type: String, arrayLength: Int?, offset: Int, arrayStride: Int, matrixStride: Int, isRowMajor: Bool = false
    ) {
      self.name = name
      self.type = type
      self.arrayLength = arrayLength
      self.offset = offset
      self.arrayStride = arrayStride
      self.matrixStride = matrixStride
      self.isRowMajor = isRowMajor
    }
  }

  /// A block of values with a fixed layout.
  package struct Block: Sendable, Hashable {
    /// The name of the block.
    package let name: String
    /// The descriptor binding; 0 for push constants.
    package let binding: Int
    /// Bytes, from the first to past the last member.
    package let size: Int
    /// In the order of their offsets.
    package let members: [Member]

    package init(name: String, binding: Int, size: Int, members: [Member]) {
      self.name = name
      self.binding = binding
      self.size = size
      self.members = members
    }
  }

  /// A texture or buffer that is bound by number.
  package struct Resource: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// A texture with a sampler.
      case sampledTexture(Dimension)
      /// A texture that is read or written by whole pixels; the format is nil when the shader leaves it open.
      case storageTexture(Dimension, format: String?)
      /// A buffer of 32-bit words or of a structure.
      case storageBuffer
    }
    package enum Dimension: String, Sendable, Hashable {
      case two = "2D"
      case three = "3D"
      case cube = "cube"
    }
    /// The name in the GLSL text: of the variable, or of the block for buffers.
    package let name: String
    /// The descriptor binding in set 0.
    package let binding: Int
    /// What has to be bound.
    package let kind: Kind

    package init(name: String, binding: Int, kind: Kind) {
      self.name = name
      self.binding = binding
      self.kind = kind
    }
  }

  /// The name of the entry point, nearly always `main`.
  package let entryPoint: String
  /// Invocations in a workgroup along x, y and z.
  package let workgroupSize: [Int]
  /// The one uniform block in set 0, if the kernel has one.
  package let uniforms: Block?
  /// The push-constant block, if the kernel has one.
  package let pushConstants: Block?
  /// Textures and storage buffers that the code really uses, by binding.
  package let resources: [Resource]
  /// Whether neighbouring invocations exchange values (quad or subgroup operations), so that subgroups must be full.
  package let usesSubgroups: Bool
  /// The bytes of shared memory of a workgroup, laid out as in a storage buffer.
  package let sharedByteCount: Int

  package init(
    entryPoint: String, workgroupSize: [Int], uniforms: Block?, pushConstants: Block?, resources: [Resource], usesSubgroups: Bool,
    sharedByteCount: Int = 0
  ) {
    self.entryPoint = entryPoint
    self.workgroupSize = workgroupSize
    self.uniforms = uniforms
    self.pushConstants = pushConstants
    self.resources = resources
    self.usesSubgroups = usesSubgroups
    self.sharedByteCount = sharedByteCount
  }
}
