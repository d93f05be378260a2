internal import EtalonManifest
package import EtalonTypes

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
