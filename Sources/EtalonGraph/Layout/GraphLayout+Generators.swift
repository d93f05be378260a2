internal import EtalonManifest
internal import EtalonTypes

/// Generators where they are looked at beyond the size of the graph.
extension GraphLayout {
  /// The picture of a generator that goes on as far as some part of the plane; every other picture as it is.
  ///
  /// Positions stay those of the plane, so that it is the same picture, of which more is shown. It starts at even coordinates, as regions do.
  mutating func continued(_ node: Int, over extent: Extent) -> Int {
    guard nodes[node].isEndless, !nodes[node].extent.contains(extent) else { return node }
    let (left, low) = (extent.x & ~1, extent.y & ~1)
    let (right, high) = ((extent.x + extent.size.width + 1) & ~1, (extent.y + extent.size.height + 1) & ~1)
    let wide = Extent(x: left, y: low, size: Size(right - left, high - low))
    return known(node, step: "continued", "\(wide)") { read in
      var shown = read
      shown.canvas = read.extent
      shown.extent = wide
      return shown
    }
  }
}

extension GraphNode {
  /// Whether its kernel computes any pixel of the plane by itself: a generator of one pass that reads nothing.
  fileprivate var isEndless: Bool {
    guard case .filter(let filter, let inputs, _) = operation, inputs.isEmpty else { return false }
    let manifest = filter.manifest
    guard manifest.dialect == .native, manifest.extent == .infinite, manifest.passes.count == 1, let pass = manifest.passes.first else {
      return false
    }
    return manifest.buffers.isEmpty && pass.coverage == .pixels && pass.iterations == 1 && pass.target == nil && pass.textures.isEmpty
  }
}

extension Extent {
  fileprivate func contains(_ other: Extent) -> Bool {
    x <= other.x && y <= other.y && other.x + other.size.width <= x + size.width && other.y + other.size.height <= y + size.height
  }
}
