internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
package import EtalonTypes

/// Values at times, with what happens in between.
///
/// Before the first key and after the last one the value stays.
package enum Keyframes: Sendable, Hashable, CustomStringConvertible {
  /// Keys for all components of a value together.
  case together([Keyframe])
  /// Keys for each component, in the order of the components.
  case byComponent([[Keyframe]])

  package var description: String {
    switch self {
    case .together(let keys): return Self.text(keys)
    case .byComponent(let curves):
      let members = zip(ComponentNames.position, curves).map { "\($0): \(Self.text($1))" }
      return "{\(members.joined(separator: ", "))}"
    }
  }

  private static func text(_ keys: [Keyframe]) -> String { "{\(keys.map(\.description).joined(separator: ", "))}" }

  /// All keys, those of the first component first.
  package var allKeys: [Keyframe] {
    switch self {
    case .together(let keys): keys
    case .byComponent(let curves): curves.flatMap(\.self)
    }
  }
}

/// A value at a time, and how it is reached from the key before.
package struct Keyframe: Sendable, Hashable, CustomStringConvertible {
  package let time: KeyTime
  package let value: Value
  package let easing: KeyframeEasing
  package let origin: ValueOrigin

  /// - Parameter easing: nil is what suits the type: numbers move evenly, everything else holds.
  package init(_ time: KeyTime, _ value: Value, easing: KeyframeEasing? = nil, origin: ValueOrigin = ValueOrigin(nil)) {
    self.time = time
    self.value = value
    self.easing = easing ?? Self.usualEasing(value.type)
    self.origin = origin
  }

  /// Whole numbers, choices and truth values have nothing in between.
  static func usualEasing(_ type: ValueType) -> KeyframeEasing { type.isFloat ? .linear : .hold }

  package var description: String {
    if let text = value.text {
      return easing == .hold
        ? "\(time): \(text.quotedAsJSON)" : "\(time): {value: \(text.quotedAsJSON), ease: \(easing)}"
    }
    if value.columns != nil {
      let text = "\"\(ValueConversion.plainText(value))\""
      return easing == Self.usualEasing(value.type) ? "\(time): \(text)" : "\(time): {value: \(text), ease: \(easing)}"
    }
    let components = value.components.map { ValueConversion.plainText(Value(.float, [$0])) }
    let text = components.count > 1 ? "[\(components.joined(separator: ", "))]" : ValueConversion.plainText(value)
    return easing == Self.usualEasing(value.type) ? "\(time): \(text)" : "\(time): {value: \(text), ease: \(easing)}"
  }
}

/// What the components of vectors are called.
private enum ComponentNames {
  static let position = ["x", "y", "z", "w"]
  static let color = ["r", "g", "b", "a"]

  /// The names of a type's components in the spelling that one of them has; nil for a name that is no component.
  static func all(of type: ValueType, like name: String) -> [String]? {
    guard !type.isMatrix, (2...4).contains(type.componentCount) else { return nil }
    return [position, color].map { Array($0.prefix(type.componentCount)) }.first { $0.contains(name) }
  }
}

/// When a key of keyframes happens: `1.5s`, `1:30`, `24f`.
package enum KeyTime: Sendable, Hashable, CustomStringConvertible {
  /// Seconds on the shot's clock.
  case seconds(Rational)
  /// The number of a frame, counted as `--frames` counts.
  case frame(Int)

  /// Reads a time; nil when the text is none.
  ///
  /// `1.5s`, `250ms`, `1001/24s`, minutes and seconds `1:30`, hours `1:02:03.5`, and a frame number `24f`.
  package init?(_ text: String) {
    if text.hasSuffix("f") {
      guard let number = Int(text.dropLast()), number.magnitude <= FrameRange.largestFrame.magnitude else { return nil }
      self = .frame(number)
    } else {
      // A number alone could be meant as either.
      guard Rational(text) == nil, let seconds = Rational(seconds: text) else { return nil }
      self = .seconds(seconds)
    }
  }

  /// The exact time on a clock, in seconds.
  package func seconds(on clock: ShotClock) -> Rational {
    switch self {
    case .seconds(let seconds): seconds
    case .frame(let number): clock.time(ofFrame: number)
    }
  }

  package var description: String {
    switch self {
    case .seconds(let seconds): "\(seconds)s"
    case .frame(let number): "\(number)f"
    }
  }
}

// MARK: evaluating

/// Keys in the order of their times on a clock, ready to be evaluated.
struct KeyframeCurve: Sendable {
  private let times: [Double]
  private let keys: [Keyframe]

