internal import EtalonDiagnostics

/// The fragment half of a filter: what it reads from the vertex half, and the results that it declares itself.
struct ISFFragmentHalf {
  let varyings: ISFVaryings
  private(set) var diagnostics: [Diagnostic] = []

  /// Takes the declarations out of the tokens and compares them with the vertex half.
  init(_ tokens: inout [Token], vertex: ISFVertexHalf?, _ source: SourceText) {
    varyings = ISFVaryings(takenFrom: &tokens, isVertexHalf: false)
    for varying in varyings.read where !ISFUniforms.names.contains(varying.name) { check(varying, vertex, source) }
    if !FileScope(tokens).functions.contains(where: { $0.name == "main" && $0.body != nil }) { reportMissingMain(tokens, source) }
  }

  private mutating func check(_ varying: ISFVarying, _ vertex: ISFVertexHalf?, _ source: SourceText) {
    guard let written = vertex?.varyings.first(where: { $0.name == varying.name }) else {
      let file = source.path.split(separator: "/").last.map(String.init) ?? source.path
      let name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      diagnostics.append(
        Diagnostic(
          "isf.varying", "no vertex half writes '\(varying.name)'",
          labels: varying.labels.map { .init($0.source, $0.range, "never written") },
          help: [vertex == nil ? "put the file '\(name).vs' beside this one" : "declare it as 'varying' in the vertex half too"]))
      return
    }
    guard written.type != varying.type || written.array != varying.array else { return }
    diagnostics.append(
      Diagnostic(
        "isf.varying", "the halves declare '\(varying.name)' as different types",
        labels: varying.labels.map { .init($0.source, $0.range, varying.type + varying.array) }
          + written.labels.map { .init($0.source, $0.range, written.type + written.array) }))
  }

  private mutating func reportMissingMain(_ tokens: [Token], _ source: SourceText) {
    // A macro may hold the head of the function, or a bracket that is not closed hides it; then the compiler says what is wrong.
    guard !tokens.contains(where: { $0.isName("main") }) else { return }
    let entries = [
      "mainImage": "ShaderToy starts there; add 'void main() { mainImage(gl_FragColor, gl_FragCoord.xy); }'",
      "transition": "gl-transitions start there; add 'void main() { gl_FragColor = transition(isf_FragNormCoord); }'",
    ]
    let functions = FileScope(tokens).functions
    let near = NearestName.find("main", in: functions.map(\.name))
    let other = functions.first { entries[$0.name] != nil } ?? functions.first { $0.name == near }
    diagnostics.append(
      Diagnostic(
        "isf.no-main", "the text has no function 'main'",
        labels: other.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") } ?? [.init(source, 0..<0)],
        help: [
          other.flatMap { entries[$0.name] } ?? near.map { "rename '\($0)'" } ?? "write 'void main() { gl_FragColor = vec4(1.0); }'"
        ]))
  }
}
