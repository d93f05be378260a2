package import EtalonTypes

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
    /// The value of a parameter, or another meaning while nobody has given it one.
    indirect case parameterOr(String, Meaning)
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
