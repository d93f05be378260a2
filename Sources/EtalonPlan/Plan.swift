package import EtalonSPIRV
package import EtalonTypes

/// The work of one frame as data: which kernels run over which textures, in which order.
///
/// Frames share a plan; only `FrameValues` change from frame to frame. A plan is checked once by `PlanChecker` and then trusted.
///
/// **Concurrency**: an immutable value.
package struct Plan: Sendable, Hashable {
  /// A texture that the plan reads or writes; its index in `textures` is its name.
  package struct Texture: Sendable, Hashable {
    package enum Role: Sendable, Hashable {
      /// Filled from a picture before the first frame; the index is into the imports handed to the backend.
      case imported(Int)
      /// Written and read within a frame; its content is undefined between frames.
      case transient
    }
    /// What a person would call it: `iChannel0`, `bufferA`.
    package let name: String
    package let role: Role
    package let size: Size
    package let format: PixelFormat
    /// Whether the texture has a full chain of mipmap levels.
    package let isMipmapped: Bool

    package init(name: String, role: Role, size: Size, format: PixelFormat, isMipmapped: Bool) {
      self.name = name
      self.role = role
      self.size = size
      self.format = format
      self.isMipmapped = isMipmapped
    }
  }

  /// A picture that leaves the plan as packed pixels in memory, rows from the top, without padding.
  package struct Output: Sendable, Hashable {
    /// `main`, or the name the graph gives it.
    package let name: String
    package let size: Size
    /// `rgba8`, `rgba16` or `rgba32f`.
    package let format: PixelFormat
    /// What the fourth channel of the packed pixels means.
    package let alpha: AlphaMode

    package init(name: String, size: Size, format: PixelFormat, alpha: AlphaMode) {
      self.name = name
      self.size = size
      self.format = format
      self.alpha = alpha
    }
  }

  /// What is bound to one resource of a kernel.
  package enum Binding: Sendable, Hashable {
    /// A texture read through a sampler.
    case sampled(texture: Int, Sampler)
    /// A texture written (or read) by whole pixels.
    case storage(texture: Int)
    /// The packed pixels of an output.
    case output(Int)
  }

  /// One dispatch of a kernel over the pixels of its target.
  package struct Pass: Sendable, Hashable {
    /// What a person would call it: `image`, `bufferA`, `gaussian-blur.horizontal`.
    package let name: String
    /// An index into `kernels`.
    package let kernel: Int
    /// The size of the target; the dispatch covers every pixel of it, in one or several regions.
    package let size: Size
    /// What is bound, by the binding number in the kernel's interface.
    package let bindings: [Int: Binding]

    package init(name: String, kernel: Int, size: Size, bindings: [Int: Binding]) {
      self.name = name
      self.kernel = kernel
      self.size = size
      self.bindings = bindings
    }
  }

  package let textures: [Texture]
  package let outputs: [Output]
  package let kernels: [Kernel]
  /// In the order in which they run; each sees everything that the earlier ones wrote.
  package let passes: [Pass]

  package init(textures: [Texture], outputs: [Output], kernels: [Kernel], passes: [Pass]) {
    self.textures = textures
    self.outputs = outputs
    self.kernels = kernels
    self.passes = passes
  }
}

/// What changes from frame to frame: the bytes of each pass's uniform block.
package struct FrameValues: Sendable, Hashable {
  /// The number of the frame, for messages.
  package let frame: Int
  /// One array for each pass of the plan, laid out as the kernel's interface says; empty for a kernel without uniforms.
  package let uniforms: [[UInt8]]

  package init(frame: Int, uniforms: [[UInt8]]) {
    self.frame = frame
    self.uniforms = uniforms
  }
}
