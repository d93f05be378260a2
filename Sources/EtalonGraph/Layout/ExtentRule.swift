internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonTypes

/// Which part of the plane the result of a filter covers.
struct ExtentRule {
  private let use: FilterUse
  private let inputs: [String: Extent]
  private let size: Size
  private var manifest: FilterManifest { use.filter.manifest }

  /// - Parameter inputs: what the pictures cover, by the name of the input.
  /// - Parameter size: what generators cover.
  init(_ use: FilterUse, inputs: [String: Extent], size: Size) {
    self.use = use
    self.inputs = inputs
    self.size = size
  }

  private var pictures: [FilterInput] { manifest.inputs.filter { $0.origin == .user && $0.shape == .flat && inputs[$0.name] != nil } }

  /// Whether an input is read where it lies on the plane; others are stretched over the result.
  func places(_ input: FilterInput) -> Bool {
    guard input.origin == .user else { return false }
    if use.extent != nil { return true }
    return switch manifest.extent {
    case .union: manifest.dialect == .native && manifest.kind == .composite
    case .grown, .rectangle: true
    case .input, .infinite: false
    }
  }

  /// Evaluates the rule; an extent without pixels is refused at its place.
  func extent(_ evaluator: any ExpressionEvaluator) throws -> Extent {
    if let extent = use.extent { return extent }
    let main = manifest.mainInput.flatMap { inputs[$0.name] } ?? pictures.first.flatMap { inputs[$0.name] } ?? Extent(size)
    switch manifest.extent {
    case .infinite: return Extent(size)
    case .input: return main
    case .union:
      guard manifest.dialect == .native, manifest.kind == .composite else { return main }
      return pictures.compactMap { inputs[$0.name] }.reduce(main) { $0.union($1) }
    case .grown:
      let reach = try manifest.passes.map { try SizeExpressions(use, around: main.size, evaluator).reach($0.reach) }
      let (x, y) = reach.reduce((0, 0)) { ($0.0 + $1.x, $0.1 + $1.y) }
      return Extent(x: main.x - x, y: main.y - y, size: Size(main.size.width + 2 * x, main.size.height + 2 * y))
    case .rectangle(let x, let y, let width, let height):
      let expressions = SizeExpressions(use, around: main.size, evaluator)
      let side = 1...FilterExtents.largestSide
      let anywhere = -FilterExtents.largestSide...FilterExtents.largestSide
      return Extent(
        x: try expressions.number(x, "the left edge", in: anywhere), y: try expressions.number(y, "the lower edge", in: anywhere),
        size: Size(try expressions.number(width, "the width", in: side), try expressions.number(height, "the height", in: side)))
    }
  }
}

/// Evaluates the expressions of a header that speak of extents.
private struct SizeExpressions {
  private let names: [String: Value]
  private let filter: String
  private let evaluator: any ExpressionEvaluator

  init(_ use: FilterUse, around size: Size, _ evaluator: any ExpressionEvaluator) {
    self.evaluator = evaluator
    filter = use.filter.manifest.name
    var names: [String: Value] = [:]
    for (name, side) in [("width", size.width), ("height", size.height)] {
      for name in [name, name.uppercased()] { names[name] = Value(.float, [Double(side)]) }
    }
    for parameter in use.filter.manifest.parameters where !parameter.kind.valueType.isMatrix {
      names[parameter.name] = use.values[parameter.name] ?? parameter.defaultValue
    }
    self.names = names
  }

  /// How far a pass reads, in whole pixels; a filter that reads anything anywhere has no reach to grow by.
  func reach(_ reach: KernelReach) throws -> (x: Int, y: Int) {
    guard case .pixels(let x, let y) = reach else { return (0, 0) }
    let range = 0...FilterExtents.largestSide
    return (try number(x, "the reach", in: range, roundingUp: true), try number(y, "the reach", in: range, roundingUp: true))
  }

  func number(_ text: ExpressionText, _ what: String, in range: ClosedRange<Int>, roundingUp: Bool = false) throws -> Int {
    if let number = Int(text.text), range.contains(number) { return number }
    let place = text.place.map { Expression.Place($0.source, $0.range) }
    let value = try evaluator.compile([Expression(text.text, as: .float, place: place)], names: names.mapValues(\.type))
      .values(names)[0].components[0]
    let rounded = value.rounded(roundingUp ? .up : .down)
    guard value.isFinite, value.magnitude < 1e15, range.contains(Int(rounded)) else {
      let labels = text.place.map { [Diagnostic.Label($0.source, $0.range, "is \(value)")] } ?? []
      throw DiagnosticsError(
        Diagnostic(
          "size.range", "\(what) of '\(filter)' is \(value)", labels: labels,
          help: ["expected a number from \(range.lowerBound) to \(range.upperBound)"]))
    }
    return Int(rounded)
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
