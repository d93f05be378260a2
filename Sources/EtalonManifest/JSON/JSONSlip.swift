/// A departure from JSON that many programs forgive and that leaves no doubt about what is meant.
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
