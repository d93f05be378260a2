/// Removes the branches that belong to other passes, so that each pass mentions only what it really reads.
///
/// ISF has one text for all passes, which decides by `PASSINDEX` what it does: `if (PASSINDEX == 1) { … } else { … }`. Only conditions of nothing but the
/// number and literals are looked at, and what holds directives stays.
struct ISFPassBranches: Rewrite {
  let name = "pass branches"

  let passIndex: Int

  /// Conditions inside each other and chains of `else if`.
  private static let deepest = 200

  func apply(to tokens: inout [Token]) {
    guard tokens.contains(where: { $0.isName("PASSINDEX") }) else { return }
    var index = 0
    while index < tokens.count {
      if tokens[index].isName("if"), !tokens[index].isInDirective { removeDeadBranch(ofConditionAt: index, in: &tokens) }
      index += 1
    }
  }

  /// Whether the author's text of a pass asks for its number, and only in conditions that were looked at: then it reads nothing that belongs to others.
  static func decideAll(_ pass: PassSource) -> Bool {
    let tokens = Lexer.tokens(ofAddedText: pass.source.pieces.filter { $0.origin != nil }.map(\.text).joined(separator: " "))
    var open = Set(tokens.indices.filter { tokens[$0].isName("PASSINDEX") })
    guard !open.isEmpty else { return false }
    for index in tokens.indices where tokens[index].isName("if") && !tokens[index].isInDirective {
      guard let start = tokens.next(after: index), tokens[start].isMark("("), let end = tokens.closing(of: start),
        PassCondition.value(of: Array(tokens[(start + 1)..<end]), passIndex: 0) != nil
      else { continue }
      open.subtract(start...end)
    }
    return open.isEmpty
  }

  private func removeDeadBranch(ofConditionAt index: Int, in tokens: inout [Token]) {
    guard let open = tokens.next(after: index), tokens[open].isMark("("), let close = tokens.closing(of: open),
      let isTrue = PassCondition.value(of: Array(tokens[(open + 1)..<close]), passIndex: passIndex),
      let start = tokens.next(after: close), let end = statementEnd(at: start, in: tokens)
    else { return }
    if !isTrue { return empty(start...end, in: &tokens) }
    guard let other = tokens.next(after: end), tokens[other].isName("else"), let otherStart = tokens.next(after: other),
      let otherEnd = statementEnd(at: otherStart, in: tokens)
    else { return }
    empty(otherStart...otherEnd, in: &tokens)
  }

  /// Replaces a statement by an empty one.
  private func empty(_ range: ClosedRange<Int>, in tokens: inout [Token]) {
    guard !range.contains(where: { tokens[$0].isInDirective }) else { return }
    let first = tokens[range.lowerBound]
    tokens.erase(range)
    tokens[range.lowerBound] = first.replaced(by: "{}", kind: .punctuator)
  }

  /// The last token of the statement that starts at a place; nil when that is hard to say.
  private func statementEnd(at start: Int, in tokens: [Token], depth: Int = 0) -> Int? {
    guard depth < Self.deepest else { return nil }
    if tokens[start].isMark("{") { return tokens.closing(of: start) }
    switch tokens[start].text {
    case "for", "while", "switch": return bodyEnd(ofHeadAt: start, in: tokens, depth)
    case "if":
      guard let end = bodyEnd(ofHeadAt: start, in: tokens, depth) else { return nil }
      guard let other = tokens.next(after: end), tokens[other].isName("else"), let otherStart = tokens.next(after: other) else {
        return end
      }
      return statementEnd(at: otherStart, in: tokens, depth: depth + 1)
    case "do", "case", "default", "else": return nil
    default: return semicolon(from: start, in: tokens)
    }
  }

  private func bodyEnd(ofHeadAt start: Int, in tokens: [Token], _ depth: Int) -> Int? {
    guard let open = tokens.next(after: start), tokens[open].isMark("("), let close = tokens.closing(of: open),
      let body = tokens.next(after: close)
    else { return nil }
    return statementEnd(at: body, in: tokens, depth: depth + 1)
  }

  private func semicolon(from start: Int, in tokens: [Token]) -> Int? {
    var brackets = BracketDepth()
    var place: Int? = start
    while let current = place {
      if brackets.depth == 0, tokens[current].isMark(";") { return current }
      if brackets.depth == 0, tokens[current].isMark("}") { return nil }
      brackets.follow(tokens[current])
      place = tokens.next(after: current)
    }
    return nil
  }
}

/// Conditions such as `PASSINDEX == 0` and `PASSINDEX == 3 || PASSINDEX >= 5`.
enum PassCondition {
  /// The value of a condition; nil when it depends on anything but the number of the pass.
  static func value(of tokens: [Token], passIndex: Int) -> Bool? {
    let words = tokens.filter(\.isSignificant).map(\.text)
    let isPlain = !words.isEmpty && tokens.allSatisfy { !$0.isInDirective }
    return isPlain ? any(words[...], passIndex) : nil
  }

  private static func any(_ words: ArraySlice<String>, _ passIndex: Int) -> Bool? {
    combine(words.split(separator: "||", omittingEmptySubsequences: false).map { all($0, passIndex) }) { $0.contains(true) }
  }

  private static func all(_ words: ArraySlice<String>, _ passIndex: Int) -> Bool? {
    combine(words.split(separator: "&&", omittingEmptySubsequences: false).map { comparison($0, passIndex) }) { !$0.contains(false) }
  }

  private static func combine(_ values: [Bool?], _ join: ([Bool]) -> Bool) -> Bool? {
    let known = values.compactMap(\.self)
    return known.count == values.count ? join(known) : nil
  }

  private static func comparison(_ words: ArraySlice<String>, _ passIndex: Int) -> Bool? {
    var words = words
    while words.count > 3, words.first == "(", words.last == ")" { words = words.dropFirst().dropLast() }
    guard words.count == 3, words.contains("PASSINDEX") else { return nil }
    func number(_ word: String) -> Int? { word == "PASSINDEX" ? passIndex : Int(word) }
    guard let left = number(words[words.startIndex]), let right = number(words[words.startIndex + 2]) else { return nil }
    switch words[words.startIndex + 1] {
    case "==": return left == right
    case "!=": return left != right
    case "<": return left < right
    case "<=": return left <= right
    case ">": return left > right
    case ">=": return left >= right
    default: return nil
    }
  }
}
