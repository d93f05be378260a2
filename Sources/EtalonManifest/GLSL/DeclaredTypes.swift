/// The types that names are declared with, as far as that shows without parsing GLSL.
struct DeclaredTypes {
  private struct Declaration {
    let place: Int
    let type: String
  }

  private static let types: Set<String> = [
    "float", "int", "uint", "bool", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4", "uvec2", "uvec3", "uvec4", "bvec2", "bvec3", "bvec4",
    "mat2", "mat3", "mat4",
  ]
  /// Tokens of one declaration; the names of a longer one are not looked for.
  private static let longest = 4096

  private let scope: FileScope
  private let macros: Set<String>
  private var declarations: [String: [Declaration]] = [:]

  init(_ tokens: [Token]) {
    scope = FileScope(tokens)
    macros = Set(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }.flatMap { [$0.name] + ($0.parameters ?? []) })
    for index in tokens.indices where Self.types.contains(tokens[index].text) && !tokens[index].isInDirective {
      add(declarationAt: index, tokens)
    }
  }

  /// The one type of a name at a place; nil when there are several, or none.
  ///
  /// Declarations in the function around the place hide those outside; blocks within a function are not told apart.
  func type(of name: String, at place: Int) -> String? {
    guard !macros.contains(name), let all = declarations[name] else { return nil }
    var candidates = all.filter { scope.function(containing: $0.place, withHead: true) == nil }
    if let function = scope.function(containing: place) {
      let own = all.filter { scope.function(containing: $0.place, withHead: true) == function }
      if !own.isEmpty { candidates = own }
    }
    let types = Set(candidates.map(\.type))
    return types.count == 1 ? types.first : nil
  }

  /// Adds the names of `vec3 a, b = f(a), c[2]` or of one parameter.
  private mutating func add(declarationAt type: Int, _ tokens: [Token]) {
    var place = tokens.next(after: type)
    var depth = 0
    var expectsName = true
    while let current = place, current - type < Self.longest {
      let token = tokens[current]
      if expectsName {
        guard token.kind == .identifier, !Self.types.contains(token.text), !["in", "out", "inout", "const"].contains(token.text) else {
          return
        }
        declarations[token.text, default: []].append(Declaration(place: current, type: tokens[type].text))
        expectsName = false
      } else if token.kind == .punctuator {
        if ["(", "[", "{"].contains(token.text) { depth += 1 }
        if [")", "]", "}"].contains(token.text) { depth -= 1 }
        if depth < 0 || (depth == 0 && token.text == ";") { return }
        expectsName = depth == 0 && token.text == ","
      }
      place = tokens.next(after: current)
    }
  }
}
