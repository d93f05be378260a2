/// Drops `const` outside of functions, for initialisers that this compiler cannot fold: `const mat3 M = inverse(…)`.
struct FileScopeConst: Rewrite {
  let name = "unfoldable const"

  func apply(to tokens: inout [Token]) {
    for declaration in FileScope(tokens).declarations {
      guard let first = declaration.tokens.first, tokens[first].isName("const") else { continue }
      tokens.erase(first...first)
    }
  }
}
