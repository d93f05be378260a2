package import EtalonDiagnostics
internal import EtalonManifest

/// Reads stages as they are typed on a command line, and as the strings of chains in documents: `photo.png | gaussian-blur sigma=6`.
///
/// Each stage reads the one before it; what reads no picture begins a new chain, and the last chain is the result. What the words mean —
/// which of them are image inputs — is known when the filters are loaded.
///
/// **Concurrency**: an immutable value.
package struct StageParser: Sendable {
  /// Whether the file that a word names is a picture, not a filter.
  private let isPicture: @Sendable (String) -> Bool
  /// Whether a word with blanks is the name of a file.
  private let isFile: @Sendable (String) -> Bool

  package init(isPicture: @escaping @Sendable (String) -> Bool, isFile: @escaping @Sendable (String) -> Bool) {
    self.isPicture = isPicture
    self.isFile = isFile
  }

  /// Reads arguments that are stages, or have several with ` | ` between them; all errors are thrown together.
  package func graph(_ arguments: [String]) throws(DiagnosticsError) -> GraphText {
    try graph(
      arguments.enumerated().map { index, argument in
        let source = SourceText(path: arguments.count == 1 ? "stages" : "stage \(index + 1)", text: argument)
        return GraphText.Word(argument, at: SourceRange(source, 0..<source.bytes.count))
      })
  }

  /// The arguments with values that a shell made arguments of their own put behind their stage: `vignette amount=1` without quotes.
  package static func joined(_ arguments: [String]) -> [String] {
    arguments.reduce(into: []) { stages, argument in
      let name = argument.prefix { $0 != "=" }
      let isValue = name.count < argument.count && !name.isEmpty && name.utf8.allSatisfy(StageReader.isOfNames) && !name.contains(".")
      guard isValue, let stage = stages.last, stage != "-" else { return stages.append(argument) }
      let value = argument.dropFirst(name.count + 1)
      let isOneWord = !value.contains(" ") || value.first.map { "\"'([{".contains($0) } ?? false
      stages[stages.count - 1] = "\(stage) \(name)=\(isOneWord ? String(value) : "\"\(value)\"")"
    }
  }

  /// Reads stages that stand in a document; all errors are thrown together, each at its place there.
  package func graph(_ texts: [GraphText.Word]) throws(DiagnosticsError) -> GraphText {
    var stages: [Stage] = []
    var diagnostics: [Diagnostic] = []
    for text in texts {
      do throws(DiagnosticsError) { stages += try self.stages(text) } catch { diagnostics += error.diagnostics }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    return try StageChain(stages).graph()
  }

  private func stages(_ text: GraphText.Word) throws(DiagnosticsError) -> [Stage] {
    if isFile(text.text) { return [try StageReader(isPicture: isPicture).stage(file: text)] }
    let place = text.writtenOut ?? SourceRange(of: text.text)
    let words = try StageWords.all(in: place)
    let groups = words.split(omittingEmptySubsequences: false) { $0.text == "|" }
    var stages: [Stage] = []
    for (index, group) in groups.enumerated() {
      if let name = group.first, group.count == 1, name.text.hasPrefix("@") {
        throw Self.noStage(name, next: groups.dropFirst(index + 1).first?.first?.text)
      }
      guard !group.isEmpty else {
        throw DiagnosticsError(
          Diagnostic(
            "stage.empty", "a stage has no words", labels: [place.label("empty between, before or behind '|'")],
            help: ["write a filter, an operation or a picture on both sides of every '|'"]))
      }
      stages.append(try StageReader(isPicture: isPicture).stage(Array(group)))
    }
    return stages
  }

  /// Explains what a name is for that stands in the place of a stage.
  private static func noStage(_ name: SourceRange, next: String?) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "stage.name-alone", "'\(name.text)' is a result, not a stage", labels: [name.label("not a stage")],
        help: ["begin with the filter, and give it the result: '\(next ?? "gaussian-blur") inputImage=\(name.text)'"]))
  }
}

extension GraphText.Word {
  /// Where its words stand, perhaps over several lines; nil where they were written with escapes.
  fileprivate var writtenOut: SourceRange? {
    if let verbatim = place.verbatim(text) { return verbatim }
    // A text over several lines has an indicator before it, and blanks for line ends.
    func words(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] { bytes.split { $0 <= 0x20 }.map { Array($0) } }
    let wanted = words(Array(text.utf8)[...])
    let written = place.source.bytes[place.range]
    if words(written) == wanted { return place }
    guard let line = written.firstIndex(of: 0x0A), words(written[line...]) == wanted else { return nil }
    return SourceRange(place.source, line..<place.range.upperBound)
  }
}

/// A stage, read by itself.
struct Stage: Sendable {
  enum Subject: Sendable {
    case picture(GraphText.Word, fields: [LocatedNode.Member])
    case filter(GraphText.Word, settings: [GraphText.Setting])
  }

  /// What is written before a colon.
  let name: GraphText.Word?
  let subject: Subject
}

extension SourceRange {
  /// What is written there.
  var text: String { String(decoding: source.bytes[range], as: UTF8.self) }
}

// MARK: words

/// Splits the text of stages into words at blanks; quotes and brackets keep blanks together.
///
/// ```
/// blur: gaussian-blur sigma=(2 + 3*progress)    →  blur:  gaussian-blur  sigma=(2 + 3*progress)
/// ```
/// A quote counts at the beginning of a word and behind `=`, so that `bob's.png` is a word.
private struct StageWords {
  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  private let source: SourceText
  private let end: Int
  private var offset: Int

