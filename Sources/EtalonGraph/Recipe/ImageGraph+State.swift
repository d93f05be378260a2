package import EtalonManifest

extension ImageGraph {
  /// Whether a frame depends on the frame before.
  package var keepsState: Bool { !feedback.isEmpty || uses.contains { $0.filter.manifest.keepsState } }

  /// Whether frames may differ in more than in what streams show: by clocks, values that change, and what a frame leaves to the next.
  package var changesWithTime: Bool {
    keepsState
      || uses.contains { use in
        !use.animated.isEmpty
          || use.filter.manifest.passes.contains { $0.uniforms.contains { !$0.meaning.isStill(for: use.values) } }
      }
  }

  /// The pictures whose filters keep targets or buffers from frame to frame.
  package var keepers: [ImageRecipe] {
    Self.images(from: feedback.values + outputs.map(\.image)).filter { image in
      if case .filter(let use) = image.operation { use.filter.manifest.keepsState } else { false }
    }
  }

  /// All that is made for the next frame, and what that is made of, each once.
  package var imagesOfState: [ImageRecipe] { Self.images(from: feedback.values + keepers) }

  /// Some pictures and all that they are made of, each once.
  private static func images(from roots: [ImageRecipe]) -> [ImageRecipe] {
    var seen: Set<ImageRecipe> = []
    var found: [ImageRecipe] = []
    var open = roots
    while let image = open.popLast() {
      guard seen.insert(image).inserted else { continue }
      found.append(image)
      if case .filter(let use) = image.operation { open += use.inputs.values.map(\.image) }
    }
    return found
  }
}

extension FilterManifest {
  /// Whether some of its targets or buffers outlive a frame.
  package var keepsState: Bool { targets.contains(where: \.isPersistent) || buffers.contains(where: \.isPersistent) }
}
