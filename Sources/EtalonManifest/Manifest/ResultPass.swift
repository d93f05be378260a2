internal import EtalonTypes

extension FilterManifest {
  /// The name of the target that holds a result which cannot be stored as packed pixels where it is computed.
  package static let resultTarget = "etalonResult"

  /// The same filter with a last pass that writes the result as pixels.
  ///
  /// Compute kernels store pixels in any order, and the last pass of a filter may write a target that is kept: then what they wrote is copied.
  package var endingInPixels: FilterManifest {
    guard let last = passes.last else { return self }
    if last.coverage == .pixels, last.target == nil { return self }
    let named = last.target ?? last.stores.first?.target
    let result = FilterTarget(name: Self.resultTarget, format: .rgba32f, isPersistent: false)
    var complete = self
    if named == nil { complete.targets.append(result) }
    complete.passes = passes.map { $0.storing(to: Self.resultTarget) } + [PassSource.copy(of: named ?? Self.resultTarget)]
    return complete
  }
}

extension PassSource {
  /// The name of the storage image that a pixel pass with a target writes.
  package static let targetName = "etalonTarget"
  /// The name of the buffer that a pixel pass without a target writes.
  package static let outputName = "EtalonOutput"

  /// The same pass with what it stores as the filter's result going to a target.
  fileprivate func storing(to target: String) -> PassSource {
    PassSource(
      name: name, target: self.target, coverage: coverage, form: form, reach: reach, source: source, uniforms: uniforms, textures: textures,
      arguments: arguments,
      stores: stores.map { PassStore(name: $0.name, target: $0.target ?? target) }, buffers: buffers, iterations: iterations,
      usesQuads: usesQuads, hints: hints, rewrites: rewrites)
  }

  /// A pass that writes a target as the result, stretched over it when the two differ in size.
  package static func copy(of target: String) -> PassSource {
    let text =
      "#version 450\nlayout(local_size_x = 256) in;\n" + PixelMapping.region + copyInterface + PixelStore.declaration + PixelMapping.rows
      + PixelStore.function
      + "void main() { etalonStore(textureLod(etalonSource, (vec2(etalonPixel) + 0.5) / etalonSize.xy, 0.0)); }\n"
    return PassSource(
      name: "result", source: GeneratedSource(Lexer.tokens(ofAddedText: text)),
      uniforms: [Uniform(name: "etalonSize", type: .vec3, meaning: .targetSize)],
      textures: [PassTexture(name: "etalonSource", source: .target(target), sampler: Sampler(.linear, .clamp))])
  }

  private static let copyInterface = """
    layout(set = 0, binding = 0, std140) uniform EtalonUniforms { vec3 etalonSize; };
    layout(set = 0, binding = 1) uniform sampler2D etalonSource;

    """
}
