internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Curves, matrices and texts among the inputs of a header.
extension HeaderValues {
  /// A curve or a matrix; nil when it has no default that can be used, which is reported.
  mutating func list(_ kind: ParameterKind) -> FilterParameter? {
    let isCurve = kind == .curve
    guard let shape = isCurve ? .curve : matrix() else { return nil }
    if BuiltInFunctions.names.contains(name.value), shape.matrixType == nil {
      members.report(
        "native.name", "'\(name.value)' is a function of GLSL, and a \(kind.rawValue) is called like one", at: name.place,
        "the name of the input", help: ["rename it"])
      return nil
    }
    let initial = value("DEFAULT", shape)
    let isMissing = members.object["DEFAULT"] == nil
    if !isCurve, isMissing { members.reportMissing("DEFAULT", help: ["write \"DEFAULT\": [[1, 0], [0, 1]], a list of rows"]) }
    let identity = value("IDENTITY", shape)
    let usual = isCurve && isMissing ? Value(rows: [[0, 0], [1, 1]]) : nil
    guard let standard = initial ?? usual else { return nil }
    var parameter = FilterParameter(name: name.value, kind: kind, defaultValue: standard, place: name.place)
    parameter.list = shape
    parameter.identity = identity
    return parameter
  }

  /// `ROWS` and `COLUMNS`, each a number or the fewest and the most; nil when one of them is missing or cannot be, which is reported.
  private mutating func matrix() -> ListShape? {
    let (rows, columns) = (side("ROWS"), side("COLUMNS"))
    guard let rows, let columns else { return nil }
    return .matrix(rows: rows, columns: columns)
  }

  private mutating func side(_ key: String) -> ClosedRange<Int>? {
    members.reportMissing(key, help: ["write \"\(key)\": 3, or [1, 15] for the fewest and the most"])
    guard let json = members.value(key) else { return nil }
    let numbers = (json.elements ?? [json]).map { $0.number.flatMap(Int.init(exactly:)) }.compactMap(\.self)
    let count = json.elements?.count ?? 1
    guard numbers.count == count, (1...2).contains(count), numbers.allSatisfy(ListShape.sides.contains), numbers[0] <= numbers[count - 1]
    else {
      let sides = "from \(ListShape.sides.lowerBound) to \(ListShape.sides.upperBound)"
      members.report(
        "native.matrix", "'\(key)' of \(owner) is no number \(sides), and no two of them", at: json.place, json.kind,
        help: ["write \"\(key)\": 3, or [1, 15] for the fewest and the most"])
      return nil
    }
    return numbers[0]...numbers[count - 1]
  }

  /// The value of a key: a list of rows, or the text that a person types.
  private mutating func value(_ key: String, _ shape: ListShape) -> Value? {
    guard let json = members.value(key) else { return nil }
    guard let value = Self.value(json, shape) else {
      let isCurve = shape == .curve
      members.report(
        "native.value", "'\(key)' of \(owner) is not a list of \(isCurve ? "points" : "rows")", at: json.place, json.kind,
        help: ["expected \(isCurve ? "[[0, 0], [1, 1]]" : "[[1, 0], [0, 1]]"), or \(shape.example)"])
      return nil
    }
    guard let (complaint, label, help) = shape.violation(of: value) else { return value }
    members.report("native.value", "'\(key)' of \(owner) \(complaint)", at: json.place, label, help: [help])
    return nil
  }

  private static func value(_ json: LocatedJSON, _ shape: ListShape) -> Value? {
    if case .string(let text) = json.content { return try? shape.read(text) }
    guard let elements = json.elements, !elements.isEmpty else { return nil }
    let rows = elements.map { row in
      (row.elements ?? []).map(\.number).compactMap { $0.flatMap { $0.magnitude <= Double(Float.greatestFiniteMagnitude) ? $0 : nil } }
    }
    let isWhole = zip(rows, elements).allSatisfy { $0.count == $1.elements?.count && $0.count == rows[0].count && !$0.isEmpty }
    return isWhole ? Value(rows: rows) : nil
  }
}

// MARK: - texts

extension HeaderValues {
  /// A text; nil when it has no default that can be used, which is reported.
  mutating func text() -> FilterParameter? {
    if BuiltInFunctions.names.contains(name.value) {
      members.report(
        "native.name", "'\(name.value)' is a function of GLSL, and a text is called like one", at: name.place, "the name of the input",
        help: ["rename it"])
      return nil
    }
    members.reportMissing("DEFAULT", help: ["write \"DEFAULT\": \"\""])
    guard let longest = longest(), let allowed = characters() else { return nil }
    let rules = CharacterRules(longest: longest, allowed: allowed)
    // Both are drawn without a font, too.
    let initial = text("DEFAULT", rules)
    let identity = text("IDENTITY", rules)
    font = members.string("FONT")
    guard let initial else { return nil }
    var parameter = FilterParameter(name: name.value, kind: .text, defaultValue: initial, place: name.place)
    parameter.list = .text(CharacterRules(longest: longest, allowed: allowed, font: font?.value))
    parameter.identity = identity
    return parameter
  }

  /// `LENGTH`, the most characters; nil for what is no such number, which is reported.
  private mutating func longest() -> Int? {
    guard let json = members.value("LENGTH") else { return CharacterRules.usualLength }
    if let number = json.number.flatMap(Int.init(exactly:)), CharacterRules.lengths.contains(number) { return number }
    let lengths = "\(CharacterRules.lengths.lowerBound) to \(CharacterRules.lengths.upperBound)"
    members.report(
      "native.text", "'LENGTH' of \(owner) is no whole number from \(lengths)", at: json.place, json.kind,
      help: ["write \"LENGTH\": \(CharacterRules.usualLength)"])
    return nil
  }

  /// `CHARACTERS`, the ranges of code points that the text draws; nil for what is none, which is reported.
  private mutating func characters() -> [ClosedRange<UInt32>]? {
    guard let written = members.strings("CHARACTERS") else { return members.object["CHARACTERS"] == nil ? [] : nil }
    var ranges: [ClosedRange<UInt32>] = []
    for text in written {
      guard let range = CharacterRules.range(text.value) else {
        members.report(
          "native.text", "'\(text.value)' is no range of characters", at: text.place, "not understood",
          help: ["write code points, such as \"U+0020-U+007E\" or \"U+20AC\""])
        return nil
      }
      ranges.append(range)
    }
    return ranges
  }

  private mutating func text(_ key: String, _ rules: CharacterRules) -> Value? {
    guard let written = members.string(key) else { return nil }
    do throws(ListShape.ReadingError) {
      let value = try rules.read(written.value)
      guard let (complaint, label, help) = rules.violation(of: value) else { return value }
      members.report("native.value", "'\(key)' of \(owner) \(complaint)", at: written.place, label, help: [help])
    } catch {
      members.report(
        "native.value", "'\(key)' of \(owner) \(error.complaint ?? "cannot be read")", at: written.place, error.label, help: [error.help])
    }
    return nil
  }
}
