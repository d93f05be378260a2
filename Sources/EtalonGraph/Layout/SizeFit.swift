package import EtalonManifest
package import EtalonPlan
package import EtalonTypes

/// How a graph gets the size that was asked for.
///
/// The size that a result has by itself changes nothing. Otherwise pictures are stretched to the size before filters read them. Where the result is a
/// composite, which lays pictures of several sizes out on the plane, all of them become larger or smaller by the same ratio, so that each lies where it
/// did; a composite with parts whose sizes are numbers of pixels is rendered as it is, and its result is resized.
///
/// **Concurrency**: an immutable value.
package struct SizeFit: Sendable, Hashable {
  /// Sides become longer or shorter as one size is to another.
  struct Ratio: Sendable, Hashable {
    let size: Size
    let whole: Size

    func callAsFunction(_ other: Size) -> Size {
      Size(Self.side(other.width, size.width, whole.width), Self.side(other.height, size.height, whole.height))
    }

    private static func side(_ side: Int, _ part: Int, _ whole: Int) -> Int {
      max(1, Int((Double(side) * Double(part) / Double(whole)).rounded()))
    }
  }

  enum Pictures: Sendable, Hashable {
    case unchanged
    case stretched
    case scaled(Ratio)
  }

  /// What generators and feedback cover, and what expressions call the size.
  package let canvas: Size
  private let pictures: Pictures
  /// The composite that has the size; nil where nothing but the canvas has it.
  let composite: ContentHash?
  /// Whether results lose what filters add over the edges of the canvas, or of the composite.
  let cutsResults: Bool
  /// Whether results are resized as it takes for the composite to have this size.
  let resizedTo: Size?

  private init(canvas: Size, pictures: Pictures, composite: ContentHash? = nil, cutsResults: Bool = true, resizedTo: Size? = nil) {
    (self.canvas, self.pictures, self.composite) = (canvas, pictures, composite)
    (self.cutsResults, self.resizedTo) = (cutsResults, resizedTo)
  }

  /// - Parameter values: those of the filters whose values change over time, by the recipe, in a graph that has a fit: they may depend on its canvas.
  package init(
    _ graph: ImageGraph, values: (ImageGraph) -> [ContentHash: ParameterValues] = { _ in [:] }, evaluator: any ExpressionEvaluator
  ) {
    var natural = graph
    natural.size = nil
    natural.proxy = .whole
    natural.fit = nil
    let canvas = natural.nominalSize
    self.init(canvas: canvas, pictures: .unchanged, cutsResults: false)
    natural.fit = self
    guard let size = graph.size else { return }
    // Errors in sizes are told where the graph is laid out in the end.
    let layout = try? GraphLayout(natural, values: values(natural), evaluator: evaluator)
    if let layout, layout.nodes[layout.outputs[0].node].extent.size == size { return }
    self = SizeFit(canvas: size, pictures: .stretched)
    guard let composite = graph.mainComposite, let whole = layout?.extent(of: composite)?.size else { return }
    if whole == size {
      self = SizeFit(canvas: canvas, pictures: .unchanged, composite: composite)
      return
    }
    let ratio = Ratio(size: size, whole: whole)
    natural.fit = SizeFit(canvas: ratio(canvas), pictures: .scaled(ratio), composite: composite)
    let sides = 1...FilterExtents.largestSide
    if let fit = natural.fit, let layout, let scaled = try? GraphLayout(natural, values: values(natural), evaluator: evaluator),
      scaled.extent(of: composite)?.size == size,
      scaled.nodes.allSatisfy({ sides.contains($0.extent.size.width) && sides.contains($0.extent.size.height) }),
      Self.liesAlike(layout, scaled, ratio), graph.firstPictureSize == nil || !scaled.nodes.contains(where: \.measuresPixels)
    {
      self = fit
    } else {
      self = SizeFit(canvas: canvas, pictures: .unchanged, composite: composite, resizedTo: size)
    }
  }

  /// Whether everything lies where it did, if that were larger or smaller: sides are whole numbers, and those in pixels are not scaled.
  private static func liesAlike(_ natural: GraphLayout, _ scaled: GraphLayout, _ ratio: Ratio) -> Bool {
    func isNear(_ place: Int, _ natural: Int, _ part: Int, _ whole: Int) -> Bool {
      (Double(place) - Double(natural) * Double(part) / Double(whole)).magnitude <= 2
    }
    return scaled.nodes.allSatisfy { node in
      guard let own = node.recipe.flatMap(natural.extent(of:)) else { return true }
      let (x, y) = ((ratio.size.width, ratio.whole.width), (ratio.size.height, ratio.whole.height))
      return isNear(node.extent.x, own.x, x.0, x.1) && isNear(node.extent.y, own.y, y.0, y.1)
        && isNear(node.extent.x + node.extent.size.width, own.x + own.size.width, x.0, x.1)
        && isNear(node.extent.y + node.extent.size.height, own.y + own.size.height, y.0, y.1)
    }
  }

  /// All that it changes, with a number for the composite.
  func outline(_ number: (ContentHash) -> Int?) -> String {
    let pictures =
      switch pictures {
      case .unchanged: "unchanged"
      case .stretched: "stretched"
      case .scaled(let ratio): "scaled \(ratio.size) \(ratio.whole)"
      }
    let composite = composite.flatMap(number).map(String.init) ?? "-"
    return "\(canvas) \(pictures) \(composite) \(cutsResults) \(resizedTo?.description ?? "-")"
  }

  /// The size with which a picture is laid out.
  func size(ofPicture size: Size) -> Size {
    switch pictures {
    case .unchanged: size
    case .stretched: canvas
    case .scaled(let ratio): ratio(size)
    }
  }
}