  /// Sorts keys; two at the same time are refused at the second one.
  init(_ keys: [Keyframe], clock: ShotClock) throws(DiagnosticsError) {
    let timed = keys.map { (seconds: $0.time.seconds(on: clock), key: $0) }
    let sorted = timed.indices.sorted { (timed[$0].seconds, $0) < (timed[$1].seconds, $1) }.map { timed[$0] }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.seconds == second.seconds {
      throw Self.sameTime(first.key, second.key, clock)
    }
    if let first = sorted.first?.key, sorted.count > 1, ![.linear, .hold].contains(first.easing) {
      throw Self.easedStart(first)
    }
    times = sorted.map(\.seconds.double)
    self.keys = sorted.map(\.key)
  }

  private static func sameTime(_ first: Keyframe, _ second: Keyframe, _ clock: ShotClock) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "value.keyframes", "'\(first.time)' and '\(second.time)' are the same time at \(clock.rate.description) frames a second",
        labels: second.origin.labels("again") + first.origin.labels("first"), help: ["keep one of them"]))
  }

  private static func easedStart(_ first: Keyframe) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "value.keyframes", "'\(first.easing)' has no effect on the first key, which nothing leads to",
        labels: first.origin.labels("the first key"),
        help: ["'ease' says how a key is reached: move it to the next key"]))
  }

  /// The key that is reached next at a time, or the last one.
  func key(at time: Double) -> Keyframe { keys[min(index(after: time), keys.count - 1)] }

  /// The value of the key that was reached last at a time, or of the first one.
  func heldValue(at time: Double) -> Value { keys[max(index(after: time) - 1, 0)].value }

  /// The components of the value at a time.
  func components(at time: Double) -> [Double] {
    let next = index(after: time)
    if next == 0 { return keys[0].value.components }
    if next == keys.count { return keys[next - 1].value.components }
    let part = (time - times[next - 1]) / (times[next] - times[next - 1])
    let progress = keys[next].easing.progress(at: part)
    return zip(keys[next - 1].value.components, keys[next].value.components).map { from, to in
      progress == 1 ? to : from + (to - from) * progress
    }
  }

  /// The index of the first key behind a time.
  private func index(after time: Double) -> Int {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: reading

/// Reads keyframes of one parameter.
struct KeyframesReader {
  private let parameter: FilterParameter

  init(_ parameter: FilterParameter) { self.parameter = parameter }

  func read(_ members: [LocatedNode.Member], _ place: SourceRange) throws(DiagnosticsError) -> Keyframes {
    guard let first = members.first else {
      throw DiagnosticsError(diagnostic("keyframes without a key", place, "empty", help: ["write '{0s: 0, 24f: 1}'"]))
    }
    guard let names = ComponentNames.all(of: parameter.kind.valueType, like: first.key) else { return .together(try keys(members)) }
    return .byComponent(try components(members, names, place))
  }

  // MARK: components

  private func components(
    _ members: [LocatedNode.Member], _ names: [String], _ place: SourceRange
  ) throws(DiagnosticsError) -> [[Keyframe]] {
    var diagnostics = members.filter { !names.contains($0.key) }.map {
      diagnostic(
        "'\(parameter.name)' has no component '\($0.key)'", $0.keyPlace, "unknown",
        help: ["its components: \(names.joined(separator: ", "))"])
    }
    var curves: [[Keyframe]] = []
    for (index, name) in names.enumerated() {
      guard let member = members.first(where: { $0.key == name }) else {
        diagnostics.append(diagnostic("the component '\(name)' of '\(parameter.name)' is missing", place, "no '\(name)'"))
        continue
      }
      do throws(DiagnosticsError) {
        curves.append(try KeyframesReader(parameter.component(index, named: name)).curve(member))
      } catch {
        diagnostics += error.diagnostics
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    return curves
  }

  /// The keys of one component; a single number is one key.
  private func curve(_ member: LocatedNode.Member) throws(DiagnosticsError) -> [Keyframe] {
    if let members = member.value.members {
      guard !members.isEmpty else { throw DiagnosticsError(diagnostic("keyframes without a key", member.value.place, "empty")) }
      return try keys(members)
    }
    return [Keyframe(.seconds(.zero), try value(member.value), origin: ValueOrigin(member.value.place))]
  }

  // MARK: keys

  private func keys(_ members: [LocatedNode.Member]) throws(DiagnosticsError) -> [Keyframe] {
    var keys: [Keyframe] = []
    var diagnostics: [Diagnostic] = []
    for member in members {
      do throws(DiagnosticsError) { keys.append(try key(member)) } catch { diagnostics += error.diagnostics }
    }
    if let uneven = diagnostics.isEmpty ? uneven(keys) : nil { diagnostics.append(uneven) }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    return keys
  }

  /// Lists of different sizes have nothing in between.
  private func uneven(_ keys: [Keyframe]) -> Diagnostic? {
    guard parameter.list != nil, parameter.kind != .text, let first = keys.first else { return nil }
    func size(_ value: Value) -> String {
      parameter.list == .curve ? "\(value.rows.count) points" : "\(value.rows.count)×\(value.columns ?? 1) numbers"
    }
    guard let other = keys.first(where: { size($0.value) != size(first.value) }), let place = other.origin.place else { return nil }
    return diagnostic(
      "between \(size(first.value)) and \(size(other.value)) nothing is defined", place, "of another size",
      help: [parameter.list == .curve ? "give all keys as many points: more points on a line change little" : "give all keys the same size"]
    )
  }

  private func key(_ member: LocatedNode.Member) throws(DiagnosticsError) -> Keyframe {
    guard let time = KeyTime(member.key) else { throw DiagnosticsError(noTime(member)) }
    let origin = ValueOrigin(SourceRange(member.keyPlace.source, member.keyPlace.range.lowerBound..<member.value.place.range.upperBound))
    guard let settings = member.value.members else { return Keyframe(time, try value(member.value), origin: origin) }
    let known = ["value", "ease"]
    if let unknown = settings.first(where: { !known.contains($0.key) }) {
      throw DiagnosticsError(
        diagnostic(
          "a key has a value and an easing, found '\(unknown.key)'", unknown.keyPlace, "unknown",
          help: NearestName.find(unknown.key, in: known).map { ["did you mean '\($0)'?"] } ?? ["write '{value: 1, ease: cubic-in-out}'"]))
    }
    guard let given = settings.first(where: { $0.key == "value" }) else {
      throw DiagnosticsError(diagnostic("the key '\(member.key)' has no value", member.value.place, "no 'value'"))
    }
    let value = try value(given.value)
    guard let ease = settings.first(where: { $0.key == "ease" }) else { return Keyframe(time, value, origin: origin) }
    return Keyframe(time, value, easing: try easing(ease.value), origin: origin)
  }

  private func noTime(_ member: LocatedNode.Member) -> Diagnostic {
    let isNumber = Rational(member.key) != nil
    return diagnostic(
      "expected a time, found '\(member.key)'", member.keyPlace, isNumber ? "seconds or a frame?" : "no time",
      help: [isNumber ? "write '\(member.key)s' for seconds, or '\(member.key)f' for a frame" : "write '1.5s', '1:30' or '24f'"])
  }

  private func value(_ node: LocatedNode) throws(DiagnosticsError) -> Value {
    if parameter.kind == .text {
      guard let text = node.scalar else { throw DiagnosticsError(diagnostic("a key of a text is one text", node.place, "several values")) }
      return try ParameterCheck(parameter).read(text, at: node.place)
    }
    guard let text = node.list, !AnimatedValue.isAnimated(text) else {
      throw DiagnosticsError(
        diagnostic("a key has a plain value", node.place, "not plain", help: ["an expression stands alone, instead of keyframes"]))
    }
    return try ParameterCheck(parameter).read(text, at: node.place)
  }

  private func easing(_ node: LocatedNode) throws(DiagnosticsError) -> KeyframeEasing {
    guard let text = node.list, let easing = KeyframeEasing(text) else {
      let nearest = node.scalar.flatMap { NearestName.find($0, in: KeyframeEasing.names) }
      throw DiagnosticsError(
        diagnostic(
          "expected an easing, found '\(node.list ?? "…")'", node.place, "unknown", help: nearest.map { ["did you mean '\($0)'?"] } ?? [],
          notes: [
            "easings: linear, hold, cubic-bezier(x1, y1, x2, y2) with x from 0 to 1, and -in, -out or -in-out behind "
              + KeyframeEasing.Curve.allCases.map(\.rawValue).joined(separator: ", ")
          ]))
    }
    guard easing == .hold || parameter.kind.valueType.isFloat else {
      throw DiagnosticsError(
        diagnostic("'\(parameter.name)' has nothing between two keys: its values hold", node.place, "no easing", help: ["leave 'ease' out"])
      )
    }
    return easing
  }

  private func diagnostic(_ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []) -> Diagnostic
  {
    Diagnostic("value.keyframes", message, labels: [place.label(label)], help: help, notes: notes)
  }
}

extension FilterParameter {
  /// A parameter for one component of the values of a vector.
  fileprivate func component(_ index: Int, named componentName: String) -> FilterParameter {
    let type: ValueType = kind.valueType.isFloat ? .float : .int
    func part(_ value: Value) -> Value { Value(type, [value.components[index]]) }
    var parameter = FilterParameter(
      name: "\(name).\(componentName)", kind: ParameterKind(type), defaultValue: part(defaultValue), place: place)
    parameter.minimum = minimum.map(part)
    parameter.maximum = maximum.map(part)
    parameter.step = step
    return parameter
  }
}
