package import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
package import EtalonTypes

/// The values of all filters of a graph on all frames of a range, evaluated and checked.
///
/// **Concurrency**: an immutable value.
package struct GraphAnimation: Sendable {
  private struct Member {
    let recipe: ContentHash
    let use: FilterUse
    let timeline: ParameterTimeline
    /// The parameters that sizes depend on, of those that change.
    let sizeParameters: Set<String>
    /// Whether its picture has a part in what a frame leaves to the next.
    let isOfState: Bool
  }

  private let members: [Member]

  /// Refuses values that a parameter or a constraint does not allow, with the first frame on which they occur; all filters are told together.
  package init(_ graph: ImageGraph, at readings: [ClockReading], clock: ShotClock, evaluator: any ExpressionEvaluator) throws {
    let size = (graph.fit ?? SizeFit(graph, evaluator: evaluator)).canvas
    let ofState = Set(graph.imagesOfState.map(\.digest))
    var members: [Member] = []
    var mistakes: [Diagnostic] = []
    for (recipe, use) in graph.filterRecipes {
      do {
        let animation = try Animation(
          use.animated, of: use.filter.manifest, over: use.values, clock: clock, size: size, evaluator: evaluator)
        let timeline = try ParameterTimeline(animation, at: readings, declarations: use.declarations)
        mistakes += try Self.contradictions(use, animation, timeline, readings, evaluator)
        mistakes += Self.emptySize(use, timeline, readings)
        guard !animation.isConstant else { continue }
        let sizeParameters = use.filter.sizeParameters.intersection(animation.names)
        members.append(
          Member(recipe: recipe, use: use, timeline: timeline, sizeParameters: sizeParameters, isOfState: ofState.contains(recipe)))
      } catch let error as DiagnosticsError {
        mistakes += error.diagnostics.map { $0.withoutPlaces(inKernelOf: use.filter) }
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    self.members = members.sorted { $0.recipe.description < $1.recipe.description }
  }

  private static func contradictions(
    _ use: FilterUse, _ animation: Animation, _ timeline: ParameterTimeline, _ readings: [ClockReading],
    _ evaluator: any ExpressionEvaluator
  ) throws -> [Diagnostic] {
    let check = ConstraintCheck(evaluator: evaluator)
    guard !animation.isConstant else { return try check.violations(of: use.filter.manifest, by: use.values, origin: use.origin) }
    return try check.violations(of: use.filter.manifest, by: timeline, at: readings, origin: use.origin)
  }

  /// Refuses a size that has no pixels on some frame, with the first such frame: a picture would be as large there as it is without a size.
  private static func emptySize(_ use: FilterUse, _ timeline: ParameterTimeline, _ readings: [ClockReading]) -> [Diagnostic] {
    guard use.filter == ImageOperation.resize.filter, let size = use.animated["size"],
      let reading = readings.first(where: { timeline.values(onFrame: $0.frame)["size"]?.components == [0, 0] })
    else { return [] }
    return [
      Diagnostic(
        "size.zero", "\(reading.words) a picture of 0x0 has no pixels", labels: size.origin.labels("nothing is left"),
        help: ["of a side that is 0 the other one decides; keep one of them above 0"])
    ]
  }

  /// Whether nothing changes.
  package var isConstant: Bool { members.isEmpty }

  /// The values on a frame of the filters that have some that change, by the recipe.
  package func values(onFrame frame: Int) -> [ContentHash: ParameterValues] {
    Dictionary(uniqueKeysWithValues: members.map { ($0.recipe, $0.timeline.values(onFrame: frame)) })
  }

  /// The values on a frame that sizes are made of: frames for which they are equal share a plan.
  package func planKey(onFrame frame: Int) -> [Value] {
    members.flatMap { $0.timeline.values(of: $0.sizeParameters, onFrame: frame) }
  }

  /// Those of them that what frames leave to the next depends on.
  package func stateKey(onFrame frame: Int) -> [Value] {
    members.filter(\.isOfState).flatMap { $0.timeline.values(of: $0.sizeParameters, onFrame: frame) }
  }

  /// Where values are written that sizes are made of, for diagnostics.
  ///
  /// - Parameter onlyOfState: whether only those count on which the next frame depends.
  package func sizeLabels(_ message: String, onlyOfState: Bool = false) -> [Diagnostic.Label] {
    members.filter { $0.isOfState || !onlyOfState }.flatMap { member in
      member.sizeParameters.sorted().flatMap { member.use.animated[$0]?.origin.labels(message) ?? [] }
    }
  }
}

extension Diagnostic {
  /// The same without places in the text of a filter that nobody but Etalon wrote.
  fileprivate func withoutPlaces(inKernelOf filter: GraphFilter) -> Diagnostic {
    guard ImageOperation.allCases.contains(where: { $0.filter == filter }) else { return self }
    let labels = labels.filter { $0.source.path != filter.manifest.name }
    return Diagnostic(id, message, severity: severity, labels: labels, help: help, notes: notes)
  }
}
