internal import EtalonDiagnostics
internal import EtalonTypes

/// The uniforms that a transition declares, with the values that it gives them in comments: `uniform float size; // = 0.2`.
struct TransitionUniforms {
  /// One name of a declaration.
  struct Uniform {
    /// The name as the author wrote it.
    let name: String
    /// The GLSL type as the author wrote it.
    let type: String
    let isArray: Bool
    /// The value of the comment that stands behind it, nil without such a comment.
    let initial: CommentedDefault?
    let place: SourceRange?
    let labels: [Diagnostic.Label]
  }

  private(set) var uniforms: [Uniform] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Removes the declarations from the tokens; comments and directives stay.
  init(takenFrom tokens: inout [Token]) {
    for declaration in FileScope(tokens).declarations {
      guard let keyword = declaration.tokens.firstIndex(where: { tokens[$0].isName("uniform") }) else { continue }
      let rest = declaration.tokens[(keyword + 1)...].drop { ["highp", "mediump", "lowp"].contains(tokens[$0].text) }
      guard let type = rest.first, tokens[type].kind == .identifier else { continue }
      if rest.contains(where: { tokens[$0].isMark("{") }) {
        diagnostics.append(
          Diagnostic(
            "gl-transition.uniform-block", "uniform blocks are not part of gl-transitions",
            labels: tokens.labels(at: declaration.tokens.prefix(2), "a block"), help: ["declare each member as a uniform of its own"]))
      } else {
        add(type: type, Array(rest.dropFirst()), end: declaration.end, tokens)
      }
      for place in declaration.tokens[keyword...] + [declaration.end] { tokens.erase(place...place) }
    }
  }

  private mutating func add(type: Int, _ places: [Int], end: Int, _ tokens: [Token]) {
    let declarators = DeclaratorList(places, in: tokens).declarators
    let common = CommentedDefault.find(after: end, in: tokens, stopsAtLineEnd: true)
    for (index, declarator) in declarators.enumerated() {
      let following = index + 1 < declarators.count ? declarators[index + 1].name : end
      let own = CommentedDefault.find(after: declarator.name, before: following, in: tokens)
      let written = declarator.initializer.isEmpty ? nil : CommentedDefault(declarator.initializer, in: tokens)
      uniforms.append(
        Uniform(
          name: tokens[declarator.name].text, type: tokens[type].text, isArray: !declarator.array.isEmpty,
          initial: written ?? own ?? common, place: tokens.origin(of: [declarator.name]), labels: tokens.labels(at: [declarator.name], "")))
    }
  }
}
