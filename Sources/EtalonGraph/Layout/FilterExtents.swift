internal import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
package import EtalonTypes

/// How large everything is that a filter allocates, for one size of its result and given values.
package struct FilterExtents: Sendable, Hashable {
  /// The largest side of a target, in pixels.
  static let largestSide = FilterTarget.Extent.sides.upperBound
  /// The largest buffer, in bytes: what every device takes.
  private static let largestBuffer = 128 << 20

  /// The size of the result.
  package let output: Size
  package private(set) var targets: [String: Size] = [:]
  /// The bytes of each buffer.
  package private(set) var buffers: [String: Int] = [:]
  /// The workgroups along x, y and z of the passes that ask for a number of them, by the index of the pass.
  package private(set) var dispatches: [Int: [Int]] = [:]

  /// Evaluates the sizes that a manifest states; a size of zero, or one that is too large, is refused at its place.
  package init(_ manifest: FilterManifest, output: Size, values: ParameterValues, evaluator: any ExpressionEvaluator) throws {
    self.output = output
    guard manifest.hasExtents else { return }
    var scope = Scope(manifest, output: output, values: values, evaluator: evaluator)
    for target in manifest.targets { targets[target.name] = try scope.size(target.extent, of: target.name) }
    for buffer in manifest.buffers {
      let count = try scope.number(
        buffer.count, what: "the number of elements of '\(buffer.name)'", in: 1...Self.largestBuffer / buffer.type.stride430)
      buffers[buffer.name] = count * buffer.type.stride430
    }
    for (index, pass) in manifest.passes.enumerated() {
      switch pass.coverage {
      case .pixels: continue
      case .workgroups(let localSize, let extent):
        let size = try scope.size(extent, of: pass.name)
        dispatches[index] = [
          (size.width + localSize[0] - 1) / localSize[0], (size.height + localSize[1] - 1) / localSize[1], 1,
        ]
      case .dispatch(_, let counts):
        let numbers = try counts.map { try scope.number($0, what: "the number of workgroups of '\(pass.name)'", in: 1...65_535) }
        dispatches[index] = numbers + [Int](repeating: 1, count: 3 - numbers.count)
      }
    }
  }

  /// What size expressions may mention, and how they are evaluated.
  struct Scope {
    private let output: Size
    private let names: [String: Value]
    private let types: [String: ValueType]
    private let evaluator: any ExpressionEvaluator

    init(_ manifest: FilterManifest, output: Size, values: ParameterValues, evaluator: any ExpressionEvaluator) {
      self.output = output
      self.evaluator = evaluator
      var names: [String: Value] = [:]
      for (name, side) in [("width", output.width), ("height", output.height)] {
        for name in [name, name.uppercased()] { names[name] = Value(.float, [Double(side)]) }
      }
      for parameter in manifest.parameters where parameter.isInExpressions {
        names[parameter.name] = values[parameter.name] ?? parameter.defaultValue
      }
      self.names = names
      types = names.mapValues(\.type)
    }

    mutating func size(_ extent: FilterTarget.Extent, of name: String) throws -> Size {
      switch extent {
      case .output: return output
      case .pixels(let size): return size
      case .scaled(let factor): return Size(scaled(output.width, factor), scaled(output.height, factor))
      case .expressions(let width, let height):
        return Size(
          try width.map { try number($0, what: "the width of '\(name)'", in: 1...FilterExtents.largestSide) } ?? output.width,
          try height.map { try number($0, what: "the height of '\(name)'", in: 1...FilterExtents.largestSide) } ?? output.height)
      }
    }

    private func scaled(_ side: Int, _ factor: Rational) -> Int { max(1, (Rational(side) * factor).floor) }

    /// A whole number; fractions are rounded down, as hosts do.
    func number(
      _ expression: ExpressionText, what: String, in range: ClosedRange<Int>, rounding: FloatingPointRoundingRule = .down
    ) throws -> Int {
      let place = expression.place.map { GLSLExpression.Place($0.source, $0.range) }
      let compiled = try evaluator.compile([GLSLExpression(expression.text, as: .float, place: place)], names: types)
      let value = try compiled.values(names)[0].components[0]
      guard value.isFinite, value.magnitude < 1e15, range.contains(Int(value.rounded(rounding))) else {
        let found = Int(exactly: value).map { "\($0)" } ?? "\(value)"
        let labels = expression.place.map { [$0.label("is \(found)")] } ?? []
        throw DiagnosticsError(
          Diagnostic(
            "size.range", "\(what) is \(found)", labels: labels,
            help: ["expected a number from \(range.lowerBound) to \(range.upperBound)"]))
      }
      return Int(value.rounded(rounding))
    }
  }
}

