internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Which part of the plane the result of a filter covers.
struct ExtentRule {
  private let use: FilterUse
  private let inputs: [String: Extent]
  private let size: Size
  /// Whether sizes are those that somebody wrote, not those of a proxy.
  private let isWhole: Bool
  private var manifest: FilterManifest { use.filter.manifest }

  /// - Parameter inputs: what the pictures cover, by the name of the input.
  /// - Parameter size: what generators cover.
  /// - Parameter isWhole: whether sizes are those that somebody wrote, not those of a proxy.
  init(_ use: FilterUse, inputs: [String: Extent], size: Size, isWhole: Bool) {
    self.isWhole = isWhole
    self.use = use
    self.inputs = inputs
    self.size = size
  }

  private var pictures: [FilterInput] {
    manifest.inputs.filter { $0.origin == .user && $0.shape == .flat && $0.sound == nil && inputs[$0.name] != nil }
  }

  /// Whether the main picture has no edge that the result could grow over.
  private var continuesBeyondEdges: Bool {
    guard let input = manifest.mainInput, let address = use.inputs[input.name]?.address else { return false }
    return address != .transparent
  }

  /// Whether an input is read where it lies on the plane; others are stretched over the result.
  func places(_ input: FilterInput) -> Bool {
    guard input.origin == .user, input.sound == nil, !use.filter.readsWholePictures else { return false }
    if use.extent != nil { return true }
    return switch manifest.extent {
    case .union: manifest.dialect == .native && manifest.kind == .composite
    case .grown, .rectangle: true
    case .input, .infinite: false
    }
  }

  /// Whether generators among the inputs go on beyond their own extent, as far as the result covers.
  var continuesGenerators: Bool { use.extent == nil && manifest.extent == .union }

  /// Evaluates the rule; an extent without pixels is refused at its place.
  func extent(_ evaluator: any ExpressionEvaluator) throws -> Extent {
    do { return try evaluated(evaluator) } catch let error as DiagnosticsError {
      throw DiagnosticsError(error.diagnostics.map { use.origin.placed($0, besides: manifest.name) })
    }
  }

  private func evaluated(_ evaluator: any ExpressionEvaluator) throws -> Extent {
    if let extent = use.extent { return extent }
    let main = manifest.mainInput.flatMap { inputs[$0.name] } ?? pictures.first.flatMap { inputs[$0.name] } ?? Extent(size)
    switch manifest.extent {
    case .infinite: return Extent(size)
    case .input: return main
    case .union:
      guard manifest.dialect == .native, manifest.kind == .composite else { return main }
      return pictures.compactMap { inputs[$0.name] }.reduce(main) { $0.union($1) }
    case .grown where continuesBeyondEdges: return main
    case .grown:
      let (x, y) = try FilterReach(use.filter, use.values, around: main.size, evaluator).total()
      return Extent(x: main.x - x, y: main.y - y, size: Size(main.size.width + 2 * x, main.size.height + 2 * y))
    case .rectangle(let x, let y, let width, let height):
      let scope = FilterExtents.Scope(manifest, output: main.size, values: use.values, evaluator: evaluator)
      let sides = 1...FilterExtents.largestSide
      let corners = -FilterExtents.largestSide...FilterExtents.largestSide
      let extent = Extent(
        x: main.x + (try scope.number(x, what: "the left edge of the result", in: corners)),
        y: main.y + (try scope.number(y, what: "the lower edge of the result", in: corners)),
        size: Size(
          try scope.number(width, what: "the width of the result", in: sides),
          try scope.number(height, what: "the height of the result", in: sides)))
      if use.filter == ImageOperation.crop.filter, isWhole { try checkOverlap(extent, main) }
      return extent
    }
  }
}

extension ExtentRule {
  /// Refuses a rectangle that shows nothing of the picture.
  private func checkOverlap(_ extent: Extent, _ main: Extent) throws(DiagnosticsError) {
    let isBeside = extent.x >= main.x + main.size.width || extent.x + extent.size.width <= main.x
    let isAbove = extent.y >= main.y + main.size.height || extent.y + extent.size.height <= main.y
    guard isBeside || isAbove else { return }
    let wanted = "\(extent.x - main.x),\(extent.y - main.y),\(extent.size)"
    throw DiagnosticsError(
      Diagnostic(
        "size.beside", "the rectangle \(wanted) lies beside the picture, of which nothing would be left",
        labels: use.origin.labels(ofValues: [isBeside ? "left" : "bottom"], "beside the picture"),
        help: ["the picture is \(main.size); rectangles are counted from its lower left corner"]))
  }
}

extension Extent {
  /// The smallest rectangle that contains both.
  func union(_ other: Extent) -> Extent {
    let left = min(x, other.x)
    let low = min(y, other.y)
    let right = max(x + size.width, other.x + other.size.width)
    let high = max(y + size.height, other.y + other.size.height)
    return Extent(x: left, y: low, size: Size(right - left, high - low))
  }
}
