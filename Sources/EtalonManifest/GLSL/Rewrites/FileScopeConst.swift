internal import EtalonTypes

/// Drops `const` from constants outside of functions whose initialiser this compiler may not fold: `const mat3 M = inverse(…)`.
///
/// Constants that are made from such constants lose it too. All others keep it, because they may be the length of an array.
struct FileScopeConst: Rewrite {
  let name = "unfoldable const"

  func apply(to tokens: inout [Token]) {
    var variables: Set<String> = []
    for declaration in FileScope(tokens).declarations {
      guard let first = declaration.tokens.first, tokens[first].isName("const") else { continue }
      let declarators = DeclaratorList(declaration.tokens.dropFirst(2), in: tokens).declarators
      let areFoldable = declarators.allSatisfy { isFoldable($0.initializer, tokens, variables) }
      guard !areFoldable else { continue }
      tokens.erase(first...first)
      variables.formUnion(declarators.map { tokens[$0.name].text })
    }
  }

  /// Whether an initialiser calls nothing but constructors and mentions only constants.
  private func isFoldable(_ initializer: [Int], _ tokens: [Token], _ variables: Set<String>) -> Bool {
    initializer.allSatisfy { place in
      guard tokens[place].kind == .identifier else { return true }
      let isConstructor = ValueType(rawValue: tokens[place].text) != nil
      return !variables.contains(tokens[place].text) && (isConstructor || !tokens.isCalled(at: place))
    }
  }
}