  /// The words of a part of a text.
  static func all(in place: SourceRange) throws(DiagnosticsError) -> [SourceRange] {
    var words = StageWords(place)
    var found: [SourceRange] = []
    while let word = try words.next() { found.append(word) }
    return found
  }

  private init(_ place: SourceRange) {
    source = place.source
    offset = place.range.lowerBound
    end = place.range.upperBound
  }

  private var byte: UInt8? { offset < end ? source.bytes[offset] : nil }

  private mutating func next() throws(DiagnosticsError) -> SourceRange? {
    while let byte, byte <= 0x20 { offset += 1 }
    let start = offset
    while let byte, byte > 0x20 {
      let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      if isQuote, offset == start || source.bytes[offset - 1] == UInt8(ascii: "=") {
        try skipQuotes(byte)
      } else if Self.closing[byte] != nil {
        try skipBrackets()
      } else {
        offset += 1
      }
    }
    return offset > start ? SourceRange(source, start..<offset) : nil
  }

  private mutating func skipQuotes(_ quote: UInt8) throws(DiagnosticsError) {
    guard let end = source.bytes[(offset + 1)..<end].firstIndex(of: quote) else {
      throw error("a quote that is never closed", at: offset, help: "end with \(Character(Unicode.Scalar(quote)))")
    }
    offset = end + 1
  }

  private mutating func skipBrackets() throws(DiagnosticsError) {
    var open: [(offset: Int, closing: UInt8)] = []
    repeat {
      guard let byte else {
        let last = open[open.count - 1]
        throw error("a bracket that is never closed", at: last.offset, help: "end with '\(Character(Unicode.Scalar(last.closing)))'")
      }
      if let closing = Self.closing[byte] {
        open.append((offset, closing))
      } else if byte == open[open.count - 1].closing {
        open.removeLast()
      }
      offset += 1
    } while !open.isEmpty
  }

  private func error(_ message: String, at offset: Int, help: String) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("stage.form", message, labels: [.init(source, offset..<offset + 1, "opened here")], help: [help]))
  }
}

// MARK: one stage

/// Reads the words of one stage.
private struct StageReader {
  fileprivate let isPicture: @Sendable (String) -> Bool

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
    // A picture has a folder or an ending in its name, and a stream a protocol.
    if word.text.contains(where: { "/.:".contains($0) }), isPicture(word.text) {
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
        "stage.word", "'\(word.text)' does not take '\(place.text)'", labels: [place.label("unexpected")], help: [help]
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
          "stage.name", "'\(place.text)' cannot be the name of a stage", labels: [place.label("not a name")],
          help: ["names have letters, digits, '-' and '_'"]))
    }
    return .init(place.text, at: place)
  }

  fileprivate static func isOfNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }
}

// MARK: chains

/// Joins stages to a graph: each reads the one before it.
private struct StageChain {
  private let stages: [Stage]
  private var text = GraphText()
  private var diagnostics: [Diagnostic] = []
  private var names: [String: GraphText.Word] = [:]

  init(_ stages: [Stage]) { self.stages = stages }

  func graph() throws(DiagnosticsError) -> GraphText {
    var chain = self
    chain.join()
    guard chain.diagnostics.isEmpty else { throw DiagnosticsError(chain.diagnostics) }
    return chain.text
  }

  private mutating func join() {
    for name in stages.compactMap(\.name) {
      if let first = names[name.text] {
        diagnostics.append(
          Diagnostic(
            "graph.name", "two stages are called '\(name.text)'",
            labels: [
              name.place.label("again"), first.place.label("first"),
            ], help: ["give one of them another name"]))
      }
      names[name.text] = names[name.text] ?? name
    }
    var previous: GraphText.Origin?
    for stage in stages {
      if case .filter(let word, _) = stage.subject, text.nodes.count == ImageRecipe.mostDepth {
        return diagnostics.append(ImageRecipe.tooDeep([word.label("one too many")]))
      }
      previous = add(stage, after: previous)
    }
    guard let previous, let last = stages.last else { return }
    let word: GraphText.Word =
      switch last.subject {
      case .picture(let word, _), .filter(let word, _): word
      }
    text.outputs = [GraphText.Output(name: .init("main", at: word.place), origin: previous)]
  }

  /// Adds a stage; returns where its picture comes from.
  private mutating func add(_ stage: Stage, after previous: GraphText.Origin?) -> GraphText.Origin {
    switch stage.subject {
    case .picture(let word, let fields):
      let origin = GraphText.Origin.file(word, fields: fields)
      if let name = stage.name { text.inputs[name.text] = origin }
      return origin
    case .filter(let word, let settings):
      let name = stage.name ?? .init(freeName(for: word.text), at: word.place)
      names[name.text] = name
      let inputs = previous.map { [GraphText.Input(name: nil, origin: $0, isImplied: true)] } ?? []
      text.nodes.append(.init(name: name, filter: word, inputs: inputs, settings: settings, isStage: true))
      return .node(name)
    }
  }

  /// `gaussian-blur`, then `gaussian-blur-2`; of a file its name without the extension.
  private func freeName(for word: String) -> String {
    if word == "-" { return freeName(for: "stdin") }
    let file = word.split(separator: "/").last.map(String.init) ?? word
    let stem = file.hasPrefix(".") ? "stage" : file.split(separator: ".").first.map(String.init) ?? "stage"
    guard names[stem] != nil else { return stem }
    return (2...).lazy.map { "\(stem)-\($0)" }.first { names[$0] == nil } ?? stem
  }
}
