internal import EtalonTypes

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
    return FilterManifest(
      name: name, dialect: dialect, kind: kind, about: about, inputs: inputs.filter { !keyboards.contains($0.name) },
      parameters: parameters,
      constants: constants, targets: [target] + targets, buffers: buffers,
      passes: [PassSource.keyboard] + passes.map { $0.reading(keyboards, from: Self.keyboardTarget) }, constraints: constraints,
      alpha: alpha)
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
    PassSource(
      name: name, target: self.target, coverage: coverage, form: form, reach: reach, source: source, uniforms: uniforms,
      textures: textures.map { texture in
        guard case .input(let name) = texture.source, inputs.contains(name) else { return texture }
        return PassTexture(name: texture.name, source: .target(target), sampler: texture.sampler)
      }, arguments: arguments, stores: stores, buffers: buffers, iterations: iterations, usesQuads: usesQuads, hints: hints,
      rewrites: rewrites)
  }
}
