package import EtalonDiagnostics

/// A value with its place in the author's text.
package struct Placed<Value: Sendable & Hashable>: Sendable, Hashable {
  package let value: Value
  package let place: SourceRange

  package init(_ value: Value, at place: SourceRange) {
    self.value = value
    self.place = place
  }
}

/// Takes the members of a JSON object one by one as what they should be, and notes what is wrong with them.
///
/// ```swift
/// var header = JSONMembers(value, of: "the header")
/// let description = header.string("DESCRIPTION")
/// header.reportUnknownKeys(as: .warning)
/// ```
/// A missing member is nil; so is one of the wrong type, which is reported.
package struct JSONMembers: Sendable {
  /// The object that the members belong to.
  package let object: LocatedJSON
  /// What the object is, for messages: `the input 'scale'`.
  private let owner: String
  /// Whether `null` counts as no member at all.
  private let ignoresNull: Bool
  /// The keys that there are, in the order of messages; nil where every key exists that is asked for.
  package var known: [String]?
  private var asked: [String] = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// Prepares to take members; reports a value that is no object and then has none.
  ///
  /// - Parameter known: the keys that the object may have; the others have no value.
  package init(_ object: LocatedJSON, of owner: String, known: [String]? = nil, ignoresNull: Bool = false) {
    self.object = object
    self.owner = owner
    self.known = known
    self.ignoresNull = ignoresNull
    if object.members == nil { reportType(of: object, named: owner, expected: "an object") }
  }

  // MARK: taking

  /// The value of a key, whatever it is.
  package mutating func value(_ key: String) -> LocatedJSON? {
    if !asked.contains(key) { asked.append(key) }
    guard known?.contains(key) ?? true else { return nil }
    return object[key].flatMap { ignoresNull && $0.content == .null ? nil : $0 }
  }

  package mutating func string(_ key: String) -> Placed<String>? {
    take(key, "a string") { if case .string(let text) = $0.content { text } else { nil } }
  }

  package mutating func number(_ key: String) -> Placed<Double>? {
    guard let number = take(key, "a number", \.number) else { return nil }
    return finite(number, key)
  }

  package mutating func bool(_ key: String) -> Placed<Bool>? {
    take(key, "true or false") { if case .bool(let isTrue) = $0.content { isTrue } else { nil } }
  }

  package mutating func array(_ key: String) -> Placed<[LocatedJSON]>? { take(key, "an array", \.elements) }

  package mutating func object(_ key: String) -> LocatedJSON? {
    take(key, "an object") { $0.members == nil ? nil : $0 }?.value
  }

  /// The strings of an array; elements that are none are reported.
  package mutating func strings(_ key: String) -> [Placed<String>]? {
    array(key)?.value.compactMap { element in
      if case .string(let text) = element.content { return Placed(text, at: element.place) }
      reportType(of: element, named: "an element of '\(key)'", expected: "a string")
      return nil
    }
  }

  /// The numbers of an array; elements that are none are reported, and then there is no value.
  package mutating func numbers(_ key: String) -> Placed<[Double]>? {
    guard let array = array(key) else { return nil }
    let numbers = array.value.compactMap { element in
      guard let number = element.number else {
        reportType(of: element, named: "an element of '\(key)'", expected: "a number")
        return nil as Double?
      }
      return finite(Placed(number, at: element.place), key)?.value
    }
    return numbers.count == array.value.count ? Placed(numbers, at: array.place) : nil
  }

  private mutating func take<T>(_ key: String, _ expected: String, _ convert: (LocatedJSON) -> T?) -> Placed<T>? {
    guard let value = value(key) else { return nil }
    if let converted = convert(value) { return Placed(converted, at: value.place) }
    reportType(of: value, named: "'\(key)' of \(owner)", expected: expected)
    return nil
  }

  private mutating func finite(_ number: Placed<Double>, _ key: String) -> Placed<Double>? {
    if number.value.magnitude <= Double(Float.greatestFiniteMagnitude) { return number }
    report("json.number-range", "'\(key)' of \(owner) is too large for a shader", at: number.place, "too large")
    return nil
  }

  // MARK: reporting

  /// Reports that a key which has to be there is not.
  package mutating func reportMissing(_ key: String, help: [String] = []) {
    guard case .object = object.content, object[key] == nil else { return }
    let start = object.place.range.lowerBound
    report("json.missing-key", "\(owner) has no '\(key)'", at: SourceRange(object.place.source, start..<start + 1), "in here", help: help)
  }

  /// Reports the keys that do not exist, each with the most similar key that does.
  package mutating func reportUnknownKeys(as severity: Diagnostic.Severity) {
    let keys = known ?? asked
    for member in object.members ?? [] where !keys.contains(member.key) {
      let help = NearestName.find(member.key, in: keys).map { ["did you mean '\($0)'?"] } ?? []
      report(
        "json.unknown-key", "\(owner) has no key '\(member.key)'", severity: severity, at: member.keyPlace,
        severity == .error ? "unknown" : "not read", help: help, notes: help.isEmpty ? ["keys: \(keys.joined(separator: ", "))"] : [])
    }
  }

  /// Reports something about a value.
  package mutating func report(
    _ id: String, _ message: String, severity: Diagnostic.Severity = .error, at place: SourceRange, _ label: String,
    further: [Diagnostic.Label] = [], help: [String] = [], notes: [String] = []
  ) {
    diagnostics.report(id, message, severity: severity, at: place, label, further: further, help: help, notes: notes)
  }

  /// Reports a value of the wrong type.
  package mutating func reportType(of value: LocatedJSON, named name: String, expected: String) {
    var help: [String] = []
    if case .string(let text) = value.content, expected == "a number", JSONNumber.form(of: text[...]) != .none {
      help = ["remove the quotes"]
    }
    report("json.type", "\(name) is \(value.kind), expected \(expected)", at: value.place, value.kind, help: help)
  }
}
