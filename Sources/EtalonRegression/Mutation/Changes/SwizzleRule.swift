internal import EtalonManifest

/// Components of vectors in another order, or others.
struct SwizzleRule: MutationRule {
  let kind = MutationKind.swizzle

  private static let families = ["xyzw", "rgba", "stpq"].map(Array.init)

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.flatMap { index -> [TextChange] in
      guard text.tokens[index].kind == .identifier, !text.tokens.isCalled(at: index), let dot = text.tokens.previous(before: index),
        text.tokens[dot].isMark(".")
      else { return [] }
      return Self.others(Array(text.tokens[index].text)).map { text.change(kind, index, to: $0) }
    }
  }

  private static func others(_ components: [Character]) -> [String] {
    guard components.count <= 4, let family = families.first(where: { family in components.allSatisfy(family.contains) }) else { return [] }
    var others: [[Character]] = []
    if components.count == 1, let place = family.firstIndex(of: components[0]) {
      others.append([family[place == 0 ? 1 : place - 1]])
    }
    if components.count > 1 {
      others.append([components[1], components[0]] + components[2...])
      others.append(Array(components.dropFirst()) + [components[0]])
    }
    var known: Set<[Character]> = [components]
    return others.filter { known.insert($0).inserted }.map { String($0) }
  }
}
