internal import EtalonTypes

/// What every ISF host sets without being asked.
enum ISFUniforms {
  /// In the order in which they stand in the block.
  static let all: [Uniform] = [
    Uniform(name: "RENDERSIZE", type: .vec2, meaning: .targetSize),
    Uniform(name: "TIME", type: .float, meaning: .time),
    Uniform(name: "TIMEDELTA", type: .float, meaning: .timeDelta(onFirstFrame: 0)),
    Uniform(name: "FRAMEINDEX", type: .int, meaning: .frameIndex),
    Uniform(name: "DATE", type: .vec4, meaning: .date(january: 1)),
  ]

  /// The names of the uniforms and of what else is always there.
  static let names = Set(all.map(\.name) + ["PASSINDEX", "isf_FragNormCoord", "vv_FragNormCoord"])

  /// The specification says nothing about how images are read; hosts interpolate, and repeat the edge beyond it.
  static let sampler = Sampler(.linear, .clamp)
}
