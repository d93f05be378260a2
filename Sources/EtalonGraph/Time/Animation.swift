internal import EtalonDiagnostics
package import EtalonManifest
package import EtalonPlan
package import EtalonTypes

/// The values of a filter's parameters over time, compiled: expressions that do not need each other are one module.
///
/// ```swift
/// let animation = try Animation(["radius": .expression(AnimatedExpression("1 + time"))], of: manifest, over: values, clock: clock, size: size, evaluator: evaluator)
/// let frames = try animation.values(at: [ClockReading(frame: 7, clock: clock)])
/// ```
///
/// **Concurrency**: usable from every thread.
package struct Animation: Sendable {
  private struct Batch: Sendable {
    let names: [String]
    let compiled: any CompiledExpressions
  }

  /// How many frames are evaluated together at most.
  private static let framesPerRun = 256

  let manifest: FilterManifest
  /// What was given, without literals.
  let animated: [String: AnimatedValue]
  private let base: ParameterValues
  private let scope: AnimationScope
  private let evaluator: any ExpressionEvaluator
  private var curves: [String: [KeyframeCurve]] = [:]
  private var tracks: [String: TrackCurve] = [:]
  private var batches: [Batch] = []

  /// Compiles values; errors in expressions are told at their places.
  ///
  /// - Parameter values: by the name of the parameter; every name is a parameter of the filter.
  /// - Parameter base: the values of all other parameters.
  /// - Parameter size: what `width`, `height` and `RENDERSIZE` say.
  package init(
    _ values: [String: AnimatedValue], of manifest: FilterManifest, over base: ParameterValues, clock: ShotClock, size: Size,
    evaluator: any ExpressionEvaluator
  ) throws {
    self.manifest = manifest
    self.evaluator = evaluator
    var base = base
    var animated: [String: AnimatedValue] = [:]
    var expressions: [String: AnimatedExpression] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .literal(let value):
        base = base.setting(name, to: value)
        continue
      case .keyframes(.together(let keys)): curves[name] = [try KeyframeCurve(keys, clock: clock)]
      case .keyframes(.byComponent(let components)):
        curves[name] = try components.map { keys throws(DiagnosticsError) in try KeyframeCurve(keys, clock: clock) }
      case .track(let track): tracks[name] = TrackCurve(track, clock: clock)
      case .expression(let expression): expressions[name] = expression
      }
      animated[name] = value
    }
    self.base = base
    self.animated = animated
    scope = AnimationScope(manifest, base: base, animated: Set(animated.keys), size: size)
    batches = try AnimationOrder.groups(expressions).map { group in
      let items = group.names.map { name in
        GLSLExpression(
          expressions[name]?.text ?? "", as: Self.type(of: name, in: manifest),
          place: expressions[name]?.origin.place.map { GLSLExpression.Place($0.source, $0.range) })
      }
      return Batch(names: group.names, compiled: try evaluator.compile(items, names: scope.types(for: group.owner)))
    }
  }

  private static func type(of name: String, in manifest: FilterManifest) -> ValueType {
    guard let parameter = manifest.parameters.first(where: { $0.name == name }) else {
      preconditionFailure("'\(manifest.name)' has no parameter '\(name)'")
    }
    return parameter.kind.valueType
  }

  /// The parameters whose values may change from frame to frame.
  package var names: Set<String> { Set(animated.keys) }

  /// Whether no value changes.
  package var isConstant: Bool { animated.isEmpty }

  /// The values of all parameters that do not change.
  package var constants: ParameterValues { base }

  /// The values of the parameters that change, on each of some frames, as they come out: unchecked.
  func animatedValues(at readings: [ClockReading]) throws -> [[String: Value]] {
    if isConstant { return readings.map { _ in [:] } }
    var results: [[String: Value]] = []
    for start in stride(from: 0, to: readings.count, by: Self.framesPerRun) {
      results += try run(Array(readings[start..<min(start + Self.framesPerRun, readings.count)]))
    }
    return results
  }

  /// The values of all parameters on each of some frames, unchecked.
  package func values(at readings: [ClockReading]) throws -> [ParameterValues] {
    try animatedValues(at: readings).map { $0.reduce(base) { $0.setting($1.key, to: $1.value) } }
  }

  private func run(_ readings: [ClockReading]) throws -> [[String: Value]] {
    var scopes = readings.map { scope.values(at: $0) }
    for (index, reading) in readings.enumerated() {
      for (name, curves) in curves {
        let held = curves[0].heldValue(at: reading.time)
        scopes[index][name] = held.text == nil ? value(of: name, curves.flatMap { $0.components(at: reading.time) }) : held
      }
      for (name, track) in tracks {
        scopes[index][name] = value(of: name, try track.components(at: reading.time, of: reading))
      }
    }
    for batch in batches {
      for (index, values) in try batch.compiled.values(scopes).enumerated() {
        for (name, value) in zip(batch.names, values) { scopes[index][name] = value }
      }
    }
    return scopes.map { $0.filter { animated[$0.key] != nil } }
  }

  /// Numbers as the shader gets them, so that checks see what it sees.
  private func value(of name: String, _ components: [Double]) -> Value {
    let type = Self.type(of: name, in: manifest)
    if case .keyframes(let keyframes)? = animated[name], let columns = keyframes.allKeys.first?.value.columns {
      return Value(list: components.map { Double(Float($0)) }, columns: columns)
    }
    return Value(type, type.isFloat ? components.map { Double(Float($0)) } : components)
  }

  /// The first of some frames on which the expression of a parameter divides by zero, and the divisor; nil where it never does, or where that is not known.
  ///
  /// - Parameter values: what the animated parameters are on the frames.
  func zeroDivisor(
    of name: String, at readings: [ClockReading], _ values: [[String: Value]]
  ) -> (index: Int, divisor: ExpressionText)? {
    guard case .expression(let expression)? = animated[name] else { return nil }
    let divisors = expression.located.divisors
    guard !divisors.isEmpty else { return nil }
    let sets = zip(readings, values).map { reading, values in
      let clocks = scope.values(at: reading)
      // In its own expression the name of a parameter means the clock of that name.
      return clocks.merging(values) { $1 }.merging(clocks.filter { $0.key == name }) { $1 }
    }
    let zeros = divisors.compactMap { divisor in
      firstZero(of: divisor, as: Self.type(of: name, in: manifest), sets).map { (index: $0, divisor: divisor) }
    }
    return zeros.min { $0.index < $1.index }
  }

  /// The first set of values for which a part of an expression is zero.
  private func firstZero(of part: ExpressionText, as type: ValueType, _ sets: [[String: Value]]) -> Int? {
    // `sign` keeps a fraction such as 0.5 apart from zero where the result is a whole number.
    for wanted in [type.isFloat ? .float : .int, type] {
      let sign = GLSLExpression("sign(\(part.text))", as: wanted, place: nil)
      guard let compiled = try? evaluator.compile([sign], names: scope.types(for: nil)) else { continue }
      return (try? compiled.values(sets))?.firstIndex { $0[0].components.contains(0) }
    }
    return nil
  }

  /// The key that decides about a parameter at a time; nil where there are no keyframes.
  func key(of name: String, at time: Double) -> Keyframe? { curves[name]?.first?.key(at: time) }
}

