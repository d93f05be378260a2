package import EtalonDiagnostics

/// Reads JSON and keeps the place of every key and value.
///
/// ```swift
/// let reading = JSONReader().read(SourceText(path: "a.json", text: #"{"SPEED": 2}"#))
/// ```
/// Slips that are tolerated become warnings at their place; everything else that is wrong is an error, and reading goes on behind it.
package struct JSONReader: Sendable {
  /// A value and everything that is wrong with its text.
  package struct Reading: Sendable {
    /// The parts that could be understood; nil when there are none.
    ///
    /// With errors among the diagnostics parts may be missing.
    package let value: LocatedJSON?
    /// In the order of their places.
    package let diagnostics: [Diagnostic]

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
  }

  private let tolerated: Set<JSONSlip>
  private let limits: JSONLimits

  /// Prepares to read; without tolerated slips every one of them is an error.
  package init(tolerating tolerated: Set<JSONSlip> = [], limits: JSONLimits = JSONLimits()) {
    self.tolerated = tolerated
    self.limits = limits
  }

  /// Reads the one value of a text, or of a part of it.
  package func read(_ source: SourceText, within range: Range<Int>? = nil) -> Reading {
    let range = range ?? 0..<source.bytes.count
    if let diagnostic = diagnostic(of: source, range) { return Reading(value: nil, diagnostics: [diagnostic]) }
    var parser = JSONParser(source, range, tolerated: tolerated, limits: limits)
    let value = parser.parseText()
    return Reading(value: value, diagnostics: parser.diagnostics.inOrderOfPlaces)
  }

  /// The reason why a text is not parsed at all: it is too large, empty, or a web page.
  private func diagnostic(of source: SourceText, _ range: Range<Int>) -> Diagnostic? {
    guard range.count <= limits.bytes else {
      return Diagnostic(
        "json.bytes", "the JSON has \(range.count) bytes, at most \(limits.bytes) are accepted",
        labels: [.init(source, range.lowerBound..<range.lowerBound)])
    }
    let start = source.bytes[range].firstIndex { !($0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0)) }
    guard let start else {
      let place = range.lowerBound..<range.lowerBound
      return Diagnostic("json.empty", "expected JSON, found nothing", labels: [.init(source, place, "expected '{'")])
    }
    return source.bytes[start] == UInt8(ascii: "<") ? Self.webPage(source, start..<range.upperBound, insteadOf: "JSON") : nil
  }

  /// What is wrong with a text that is a web page: sites send one in the place of a file that they do not give out.
  ///
  /// - Parameter wanted: what was expected in its place.
  package static func webPage(_ source: SourceText, _ range: Range<Int>, insteadOf wanted: String) -> Diagnostic {
    let tagEnd = source.bytes[range].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? range.upperBound
    let lineEnd = source.bytes[range].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? range.upperBound
    let page = String(decoding: source.bytes[range].prefix(4096), as: UTF8.self)
    let notes = title(of: page).map { ["the title of the page is '\($0)'"] } ?? []
    return Diagnostic(
      "json.web-page", "expected \(wanted), found a web page",
      labels: [.init(source, range.lowerBound..<min(tagEnd, lineEnd), "markup")],
      help: [
        "the site answered with a page, perhaps an error; save "
          + (wanted == "JSON" ? "the JSON itself, as the site exports it" : "the text of the shader itself")
      ], notes: notes)
  }

  private static func title(of page: String) -> String? {
    guard let open = page.firstRange(of: "<title>"), let close = page[open.upperBound...].firstRange(of: "</title>") else { return nil }
    let words = page[open.upperBound..<close.lowerBound].split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// A JSON value with its place in the author's text.
///
/// **Concurrency**: an immutable value.
package struct LocatedJSON: Sendable, Hashable {
  /// What the value is.
  package indirect enum Content: Sendable, Hashable {
    /// In the order of the text; of a key that occurs twice both are there.
    case object([Member])
    case array([LocatedJSON])
    /// Without quotes, with its escapes resolved.
    case string(String)
    /// As the author wrote it.
    case number(String)
    case bool(Bool)
    case null
  }

  /// A key of an object with its value.
  package struct Member: Sendable, Hashable {
    package let key: String
    /// The key with its quotes.
    package let keyPlace: SourceRange
    package let value: LocatedJSON

    package init(key: String, keyPlace: SourceRange, value: LocatedJSON) {
      self.key = key
      self.keyPlace = keyPlace
      self.value = value
    }
  }

  package let content: Content
  /// From the first byte to the last, brackets and quotes included.
  package let place: SourceRange

  package init(_ content: Content, at place: SourceRange) {
    self.content = content
    self.place = place
  }

  /// The members of an object; nil for anything else.
  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var elements: [LocatedJSON]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The value of a number, infinite when it is too large for a double; nil for anything else.
  package var number: Double? {
    if case .number(let text) = content { JSONNumber.value(text) } else { nil }
  }

  /// The value of a key, the last one when the key occurs twice, as JavaScript has it.
  package subscript(key: String) -> LocatedJSON? { members?.last { $0.key == key }?.value }

  /// What the value is, for messages: `a string`.
  package var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a truth value"
    case .null: "null"
    }
  }
}

