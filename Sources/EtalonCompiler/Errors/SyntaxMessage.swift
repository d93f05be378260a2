/// A syntax error taken apart: what the grammar met and what it would have taken.
struct SyntaxMessage {
  /// The spelling of the token, or `name`, `number`, `type name`, `end of file`.
  let unexpected: String
  /// Likewise; empty when there were too many to list.
  let expecting: [String]

  /// Nil when a text is no syntax error.
  init?(_ text: String) {
    guard text.hasPrefix("syntax error") else { return nil }
    var parts = text.split(separator: ", ", maxSplits: 2).dropFirst()
    unexpected = parts.popFirst().map { Self.spelling($0.replacing("unexpected ", with: "")) } ?? ""
    expecting = parts.popFirst()?.replacing("expecting ", with: "").split(separator: " or ").map { Self.spelling($0) } ?? []
  }

  /// What to call a terminal of the grammar.
  private static func spelling(_ terminal: some StringProtocol) -> String {
    let name = String(terminal)
    if let known = spellings[name] { return known }
    if name.hasSuffix("CONSTANT") { return "number" }
    // The rest are keywords, whose terminals are their spellings in capitals, but for the capitals inside a few.
    let lower = name.lowercased()
    return lower.hasPrefix("sampler") || lower.hasPrefix("isampler") || lower.hasPrefix("usampler")
      ? lower.replacing("2d", with: "2D").replacing("3d", with: "3D").replacing("cube", with: "Cube") : lower
  }

  private static let spellings: [String: String] = [
    "$end": "end of file", "end of file": "end of file", "IDENTIFIER": "name", "TYPE_NAME": "type name", "LEFT_OP": "<<", "RIGHT_OP": ">>",
    "INC_OP": "++", "DEC_OP": "--", "LE_OP": "<=", "GE_OP": ">=", "EQ_OP": "==", "NE_OP": "!=", "AND_OP": "&&", "OR_OP": "||",
    "XOR_OP": "^^", "MUL_ASSIGN": "*=", "DIV_ASSIGN": "/=", "ADD_ASSIGN": "+=", "MOD_ASSIGN": "%=", "LEFT_ASSIGN": "<<=",
    "RIGHT_ASSIGN": ">>=", "AND_ASSIGN": "&=", "XOR_ASSIGN": "^=", "OR_ASSIGN": "|=", "SUB_ASSIGN": "-=", "LEFT_PAREN": "(",
    "RIGHT_PAREN": ")", "LEFT_BRACKET": "[", "RIGHT_BRACKET": "]", "LEFT_BRACE": "{", "RIGHT_BRACE": "}", "DOT": ".", "COMMA": ",",
    "COLON": ":", "EQUAL": "=", "SEMICOLON": ";", "BANG": "!", "DASH": "-", "TILDE": "~", "PLUS": "+", "STAR": "*", "SLASH": "/",
    "PERCENT": "%", "LEFT_ANGLE": "<", "RIGHT_ANGLE": ">", "VERTICAL_BAR": "|", "CARET": "^", "AMPERSAND": "&", "QUESTION": "?",
    "STRING_LITERAL": "text in quotes", "BOOLCONSTANT": "bool", "HIGH_PRECISION": "highp", "MEDIUM_PRECISION": "mediump",
    "LOW_PRECISION": "lowp",
  ]
}
