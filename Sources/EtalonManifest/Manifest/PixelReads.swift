extension FilterManifest {
  /// Whether the passes read an input only at positions in pixels, so that a picture of another size than the result is cut off instead of scaled.
  package func readsInPixels(_ input: FilterInput) -> Bool {
    let reads = passes.flatMap { pass in
      pass.textures.filter { $0.source == .input(input.name) }.flatMap { texture in
        pass.form == .warp ? [true] : Self.reads(of: texture, in: pass)
      }
    }
    return !reads.isEmpty && reads.allSatisfy(\.self)
  }

  private static let functions: Set<String> = ["texelFetch", "etalonImagePixel", "IMG_PIXEL", "IMG_LOAD"]

  /// For each call that is given the texture whether it reads at a position in pixels.
  private static func reads(of texture: PassTexture, in pass: PassSource) -> [Bool] {
    let tokens = Lexer.tokens(ofAddedText: pass.source.text)
    return tokens.indices.compactMap { place in
      guard tokens[place].isName(texture.name), let open = tokens.previous(before: place), tokens[open].isMark("("),
        let function = tokens.previous(before: open), tokens[function].kind == .identifier, tokens[function].text != "textureSize"
      else { return nil }
      return functions.contains { tokens[function].text == $0 || tokens[function].text.hasSuffix("_" + $0) }
    }
  }
}
