internal import EtalonDiagnostics
internal import Yams

/// Says in our words, at the place, why the YAML library refused a text.
struct YAMLMistake {
  private let source: SourceText

  init(_ source: SourceText) {
    self.source = source
  }

  private func place(of mark: Mark) -> Int {
    var places = YAMLPlaces(source)
    return places.offset(of: mark)
  }

  func diagnostic(of error: any Error) -> Diagnostic {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      return syntax(problem, at: place(of: mark), within: context)
    case .duplicatedKeysInMapping(let keys, let context): return duplicate(keys.first ?? "", first: place(of: context.mark))
    case .reader(_, _, let value, _): return character(UInt32(bitPattern: value))
    default: return Diagnostic("yaml.syntax", "the text cannot be read as YAML: \(error)", labels: [.init(source, 0..<0)])
    }
  }

  /// What the library says, and what to do about it; its sentences are a short list.
  private static let explanations: [(sign: String, id: String, message: String, label: String, help: String)] = [
    (
      "mapping values are not allowed", "yaml.colon", "a second ': ' on one line", "unexpected",
      "put a text with ': ' in quotes, or begin a new line"
    ),
    ("found another document", "yaml.documents", "a file holds one document", "a second one", "put it into a file of its own"),
    (
      "undefined alias", "yaml.alias", "a graph has no aliases", "an alias", "write the value, or put a text that begins with '*' in quotes"
    ),
    (
      "found character that cannot start any token", "yaml.token", "a value cannot begin with this character", "unexpected",
      "put it in quotes"
    ),
    (
      "could not find expected ':'", "yaml.colon-missing", "expected 'key: value'", "no ': ' up to here",
      "write a colon and a blank behind the key"
    ),
    (
      "did not find expected key", "yaml.structure", "expected a key as far to the right as the one before it", "not a key",
      "indent keys of one mapping alike, and put a text with brackets or ': ' in quotes"
    ),
    ("did not find expected '-' indicator", "yaml.structure", "expected '- '", "not an element", "indent the elements of a list alike"),
    (
      "did not find expected ',' or '}'", "yaml.bracket", "expected ',' or '}'", "unexpected",
      "separate values by commas and close the bracket"
    ),
    (
      "did not find expected ',' or ']'", "yaml.bracket", "expected ',' or ']'", "unexpected",
      "separate values by commas and close the bracket"
    ),
    ("did not find expected node content", "yaml.value", "expected a value", "nothing here", "remove the comma, or write a value"),
    ("unexpected end of stream", "yaml.string", "a string has no end", "the text ends here", "close it with a quote"),
    ("found unknown escape character", "yaml.escape", "an unknown escape", "unknown", "write '\\\\' for a backslash, or use single quotes"),
  ]

  private func syntax(_ problem: String, at offset: Int, within context: YamlError.Context?) -> Diagnostic {
    let further = context.map { context in
      let start = place(of: context.mark)
      return start == offset || context.text.hasPrefix("expected a single")
        ? [] : [Diagnostic.Label(source, letter(at: start), "began here")]
    }
    let known = Self.explanations.first { problem.contains($0.sign) }
    if known?.id == "yaml.colon", let mistake = indentation(ofColonAt: offset) { return mistake }
    return Diagnostic(
      known?.id ?? "yaml.syntax", known?.message ?? "not YAML: \(problem)",
      labels: [.init(source, letter(at: offset), known?.label ?? "unexpected")] + (further ?? []), help: known.map { [$0.help] } ?? [])
  }

  /// A line that belongs to the value above it only because it stands further right; nil where the line has another colon before this one.
  private func indentation(ofColonAt offset: Int) -> Diagnostic? {
    let bytes = source.bytes
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    guard start > 0, bytes[start] == 0x20, let first = bytes[start..<offset].firstIndex(where: { $0 != 0x20 }),
      bytes[first] != UInt8(ascii: "-"), bytes[first..<offset].firstRange(of: Array(": ".utf8)) == nil
    else { return nil }
    return Diagnostic(
      "yaml.indentation", "the line above has a value, and this one stands further right",
      labels: [.init(source, first..<offset, "further right")],
      help: ["begin it in the column of the key above, or put that text in quotes"])
  }

  /// The character at a place; at the end of a line the place itself.
  private func letter(at offset: Int) -> Range<Int> {
    guard offset < source.bytes.count, source.bytes[offset] != 0x0A, source.bytes[offset] != 0x0D else { return offset..<offset }
    let end = source.bytes[(offset + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? source.bytes.count
    return offset..<end
  }

  /// The library says where the key is for the first time.
  private func duplicate(_ key: String, first: Int) -> Diagnostic {
    let length = key.utf8.count
    let quotes =
      first < source.bytes.count && (source.bytes[first] == UInt8(ascii: "\"") || source.bytes[first] == UInt8(ascii: "'")) ? 2 : 0
    let firstRange = first..<min(source.bytes.count, first + length + quotes)
    let again = repetition(of: Array(source.bytes[firstRange]), at: source.position(at: first).column, behind: firstRange.upperBound)
    let labels = again.map { [Diagnostic.Label(source, $0, "again"), .init(source, firstRange, "first")] }
    return Diagnostic(
      "yaml.duplicate-key", "'\(key)' is there twice", labels: labels ?? [.init(source, firstRange, "first of two")],
      help: ["remove one of them, or give it another name"])
  }

  /// The next place of a key: in the same column at the start of a line, or wherever it stands as a word before a colon.
  private func repetition(of key: [UInt8], at column: Int, behind start: Int) -> Range<Int>? {
    let bytes = source.bytes
    var offset = start
    var candidates: [Range<Int>] = []
    while let next = bytes[offset...].firstRange(of: key) {
      offset = next.upperBound
      let colon = bytes[offset...].firstIndex { $0 != 0x20 }
      let before = bytes[next.lowerBound - 1]
      if colon.map({ bytes[$0] == UInt8(ascii: ":") }) ?? false, before <= 0x20 || before == UInt8(ascii: ",") { candidates.append(next) }
    }
    return candidates.first { source.position(at: $0.lowerBound).column == column } ?? candidates.first
  }

  private func character(_ value: UInt32) -> Diagnostic {
    let bytes = Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
    let range = bytes.isEmpty ? nil : source.bytes.firstRange(of: bytes)
    return Diagnostic(
      "yaml.character", "a character that a document cannot have", labels: [.init(source, range ?? 0..<0, "not allowed")],
      help: ["remove it"])
  }
}
