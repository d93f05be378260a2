internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Which region of every picture of a graph is read, found backwards from the outputs.
struct GraphRegions {
  /// By node; files, streams and what the next frame reads are wholes.
  private(set) var nodes: [PictureRegion]
  /// Those of the targets of a node's filter, by their names; targets that are missing are wholes.
  private(set) var targets: [Int: [String: PictureRegion]] = [:]

  private let layout: GraphLayout
  private let evaluator: any ExpressionEvaluator
  /// What the readers so far need of every node.
  private var needed: [PictureRegion?]

  /// Everything is computed everywhere.
  static func whole(of layout: GraphLayout, _ evaluator: any ExpressionEvaluator) -> GraphRegions { GraphRegions(layout, evaluator) }

  private init(_ layout: GraphLayout, _ evaluator: any ExpressionEvaluator) {
    self.layout = layout
    self.evaluator = evaluator
    nodes = layout.nodes.map { PictureRegion($0.extent.size) }
    needed = layout.nodes.map { _ in nil }
  }

  init(_ layout: GraphLayout, readers: [NodeReaders], _ evaluator: any ExpressionEvaluator) throws {
    self.init(layout, evaluator)
    for output in layout.outputs { needed[output.node] = nodes[output.node] }
    for index in layout.nodes.indices.reversed() where readers[index].isNeeded {
      guard case .filter(let filter, let inputs, let values) = layout.nodes[index].operation else { continue }
      if let region = needed[index], readers[index].feedback == nil, !readers[index].isMipmapped { nodes[index] = region }
      try layout.nodes[index].placing { try add(what: index, filter, reads: inputs, values) }
    }
  }

  /// Whether some picture is not computed as a whole.
  var crops: Bool { !nodes.allSatisfy(\.isWhole) || !targets.values.allSatisfy { $0.values.allSatisfy(\.isWhole) } }

  private mutating func add(
    what node: Int, _ filter: GraphFilter, reads inputs: [String: GraphNode.Read], _ values: ParameterValues
  ) throws {
    if filter == BuiltInKernels.place || filter == BuiltInKernels.continued, let read = inputs["inputImage"] {
      return need(region(of: read.node, shownBy: node), of: read.node)
    }
    if filter == OperationKernels.resizeSide, let read = inputs["inputImage"] {
      return need(region(of: read.node, resizedAs: node), of: read.node)
    }
    let all = nodes[node].isWhole ? nil : try FilterRegions(of: nodes[node], filter, inputs, values, in: layout, evaluator)
    targets[node] = all?.targets
    for (name, read) in inputs { need(all?.inputs[name], of: read.node) }
  }

  /// What a node shows of a picture that lies elsewhere on the plane.
  private func region(of read: Int, shownBy node: Int) -> PictureRegion {
    let (own, shown) = (layout.nodes[read].extent, layout.nodes[node].extent)
    let (x, y) = (shown.x - own.x, shown.y - own.y)
    let (columns, rows) = (nodes[node].columns, nodes[node].rows)
    return PictureRegion(
      columns: columns.lowerBound + x..<columns.upperBound + x, rows: rows.lowerBound + y..<rows.upperBound + y, of: own.size)
  }

  /// What a node needs of a picture, one of whose sides it resizes: what lies below its pixels, and a window of Lanczos around; nil for all of a file.
  private func region(of read: Int, resizedAs node: Int) -> PictureRegion? {
    let (given, size) = (layout.pixels(of: read), layout.nodes[node].extent.size)
    guard given == layout.nodes[read].extent.size else { return nil }
    func window(_ range: Range<Int>, _ given: Int, _ wanted: Int) -> Range<Int> {
      guard given != wanted else { return range }
      let span = Double(given) / Double(wanted), radius = 3 * max(span, 1) + 2
      let (low, high) = (Double(range.lowerBound) * span - radius, Double(range.upperBound) * span + radius)
      return Int(low.rounded(.down))..<Int(high.rounded(.up))
    }
    return PictureRegion(
      columns: window(nodes[node].columns, given.width, size.width), rows: window(nodes[node].rows, given.height, size.height), of: given)
  }

  /// - Parameter region: nil for the whole.
  private mutating func need(_ region: PictureRegion?, of node: Int) {
    let region = region ?? PictureRegion(layout.nodes[node].extent.size)
    needed[node] = needed[node]?.union(region) ?? region
  }
}

// MARK: one filter

/// Which regions of its pictures and targets a filter needs for a region of its result.
private struct FilterRegions {
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
        let region = isData(name) ? PictureRegion(layout.nodes[read.node].extent.size) : self.region(of: read, needed, x, y)
        inputs[name] = inputs[name]?.union(region) ?? region
      }
    }
  }

  /// Whether an input is a file of data, which any pixel may read anywhere.
  private func isData(_ name: String) -> Bool { filter.manifest.inputs.contains { $0.name == name && $0.data != nil } }

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

/// How far from its own position a filter reads its pictures.
struct FilterReach {
  private let filter: GraphFilter
  private let values: ParameterValues
  private let size: Size
  private let evaluator: any ExpressionEvaluator

  /// - Parameter size: the size of the main picture, which expressions may mention.
  init(_ filter: GraphFilter, _ values: ParameterValues, around size: Size, _ evaluator: any ExpressionEvaluator) {
    self.filter = filter
    self.values = values
    self.size = size
    self.evaluator = evaluator
  }

  /// How far all passes together reach, in pixels of the result, as even numbers, so that quads stay quads; passes that read anything anywhere
  /// count as none.
  func total() throws -> (x: Int, y: Int) {
    let manifest = filter.manifest
    let extents = try FilterExtents(manifest, output: size, values: values, evaluator: evaluator)
    var sum = (x: 0.0, y: 0.0)
    for pass in manifest.passes {
      guard let (x, y) = try pixels(of: pass) else { continue }
      let target = (pass.target ?? pass.stores.first?.target).flatMap { extents.targets[$0] } ?? size
      sum.x += Double(max(0, x) * pass.iterations * size.width) / Double(target.width)
      sum.y += Double(max(0, y) * pass.iterations * size.height) / Double(target.height)
    }
    return (Self.even(sum.x), Self.even(sum.y))
  }

  /// How far a pass reaches, in pixels of what it writes; nil for anywhere, and below 0 where nothing needs what it reads.
  func pixels(of pass: PassSource) throws -> (x: Int, y: Int)? {
    guard case .pixels(let x, let y) = pass.reach else { return nil }
    return (try number(x, of: pass), try number(y, of: pass))
  }

  private func number(_ expression: ExpressionText, of pass: PassSource) throws -> Int {
    if let number = Int(expression.text), expression.place == nil { return number }
    let scope = FilterExtents.Scope(filter.manifest, output: size, values: values, evaluator: evaluator)
    let reaches = -FilterExtents.largestSide...FilterExtents.largestSide
    return try scope.number(expression, what: "the reach of '\(pass.name)'", in: reaches, rounding: .up)
  }

  private static func even(_ reach: Double) -> Int { Int(min(reach / 2, Double(FilterExtents.largestSide / 2)).rounded(.up)) * 2 }
}
