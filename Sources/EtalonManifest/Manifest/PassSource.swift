package import EtalonGLSL
package import EtalonTypes

/// One pass of a filter: its Vulkan GLSL and what the text expects from outside.
package struct PassSource: Sendable, Hashable {
  /// How the invocations of a pass cover its target.
  package enum Coverage: Sendable, Hashable {
    /// One invocation for each pixel, in tiles (`PixelMapping`); the text stores through `PixelStore`.
    case pixels
    /// Whole workgroups of the text's own local size over the pixels of an extent; the text stores by itself.
    case workgroups(localSize: [Int], over: FilterTarget.Extent)
    /// A number of workgroups of the text's own local size.
    case dispatch(localSize: [Int], counts: [ExpressionText])
  }

  /// `image`, or the name of the target the pass writes.
  package let name: String
  /// The target that a pixel pass writes; nil for the result of the filter.
  package let target: String?
  /// The further output of the filter that a pixel pass without a target writes; nil for the result.
  package let output: String?
  package let coverage: Coverage
  package let form: KernelForm
  package let reach: KernelReach
  /// A whole compute shader.
  ///
  /// For pixel passes the preprocessor macros of `StoreVariant` choose how it stores its result.
  package internal(set) var source: GeneratedSource
  /// The members of the uniform block, each with what fills it.
  package internal(set) var uniforms: [Uniform]
  /// The textures that the text declares.
  package internal(set) var textures: [PassTexture]
  /// The textures whose colors at the pixel a color kernel is given, by their names in the text, in the order of its arguments.
  package let arguments: [String]
  /// The storage images that a compute kernel writes; the binding is told by the name in the text.
  package internal(set) var stores: [PassStore]
  /// The storage buffers of a compute kernel.
  package let buffers: [PassBuffer]
  /// How often the pass runs in a row; uniforms with the meaning `.iteration` count.
  package let iterations: Int
  /// Whether pixels exchange values with their neighbours, so that subgroups must be full.
  package let usesQuads: Bool
  /// What helps to explain names that the text does not declare.
  package let hints: NameHints
  /// The names of the rewrites that changed the author's text.
  package let rewrites: [String]

  package init(
    name: String, target: String? = nil, output: String? = nil, coverage: Coverage = .pixels, form: KernelForm = .image,
    reach: KernelReach = .everywhere,
    source: GeneratedSource, uniforms: [Uniform],
    textures: [PassTexture], arguments: [String] = [], stores: [PassStore] = [], buffers: [PassBuffer] = [], iterations: Int = 1,
    usesQuads: Bool = false,
    hints: NameHints = NameHints(), rewrites: [String] = []
  ) {
    self.name = name
    self.target = target
    self.output = output
    self.coverage = coverage
    self.form = form
    self.reach = reach
    self.source = source
    self.uniforms = uniforms
    self.textures = textures
    self.arguments = arguments
    self.stores = stores
    self.buffers = buffers
    self.iterations = iterations
    self.usesQuads = usesQuads
    self.hints = hints
    self.rewrites = rewrites
  }

  /// Hints do not count: they explain texts that cannot be compiled, and are long to compare.
  package static func == (one: PassSource, other: PassSource) -> Bool {
    one.source == other.source && one.name == other.name && one.target == other.target && one.output == other.output
      && one.coverage == other.coverage && one.form == other.form && one.reach == other.reach && one.uniforms == other.uniforms
      && one.textures == other.textures && one.arguments == other.arguments && one.stores == other.stores && one.buffers == other.buffers
      && one.iterations == other.iterations && one.usesQuads == other.usesQuads && one.rewrites == other.rewrites
  }

  /// Hashes only the name and the text: passes that agree in both and differ elsewhere are rare.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(source)
  }
}

/// A texture that a pass reads.
package struct PassTexture: Sendable, Hashable {
  /// What fills a texture.
  package enum Source: Sendable, Hashable {
    /// An image input of the filter.
    case input(String)
    /// A target of the filter.
    case target(String)
  }

  /// The name in the GLSL text, such as `iChannel0`.
  package let name: String
  package let source: Source
  /// How the text reads it.
  package let sampler: Sampler

  package init(name: String, source: Source, sampler: Sampler) {
    self.name = name
    self.source = source
    self.sampler = sampler
  }
}

/// A storage image that a compute kernel writes.
package struct PassStore: Sendable, Hashable {
  /// The name in the GLSL text.
  package let name: String
  /// The target that it is; nil for the result of the filter.
  package let target: String?

  package init(name: String, target: String?) {
    self.name = name
    self.target = target
  }
}

/// A storage buffer that a compute kernel reads and writes.
package struct PassBuffer: Sendable, Hashable {
  /// The name of the block in the GLSL text.
  package let name: String
  /// The buffer of the filter.
  package let buffer: String

  package init(name: String, buffer: String) {
    self.name = name
    self.buffer = buffer
  }
}

// MARK: - forms of kernels

/// What the function of a pass computes, which tells how passes can be joined and which part of a picture they need.
package enum KernelForm: String, Sendable, Hashable, CaseIterable {
  /// A color from the colors of the inputs at the same place.
  case color
  /// The position at which the input is read.
  case warp
  /// A color from anything around a position.
  case image
  /// Whatever it stores by itself.
  case compute
}

