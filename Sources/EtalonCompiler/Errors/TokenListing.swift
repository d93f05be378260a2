internal import EtalonDiagnostics
internal import EtalonGLSL

/// The tokens of a generated text, for looking around a place: brackets, statements, calls.
struct TokenListing {
  struct Token {
    let text: String
    let origin: SourceRange?
    /// The directives in front of it.
    let directivesBefore: Int
    var isName: Bool { text.utf8.first.map { TokenListing.startsName($0) } ?? false }
  }

  struct Directive {
    let text: String
    let origin: SourceRange?
    /// The tokens in front of it.
    let tokensBefore: Int
  }

  /// Where a line of the compiled text leads.
  enum Spot {
    case token(Int)
    case directive(Int, lineInside: Int)
  }

  let tokens: [Token]
  let directives: [Directive]
  /// The white space and comments at the author's end of the text.
  let lastSpace: SourceRange?
  private let spotOfPiece: [Int: Int]
  private let partnerOfBracket: [Int: Int]
  /// For each token the first one of its statement.
  private let statementStarts: [Int]
  private let lines: TokenLines

  init(_ lines: TokenLines) {
    var tokens: [Token] = []
    var directives: [Directive] = []
    var spotOfPiece: [Int: Int] = [:]
    for (index, piece) in lines.source.pieces.enumerated() {
      switch piece.kind {
      case .space: continue
      case .token:
        spotOfPiece[index] = tokens.count
        tokens.append(Token(text: piece.text, origin: piece.origin, directivesBefore: directives.count))
      case .directive:
        spotOfPiece[index] = directives.count
        directives.append(Directive(text: piece.text, origin: piece.origin, tokensBefore: tokens.count))
      }
    }
    self.tokens = tokens
    self.directives = directives
    self.spotOfPiece = spotOfPiece
    self.lines = lines
    lastSpace = lines.source.pieces.last { $0.origin != nil }.flatMap { $0.kind == .space ? $0.origin : nil }
    partnerOfBracket = Self.matchBrackets(tokens)
    statementStarts = Self.startsOfStatements(tokens)
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  /// For each bracket that has one, the index of its partner; a bracket of another kind in between breaks a pair.
  private static func matchBrackets(_ tokens: [Token]) -> [Int: Int] {
    let closes = [")": "(", "]": "[", "}": "{"]
    var open: [Int] = []
    var partner: [Int: Int] = [:]
    for (index, token) in tokens.enumerated() {
      if closes.values.contains(token.text) {
        open.append(index)
      } else if let wanted = closes[token.text], let position = open.lastIndex(where: { tokens[$0].text == wanted }) {
        partner[index] = open[position]
        partner[open[position]] = index
        open.removeSubrange(position...)
      }
    }
    return partner
  }

  private static func startsOfStatements(_ tokens: [Token]) -> [Int] {
    var start = 0
    return tokens.indices.map { index in
      if index > 0, ["{", "}", ";"].contains(tokens[index - 1].text) { start = index }
      return start
    }
  }

  /// What stands on a line (1-based) of the compiled text; nil past the end.
  func spot(ofLine line: Int) -> Spot? {
    guard let (piece, lineInside) = lines.piece(ofLine: line), let index = spotOfPiece[piece] else { return nil }
    return lines.source.pieces[piece].kind == .directive ? .directive(index, lineInside: lineInside) : .token(index)
  }

  func text(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].text : nil }

  /// The other bracket of a pair.
  func partner(of index: Int) -> Int? { partnerOfBracket[index] }

  /// What the author wrote from one token to another, when both ends are the author's and in one file.
  func origin(_ range: ClosedRange<Int>) -> SourceRange? {
    guard let first = tokens[range.lowerBound].origin, let last = tokens[range.upperBound].origin, first.source == last.source,
      first.range.lowerBound <= last.range.upperBound
    else { return nil }
    return SourceRange(first.source, first.range.lowerBound..<last.range.upperBound)
  }

  /// The first token of the statement that a token is in.
  func startOfStatement(_ index: Int) -> Int { statementStarts.indices.contains(index) ? statementStarts[index] : index }

  /// The last token of the expression that starts at a token: up to a comma or semicolon outside brackets, or a closing bracket.
  func endOfExpression(from start: Int) -> Int {
    var index = start
    while index < tokens.count, ![",", ";", ")", "]", "}"].contains(tokens[index].text) {
      guard ["(", "[", "{"].contains(tokens[index].text) else {
        index += 1
        continue
      }
      guard let close = partner(of: index) else { break }
      index = close + 1
    }
    return max(start, index - 1)
  }

  /// The arguments of the call whose opening bracket is given, each as a range of tokens; nil when the brackets do not match.
  func arguments(ofCallAt open: Int) -> [ClosedRange<Int>]? {
    guard let close = partner(of: open) else { return nil }
    var arguments: [ClosedRange<Int>] = []
    var start = open + 1
    while start < close {
      let end = endOfExpression(from: start)
      arguments.append(start...end)
      start = end + 2
    }
    return arguments
  }
}
