package import EtalonManifest
package import EtalonTypes

/// The values of a filter's parameters on every frame of a range, evaluated and checked beforehand.
///
/// **Concurrency**: an immutable value.
package struct ParameterTimeline: Sendable {
  private struct Column {
    let name: String
    let type: ValueType
    /// The components of all frames, one frame after the other.
    var components: [Double]
  }

  private let base: ParameterValues
  private var places: [Int: Int] = [:]
  private var columns: [Column] = []

  /// Evaluates an animation on some frames; a value that a parameter does not allow is refused with the first frame on which it occurs.
  ///
  /// - Parameter declarations: what values have to keep to where that is not what the filter declares, by the name of the parameter.
  package init(_ animation: Animation, at readings: [ClockReading], declarations: [String: FilterParameter] = [:]) throws {
    base = animation.constants
    guard !animation.isConstant else { return }
    let values = try animation.animatedValues(at: readings)
    try AnimationCheck(animation, declarations: declarations).check(values, at: readings)
    for (index, reading) in readings.enumerated() { places[reading.frame] = index }
    columns = animation.names.sorted().map { name in
      let all = values.compactMap { $0[name] }
      return Column(name: name, type: all.first?.type ?? .float, components: all.flatMap(\.components))
    }
  }

  /// The values of some parameters on one of the frames: what a plan depends on that sizes are made of.
  package func values(of names: Set<String>, onFrame frame: Int) -> [Value] {
    let values = values(onFrame: frame)
    return columns.map(\.name).filter(names.contains).compactMap { values[$0] }
  }

  /// The values on one of the frames.
  package func values(onFrame frame: Int) -> ParameterValues {
    guard !columns.isEmpty else { return base }
    guard let place = places[frame] else { preconditionFailure("frame \(frame) was not evaluated") }
    return columns.reduce(base) { values, column in
      let count = column.type.componentCount
      return values.setting(column.name, to: Value(column.type, Array(column.components[place * count..<(place + 1) * count])))
    }
  }
}
