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
  package func changes(_ tokens: inout [Token]) -> Bool {
    let before = tokens
    apply(to: &tokens)
    return tokens != before
  }
}

extension [Token] {
  /// Gives every identifier that is a key of `names` its new name.
  package mutating func rename(_ names: [String: String]) {
    for index in indices where self[index].kind == .identifier {
      if let name = names[self[index].text] { self[index].text = name }
    }
  }

  /// Puts other tokens in the place of some; the edits are in the order of the text and do not overlap.
  package mutating func apply(_ edits: [(range: Range<Int>, tokens: [Token])]) {
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
  package mutating func erase(_ range: ClosedRange<Int>) {
    for index in range where self[index].isSignificant || self[index].kind == .comment {
      let lines = self[index].kind == .comment ? self[index].text.count { $0 == "\n" } : 0
      self[index] = self[index].replaced(by: lines > 0 ? String(repeating: "\n", count: lines) : " ", kind: .space)
    }
  }

  /// Replaces whole directives by the ends of their lines.
  package mutating func eraseDirectives(where isUnwanted: (Directive, [Token]) -> Bool) {
    for directive in Directive.all(in: self) where isUnwanted(directive, self) {
      for index in directive.range {
        let lines = self[index].text.count { $0 == "\n" }
        let text = String(repeating: "\n", count: lines)
        self[index] = Token(lines > 0 ? .lineEnd : .space, text, origin: self[index].origin)
      }
    }
  }

  /// Takes the `#extension` directives out, because they have to stand in front of everything.
  package mutating func takeExtensions() -> [Token] {
    let taken = Directive.all(in: self).filter { $0.name == "extension" }.flatMap { self[$0.range] }
    eraseDirectives { directive, _ in directive.name == "extension" }
    return taken
  }
}

// MARK: - directives and macros

/// Removes what only the author's own compiler needs: `#version`, `#extension`, `#pragma`, `#line` and precision.
///
/// Precision has to go: Vulkan compilers honour it, and desktop players compute everything in full precision.
package struct Stripping: Rewrite {
  package let name = "stripping"

  package init() {}

  private static let directives: Set<String> = ["version", "extension", "pragma", "line"]
  private static let qualifiers: Set<String> = ["highp", "mediump", "lowp"]

  package func apply(to tokens: inout [Token]) {
    tokens.eraseDirectives { directive, tokens in
      if Self.directives.contains(directive.name) { return true }
      // Old desktop compilers do not know the precision words, so files define them as empty macros.
      let definesPrecision = directive.operands.first.map { Self.qualifiers.contains(tokens[$0].text) } ?? false
      return definesPrecision && ["define", "undef"].contains(directive.name)
    }
    for index in tokens.indices where tokens[index].kind == .identifier {
      if tokens[index].text == "precision" {
        eraseStatement(at: index, in: &tokens)
      } else if Self.qualifiers.contains(tokens[index].text) {
        tokens.erase(index...index)
      }
    }
  }

  /// Erases `precision highp float;`.
  private func eraseStatement(at index: Int, in tokens: inout [Token]) {
    guard let qualifier = tokens.next(after: index), Self.qualifiers.contains(tokens[qualifier].text),
      let type = tokens.next(after: qualifier), tokens[type].kind == .identifier
    else { return }
    let semicolon = tokens.next(after: type).flatMap { tokens[$0].isMark(";") ? $0 : nil }
    for place in [index, qualifier, type, semicolon].compactMap({ $0 }) { tokens.erase(place...place) }
  }
}

/// Lets the text see the macros of OpenGL ES 3.00, which a desktop compiler does not define; it refuses a text that defines them.
package struct PredefinedMacros: Rewrite {
  package let name = "predefined macros"

  package init() {}

  /// What the macros stand for.
  package static let numbers = ["GL_ES": 1, "__VERSION__": 300, "GL_FRAGMENT_PRECISION_HIGH": 1]

  /// What they stand for under their new names.
  package static let values = Dictionary(uniqueKeysWithValues: numbers.map { (newName($0), String($1)) })

  private static func newName(_ macro: String) -> String { macro == "__VERSION__" ? "etalon_VERSION" : "etalon_" + macro }

  /// The name that the author knows a macro by.
  package static func authoredName(_ name: String) -> String { numbers.keys.first { newName($0) == name } ?? name }

  package func apply(to tokens: inout [Token]) {
    tokens.rename(Dictionary(uniqueKeysWithValues: Self.numbers.keys.map { ($0, Self.newName($0)) }))
  }
}

/// Fills empty arguments of macro calls, which the compiler refuses, with a macro that is empty.
package struct EmptyMacroArguments: Rewrite {
  package let name = "empty macro arguments"

  package init() {}

  package static let nothing = "etalonNothingAtAll"

  package func apply(to tokens: inout [Token]) {
    let macros = Dictionary(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }.compactMap { macro in
        macro.parameters.map { (macro.name, $0.count) }
      }, uniquingKeysWith: max)
    guard !macros.isEmpty else { return }
    var places: Set<Int> = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let count = macros[tokens[index].text], count > 0, let open = tokens.next(after: index), tokens[open].isMark("(") else {
        continue
      }
      places.formUnion(emptyArguments(openedAt: open, in: tokens))
    }
    tokens.apply(
      places.sorted().map { ($0..<$0, [Token(.identifier, Self.nothing, isInDirective: tokens[$0].isInDirective)]) })
  }

  /// The places of the commas and of the parenthesis that end an empty argument.
  private func emptyArguments(openedAt open: Int, in tokens: [Token]) -> [Int] {
    guard let close = tokens.closing(of: open) else { return [] }
    var found: [Int] = []
    var depth = 0
    var last = open
    var place = tokens.next(after: open)
    while let current = place, current <= close {
      let isEnd = depth == 0 && (current == close || tokens[current].isMark(","))
      if isEnd, last == open || (tokens[last].isMark(",") && depth == 0) { found.append(current) }
      if tokens[current].isMark("(") { depth += 1 }
      if tokens[current].isMark(")") { depth -= 1 }
      last = current
      place = tokens.next(after: current)
    }
    return found
  }
}

/// Puts a space between the name of a macro and what it stands for, as in `#define EPSILON.001`: other compilers accept it without the space.
package struct MacroSpaces: Rewrite {
  package let name = "macro spaces"

  package init() {}

  package func apply(to tokens: inout [Token]) {
    let places = Directive.all(in: tokens).compactMap { directive -> Int? in
      guard let macro = MacroDefinition(directive, in: tokens), macro.parameters == nil, let first = macro.body.first,
        first == macro.nameIndex + 1, !tokens[first].isMark("(")
      else { return nil }
      return first
    }
    tokens.apply(places.map { ($0..<$0, [Token(.space, " ", isInDirective: true)]) })
  }
}

/// Lets a macro be defined a second time, as merged files do: an `#undef` is put right before the second definition.
package struct MacroCollisions: Rewrite {
  package let name = "collisions"

  package init() {}

  package func apply(to tokens: inout [Token]) {
    var known: Set<String> = []
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for directive in Directive.all(in: tokens) {
      guard let macro = MacroDefinition(directive, in: tokens) else { continue }
      guard !known.insert(macro.name).inserted else { continue }
      let start = directive.range.lowerBound
      edits.append((start..<start, Lexer.tokens(ofAddedText: "#undef \(macro.name)\n")))
    }
    tokens.apply(edits)
  }
}
