/// What follows the type in a declaration: `a, b[3], c = vec2(1.0, 2.0)`.
struct DeclaratorList {
  struct Declarator {
    let name: Int
    /// From `[` to `]`; empty when the name is no array.
    let array: [Int]
    /// The visible tokens after `=`.
    let initializer: [Int]
  }

  private(set) var declarators: [Declarator] = []

  /// Reads the visible tokens between the type and the `;`.
  init(_ places: some Sequence<Int>, in tokens: [Token]) {
    for part in Self.parts(places, tokens) {
      guard let name = part.first, tokens[name].kind == .identifier else { continue }
      let assignment = part.firstIndex { tokens[$0].isMark("=") }
      let array = part[1..<(assignment ?? part.count)]
      let initializer = assignment.map { part[($0 + 1)...] } ?? []
      declarators.append(Declarator(name: name, array: Array(array), initializer: Array(initializer)))
    }
  }

  /// Splits at the commas outside of brackets.
  private static func parts(_ places: some Sequence<Int>, _ tokens: [Token]) -> [[Int]] {
    var parts: [[Int]] = [[]]
    var brackets = BracketDepth()
    for place in places {
      brackets.follow(tokens[place])
      if brackets.depth == 0, tokens[place].isMark(",") { parts.append([]) } else { parts[parts.count - 1].append(place) }
    }
    return parts
  }
}
