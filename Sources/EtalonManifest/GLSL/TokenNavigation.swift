/// Ways from one token to another.
///
/// Outside directives whole directives are skipped; inside a directive the way ends at its end.
extension [Token] {
  /// The index of the next token that the compiler sees.
  package func next(after index: Int) -> Int? {
    let isInDirective = index >= 0 && self[index].isInDirective
    var index = index + 1
    while index < count {
      if isInDirective, !self[index].isInDirective || self[index].kind == .lineEnd { return nil }
      if self[index].isSignificant, self[index].isInDirective == isInDirective { return index }
      index += 1
    }
    return nil
  }

  /// The index of the token before that the compiler sees.
  package func previous(before index: Int) -> Int? {
    let isInDirective = index < count && self[index].isInDirective
    var index = index - 1
    while index >= 0 {
      if isInDirective, !self[index].isInDirective || self[index].kind == .lineEnd { return nil }
      if self[index].isSignificant, self[index].isInDirective == isInDirective { return index }
      index -= 1
    }
    return nil
  }

  /// The index of the bracket that closes the one at `index`; nil when it never closes.
  package func closing(of index: Int) -> Int? {
    var depth = 0
    var place: Int? = index
    while let current = place {
      if self[current].kind == .punctuator {
        switch self[current].text {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        default: break
        }
        if depth <= 0 { return current }
      }
      place = next(after: current)
    }
    return nil
  }

  /// The arguments of a call whose opening parenthesis is at `open`, as the indices of their visible tokens.
  ///
  /// `f()` has one empty argument, as the preprocessor sees it. Nil when the parenthesis never closes.
  package func arguments(openedAt open: Int) -> [[Int]]? {
    var arguments: [[Int]] = [[]]
    var depth = 0
    var place: Int? = next(after: open)
    while let current = place {
      let mark = self[current].kind == .punctuator ? self[current].text : ""
      if depth == 0, mark == ")" { return arguments }
      if depth == 0, mark == "," {
        arguments.append([])
      } else {
        arguments[arguments.count - 1].append(current)
      }
      if ["(", "[", "{"].contains(mark) { depth += 1 }
      if [")", "]", "}"].contains(mark) { depth -= 1 }
      place = next(after: current)
    }
    return nil
  }

  /// Whether the token at `index` is called: an opening parenthesis follows.
  package func isCalled(at index: Int) -> Bool {
    next(after: index).map { self[$0].isMark("(") } ?? false
  }
}
