internal import EtalonGLSL
internal import EtalonTypes

// MARK: - the result

extension FilterManifest {
  /// The name of the target that holds a result which cannot be stored as packed pixels where it is computed.
  package static let resultTarget = "etalonResult"

  /// The same filter with last passes that write the result, and further outputs that are wanted, as pixels.
  ///
  /// Compute kernels store pixels in any order, and the last pass of a filter may write a target that is kept: then what they wrote is copied.
  ///
  /// - Parameter wanted: names of `furtherOutputs`.
  package func endingInPixels(with wanted: [String] = []) -> FilterManifest {
    var complete = self
    if let last = passes.last, !passes.contains(where: { $0.coverage == .pixels && $0.target == nil }) {
      let isStored = passes.contains { $0.stores.contains { $0.target == nil } }
      let named = isStored ? nil : last.target ?? last.stores.first?.target
      if named == nil { complete.targets.append(FilterTarget(name: Self.resultTarget, format: .rgba32f, isPersistent: false)) }
      complete.passes = passes.map { $0.storing(to: Self.resultTarget) } + [PassSource.copy(of: named ?? Self.resultTarget)]
    }
    for target in targets where wanted.contains(target.name) {
      complete.passes.append(PassSource.copy(of: target.name, to: target.name, isGray: target.format.channelCount == 1))
    }
    return complete
  }

  /// The same filter with one of its further outputs as the result.
  package func showing(_ output: String) -> FilterManifest {
    guard let target = targets.first(where: { $0.name == output }) else { return self }
    var shown = endingInPixels()
    shown.passes.removeAll { $0.coverage == .pixels && $0.target == nil }
    shown.passes.append(PassSource.copy(of: output, isGray: target.format.channelCount == 1))
    return shown
  }

  /// The same filter without what writes its further outputs: all that the pixels of any output depend on.
  package var withoutFurtherOutputs: FilterManifest {
    var result = self
    result.passes.removeAll { $0.output != nil }
    return result
  }
}

extension PassSource {
  /// The name of the storage image that a pixel pass with a target writes.
  package static let targetName = "etalonTarget"
  /// The name of the buffer that a pixel pass without a target writes.
  package static let outputName = "EtalonOutput"

  /// The same pass with what it stores as the filter's result going to a target.
  fileprivate func storing(to target: String) -> PassSource {
    var pass = self
    pass.stores = stores.map { PassStore(name: $0.name, target: $0.target ?? target) }
    return pass
  }

  /// A pass that writes a target as the result, stretched over it when the two differ in size, or as a further output.
  ///
  /// - Parameter isGray: whether the target has one channel, which then fills red, green and blue.
  package static func copy(of target: String, to output: String? = nil, isGray: Bool = false) -> PassSource {
    let read = "textureLod(etalonSource, (vec2(etalonPixel) + 0.5) / etalonSize.xy, 0.0)"
    let text =
      "#version 450\nlayout(local_size_x = 256) in;\n" + PixelMapping.region + copyInterface + PixelStore.declaration + PixelMapping.rows
      + PixelStore.function
      + "void main() { etalonStore(\(isGray ? "vec4(\(read).rrr, 1.0)" : read)); }\n"
    return PassSource(
      name: output ?? "result", output: output, source: GeneratedSource(Lexer.tokens(ofAddedText: text)),
      uniforms: [Uniform(name: "etalonSize", type: .vec3, meaning: .targetSize)],
      textures: [PassTexture(name: "etalonSource", source: .target(target), sampler: Sampler(.linear, .clamp))])
  }

  private static let copyInterface = """
    layout(set = 0, binding = 0, std140) uniform EtalonUniforms { vec3 etalonSize; };
    layout(set = 0, binding = 1) uniform sampler2D etalonSource;

    """
}

// MARK: - the keyboard

extension FilterManifest {
  /// The name of the target that holds the picture of the keys.
  package static let keyboardTarget = "etalonKeyboard"

  /// The same filter with a first pass that draws the keys of each frame, where it reads the keyboard.
  ///
  /// The picture has 256×3 pixels whose red says which keys are held, were pressed on this frame, and are switched on.
  package var drawingKeys: FilterManifest {
    let keyboards = Set(inputs.filter { $0.origin == .keyboard }.map(\.name))
    guard !keyboards.isEmpty else { return self }
    let target = FilterTarget(name: Self.keyboardTarget, extent: .pixels(Size(256, 3)), format: .rgba8, isPersistent: false)
    var drawing = self
    drawing.inputs.removeAll { keyboards.contains($0.name) }
    drawing.targets.insert(target, at: 0)
    drawing.passes = [PassSource.keyboard] + passes.map { $0.reading(keyboards, from: Self.keyboardTarget) }
    return drawing
  }
}

extension PassSource {
  /// Draws the bits of the uniform `etalonKeys`.
  fileprivate static var keyboard: PassSource {
    let uniforms = [Uniform(name: "etalonKeys", type: .ivec4, arrayLength: 6, meaning: .keys)]
    let program = PixelProgram(uniforms: uniforms, textures: [], mentioned: [])
    let text = program.declarations + program.helpers + main
    return PassSource(
      name: "keyboard", target: FilterManifest.keyboardTarget, source: GeneratedSource(Lexer.tokens(ofAddedText: text)), uniforms: uniforms,
      textures: [])
  }

  private static let main = """
    void main() {
      int bit = etalonPixel.y * 256 + etalonPixel.x;
      int word = etalonKeys[clamp(bit / 128, 0, 5)][(bit / 32) % 4];
      etalonStore(vec4(float((word >> (bit % 32)) & 1), 0.0, 0.0, 1.0));
    }

    """

  /// The same pass with some inputs read from a target.
  fileprivate func reading(_ inputs: Set<String>, from target: String) -> PassSource {
    var pass = self
    pass.textures = textures.map { texture in
      guard case .input(let name) = texture.source, inputs.contains(name) else { return texture }
      return PassTexture(name: texture.name, source: .target(target), sampler: texture.sampler)
    }
    return pass
  }
}
