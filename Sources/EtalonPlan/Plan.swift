package import EtalonSPIRV
package import EtalonTypes

/// The work of one frame as data, and what goes before the first one: which kernels run over which textures and buffers, in which order.
///
/// Frames share a plan; only `FrameValues` change from frame to frame. What a frame hands to the next lies in persistent textures and buffers.
/// A plan is checked once by `PlanChecker` and then trusted.
///
/// **Concurrency**: an immutable value.
package struct Plan: Sendable, Hashable {
  /// A picture that leaves the plan as packed pixels in memory, rows from the top, without padding.
  ///
  /// Behind the last pixel of each memory there is room for another, which kernels make anything but zero where they store a number that is not one.
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

    /// The bytes of some of its rows.
    ///
    /// - Parameter width: how wide they are; nil for whole ones.
    package func byteCount(ofRows count: Int, width: Int? = nil) -> Int { (width ?? size.width) * count * format.bytesPerPixel }

    /// The bytes of memory for some of its rows: with the mark behind them.
    package func byteCountWithMark(ofRows count: Int, width: Int? = nil) -> Int {
      offsetOfMark(behindRows: count, width: width) + max(format.bytesPerPixel, 4)
    }

    /// Where the mark of memory for some of its rows begins, in bytes.
    package func offsetOfMark(behindRows count: Int, width: Int? = nil) -> Int { (byteCount(ofRows: count, width: width) + 3) / 4 * 4 }
  }

  /// Memory for numbers that kernels read and write as they like, laid out as std430.
  package struct Buffer: Sendable, Hashable {
    /// What a person would call it: `histogram`.
    package let name: String
    /// A multiple of four.
    package let byteCount: Int
    /// Whether it keeps its content from frame to frame.
    ///
    /// Then it is zero at the first frame of a state; any other is zero before the first step of every frame.
    package let isPersistent: Bool

    package init(name: String, byteCount: Int, isPersistent: Bool) {
      self.name = name
      self.byteCount = byteCount
      self.isPersistent = isPersistent
    }
  }

  /// One thing that a frame does; each sees everything that the earlier ones wrote.
  package enum Step: Sendable, Hashable {
    case dispatch(Pass)
    /// Makes a texture transparent black, all levels.
    case clear(texture: Int)
    /// Makes the levels below level 0 from level 0.
    case makeMipmaps(texture: Int)

    /// What a step dispatches; nil for the others.
    package var pass: Pass? { if case .dispatch(let pass) = self { pass } else { nil } }

    /// The textures that it reads or writes.
    package var textures: [Int] {
      switch self {
      case .clear(let texture), .makeMipmaps(let texture): [texture]
      case .dispatch(let pass): pass.sampledTextures.union(pass.targets).sorted()
      }
    }
  }

  package let textures: [Texture]
  package let buffers: [Buffer]
  package let outputs: [Output]
  package let kernels: [Kernel]
  /// What is done once, before the first frame of an execution: it depends on no frame, and leaves textures of the role `setup` to all of them.
  package let setup: [Step]
  /// What every frame does, in the order in which it is done.
  package let steps: [Step]

  package init(
    textures: [Texture], buffers: [Buffer] = [], outputs: [Output], kernels: [Kernel], setup: [Step] = [], steps: [Step]
  ) {
    self.textures = textures
    self.buffers = buffers
    self.outputs = outputs
    self.kernels = kernels
    self.setup = setup
    self.steps = steps
  }

  /// A plan that only dispatches.
  package init(textures: [Texture], buffers: [Buffer] = [], outputs: [Output], kernels: [Kernel], passes: [Pass]) {
    self.init(textures: textures, buffers: buffers, outputs: outputs, kernels: kernels, steps: passes.map { .dispatch($0) })
  }

  /// The same plan with other kernels in the places of its own.
  package func with(kernels: [Kernel]) -> Plan {
    precondition(kernels.count == self.kernels.count, "a plan with \(self.kernels.count) kernels")
    return Plan(textures: textures, buffers: buffers, outputs: outputs, kernels: kernels, setup: setup, steps: steps)
  }

  /// The dispatches of a frame, in order.
  package var passes: [Pass] { steps.compactMap(\.pass) }

  /// The dispatches of the setup, in order.
  package var setupPasses: [Pass] { setup.compactMap(\.pass) }
}

// MARK: Textures