extension GraphNode {
  /// Whether a parameter in pixels has another value than 0, or may get one: it means another part of a picture with more pixels.
  fileprivate var measuresPixels: Bool {
    guard recipe != nil, case .filter(let filter, _, let values) = operation else { return false }
    return filter.manifest.parameters.contains { parameter in
      parameter.unit == .pixels && (isAnimated || (values[parameter.name] ?? parameter.defaultValue).components.contains { $0 != 0 })
    }
  }
}

/// How much smaller a graph is computed than it will be in the end, so that people see soon what it will look like.
///
/// Sizes are smaller, and so are values that measure pixels; what the graph says stays as it is.
package struct ProxyScale: Sendable, Hashable {
  /// As large as it will be.
  package static let whole = ProxyScale(1)

  package let factor: Rational

  /// - Precondition: The factor is above 0 and at most 1.
  package init(_ factor: Rational) {
    precondition(factor > .zero && factor <= 1, "a proxy is smaller than the whole")
    self.factor = factor
  }

  package var isWhole: Bool { self == .whole }

  /// A size as a proxy has it, at least one pixel.
  package func size(_ size: Size) -> Size { Size(side(size.width), side(size.height)) }

  private func side(_ side: Int) -> Int { max(1, Int((Double(side) * factor.double).rounded())) }

  /// A position in pixels as a proxy has it.
  package func position(_ position: Double) -> Double { position * factor.double }

  /// The part of the plane that something covers.
  func extent(_ extent: Extent) -> Extent {
    Extent(
      x: Int((Double(extent.x) * factor.double).rounded()), y: Int((Double(extent.y) * factor.double).rounded()), size: size(extent.size))
  }

  /// The values of a filter with those smaller that measure pixels; they stay within what the filter allows.
  func values(_ values: ParameterValues, of parameters: [FilterParameter]) -> ParameterValues {
    guard !isWhole else { return values }
    return parameters.filter { $0.unit == .pixels }.reduce(values) { values, parameter in
      guard let value = values[parameter.name] else { return values }
      return values.setting(parameter.name, to: scaled(value, parameter))
    }
  }

  private func scaled(_ value: Value, _ parameter: FilterParameter) -> Value {
    let components = value.components.enumerated().map { index, component in
      let smaller = component * factor.double
      let whole = value.type.isFloat ? smaller : smaller.rounded()
      let least = parameter.minimum.map { max($0.components[index], whole) } ?? whole
      return parameter.maximum.map { min($0.components[index], least) } ?? least
    }
    return Value(value.type, components)
  }
}
