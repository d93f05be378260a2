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
    private let evaluator: any ExpressionEvaluator

    init(_ manifest: FilterManifest, output: Size, values: ParameterValues, evaluator: any ExpressionEvaluator) {
      self.output = output
      self.evaluator = evaluator
      var names: [String: Value] = [:]
      for (name, side) in [("width", output.width), ("height", output.height)] {
        for name in [name, name.uppercased()] { names[name] = Value(.float, [Double(side)]) }
      }
      for parameter in manifest.parameters where !parameter.kind.valueType.isMatrix {
        names[parameter.name] = values[parameter.name] ?? parameter.defaultValue
      }
      self.names = names
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
      let place = expression.place.map { Expression.Place($0.source, $0.range) }
      let compiled = try evaluator.compile([Expression(expression.text, as: .float, place: place)], names: names.mapValues(\.type))
      let value = try compiled.values(names)[0].components[0]
      guard value.isFinite, value.magnitude < 1e15, range.contains(Int(value.rounded(rounding))) else {
        let found = Int(exactly: value).map { "\($0)" } ?? "\(value)"
        let labels = expression.place.map { [Diagnostic.Label($0.source, $0.range, "is \(found)")] } ?? []
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