extension Plan {
  /// A texture that the plan reads or writes; its index in `textures` is its name.
  package struct Texture: Sendable, Hashable {
    package enum Role: Sendable, Hashable {
      /// Filled from a picture before the first frame; the index is into the imports handed to the backend.
      case imported(Int)
      /// Filled from a picture that comes with every frame; the index is into `FrameValues.pictures`.
      case streamed(Int)
      /// Written and read within a frame, or within the setup; its content is undefined between them.
      case transient
      /// Written by the setup, read by frames, and kept as long as the execution.
      case setup
      /// Written during a frame and kept.
      ///
      /// Without a `previous` of it, a frame finds in it what the frame before left; with one, the two swap their memory after every frame,
      /// so that a frame has to write all of it.
      case persistent
      /// What the persistent texture with this index held at the end of the frame before; transparent black at the first frame of a state.
      case previous(of: Int)
    }

    package enum Shape: Sendable, Hashable {
      /// Rows of pixels, the lowest first.
      case flat
      /// Six square faces, +X, -X, +Y, -Y, +Z, -Z; the first row of a face is that with t = 0.
      case cube
      /// Slices, that with the lowest third coordinate first; the first row of a slice is that with the lowest second coordinate.
      case volume(depth: Int)
    }

    /// What a person would call it: `iChannel0`, `bufferA`.
    package let name: String
    package let role: Role
    /// How its pixels lie in space.
    package let shape: Shape
    /// The size of one face or slice.
    package let size: Size
    package let format: PixelFormat
    /// Whether the texture has a full chain of mipmap levels.
    package let isMipmapped: Bool
    /// The block of memory in which a transient texture takes turns with others, by its number; nil for memory of its own.
    ///
    /// Writing one of them takes away what the others held.
    package let block: Int?

    package init(
      name: String, role: Role, shape: Shape = .flat, size: Size, format: PixelFormat, isMipmapped: Bool, block: Int? = nil
    ) {
      self.name = name
      self.role = role
      self.shape = shape
      self.size = size
      self.format = format
      self.isMipmapped = isMipmapped
      self.block = block
    }
  }
}

extension Plan.Texture.Shape {
  package var isVolume: Bool {
    if case .volume = self { true } else { false }
  }
}

extension Plan.Texture {
  /// The number of faces or slices of level 0.
  package var layerCount: Int {
    switch shape {
    case .flat: 1
    case .cube: 6
    case .volume(let depth): depth
    }
  }

  /// The size of the picture that an imported or streamed texture is filled from.
  ///
  /// Faces and slices are stacked, the first on top. The pictures of cubes and volumes are not turned over: their top row is the first row of
  /// the first face. A flat texture starts at the bottom row of its picture.
  package var pictureSize: Size { Size(size.width, size.height * layerCount) }

  /// Whether it is filled from a picture of each frame.
  package var isStreamed: Bool {
    if case .streamed = role { true } else { false }
  }

  /// Whether its smaller levels are made after it was filled from a picture of a frame.
  package var makesStreamedMipmaps: Bool { isStreamed && levelCount > 1 }

  /// Whether steps write it.
  package var isWritten: Bool { role == .transient || role == .persistent || role == .setup }

  /// Whether its content outlives a frame.
  package var isKept: Bool {
    switch role {
    case .persistent, .previous: true
    case .imported, .streamed, .transient, .setup: false
    }
  }
}

// MARK: Passes

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

// MARK: Pictures of a frame

extension FrameValues {
  /// The identities of the pictures that the streamed textures of a plan show, by the textures' indices.
  package func shown(by plan: Plan) -> [Int: UInt64] {
    var shown: [Int: UInt64] = [:]
    for (index, texture) in plan.textures.enumerated() {
      if case .streamed(let stream) = texture.role { shown[index] = pictures[stream].identity }
    }
    return shown
  }
}

extension Plan {
  /// How many pictures come with every frame.
  package var streamCount: Int {
    textures.reduce(0) { count, texture in
      if case .streamed(let stream) = texture.role { max(count, stream + 1) } else { count }
    }
  }
}

// MARK: Shared memory

extension Plan {
  /// The textures that share each block of memory, by the number of the block.
  package var sharedBlocks: [Int: [Int]] {
    Dictionary(grouping: textures.indices.filter { textures[$0].block != nil }, by: { textures[$0].block ?? 0 })
  }

  /// The pieces of memory that its steps work in, each with the transient textures that take turns there.
  package var workingBlocks: [[Int]] {
    let shared = sharedBlocks
    let alone = textures.indices.filter { textures[$0].role == .transient && textures[$0].block == nil }
    return shared.keys.sorted().map { shared[$0] ?? [] } + alone.map { [$0] }
  }

  /// How many bytes its steps work in: those of the largest texture of every block.
  package var workingByteCount: Int {
    workingBlocks.reduce(0) { $0 + ($1.map { textures[$0].byteCount }.max() ?? 0) }
  }
}
