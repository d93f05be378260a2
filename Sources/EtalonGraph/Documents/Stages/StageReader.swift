internal import EtalonDiagnostics
internal import EtalonManifest

/// Reads the words of one stage.
struct StageReader {
  let isPicture: @Sendable (String) -> Bool

  func stage(file word: GraphText.Word) throws(DiagnosticsError) -> Stage { try stage(nil, word, []) }

  func stage(_ words: [SourceRange]) throws(DiagnosticsError) -> Stage {
    var words = words[...]
    var name: GraphText.Word?
    if words.count > 1, let first = words.first, first.text.hasSuffix(":") {
      words.removeFirst()
      name = try self.name(SourceRange(first.source, first.range.lowerBound..<first.range.upperBound - 1))
    }
    guard let first = words.popFirst() else { preconditionFailure("a stage without words") }
    return try stage(name, word(first), Array(words))
  }

  private func stage(_ name: GraphText.Word?, _ word: GraphText.Word, _ rest: [SourceRange]) throws(DiagnosticsError) -> Stage {
    var settings: [GraphText.Setting] = []
    var bare: [SourceRange] = []
    for place in rest {
      if let setting = setting(place) { settings.append(setting) } else { bare.append(place) }
    }
    try refuseTwice(settings)
    if word.text.contains("/") || word.text.contains("."), isPicture(word.text) {
      guard let extra = bare.first else {
        let fields = settings.map { LocatedNode.Member(key: $0.name.text, keyPlace: $0.name.place, value: $0.value) }
        return Stage(name: name, subject: .picture(word, fields: fields))
      }
      throw unexpected(extra, of: word, help: "begin another stage, in an argument of its own or behind ' | '")
    }
    if let operation = ImageOperation(rawValue: word.text), operation != .crop || !bare.isEmpty || settings.isEmpty {
      settings += try operation.settings(bare.map(self.word), of: word)
    } else if let extra = bare.first {
      throw unexpected(extra, of: word, help: Self.help(for: bare.map(\.text)))
    }
    return Stage(name: name, subject: .filter(word, settings: settings))
  }

  /// What to write instead of words that are neither values nor pictures.
  private static func help(for words: [String]) -> String {
    if words[0].hasPrefix("@") { return "name the input: 'inputImage=\(words[0])'" }
    guard words.count > 1, words[1].hasPrefix("=") else { return "parameters are written 'name=value'" }
    let value = words[1] == "=" ? words.dropFirst(2).first ?? "value" : String(words[1].dropFirst())
    return "write it without blanks: '\(words[0])=\(value)'"
  }

  private func refuseTwice(_ settings: [GraphText.Setting]) throws(DiagnosticsError) {
    for (index, setting) in settings.enumerated() {
      guard let first = settings[..<index].first(where: { $0.name.text == setting.name.text }) else { continue }
      throw DiagnosticsError(
        Diagnostic(
          "stage.repeated", "'\(setting.name.text)' has two values", labels: [setting.name.label("again"), first.name.label("first")],
          help: ["keep one of them"]))
    }
  }

  private func unexpected(_ place: SourceRange, of word: GraphText.Word, help: String) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "stage.word", "'\(word.text)' does not take '\(place.text)'", labels: [.init(place.source, place.range, "unexpected")], help: [help]
      ))
  }

  /// A word without its quotes.
  private func word(_ place: SourceRange) -> GraphText.Word {
    guard let first = place.text.first, first == "'" || first == "\"", place.text.count > 1 else { return .init(place.text, at: place) }
    return .init(String(place.text.dropFirst().dropLast()), at: place)
  }

  /// `name=value`; nil for anything else.
  private func setting(_ place: SourceRange) -> GraphText.Setting? {
    let bytes = place.source.bytes[place.range]
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > place.range.lowerBound, bytes[..<equals].allSatisfy(Self.isOfNames)
    else { return nil }
    let name = SourceRange(place.source, place.range.lowerBound..<equals)
    let value = word(SourceRange(place.source, equals + 1..<place.range.upperBound))
    return .init(name: .init(name.text, at: name), value: LocatedNode(.scalar(value.text), at: value.place))
  }

  private func name(_ place: SourceRange) throws(DiagnosticsError) -> GraphText.Word {
    guard place.source.bytes[place.range].allSatisfy({ Self.isOfNames($0) && $0 != UInt8(ascii: ".") }), !place.range.isEmpty else {
      throw DiagnosticsError(
        Diagnostic(
          "stage.name", "'\(place.text)' cannot be the name of a stage", labels: [.init(place.source, place.range, "not a name")],
          help: ["names have letters, digits, '-' and '_'"]))
    }
    return .init(place.text, at: place)
  }

  private static func isOfNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }
}
