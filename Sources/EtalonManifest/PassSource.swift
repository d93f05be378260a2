package import EtalonTypes

/// One pass of a filter: its Vulkan GLSL and what the text expects from outside.
package struct PassSource: Sendable, Hashable {
  /// `image`, or the name of the target the pass writes.
  package let name: String
  /// A whole compute shader.
  ///
  /// The preprocessor macros of `StoreVariant` choose how it stores its result.
  package let source: GeneratedSource
  /// The members of the uniform block, each with what fills it.
  package let uniforms: [Uniform]
  /// The textures that the text declares.
  package let textures: [PassTexture]
  /// Whether pixels exchange values with their neighbours, so that subgroups must be full.
  package let usesQuads: Bool
  /// What helps to explain names that the text does not declare.
  package let hints: NameHints
  /// The names of the rewrites that changed the author's text.
  package let rewrites: [String]

  package init(
    name: String, source: GeneratedSource, uniforms: [Uniform], textures: [PassTexture], usesQuads: Bool = false,
    hints: NameHints = NameHints(), rewrites: [String] = []
  ) {
    self.name = name
    self.source = source
    self.uniforms = uniforms
    self.textures = textures
    self.usesQuads = usesQuads
    self.hints = hints
    self.rewrites = rewrites
  }
}

/// A member of a pass's uniform block and the meaning that the dialect gives it.
package struct Uniform: Sendable, Hashable {
  /// What fills a uniform in every frame.
  package enum Meaning: Sendable, Hashable {
    /// (width, height, 1) of the pass's target in pixels.
    case targetSize
    /// Seconds since the start.
    case time
    /// Seconds since the frame before; a frame's duration at the nominal rate of the dialect on the first frame.
    case timeDelta
    /// Frames a second.
    case frameRate
    /// The number of the frame, counted from the first frame of the shot.
    case frameIndex
    /// Position and click as ShaderToy's `iMouse` has them.
    case mouse
    /// (year, month 0–11, day 1–31, seconds of the day).
    case date
    /// Sound samples a second.
    case sampleRate
    /// Seconds that each of the inputs has played: one element per channel.
    case inputTimes
    /// (width, height, 1) of each of the inputs, zero when unset: one element per channel.
    case inputSizes
    /// The same components in every frame: the value of a parameter.
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

/// A texture that a pass reads.
package struct PassTexture: Sendable, Hashable {
  /// The name in the GLSL text, such as `iChannel0`.
  package let name: String
  /// The image input of the filter that fills it.
  package let input: String
  /// How the text reads it.
  package let sampler: Sampler
  /// Whether the picture is uploaded upside down, its top row first.
  package let isFlipped: Bool

  package init(name: String, input: String, sampler: Sampler, isFlipped: Bool = false) {
    self.name = name
    self.input = input
    self.sampler = sampler
    self.isFlipped = isFlipped
  }
}