// MARK: - slips and limits

/// A departure from JSON that many programs accept and whose meaning is clear.
package enum JSONSlip: String, Sendable, Hashable, CaseIterable {
  case byteOrderMark = "byte-order-mark"
  case comment
  case controlCharacter = "control-character"
  case duplicateKey = "duplicate-key"
  case escape
  case missingComma = "missing-comma"
  case notUTF8 = "not-utf8"
  case numberForm = "number-form"
  case singleQuotes = "single-quotes"
  case trailingComma = "trailing-comma"
  case trailingText = "trailing-text"
  case unquotedKey = "unquoted-key"
  case wordCase = "word-case"

  /// The stable name of its diagnostic.
  package var id: String { "json.\(rawValue)" }

  /// What is wrong, in a sentence.
  var message: String {
    switch self {
    case .byteOrderMark: "the text begins with a byte order mark"
    case .comment: "JSON has no comments"
    case .controlCharacter: "a string holds a line end, a tab or another control character"
    case .duplicateKey: "a key occurs twice in one object"
    case .escape: "JSON has no such escape"
    case .missingComma: "expected ',' between two values"
    case .notUTF8: "a string holds bytes that are not UTF-8"
    case .numberForm: "JSON does not write numbers like this"
    case .singleQuotes: "JSON has only double quotes"
    case .trailingComma: "a comma with nothing after it"
    case .trailingText: "the JSON goes on behind its end"
    case .unquotedKey: "a key without quotes"
    case .wordCase: "JSON writes 'true', 'false' and 'null' in small letters"
    }
  }

  /// What to type instead.
  var help: String {
    switch self {
    case .byteOrderMark: "save the file as UTF-8 without a byte order mark"
    case .comment: "remove it, or make it the value of a key"
    case .controlCharacter: "write '\\n' for a line end and '\\t' for a tab"
    case .duplicateKey: "remove one of the two"
    case .escape: "write '\\\\' for a backslash"
    case .missingComma: "write ',' after the first of them"
    case .notUTF8: "save the file as UTF-8"
    case .numberForm: "write digits on both sides of the point, and neither '+' nor leading zeros"
    case .singleQuotes: "write double quotes"
    case .trailingComma, .trailingText: "remove it"
    case .unquotedKey: "put it in double quotes"
    case .wordCase: "write it in small letters"
    }
  }
}

/// How much JSON is read at most: files may come from anywhere.
package struct JSONLimits: Sendable, Hashable {
  package var bytes = 1 << 24
  /// Objects and arrays inside each other.
  package var nesting = 64
  /// Objects, arrays and simple values in all.
  package var values = 1 << 18
  /// The largest number of diagnostics; further ones are dropped.
  package var diagnostics = 50

  package init() {}
}
