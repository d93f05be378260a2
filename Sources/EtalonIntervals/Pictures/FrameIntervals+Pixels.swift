internal import EtalonPlan
internal import EtalonTypes

/// Pixels of passes, each worked out once.
extension FrameIntervals {
  /// The deepest that passes and frames may hang together.
  private static let mostDepth = 48

  /// What a pass stores at a pixel, by binding; the channels are not rounded to a format yet.
  func stored(by step: Int, x: Int, y: Int, _ budget: Budget) throws(Stop) -> [Int: [Interval]] {
    if let known = pixels[PixelKey(step: step, x: x, y: y)] { return known }
    guard let pass = plan.steps[step].pass else { return [:] }
    guard budget.depth < Self.mostDepth else { throw .tooDeep }
    budget.depth += 1
    defer { budget.depth -= 1 }
    guard case .pixels(let size) = pass.coverage else {
      return try result(ofDispatch: step, pass, budget).targets[PixelKey(step: step, x: x, y: y)] ?? [:]
    }
    guard pass.region == nil else { throw .unknown("a pass over a region", site: -1) }
    let program = programs[pass.kernel]
    let places = program.isInQuads ? Self.quad(aroundX: x, y) : [(x, y)]
    let surroundings = PassSurroundings(self, step, pass, budget)
    let invocations = Invocations(pixels: places, isQuad: program.isInQuads, placesQuads: placesQuads, size)
    try Evaluator(program, invocations, in: surroundings, budget).run()
    for (x, y) in places where x < size.width && y < size.height {
      let key = PixelKey(step: step, x: x, y: y)
      var found = surroundings.targets[key] ?? [:]
      for (binding, words) in surroundings.outputs {
        // Rows of packed pixels start at the top.
        let start = ((size.height - 1 - y) * size.width + x) * 16
        found[binding] = (0..<4).map { words[start + 4 * $0] ?? Interval(0) }
      }
      pixels[key] = found
    }
    return pixels[PixelKey(step: step, x: x, y: y)] ?? [:]
  }

  private static func quad(aroundX x: Int, _ y: Int) -> [(Int, Int)] {
    let left = x & ~1, low = y & ~1
    return [(left, low), (left + 1, low), (left, low + 1), (left + 1, low + 1)]
  }
}

extension Invocations {
  /// Pixels of a pass: one, or the four of a quad.
  ///
  /// - Parameter placesQuads: whether a single invocation lies where it would lie in a quad.
  init(pixels: [(Int, Int)], isQuad: Bool, placesQuads: Bool = false, _ size: Size) {
    let tile = DispatchRegion.tileSide
    lanes = pixels.enumerated().map { number, pixel in
      let (x, y) = (pixel.0 % tile, pixel.1 % tile)
      // Four invocations in a row are a quad, and eight quads two rows of the tile.
      let quad = (y / 2) * 8 + x / 2
      let index = isQuad ? quad * 4 + number : placesQuads ? quad * 4 + y % 2 * 2 + x % 2 : y * tile + x
      return Lane(
        workgroup: (pixel.0 / tile, pixel.1 / tile, 0), local: (index, 0, 0), localIndex: index, subgroup: isQuad ? quad : index / 4,
        lane: isQuad ? number : index % 4)
    }
    workgroupCounts = ((size.width + tile - 1) / tile, (size.height + tile - 1) / tile, 1)
    subgroupSize = 4
  }
}