/// How far from its own position a pass reads its inputs.
package enum KernelReach: Sendable, Hashable {
  /// Anywhere.
  case everywhere
  /// This many pixels to the left and right, and up and down.
  case pixels(x: ExpressionText, y: ExpressionText)

  /// Only at the position itself.
  package static let none = KernelReach.pixels(x: ExpressionText("0", place: nil), y: ExpressionText("0", place: nil))
}

// MARK: - uniforms

/// A member of a pass's uniform block and the meaning that the dialect gives it.
package struct Uniform: Sendable, Hashable {
  /// What fills a uniform in every frame.
  package enum Meaning: Sendable, Hashable {
    /// (width, height, 1) of the pass's target in pixels.
    case targetSize
    /// Width of the pass's target divided by its height.
    case targetAspect
    /// Seconds since the start.
    case time
    /// Seconds since the frame before; this many on the first frame.
    case timeDelta(onFirstFrame: Double)
    /// Frames a second.
    case frameRate
    /// The number of the frame, counted from the first frame of the shot.
    case frameIndex
    /// From 0 on the first frame of the rendered range to 1 on the last.
    case progress
    /// Seconds that the rendered range takes.
    case duration
    /// Position and click as ShaderToy's `iMouse` has them.
    case mouse
    /// Three rows of 256 bits, 32 to a number: the keys that are held, were pressed on this frame, and are switched on by every other press.
    case keys
    /// (year, month, day 1–31, seconds of the day); January is this number.
    case date(january: Int)
    /// Sound samples a second.
    case sampleRate
    /// Seconds that each of some textures has played, zero for pictures: one element per texture.
    case inputTimes([PassTexture.Source?])
    /// (width, height, depth) of each texture, zero where there is none: one element per texture.
    case textureSizes([PassTexture.Source?])
    /// Where a texture begins in the picture of which it is a region, and the size of that picture.
    case region(PassTexture.Source)
    /// Which face of a cube the pass writes: 0 to 5 for +X, −X, +Y, −Y, +Z, −Z.
    case cubeFace
    /// How often the pass ran before in this frame.
    case iteration
    /// The value of a parameter.
    case parameter(String)
    /// The value of a parameter, or another meaning while the parameter has no value.
    indirect case parameterOr(String, Meaning)
    /// A part of the value of a parameter that is a list.
    case list(String, ListPart)
    /// The same components in every frame.
    case fixed([Double])
  }

  /// The name in the GLSL text.
  package let name: String
  /// A text may declare fewer components than the meaning has (`uniform vec2 iResolution;`): the first ones count.
  package let type: ValueType
  /// The number of array elements, nil when the uniform is no array.
  package let arrayLength: Int?
  package let meaning: Meaning

  package init(name: String, type: ValueType, arrayLength: Int? = nil, meaning: Meaning) {
    self.name = name
    self.type = type
    self.arrayLength = arrayLength
    self.meaning = meaning
  }
}

// MARK: - stores of pixels

/// How a pass stores the colour of a pixel; chosen by macros, so that one text serves every target.
///
/// Macros: `ETALON_STORE` is 0 (whole pixel of a storage image), 1 (RGBA8 in a buffer), 2 (RGBA16 in a buffer), 3 (four floats in a buffer) or 4 (a stage of a fused
/// kernel). `ETALON_ALPHA` is 0 (alpha as the shader returned it), 1 (alpha becomes 1), 2 (colour is multiplied by alpha first), 3 (colour is divided by
/// alpha first; where nothing is covered it is black). `ETALON_LINKED_0` and so on are defined for the linked arguments of a stage.
package struct StoreVariant: Sendable, Hashable {
  package enum Target: Sendable, Hashable {
    case texture
    case packed8
    case packed16
    case packedFloat
    /// A variable of the fused kernel that the pass is linked into (`FusionHost`).
    ///
    /// The colors of the linked arguments of a color kernel, told by their positions, come from variables too; all others are read as ever.
    case stage(linked: Set<Int>)
  }
  package enum Alpha: Int, Sendable, Hashable {
    case asReturned = 0
    case opaque = 1
    case multiply = 2
    case divide = 3
  }

  package let target: Target
  package let alpha: Alpha

  package init(_ target: Target, alpha: Alpha) {
    self.target = target
    self.alpha = alpha
  }

  /// The macro definitions that the compiler is given.
  package var macros: [String: String] {
    var macros = ["ETALON_STORE": "\(number)", "ETALON_ALPHA": "\(alpha.rawValue)"]
    if case .stage(let linked) = target {
      for argument in linked { macros[Self.macro(ofLinked: argument)] = "1" }
    }
    return macros
  }

  /// The macro that is defined when an argument is linked.
  package static func macro(ofLinked argument: Int) -> String { "ETALON_LINKED_\(argument)" }

  private var number: Int {
    switch target {
    case .texture: 0
    case .packed8: 1
    case .packed16: 2
    case .packedFloat: 3
    case .stage: 4
    }
  }
}
