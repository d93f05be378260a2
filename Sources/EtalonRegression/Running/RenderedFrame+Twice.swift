internal import EtalonComparison
internal import EtalonTypes

extension RenderedFrame {
  /// Why two renders of the same are not equal.
  ///
  /// - Parameter isByChance: whether it differs, too, when nothing is done in another way.
  func words(differingFrom other: RenderedFrame, isByChance: Bool) -> String {
    let count = comparePictures(floats, other.floats, tolerance: .exact).color?.differing
    let pixels = count.map { $0.of("pixel") } ?? "their sizes"
    let cause =
      isByChance
      ? "chance, or on something outside (both were done in the same way)"
      : "workgroups or on their order (the second was done in other pieces, from the last to the first)"
    return "two renders of the same differ in \(pixels), which hang on \(cause)"
  }
}