extension ValueType {
  /// The bytes from one element of an array to the next in the layout of std430.
  fileprivate var stride430: Int {
    switch self {
    case .mat2: 16
    case .mat3: 48
    case .mat4: 64
    case .vec3, .ivec3: 16
    default: componentCount * 4
    }
  }
}

// MARK: the extent of a result

/// Which part of the plane the result of a filter covers.
struct ExtentRule {
  private let use: FilterUse
  private let inputs: [String: Extent]
  private let size: Size
  /// Whether sizes are those that were asked for, not those of a proxy.
  private let isWhole: Bool
  private var manifest: FilterManifest { use.filter.manifest }

  /// - Parameter inputs: what the pictures cover, by the name of the input.
  /// - Parameter size: what generators cover.
  /// - Parameter isWhole: whether sizes are those that were asked for, not those of a proxy.
  init(_ use: FilterUse, inputs: [String: Extent], size: Size, isWhole: Bool) {
    self.isWhole = isWhole
    self.use = use
    // A pixel that stands for a picture that is not read has no size to give.
    self.inputs = inputs.filter { use.filter.manifest.input($0.key)?.isRead ?? true || $0.value.size != Size(1, 1) }
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
    case .input, .infinite, .sized: false
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
    case .sized(let width, let height):
      let scope = FilterExtents.Scope(manifest, output: main.size, values: use.values, evaluator: evaluator)
      let sides = 1...FilterExtents.largestSide
      return Extent(
        x: main.x, y: main.y,
        size: Size(
          try scope.number(width, what: "the width of the result", in: sides),
          try scope.number(height, what: "the height of the result", in: sides)))
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

// MARK: parameters

extension GraphFilter {
  /// The parameters of whose values sizes, or the numbers of workgroups, are made; those of 'resize' decide about a picture in between, too.
  package var sizeParameters: Set<String> {
    self == ImageOperation.resize.filter ? declaredSizeParameters.union(["filter"]) : declaredSizeParameters
  }
}

extension FilterManifest {
  /// The parameters that the expressions of sizes and of numbers of workgroups mention.
  var sizeParameters: Set<String> {
    let names = Set(parameters.map(\.name))
    return sizeExpressions.reduce(into: []) { $0.formUnion($1.names(among: names)) }
  }

  /// Whether anything has another size than the result, or may have.
  fileprivate var hasExtents: Bool { !targets.isEmpty || !buffers.isEmpty || passes.contains { $0.coverage != .pixels } }

  private var sizeExpressions: [ExpressionText] {
    var expressions = targets.flatMap(\.extent.expressions) + buffers.map(\.count)
    for pass in passes {
      switch pass.coverage {
      case .pixels: break
      case .workgroups(_, let extent): expressions += extent.expressions
      case .dispatch(_, let counts): expressions += counts
      }
      if case .pixels(let x, let y) = pass.reach { expressions += [x, y] }
    }
    if case .rectangle(let x, let y, let width, let height) = extent { expressions += [x, y, width, height] }
    if case .sized(let width, let height) = extent { expressions += [width, height] }
    return expressions
  }
}

extension FilterTarget.Extent {
  fileprivate var expressions: [ExpressionText] {
    if case .expressions(let width, let height) = self { [width, height].compactMap(\.self) } else { [] }
  }
}
