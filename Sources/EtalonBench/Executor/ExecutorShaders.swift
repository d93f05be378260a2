/// Shaders that are much alike in what they ask of an executor.
struct ShaderClass {
  let name: String
  let shaders: [String]
  /// Whether the shaders filter a picture.
  let readsPicture: Bool

  /// All that are measured: files of Tests/Benchmarks/shaders without their ending.
  static let all = [
    ShaderClass(name: "cheap ALU", shaders: ["plasma", "tiles", "wheel"], readsPicture: false),
    ShaderClass(name: "sin-hash noise", shaders: ["noise", "cells"], readsPicture: false),
    ShaderClass(name: "integer-hash noise", shaders: ["lattice"], readsPicture: false),
    ShaderClass(name: "ray march", shaders: ["march", "sponge", "hills"], readsPicture: false),
    ShaderClass(name: "bilinear filter", shaders: ["blur", "zoom", "glass"], readsPicture: true),
    ShaderClass(name: "texel-fetch filter", shaders: ["glow", "median", "smooth"], readsPicture: true),
  ]
}
