extension PassSource {
  /// The same pass for a target that is a region of the picture: it stores a pixel as far from the start of the region as it lies.
  ///
  /// Positions are those in the whole picture all the same, because that is where its dispatch begins (`EtalonRegion`).
  package var storingRegion: PassSource {
    var pieces = source.pieces
    let places = pieces.indices.filter { pieces[$0].kind == .token }
    for (place, following) in zip(places, places.dropFirst(2)) {
      let isStored = pieces[place].text == PassSource.targetName && pieces[following].text == StageVariables.pixel
      if isStored { pieces[following] = .init(.token, "\(StageVariables.pixel) - \(PixelMapping.start)") }
    }
    for (place, following) in zip(places, places.dropFirst()) where pieces[place].text == PixelMapping.end {
      if pieces[following].text == ";" { pieces[following] = .init(.token, "; ivec2 \(PixelMapping.start);") }
    }
    return replacing(GeneratedSource(pieces), uniforms: uniforms)
  }

  /// The same pass with another text.
  func replacing(_ source: GeneratedSource, uniforms: [Uniform]) -> PassSource {
    PassSource(
      name: name, target: target, output: output, coverage: coverage, form: form, reach: reach, source: source, uniforms: uniforms,
      textures: textures, arguments: arguments, stores: stores, buffers: buffers, iterations: iterations, usesQuads: usesQuads,
      hints: hints, rewrites: rewrites)
  }
}
