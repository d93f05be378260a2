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
