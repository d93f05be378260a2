internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Which regions of its pictures and targets a filter needs for a region of its result.
struct FilterRegions {
  /// By name; targets that are missing are needed as wholes.
  private(set) var targets: [String: PictureRegion] = [:]
  /// By name; pictures that are missing are needed as wholes.
  private(set) var inputs: [String: PictureRegion] = [:]

  private let filter: GraphFilter
  /// What the inputs are, by name.
  private let reads: [String: GraphNode.Read]
  private let layout: GraphLayout
  private let extents: FilterExtents

  /// Nil for a filter that may read anything anywhere, or whose text cannot be given regions.
  init?(
    of region: PictureRegion, _ filter: GraphFilter, _ reads: [String: GraphNode.Read], _ values: ParameterValues, in layout: GraphLayout,
    _ evaluator: any ExpressionEvaluator
  ) throws {
    guard filter.mayReadRegions else { return nil }
    self.filter = filter
    self.reads = reads
    self.layout = layout
    extents = try FilterExtents(filter.manifest, output: region.whole, values: values, evaluator: evaluator)
    let reach = FilterReach(filter, values, around: region.whole, evaluator)
    for pass in filter.manifest.passes[...filter.resultPass].reversed() {
      let needed = if let target = pass.target { targets[target] } else { region as PictureRegion? }
      guard let needed, let (x, y) = try reach.pixels(of: pass), min(x, y) >= 0 else { continue }
      add(what: pass, reads: needed, x, y)
    }
    for (name, size) in extents.targets where targets[name] == nil {
      targets[name] = PictureRegion(columns: 0..<1, rows: 0..<1, of: size)
    }
  }

  private mutating func add(what pass: PassSource, reads needed: PictureRegion, _ x: Int, _ y: Int) {
    var needed = needed
    if let target = pass.target, pass.textures.contains(where: { $0.source == .target(target) }) {
      needed = needed.grown(x * pass.iterations, y * pass.iterations)
      targets[target] = needed
    }
    for texture in pass.textures {
      switch texture.source {
      case .target(let name):
        guard let size = extents.targets[name] else { continue }
        let region = needed.read(x, y, in: size)
        targets[name] = targets[name]?.union(region) ?? region
      case .input(let name):
        guard let read = reads[name] else { continue }
        let region = self.region(of: read, needed, x, y)
        inputs[name] = inputs[name]?.union(region) ?? region
      }
    }
  }

  /// Pictures of another size are read as wholes, because texts place them in different ways; so are pictures that go on beyond edges which are read over.
  private func region(of read: GraphNode.Read, _ needed: PictureRegion, _ x: Int, _ y: Int) -> PictureRegion {
    let size = layout.nodes[read.node].extent.size
    let repeats = read.sampler.address == .repeat || read.sampler.address == .mirror
    guard size == extents.output, !(repeats && needed.leavesEdges(x, y)) else { return PictureRegion(size) }
    return needed.read(x, y, in: size)
  }
}

extension GraphFilter {
  /// Whether all that it reads lies around its position, and its texts can be given regions.
  fileprivate var mayReadRegions: Bool {
    let passes = manifest.passes[...resultPass]
    let isPlain =
      !hasPassesAfterResult && manifest.buffers.isEmpty && manifest.targets.allSatisfy { !$0.isPersistent && $0.shape == .flat }
    return isPlain
      && passes.allSatisfy { pass in
        pass.coverage == .pixels && pass.textures.allSatisfy { $0.sampler.interpolation != .mipmap }
      }
      && passes.indices.allSatisfy { passes[$0].textures.isEmpty || passes[$0].reach != .everywhere && readingRegions(pass: $0) != nil }
  }
}

extension PictureRegion {
  fileprivate func grown(_ x: Int, _ y: Int) -> PictureRegion {
    PictureRegion(columns: columns.grown(by: x), rows: rows.grown(by: y), of: whole)
  }

  /// Whether there is anything within some pixels that lies outside of the picture.
  fileprivate func leavesEdges(_ x: Int, _ y: Int) -> Bool {
    let (across, up) = (columns.grown(by: x), rows.grown(by: y))
    return across.lowerBound < 0 || up.lowerBound < 0 || across.upperBound > whole.width || up.upperBound > whole.height
  }

  /// What is read of a picture that may have another size, at most so many pixels of this one away from the same place.
  ///
  /// What is read between two pixels needs both.
  fileprivate func read(_ x: Int, _ y: Int, in size: Size) -> PictureRegion {
    PictureRegion(
      columns: columns.grown(by: x).scaled(by: size.width, over: whole.width).grown(by: x > 0 || size.width != whole.width ? 1 : 0),
      rows: rows.grown(by: y).scaled(by: size.height, over: whole.height).grown(by: y > 0 || size.height != whole.height ? 1 : 0), of: size)
  }
}

extension Range<Int> {
  fileprivate func grown(by distance: Int) -> Range { lowerBound - distance..<upperBound + distance }

  /// The whole numbers around those of the range times a fraction.
  fileprivate func scaled(by numerator: Int, over denominator: Int) -> Range {
    let low = (Double(lowerBound * numerator) / Double(denominator)).rounded(.down)
    let high = (Double(upperBound * numerator) / Double(denominator)).rounded(.up)
    return Int(low)..<Int(high)
  }
}