// MARK: the names in expressions

/// The names that expressions of a filter's values may mention, with what they are on a frame.
private struct AnimationScope: Sendable {
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
    parameters = manifest.parameters.filter(\.isInExpressions)
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

  /// A parameter without a given value and without a default follows the progress.
  private func clockValue(of parameter: FilterParameter, _ reading: ClockReading) -> Value {
    parameter.kind.valueType == .float ? Value(.float, [reading.progress]) : parameter.defaultValue
  }

  private func clockValues(_ reading: ClockReading) -> [String: Value] {
    let sides = [Double(size.width), Double(size.height)]
    let time = Value(.float, [reading.time]), frame = Value(.int, [Double(reading.index)])
    let progress = Value(.float, [reading.progress]), duration = Value(.float, [reading.duration])
    return [
      "time": time, "frame": frame, "progress": progress, "duration": duration, "width": Value(.float, [sides[0]]),
      "height": Value(.float, [sides[1]]), "RENDERSIZE": Value(.vec2, sides), "TIME": time, "FRAMEINDEX": frame, "PROGRESS": progress,
      "DURATION": duration,
    ]
  }
}

// MARK: the order of expressions

/// Finds out which expressions can be evaluated together: each needs the values of the parameters that it mentions.
private struct AnimationOrder {
  /// Expressions that are compiled as one module.
  struct Group: Hashable {
    /// The names of the parameters, in alphabetical order.
    var names: [String]
    /// A parameter whose expression means the clock of its own name.
    let owner: String?
  }

  private let expressions: [String: AnimatedExpression]
  /// The parameters that each expression mentions.
  private let mentions: [String: Set<String>]
  private var levels: [String: Int] = [:]
  private var path: [String] = []

  /// The groups, in the order in which they are evaluated.
  static func groups(_ expressions: [String: AnimatedExpression]) throws(DiagnosticsError) -> [Group] {
    var order = AnimationOrder(expressions: expressions)
    var groups: [Int: [Group]] = [:]
    for name in expressions.keys.sorted() {
      let level = try order.level(of: name)
      let owner = order.mentions[name, default: []].contains(name) ? name : nil
      if owner == nil, let index = groups[level, default: []].firstIndex(where: { $0.owner == nil }) {
        groups[level]?[index].names.append(name)
      } else {
        groups[level, default: []].append(Group(names: [name], owner: owner))
      }
    }
    return groups.keys.sorted().flatMap { groups[$0] ?? [] }
  }

  private init(expressions: [String: AnimatedExpression]) {
    self.expressions = expressions
    let names = Set(expressions.keys)
    mentions = expressions.mapValues { $0.located.names(among: names) }
  }

  /// One more than the largest level of what it needs.
  private mutating func level(of name: String) throws(DiagnosticsError) -> Int {
    if let level = levels[name] { return level }
    if let start = path.firstIndex(of: name) { throw cycle(Array(path[start...])) }
    path.append(name)
    var level = 0
    for needed in mentions[name, default: []].sorted() where !(needed == name && AnimationScope.isClock(name)) {
      level = max(level, try self.level(of: needed) + 1)
    }
    path.removeLast()
    levels[name] = level
    return level
  }

  private func cycle(_ names: [String]) -> DiagnosticsError {
    let labels = names.flatMap { expressions[$0]?.origin.labels("needs '\(next(after: $0, in: names))'") ?? [] }
    let chain = (names + names.prefix(1)).joined(separator: " needs ")
    return DiagnosticsError(
      Diagnostic(
        "value.cycle", names.count == 1 ? "the expression of '\(names[0])' needs its own value" : "expressions need each other: \(chain)",
        labels: labels, help: ["give one of them a value that does not mention the others"]))
  }

  private func next(after name: String, in names: [String]) -> String {
    names.firstIndex(of: name).map { names[($0 + 1) % names.count] } ?? name
  }
}
