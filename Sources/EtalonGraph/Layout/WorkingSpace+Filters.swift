internal import EtalonManifest
internal import EtalonTypes

/// What the numbers of a filter's pictures and colors mean in a graph.
extension WorkingSpace {
  /// The input with the numbers that it is given: those of the graph where its filter does not say what it wants.
  func resolved(_ input: FilterInput) -> FilterInput { input.space == .working ? input.reading(colorSpace) : input }

  /// What the numbers of a filter's result mean.
  ///
  /// A filter that takes what the graph computes with gives that, and one that reads nothing but light gives light; generators give colors as
  /// people type them.
  func result(of manifest: FilterManifest) -> FilterInput.ColorSpace {
    let spaces = Set(manifest.inputs.filter { $0.origin == .user }.map(\.space))
    if spaces.contains(.working) { return colorSpace }
    return spaces.contains(.linear) && spaces.isSubset(of: [.linear, .data]) ? .linear : .encoded
  }

  /// The colors among a filter's parameters that are decoded, because they meet decoded pictures and the filter does not know of that.
  func lightColors(of manifest: FilterManifest) -> Set<String> {
    guard self == .linear, manifest.inputs.contains(where: { $0.origin == .user && $0.space == .working }) else { return [] }
    return Set(manifest.parameters.filter { $0.kind == .color }.map(\.name))
  }
}
