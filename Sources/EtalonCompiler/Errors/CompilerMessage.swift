internal import EtalonDiagnostics

/// One error or warning as the compiler wrote it.
///
/// The compiler writes `name:12: error: 'colr' : undeclared identifier`; errors of linking have no line, and lists follow on lines that only
/// have the name in front.
struct CompilerMessage: Hashable {
  let severity: Diagnostic.Severity
  /// 1-based; nil when the compiler gave none.
  let line: Int?
  /// What stands in quotes in front of the text: a name of the author's, an operator, or a word of the compiler's; may be empty.
  let subject: String
  /// The text without white space at its ends.
  let text: String
  /// The lines that follow and belong to it.
  var details: [String] = []

  /// Takes a log apart; lines that follow no message are dropped.
  static func parse(_ log: String, fileName: String) -> [CompilerMessage] {
    var messages: [CompilerMessage] = []
    for line in log.split(separator: "\n") {
      guard line.hasPrefix(fileName + ":") else { continue }
      let rest = line.dropFirst(fileName.utf8.count + 1)
      if let message = CompilerMessage(afterName: rest) {
        messages.append(message)
      } else if !messages.isEmpty {
        messages[messages.count - 1].details.append(trimmed(rest))
      }
    }
    return messages
  }

  private init?(afterName rest: Substring) {
    var rest = rest
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    line = Int(digits)
    if line != nil { rest = rest.dropFirst(digits.count + 1) }
    if rest.hasPrefix(" error: ") {
      severity = .error
    } else if rest.hasPrefix(" warning: ") {
      severity = .warning
    } else {
      return nil
    }
    // With the blank behind the colon, which is missing where no text follows.
    let body = rest.dropFirst(severity == .error ? " error: ".count : " warning: ".count) + " "
    if body.hasPrefix("'"), let end = body.dropFirst().firstRange(of: "' : ") {
      subject = String(body.dropFirst()[..<end.lowerBound])
      text = Self.trimmed(body[end.upperBound...])
    } else {
      subject = ""
      text = Self.trimmed(body)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var part = text.drop(while: isBlank)
    while let last = part.last, isBlank(last) { part.removeLast() }
    return String(part)
  }
}
