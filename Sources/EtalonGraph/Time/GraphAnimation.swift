package import EtalonDiagnostics
internal import EtalonGLSL
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
  /// The applications of `BuiltInKernels.presence`, by the recipe.
  private let presences: [ContentHash: FilterUse]
  private let moments: MomentFinder

  /// Refuses values that a parameter or a constraint does not allow, with the first frame on which they occur; all filters are told together.
  ///
  /// - Parameter moments: which frames filters read beside the rendered ones; nil where no stream begins or ends.
  package init(
    _ graph: ImageGraph, at readings: [ClockReading], clock: ShotClock, evaluator: any ExpressionEvaluator, moments: MomentFinder? = nil
  ) throws {
    let moments = moments ?? MomentFinder(clock)
    self.moments = moments
    let recipes = graph.filterRecipes
    presences = Dictionary(recipes.filter { $0.use.filter == BuiltInKernels.presence }.map { ($0.recipe, $0.use) }) { $1 }
    let size = (graph.fit ?? SizeFit(graph, evaluator: evaluator)).canvas
    let ofState = Set(graph.imagesOfState.map(\.digest))
    var members: [Member] = []
    var diagnostics: [Diagnostic] = []
    for (recipe, use) in recipes {
      do {
        let animation = try Animation(
          use.animated, of: use.filter.manifest, over: use.values, clock: clock, size: size, evaluator: evaluator)
        let isNow = use.moments.isEmpty
        let readings = isNow || animation.isConstant ? readings : readings.map { moments.reading($0.frame, at: use.moments) }
        let timeline = try ParameterTimeline(animation, at: readings, declarations: use.declarations)
        if animation.isConstant, !isNow { continue }
        diagnostics += try Self.contradictions(use, animation, timeline, readings, evaluator)
        diagnostics += Self.emptySize(use, timeline, readings)
        guard !animation.isConstant else { continue }
        let sizeParameters = use.filter.sizeParameters.intersection(animation.names)
        members.append(
          Member(recipe: recipe, use: use, timeline: timeline, sizeParameters: sizeParameters, isOfState: ofState.contains(recipe)))
      } catch let error as DiagnosticsError {
        diagnostics += error.diagnostics.map { $0.withoutPlaces(inKernelOf: use.filter) }
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    self.members = members.sorted { $0.recipe < $1.recipe }
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
  package var isConstant: Bool { members.isEmpty && presences.isEmpty }

  /// The values on a frame of the filters that have some that change, by the recipe.
  package func values(onFrame frame: Int) -> [ContentHash: ParameterValues] {
    var values = Dictionary(uniqueKeysWithValues: members.map { ($0.recipe, $0.timeline.values(onFrame: shown(by: $0, on: frame))) })
    for (recipe, use) in presences {
      values[recipe] = use.values.setting("shown", to: Value(.float, [moments.frame(frame, at: use.moments).isThere ? 1 : 0]))
    }
    return values
  }

  /// The frame whose values a filter has, where it is applied at another moment.
  private func shown(by member: Member, on frame: Int) -> Int { moments.frame(frame, at: member.use.moments).frame }

  /// The values on a frame that sizes are made of: frames for which they are equal share a plan.
  package func planKey(onFrame frame: Int) -> [Value] {
    members.flatMap { $0.timeline.values(of: $0.sizeParameters, onFrame: shown(by: $0, on: frame)) }
  }

  /// Those of them that what frames leave to the next depends on.
  package func stateKey(onFrame frame: Int) -> [Value] {
    members.filter(\.isOfState).flatMap { $0.timeline.values(of: $0.sizeParameters, onFrame: shown(by: $0, on: frame)) }
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
  /// The same without places in the texts of filters that are part of Etalon.
  fileprivate func withoutPlaces(inKernelOf filter: GraphFilter) -> Diagnostic {
    guard ImageOperation.allCases.contains(where: { $0.filter == filter }) else { return self }
    let labels = labels.filter { $0.source.path != filter.manifest.name }
    return Diagnostic(id, message, severity: severity, labels: labels, help: help, notes: notes)
  }
}

// MARK: one filter

/// The values of a filter's parameters on every frame of a range, evaluated and checked beforehand.
///
/// **Concurrency**: an immutable value.
package struct ParameterTimeline: Sendable {
  private struct Column {
    let name: String
    let type: ValueType
    /// How many numbers a row of a list has; nil for other values.
    let rowLength: Int?
    /// How many components a value has.
    let count: Int
    /// The components of all frames, one frame after the other.
    var components: [Double]
    /// The values of all frames, where these are texts, which differ in length; empty for numbers.
    var texts: [Value]
  }

  private let base: ParameterValues
  private var places: [Int: Int] = [:]
  private var columns: [Column] = []

  /// Evaluates an animation on some frames, each value on the nearest step of its parameter; one that the parameter does not allow is refused with the first
  /// frame on which it occurs.
  ///
  /// - Parameter declarations: what values have to keep to where that is not what the filter declares, by the name of the parameter.
  package init(_ animation: Animation, at readings: [ClockReading], declarations: [String: FilterParameter] = [:]) throws {
    base = animation.constants
    guard !animation.isConstant else { return }
    let stepped = animation.manifest.parameters.filter { $0.step != nil }.map { ParameterCheck(declarations[$0.name] ?? $0) }
    let values = try animation.animatedValues(at: readings).map { values in
      stepped.reduce(into: values) { $0[$1.name] = $0[$1.name].map($1.rounded) }
    }
    try AnimationCheck(animation, declarations: declarations).check(values, at: readings)
    for (index, reading) in readings.enumerated() { places[reading.frame] = index }
    columns = animation.names.sorted().map { name in
      let all = values.compactMap { $0[name] }
      return Column(
        name: name, type: all.first?.type ?? .float, rowLength: all.first?.columns, count: all.first?.components.count ?? 1,
        components: all.flatMap(\.components), texts: all.first?.text == nil ? [] : all)
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
      if !column.texts.isEmpty { return values.setting(column.name, to: column.texts[place]) }
      let components = Array(column.components[place * column.count..<(place + 1) * column.count])
      let value = column.rowLength.map { Value(list: components, columns: $0) } ?? Value(column.type, components)
      return values.setting(column.name, to: value)
    }
  }
}

// MARK: checking

/// Checks what animated values are on the frames of a range against what the parameters allow.
private struct AnimationCheck {
  private let animation: Animation
  private let declarations: [String: FilterParameter]

  init(_ animation: Animation, declarations: [String: FilterParameter]) {
    self.animation = animation
    self.declarations = declarations
  }

  /// Refuses values; of each parameter the first frame is told on which something is wrong.
  func check(_ values: [[String: Value]], at readings: [ClockReading]) throws(DiagnosticsError) {
    var diagnostics: [Diagnostic] = []
    for parameter in animation.manifest.parameters where animation.animated[parameter.name] != nil {
      diagnostics += self.diagnostics(of: parameter, values, readings)
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
  }

  private func diagnostics(of parameter: FilterParameter, _ values: [[String: Value]], _ readings: [ClockReading]) -> [Diagnostic] {
    // Whole numbers have no infinity that would show that something was divided by zero, and a limit may hide that of others.
    let mayHide = !parameter.kind.valueType.isFloat || dividesAlways(parameter.name)
    if mayHide, let zero = animation.zeroDivisor(of: parameter.name, at: readings, values) {
      return [divisionByZero(zero.divisor, parameter, readings[zero.index])]
    }
    let check = ParameterCheck(declarations[parameter.name] ?? parameter)
    for (index, reading) in readings.enumerated() {
      guard let value = values[index][parameter.name] else { continue }
      guard value.components.allSatisfy(\.isFinite) else { return [undefined(value, parameter, reading, values[index])] }
      let violations = violations(of: value, parameter, check)
      guard !violations.isEmpty else { continue }
      let extremes = extremes(of: parameter.name, values, readings)
      return violations.map { diagnostic($0, value, parameter, check, reading, extremes) }
    }
    return []
  }

  /// Whether an expression computes all of its quotients: a choice may leave out one that has no value.
  private func dividesAlways(_ name: String) -> Bool {
    guard case .expression(let expression)? = animation.animated[name] else { return false }
    return !expression.text.contains("?")
  }

  private func violations(of value: Value, _ parameter: FilterParameter, _ check: ParameterCheck) -> [ParameterCheck.Violation] {
    guard !value.type.isFloat, value.components.contains(where: { $0 != $0.rounded() }) else { return check.violations(of: value) }
    return [
      .init(
        id: "value.type", complaint: "is no value for '\(parameter.name)'", label: "not a whole number",
        help: ["expected \(ValueText.example(of: value.type))"])
    ]
  }

  private func diagnostic(
    _ violation: ParameterCheck.Violation, _ value: Value, _ parameter: FilterParameter, _ check: ParameterCheck, _ reading: ClockReading,
    _ extremes: [String]
  ) -> Diagnostic {
    let (giver, origin) = giver(of: parameter.name, at: reading)
    return Diagnostic(
      violation.id, "\(reading.words) \(giver) \(Self.text(value)), which \(violation.complaint)",
      labels: origin.labels(violation.label) + check.declaration, help: violation.help, notes: violation.notes + extremes)
  }

  // MARK: what is no number

  private func undefined(_ value: Value, _ parameter: FilterParameter, _ reading: ClockReading, _ values: [String: Value]) -> Diagnostic {
    if let zero = animation.zeroDivisor(of: parameter.name, at: [reading], [values]) {
      return divisionByZero(zero.divisor, parameter, reading)
    }
    let (giver, origin) = giver(of: parameter.name, at: reading)
    return Diagnostic(
      "value.undefined", "\(reading.words) \(giver) \(Self.text(value)) for '\(parameter.name)'", labels: origin.labels("undefined here"),
      help: ["keep the arguments of sqrt, log, pow and the like within what is defined"])
  }

  private func divisionByZero(_ divisor: ExpressionText, _ parameter: FilterParameter, _ reading: ClockReading) -> Diagnostic {
    Diagnostic(
      "value.undefined", "\(reading.words) the expression for '\(parameter.name)' divides by zero",
      labels: ValueOrigin(divisor.place).labels("zero here"),
      help: [
        divisor.text.contains { $0.isLetter || $0 == "_" }
          ? "keep '\(divisor.text)' away from zero, as with 'max(\(divisor.text), 0.001)'" : "divide by a number that is not zero"
      ])
  }

  // MARK: words

  /// What gives the value, in words, and where it is written.
  private func giver(of name: String, at reading: ClockReading) -> (words: String, origin: ValueOrigin) {
    switch animation.animated[name] {
    case .keyframes: ("the keyframes give", animation.key(of: name, at: reading.time)?.origin ?? ValueOrigin(nil))
    case .track(let track): ("the track gives", track.origin)
    case .expression(let expression): ("the expression gives", expression.origin)
    case .literal, nil: ("the value is", ValueOrigin(nil))
    }
  }

  /// What the value goes through on all frames, for a single number.
  private func extremes(of name: String, _ values: [[String: Value]], _ readings: [ClockReading]) -> [String] {
    let numbers = values.compactMap { $0[name] }.filter { $0.components.count == 1 && $0.text == nil }.map { $0.components[0] }.filter(
      \.isFinite)
    guard numbers.count > 1, let low = numbers.min(), let high = numbers.max() else { return [] }
    let frames = "frames \(readings.map(\.frame).min() ?? 0) to \(readings.map(\.frame).max() ?? 0)"
    return ["on \(frames) it runs from \(Self.text(Value(.float, [low]))) to \(Self.text(Value(.float, [high])))"]
  }

  /// Results of 32-bit arithmetic with the digits that tell them apart.
  private static func text(_ value: Value) -> String { ValueConversion.shaderText(value) }
}
