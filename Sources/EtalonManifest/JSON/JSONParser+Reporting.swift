internal import EtalonDiagnostics

/// What a parser says about mistakes.
extension JSONParser {
  func text(_ range: Range<Int>) -> String { String(decoding: source.bytes[range], as: UTF8.self) }

  func shown(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "byte \(byte)"
  }

  func located(_ content: LocatedJSON.Content, _ range: Range<Int>) -> LocatedJSON {
    LocatedJSON(content, at: SourceRange(source, range))
  }

  mutating func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < limits.diagnostics, !hasGivenUp { diagnostics.append(diagnostic) }
  }

  mutating func report(_ slip: JSONSlip, _ range: Range<Int>, _ label: String, further: [Diagnostic.Label] = []) {
    report(
      Diagnostic(
        slip.id, slip.message, severity: tolerated.contains(slip) ? .warning : .error,
        labels: [.init(source, range, label)] + further, help: [slip.help]))
  }

  mutating func report(
    _ id: String, _ message: String, _ range: Range<Int>, _ label: String, further: [Diagnostic.Label] = [], help: [String] = []
  ) {
    report(Diagnostic(id, message, labels: [.init(source, range, label)] + further, help: help))
  }

  mutating func reportDuplicate(_ member: LocatedJSON.Member, _ first: SourceRange) {
    report(.duplicateKey, member.keyPlace.range, "again, and this one counts", further: [.init(source, first.range, "first here")])
  }

  mutating func reportSeparator(_ byte: UInt8) {
    report("json.separator", "expected ',', found '\(shown(byte))'", offset..<offset + 1, "expected ','")
  }

  mutating func reportUnclosed(_ start: Int, _ closing: UInt8) {
    giveUp(
      "json.unclosed", "a bracket is never closed", start..<start + 1, "opened here", help: ["write '\(shown(closing))' where it ends"])
  }

  mutating func reportEnd(_ label: String) {
    giveUp("json.end", "expected a value, found the end of the text", end..<end, label)
  }

  mutating func giveUp(_ id: String, _ message: String, _ range: Range<Int>, _ label: String, help: [String] = []) {
    report(id, message, range, label, help: help)
    hasGivenUp = true
    offset = end
  }
}
