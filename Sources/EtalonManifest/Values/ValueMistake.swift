internal import EtalonDiagnostics
internal import EtalonTypes

/// A value that a person typed, with the words for what can be wrong with it.
struct TypedValue {
  let name: String
  let text: String
  private let namePlace: SourceRange
  private let place: SourceRange

  /// A value of the command line, typed as `NAME=VALUE`.
  init(name: String, text: String) {
    self.name = name
    self.text = text
    (namePlace, place) = SettingText.places(name: name, value: text)
  }

  /// A value that stands in a document.
  init(name: String, text: String, at place: SourceRange) {
    self.name = name
    self.text = text
    namePlace = place
    self.place = place
  }

  /// A label under the value.
  func valueLabel(_ label: String) -> Diagnostic.Label { .init(place.source, place.range, label) }

  /// The value is of another type than the one that is declared.
  func wrongType(_ kind: ParameterKind, declaredAt place: SourceRange?, help: [String]) -> Diagnostic {
    let type = kind == .color ? "color" : kind.valueType.rawValue
    let declaration = place.map { [Diagnostic.Label($0.source, $0.range, "declared as \(type)")] } ?? []
    let article = type.hasPrefix("i") ? "an" : "a"
    return Diagnostic(
      "value.type", "'\(text)' is no value for '\(name)'", labels: [valueLabel("not \(article) \(type)")] + declaration, help: help
    )
  }

  /// A whole number beyond what the type holds; nil for any other text.
  func tooLarge(_ kind: ParameterKind, declaredAt place: SourceRange?) -> Diagnostic? {
    let type = kind.valueType
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard type == .int || type == .uint, kind != .choice, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      type == .int || !text.hasPrefix("-")
    else { return nil }
    let declaration = place.map { [Diagnostic.Label($0.source, $0.range, "declared as \(type.rawValue)")] } ?? []
    let range = type == .int ? "\(Int32.min) to \(Int32.max)" : "0 to \(UInt32.max)"
    return Diagnostic(
      "value.type", "'\(text)' is beyond the whole numbers that '\(name)' can be", labels: [valueLabel("too large")] + declaration,
      help: ["give a whole number from \(range)"])
  }

  /// Nothing of this name can be set.
  ///
  /// - Parameter nearest: what was meant, where something else than the spelling tells it.
  func unknownName(in filter: String, known: [String], nearest: String? = nil) -> Diagnostic {
    let list = known.isEmpty ? "it has nothing that can be set" : "can be set: \(known.joined(separator: ", "))"
    return Diagnostic(
      "value.unknown-name", "'\(filter)' has no parameter or constant '\(name)'",
      labels: [.init(namePlace.source, namePlace.range, "not found")],
      help: (nearest ?? NearestName.find(name, in: known)).map { ["did you mean '\($0)'?"] } ?? [], notes: [list])
  }
}
