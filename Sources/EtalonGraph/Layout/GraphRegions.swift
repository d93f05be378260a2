internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Which region of every picture of a graph anybody reads, found backwards from the outputs.
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
