internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// Reads keyframes of one parameter.
struct KeyframesReader {
  private let parameter: FilterParameter

  init(_ parameter: FilterParameter) { self.parameter = parameter }

  func read(_ members: [LocatedNode.Member], _ place: SourceRange) throws(DiagnosticsError) -> Keyframes {
    guard let first = members.first else {
      throw DiagnosticsError(mistake("keyframes without a key", place, "empty", help: ["write '{0s: 0, 24f: 1}'"]))
    }
    guard let names = ComponentNames.all(of: parameter.kind.valueType, like: first.key) else { return .together(try keys(members)) }
    return .byComponent(try components(members, names, place))
  }

  // MARK: components

  private func components(
    _ members: [LocatedNode.Member], _ names: [String], _ place: SourceRange
  ) throws(DiagnosticsError) -> [[Keyframe]] {
    var mistakes = members.filter { !names.contains($0.key) }.map {
      mistake(
        "'\(parameter.name)' has no component '\($0.key)'", $0.keyPlace, "unknown",
        help: ["its components: \(names.joined(separator: ", "))"])
    }
    var curves: [[Keyframe]] = []
    for (index, name) in names.enumerated() {
      guard let member = members.first(where: { $0.key == name }) else {
        mistakes.append(mistake("the component '\(name)' of '\(parameter.name)' is missing", place, "no '\(name)'"))
        continue
      }
      do throws(DiagnosticsError) {
        curves.append(try KeyframesReader(parameter.component(index, named: name)).curve(member))
      } catch {
        mistakes += error.diagnostics
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return curves
  }

  /// The keys of one component; a single number is one key.
  private func curve(_ member: LocatedNode.Member) throws(DiagnosticsError) -> [Keyframe] {
    if let members = member.value.members {
      guard !members.isEmpty else { throw DiagnosticsError(mistake("keyframes without a key", member.value.place, "empty")) }
      return try keys(members)
    }
    return [Keyframe(.seconds(.zero), try value(member.value), origin: ValueOrigin(member.value.place))]
  }

  // MARK: keys

  private func keys(_ members: [LocatedNode.Member]) throws(DiagnosticsError) -> [Keyframe] {
    var keys: [Keyframe] = []
    var mistakes: [Diagnostic] = []
    for member in members {
      do throws(DiagnosticsError) { keys.append(try key(member)) } catch { mistakes += error.diagnostics }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return keys
  }

  private func key(_ member: LocatedNode.Member) throws(DiagnosticsError) -> Keyframe {
    guard let time = KeyTime(member.key) else { throw DiagnosticsError(noTime(member)) }
    let origin = ValueOrigin(SourceRange(member.keyPlace.source, member.keyPlace.range.lowerBound..<member.value.place.range.upperBound))
    guard let settings = member.value.members else { return Keyframe(time, try value(member.value), origin: origin) }
    let known = ["value", "ease"]
    if let unknown = settings.first(where: { !known.contains($0.key) }) {
      throw DiagnosticsError(
        mistake(
          "a key has a value and an easing, found '\(unknown.key)'", unknown.keyPlace, "unknown",
          help: NearestName.find(unknown.key, in: known).map { ["did you mean '\($0)'?"] } ?? ["write '{value: 1, ease: cubic-in-out}'"]))
    }
    guard let given = settings.first(where: { $0.key == "value" }) else {
      throw DiagnosticsError(mistake("the key '\(member.key)' has no value", member.value.place, "no 'value'"))
    }
    let value = try value(given.value)
    guard let ease = settings.first(where: { $0.key == "ease" }) else { return Keyframe(time, value, origin: origin) }
    return Keyframe(time, value, easing: try easing(ease.value), origin: origin)
  }

  private func noTime(_ member: LocatedNode.Member) -> Diagnostic {
    let isNumber = Rational(member.key) != nil
    return mistake(
      "expected a time, found '\(member.key)'", member.keyPlace, isNumber ? "seconds or a frame?" : "no time",
      help: [isNumber ? "write '\(member.key)s' for seconds, or '\(member.key)f' for a frame" : "write '1.5s', '1:30' or '24f'"])
  }

  private func value(_ node: LocatedNode) throws(DiagnosticsError) -> Value {
    guard let text = node.list, !AnimatedValue.isAnimated(text) else {
      throw DiagnosticsError(
        mistake("a key has a plain value", node.place, "not plain", help: ["an expression stands alone, instead of keyframes"]))
    }
    return try ParameterCheck(parameter).read(text, at: node.place)
  }

  private func easing(_ node: LocatedNode) throws(DiagnosticsError) -> Easing {
    guard let text = node.list, let easing = Easing(text) else {
      let nearest = node.scalar.flatMap { NearestName.find($0, in: Easing.names) }
      throw DiagnosticsError(
        mistake(
          "expected an easing, found '\(node.list ?? "…")'", node.place, "unknown", help: nearest.map { ["did you mean '\($0)'?"] } ?? [],
          notes: [
            "easings: linear, hold, cubic-bezier(x1, y1, x2, y2) with x from 0 to 1, and -in, -out or -in-out behind "
              + Easing.Curve.allCases.map(\.rawValue).joined(separator: ", ")
          ]))
    }
    guard easing == .hold || parameter.kind.valueType.isFloat else {
      throw DiagnosticsError(
        mistake("'\(parameter.name)' has nothing between two keys: its values hold", node.place, "no easing", help: ["leave 'ease' out"]))
    }
    return easing
  }

  private func mistake(_ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []) -> Diagnostic {
    Diagnostic("value.keyframes", message, labels: [.init(place.source, place.range, label)], help: help, notes: notes)
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
