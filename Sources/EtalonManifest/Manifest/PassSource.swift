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
  package let source: GeneratedSource
  /// The members of the uniform block, each with what fills it.
  package let uniforms: [Uniform]
  /// The textures that the text declares.
  package let textures: [PassTexture]
  /// The textures whose colors at the pixel a color kernel is given, by their names in the text, in the order of its arguments.
  package let arguments: [String]
  /// The storage images that a compute kernel writes; the binding is told by the name in the text.
  package let stores: [PassStore]
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

  /// Hashes the text but not all that is said about it, which hardly ever tells two passes apart.
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
