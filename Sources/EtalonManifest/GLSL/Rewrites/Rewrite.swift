/// One change that turns legal text of an author's dialect into legal Vulkan GLSL.
///
/// A rewrite works on tokens, those inside macro definitions too, and keeps the origin of every token that stands for something the author wrote.
package protocol Rewrite: Sendable {
  /// A stable name for prints of a manifest: `reserved words`.
  var name: String { get }
  /// Changes the tokens in place.
  func apply(to tokens: inout [Token])
}

extension Rewrite {
  /// Applies the rewrite and says whether that changed anything.
  func changes(_ tokens: inout [Token]) -> Bool {
    let before = tokens
    apply(to: &tokens)
    return tokens != before
  }
}

extension [Token] {
  /// Gives every identifier that is a key of `names` its new name.
  mutating func rename(_ names: [String: String]) {
    for index in indices where self[index].kind == .identifier {
      if let name = names[self[index].text] { self[index].text = name }
    }
  }

  /// Puts other tokens in the place of some; the edits are in the order of the text and do not overlap.
  mutating func apply(_ edits: [(range: Range<Int>, tokens: [Token])]) {
    guard !edits.isEmpty else { return }
    var result: [Token] = []
    result.reserveCapacity(count + edits.reduce(0) { $0 + $1.tokens.count })
    var copied = 0
    for edit in edits {
      result += self[copied..<edit.range.lowerBound]
      result += edit.tokens
      copied = edit.range.upperBound
    }
    self = result + self[copied...]
  }

  /// Blanks some tokens out, keeping the line ends among them.
  mutating func erase(_ range: ClosedRange<Int>) {
    for index in range where self[index].isSignificant || self[index].kind == .comment {
      let lines = self[index].kind == .comment ? self[index].text.count { $0 == "\n" } : 0
      self[index] = self[index].replaced(by: lines > 0 ? String(repeating: "\n", count: lines) : " ", kind: .space)
    }
  }

  /// Replaces whole directives by the ends of their lines.
  mutating func eraseDirectives(where isUnwanted: (Directive, [Token]) -> Bool) {
    for directive in Directive.all(in: self) where isUnwanted(directive, self) {
      for index in directive.range {
        let lines = self[index].text.count { $0 == "\n" }
        let text = String(repeating: "\n", count: lines)
        self[index] = Token(lines > 0 ? .lineEnd : .space, text, origin: self[index].origin)
      }
    }
  }
}
