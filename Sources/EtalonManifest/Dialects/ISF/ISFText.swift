internal import EtalonDiagnostics
internal import EtalonTypes

/// The halves of a filter with their declarations taken apart, and what is wrong with them.
struct ISFText {
  private(set) var fragment: [Token]
  private(set) var vertex: ISFVertexHalf?
  private(set) var varyings: ISFVaryings
  private(set) var loose: [LooseUniform] = []
  /// Each name once, in the order of the text.
  let constants: [SettableConstant]
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter declared: the names that the header declares.
  init(_ sources: ISFSources, _ source: SourceText, header: HeaderComment, declared: Set<String>, _ options: ReadingOptions) {
    var tokens = sources.fragment
    for index in tokens.indices where tokens[index].kind == .comment && tokens[index].origin == SourceRange(source, header.comment) {
      tokens.erase(index...index)
    }
    for text in [tokens, sources.vertex?.tokens ?? []] {
      diagnostics += UnterminatedComment.diagnostics(in: text) + UnknownCharacters.diagnostics(in: text)
    }
    let places = ConstantFinder(tokens: tokens).places()
    var values = ValueAssignment(options.values)
    values.substitute(in: &tokens, at: places)
    diagnostics += values.diagnostics
    var known: Set<String> = []
    constants = places.map(\.constant).filter { known.insert($0.name).inserted }

    let uniforms = LooseUniforms(takenFrom: &tokens, of: "ISF")
    loose = uniforms.uniforms
    diagnostics += uniforms.diagnostics
    if let (vertexTokens, vertexSource) = sources.vertex {
      var vertexTokens = vertexTokens
      let uniforms = LooseUniforms(takenFrom: &vertexTokens, of: "ISF")
      // Both halves declare what both of them use.
      let known = Set(loose.map(\.name))
      loose += uniforms.uniforms.filter { !known.contains($0.name) }
      let half = ISFVertexHalf(vertexTokens, vertexSource)
      diagnostics += uniforms.diagnostics + half.diagnostics
      vertex = half
    }
    diagnostics += ISFForeignResult(renamedIn: &tokens, declared: declared).diagnostics
    let half = ISFFragmentHalf(&tokens, vertex: vertex, source)
    varyings = half.varyings
    diagnostics += half.diagnostics
    fragment = tokens
  }

  /// Every name in either half.
  var names: Set<String> {
    Set((fragment + (vertex?.tokens ?? [])).lazy.filter { $0.kind == .identifier }.map(\.text))
  }
}
