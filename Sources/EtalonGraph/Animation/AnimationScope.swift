internal import EtalonManifest
internal import EtalonTypes

/// The names that expressions of a filter's values may mention, with what they are on a frame.
struct AnimationScope: Sendable {
  private static let clocks: [String: ValueType] = [
    "time": .float, "frame": .int, "progress": .float, "duration": .float, "width": .float, "height": .float, "TIME": .float,
    "FRAMEINDEX": .int, "PROGRESS": .float, "DURATION": .float, "RENDERSIZE": .vec2,
  ]

  private let parameters: [FilterParameter]
  private let base: ParameterValues
  private let size: Size
  /// The names of the parameters whose values change.
  private let animated: Set<String>

  init(_ manifest: FilterManifest, base: ParameterValues, animated: Set<String>, size: Size) {
    parameters = manifest.parameters.filter { !$0.kind.valueType.isMatrix }
    self.base = base
    self.animated = animated
    self.size = size
  }

  static func isClock(_ name: String) -> Bool { clocks[name] != nil }

  /// What every name is.
  ///
  /// - Parameter owner: a parameter whose own expression means the clock of its name.
  func types(for owner: String?) -> [String: ValueType] {
    let declared = parameters.filter { $0.name != owner }.map { ($0.name, $0.kind.valueType) }
    return Self.clocks.merging(declared) { _, parameter in parameter }
  }

  /// The values on a frame of everything that does not change by an animation.
  func values(at reading: ClockReading) -> [String: Value] {
    var values = clockValues(reading)
    for parameter in parameters where !animated.contains(parameter.name) {
      values[parameter.name] = base[parameter.name] ?? clockValue(of: parameter, reading)
    }
    return values
  }

  /// A parameter that nobody set and that has no value of its own follows the progress.
  private func clockValue(of parameter: FilterParameter, _ reading: ClockReading) -> Value {
    parameter.kind.valueType == .float ? Value(.float, [reading.progress]) : parameter.defaultValue
  }

  private func clockValues(_ reading: ClockReading) -> [String: Value] {
    let sides = [Double(size.width), Double(size.height)]
    let values: [String: Value] = [
      "time": Value(.float, [reading.time]), "frame": Value(.int, [Double(reading.index)]), "progress": Value(.float, [reading.progress]),
      "duration": Value(.float, [reading.duration]),
    ]
    return values.merging([
      "width": Value(.float, [sides[0]]), "height": Value(.float, [sides[1]]), "RENDERSIZE": Value(.vec2, sides),
      "TIME": Value(.float, [reading.time]), "FRAMEINDEX": Value(.int, [Double(reading.index)]),
      "PROGRESS": Value(.float, [reading.progress]), "DURATION": Value(.float, [reading.duration]),
    ]) { first, _ in first }
  }
}
