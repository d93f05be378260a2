package import EtalonDiagnostics
internal import EtalonTypes

/// One thing that a person said about a sequence, and where: `speed=1/2` behind a pattern, `speed: 1/2` in a document.
package struct SequenceField: Sendable, Hashable {
  package let key: String
  package let value: String
  package let source: SourceText
  package let keyRange: Range<Int>
  package let valueRange: Range<Int>

  package init(key: String, value: String, source: SourceText, keyRange: Range<Int>, valueRange: Range<Int>) {
    self.key = key
    self.value = value
    self.source = source
    self.keyRange = keyRange
    self.valueRange = valueRange
  }
}

extension SequenceTiming {
  /// What can be said about a sequence.
  package static let keys = ["rate", "start", "first", "last", "speed", "loop", "missing"]

  /// Reads what was said; all mistakes are thrown together.
  package init(_ fields: [SequenceField]) throws(DiagnosticsError) {
    var timing = SequenceTiming()
    var problems: [Diagnostic] = []
    var seen: Set<String> = []
    for field in fields {
      if !seen.insert(field.key).inserted {
        problems.append(field.repetition)
      } else if let mistake = timing.set(field) {
        problems.append(mistake)
      }
    }
    if let first = timing.first, let last = timing.last, first > last, let field = fields.first(where: { $0.key == "last" }) {
      problems.append(
        field.mistake(
          "sequence.empty", "the last picture, \(last), lies before the first, \(first)", "before the first",
          help: "type 'last=\(first)' or more; 'speed=-1' shows a sequence in reverse"))
    }
    guard problems.isEmpty else { throw DiagnosticsError(problems) }
    self = timing
  }

  /// Takes over one field; returns what is wrong with it.
  private mutating func set(_ field: SequenceField) -> Diagnostic? {
    switch field.key {
    case "rate":
      rate = FrameRate(field.value)
      return rate == nil ? field.mistake("pictures a second above 0 and up to 1000", "not a rate", "rate=24") : nil
    case "start":
      start = Rational(field.value.hasSuffix("s") ? field.value.dropLast() : field.value[...]).flatMap { ShotClock.holds($0) ? $0 : nil }
      return start == nil ? field.mistake("seconds of the shot", "not a time", "start=1.5") : nil
    case "first":
      first = field.number
      return first == nil ? field.mistake("the number of a picture", "not a number", "first=1001") : nil
    case "last":
      last = field.number
      return last == nil ? field.mistake("the number of a picture", "not a number", "last=1240") : nil
    case "speed":
      guard let value = Rational(field.value), value >= Rational(-1000), value <= Rational(1000) else {
        return field.mistake("a speed from -1000 to 1000", "not a speed", "speed=1/2")
      }
      speed = value
      return nil
    case "loop": return field.choose(&loop)
    case "missing": return field.choose(&missing)
    default: return field.unknown
    }
  }
}

extension SequenceField {
  fileprivate var number: Int? { Int(value).flatMap { $0.magnitude <= FrameRange.largestFrame.magnitude ? $0 : nil } }

  fileprivate func mistake(_ expected: String, _ label: String, _ example: String) -> Diagnostic {
    mistake("sequence.\(key)", "expected \(expected), found '\(value)'", label, help: "type '\(example)'")
  }

  fileprivate func mistake(_ id: String, _ message: String, _ label: String, help: String) -> Diagnostic {
    Diagnostic(id, message, labels: [.init(source, valueRange, label)], help: [help])
  }

  fileprivate func choose<Choice: RawRepresentable<String> & CaseIterable>(_ choice: inout Choice) -> Diagnostic? {
    if let known = Choice(rawValue: value) {
      choice = known
      return nil
    }
    let names = Choice.allCases.map(\.rawValue)
    let help = NearestName.find(value, in: names).map { "did you mean '\($0)'?" } ?? "choose from \(names.joined(separator: ", "))"
    return mistake("sequence.\(key)", "'\(key)' of a sequence cannot be '\(value)'", "unknown", help: help)
  }

  fileprivate var repetition: Diagnostic {
    Diagnostic("sequence.repeated", "'\(key)' is there twice", labels: [.init(source, keyRange, "again")], help: ["keep one of them"])
  }

  fileprivate var unknown: Diagnostic {
    let help = NearestName.find(key, in: SequenceTiming.keys).map { "did you mean '\($0)'?" }
    return Diagnostic(
      "sequence.unknown-key", "a sequence has no '\(key)'", labels: [.init(source, keyRange, "unknown")],
      help: [help ?? "what can be said is \(SequenceTiming.keys.map { "'\($0)'" }.joined(separator: ", "))"])
  }
}
