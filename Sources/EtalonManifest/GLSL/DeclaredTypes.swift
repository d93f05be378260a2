/// The types that names are declared with, as far as that shows without parsing GLSL.
struct DeclaredTypes {
  private struct Declaration {
    let place: Int
    let type: String
    /// The brace that ends the block around it; nil outside of blocks, where parameters are too.
    var end: Int?
  }

  private static let types: Set<String> = [
    "float", "int", "uint", "bool", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4", "uvec2", "uvec3", "uvec4", "bvec2", "bvec3", "bvec4",
    "mat2", "mat3", "mat4",
  ]
  /// Tokens of one declaration; the names of a longer one are not looked for.
  private static let longest = 4096

  private let scope: FileScope
  private let tokens: [Token]
  private let macros: Set<String>
  private let macroParameters: Set<String>
  private var declarations: [String: [Declaration]] = [:]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    scope = FileScope(tokens)
    let definitions = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
    macros = Set(definitions.map(\.name))
    macroParameters = Set(definitions.flatMap { $0.parameters ?? [] })
    var blocks: [[(name: String, number: Int)]] = []
    for index in tokens.indices where !tokens[index].isInDirective {
      if Self.types.contains(tokens[index].text) {
        let added = add(declarationAt: index)
        if !blocks.isEmpty { blocks[blocks.count - 1] += added }
      } else if tokens[index].isMark("{") {
        blocks.append([])
      } else if tokens[index].isMark("}"), let ended = blocks.popLast() {
        for (name, number) in ended { declarations[name]?[number].end = index }
      }
    }
  }

  /// The one type of a name at a place; nil when there are several, or none.
  ///
  /// In the function around the place the last declaration in front of it counts whose block is still open; only without one, those outside.
  func type(of name: String, at place: Int) -> String? {
    guard !macros.contains(name), !(tokens[place].isInDirective && macroParameters.contains(name)), let all = declarations[name] else {
      return nil
    }
    if let function = scope.function(containing: place) {
      let own = all.last { declaration in
        declaration.place < place && declaration.end ?? .max > place
          && scope.function(containing: declaration.place, withHead: true) == function
      }
      if let own { return own.type }
    }
    let types = Set(all.filter { scope.function(containing: $0.place, withHead: true) == nil }.map(\.type))
    return types.count == 1 ? types.first : nil
  }

  /// Adds the names of `vec3 a, b = f(a), c[2]` or of one parameter, and tells which.
  private mutating func add(declarationAt type: Int) -> [(name: String, number: Int)] {
    var added: [(name: String, number: Int)] = []
    var place = tokens.next(after: type)
    var depth = 0
    var expectsName = true
    while let current = place, current - type < Self.longest {
      let token = tokens[current]
      if expectsName {
        guard token.kind == .identifier, !Self.types.contains(token.text), !["in", "out", "inout", "const"].contains(token.text) else {
          return added
        }
        added.append((token.text, declarations[token.text]?.count ?? 0))
        declarations[token.text, default: []].append(Declaration(place: current, type: tokens[type].text))
        expectsName = false
      } else if token.kind == .punctuator {
        if ["(", "[", "{"].contains(token.text) { depth += 1 }
        if [")", "]", "}"].contains(token.text) { depth -= 1 }
        if depth < 0 || (depth == 0 && token.text == ";") { return added }
        expectsName = depth == 0 && token.text == ","
      }
      place = tokens.next(after: current)
    }
    return added
  }
}
