internal import EtalonCPU
internal import EtalonCompiler
internal import EtalonDiagnostics
package import EtalonManifest

/// What a line of a shader assigned to one variable while one pixel was rendered.
///
/// **Concurrency**: an immutable value.
package struct ProbeLine: Sendable {
  /// The most values that are kept of a line that runs often.
  package static let mostValues = 8

  package let place: SourceRange
  /// `color`, `hit.normal`, `weights[3]`.
  package let name: String
  /// The first values, as they would be written: `0.5`, `(1.0, 0.0)`.
  package private(set) var values: [String]
  /// How many there were.
  package private(set) var count: Int

  /// `plasma.glsl:3: uv = (0.5, 0.25), (0.5, 0.75) … 6 more`.
  package var text: String {
    let line = place.source.position(at: place.range.lowerBound).line
    let more = count > values.count ? " … \(count - values.count) more" : ""
    return "\(place.source.path):\(line): \(name) = \(values.joined(separator: ", "))\(more)"
  }

  private struct Key: Hashable {
    let site: Int
    let name: String
  }

  /// The lines that a person wrote, in the order in which they were reached first.
  static func lines(of trace: ProbeLog.Trace, _ kernels: KernelStore) -> [ProbeLine] {
    guard let origins = kernels.lines(of: trace.kernel) else { return [] }
    var order: [Key] = []
    var found: [Key: ProbeLine] = [:]
    for assignment in trace.assignments {
      let key = Key(site: assignment.number, name: assignment.name)
      if found[key] == nil {
        guard let place = origins.origin(ofLine: assignment.site.line) else { continue }
        order.append(key)
        found[key] = ProbeLine(place: place, name: assignment.name, values: [], count: 0)
      }
      found[key]?.add(assignment)
    }
    return order.compactMap { found[$0] }
  }

  private mutating func add(_ assignment: ProbeLog.Assignment) {
    count += 1
    guard values.count < Self.mostValues else { return }
    let numbers = assignment.words.map { assignment.site.scalar.text(of: $0) }
    values.append(numbers.count == 1 ? numbers[0] : "(\(numbers.joined(separator: ", ")))")
  }
}
