internal import EtalonTypes

extension PictureMap {
  /// The largest moves of the bands, in levels of 255.
  private static let limits: [Float] = [0.5, 1.5, 4, 16, 64]

  /// How far each pixel moves, by its channel that moves the farthest.
  package init(_ stability: StabilityMap) {
    let words = [
      "stays", "moves by 1 level of 255", "by up to 4 levels", "by up to 16 levels", "by up to 64 levels", "by more than 64 levels",
    ]
    let entries = (0..<stability.size.pixelCount).map { pixel in
      let levels = stability.largestChange(at: pixel) * 255
      return Self.limits.firstIndex { levels <= $0 } ?? Self.limits.count
    }
    let shown = (entries.max() ?? 0) + 1
    let legend = zip(words, Self.ramp(words.count)).prefix(shown).map { (text: $0, color: $1) }
    self.init(
      .stability, pass: stability.pass, frame: stability.frame, size: stability.size, entries, legend,
      notes: ["\(stability.runCount) runs with errors that devices may make, seed \(stability.seed)"])
  }
}
