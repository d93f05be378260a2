internal import EtalonManifest

/// The functions of passes, which return at once.
struct PassRule: MutationRule {
  let kind = MutationKind.pass
  /// The names of the functions.
  let functions: Set<String>

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.scope.functions.compactMap { function in
      guard functions.contains(function.name), let body = function.body else { return nil }
      let type = function.returnType.map { text.tokens[$0].text }.last
      // What is written into an output parameter begins as zero.
      let replacement = type == "void" ? "{ return;" : type.map { "{ return \($0)(0.0);" }
      return replacement.map { text.change(kind, body.lowerBound, to: $0) }
    }
  }
}
