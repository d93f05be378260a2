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
    /// What could be understood; nil when nothing could.
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
    if let refusal = refusal(of: source, range) { return Reading(value: nil, diagnostics: [refusal]) }
    var parser = JSONParser(source, range, tolerated: tolerated, limits: limits)
    let value = parser.parseText()
    return Reading(value: value, diagnostics: parser.diagnostics.inOrderOfPlaces)
  }

  /// What makes a text not worth parsing.
  private func refusal(of source: SourceText, _ range: Range<Int>) -> Diagnostic? {
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

  /// Sites answer with a page when they do not answer with what was asked for.
  ///
  /// - Parameter wanted: what was expected in its place.
  static func webPage(_ source: SourceText, _ range: Range<Int>, insteadOf wanted: String) -> Diagnostic {
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
