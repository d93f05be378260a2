package import EtalonTypes

extension Plan {
  /// What is bound to one resource of a kernel.
  package enum Binding: Sendable, Hashable {
    /// A texture read through a sampler.
    case sampled(texture: Int, Sampler)
    /// A texture written by whole pixels, in its first level; of a cube one face, of a volume all slices.
    case storage(texture: Int, layer: Int = 0)
    /// The packed pixels of an output.
    case output(Int)
    /// A buffer of the plan.
    case buffer(Int)
  }

  /// One dispatch of a kernel.
  package struct Pass: Sendable, Hashable {
    /// What the invocations of a dispatch cover.
    package enum Coverage: Sendable, Hashable {
      /// Every pixel of a target of this size, in one or several regions: workgroups of 256×1×1 invocations, which `DispatchRegion` places.
      case pixels(Size)
      /// So many workgroups along x, y and z, of the size that the kernel states; no push constants.
      case workgroups(Int, Int, Int)
    }

    /// What a person would call it: `image`, `bufferA`, `gaussian-blur.horizontal`.
    package let name: String
    /// An index into `kernels`.
    package let kernel: Int
    package let coverage: Coverage
    /// Of which picture the target is a region, and its kernel is to compute that; nil where it is the whole.
    package let region: PictureRegion?
    /// What is bound, by the binding number in the kernel's interface.
    package let bindings: [Int: Binding]
    /// How far from its position the kernel says that it reads; nil where it may read anything.
    package let reach: Reach?

    package init(
      name: String, kernel: Int, coverage: Coverage, region: PictureRegion? = nil, bindings: [Int: Binding], reach: Reach? = nil
    ) {
      self.name = name
      self.kernel = kernel
      self.coverage = coverage
      self.region = region
      self.bindings = bindings
      self.reach = reach
    }

    /// A pass over every pixel of a target.
    package init(name: String, kernel: Int, size: Size, bindings: [Int: Binding]) {
      self.init(name: name, kernel: kernel, coverage: .pixels(size), bindings: bindings)
    }
  }
}

extension Plan.Pass {
  /// How far from its position a kernel reads, in pixels of what it writes; in a picture of another size its position is the same share of that.
  package struct Reach: Sendable, Hashable {
    package let x: Int
    package let y: Int
    /// The bindings of the textures that are meant.
    package let bindings: Set<Int>

    package init(x: Int, y: Int, bindings: Set<Int>) {
      (self.x, self.y, self.bindings) = (x, y, bindings)
    }
  }

  /// Whether it writes an output.
  package var writesOutput: Bool {
    bindings.values.contains { if case .output = $0 { true } else { false } }
  }

  /// The textures that it reads through samplers.
  package var sampledTextures: Set<Int> {
    Set(bindings.values.compactMap { if case .sampled(let texture, _) = $0 { texture } else { nil } })
  }

  /// The textures that it writes.
  package var targets: Set<Int> {
    Set(bindings.values.compactMap { if case .storage(let texture, _) = $0 { texture } else { nil } })
  }

  /// The buffers that it reads or writes.
  package var buffers: Set<Int> {
    Set(bindings.values.compactMap { if case .buffer(let buffer) = $0 { buffer } else { nil } })
  }
}
