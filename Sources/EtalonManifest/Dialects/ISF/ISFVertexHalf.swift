internal import EtalonDiagnostics

/// The vertex half of a filter: a text of its own that computes varyings and may move the corners of the picture.
struct ISFVertexHalf {
  /// The names under which the halves meet in one text.
  static let main = "etalonVertexMain"
  static let position = "etalon_Position"
  private static let prefix = "etalonVertex_"

  var tokens: [Token]
  let varyings: [ISFVarying]
  /// Whether the text moves the corners of the picture.
  let movesCorners: Bool
  private(set) var diagnostics: [Diagnostic] = []

  init(_ tokens: [Token], _ source: SourceText) {
    var tokens = tokens
    let declared = ISFVaryings(takenFrom: &tokens, isVertexHalf: true)
    varyings = declared.written
    movesCorners = tokens.contains { $0.isName("gl_Position") }
    self.tokens = tokens
    report(attributes: declared.read)
    if !FileScope(tokens).functions.contains(where: { $0.name == "main" }) {
      diagnostics.append(
        Diagnostic(
          "isf.no-main", "the vertex half has no function 'main'", labels: [.init(source, 0..<0)],
          help: ["write 'void main() { isf_vertShaderInit(); }'"]))
    }
    if !tokens.contains(where: { $0.isName("isf_vertShaderInit") || $0.isName("vv_vertShaderInit") }) {
      diagnostics.append(
        Diagnostic(
          "isf.vertex-init", "the vertex half does not call 'isf_vertShaderInit'", severity: .warning, labels: [.init(source, 0..<0)],
          help: ["make it the first statement of 'main'"]))
    }
    separate()
  }

  private mutating func report(attributes: [ISFVarying]) {
    for attribute in attributes {
      diagnostics.append(
        Diagnostic(
          "isf.attribute", "the vertex half has no input '\(attribute.name)'",
          labels: attribute.labels.map { .init($0.source, $0.range, "no geometry comes in") },
          help: ["after 'isf_vertShaderInit();' use 'gl_Position' and 'isf_FragNormCoord'"]))
    }
  }

  /// Gives everything that the text declares names of its own, so that the other half can use the same ones.
  private mutating func separate() {
    let scope = FileScope(tokens)
    var names = Set(scope.functions.map(\.name)).union(
      Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    for declaration in scope.declarations { names.formUnion(declaredNames(declaration)) }
    names.subtract(varyings.map(\.name))
    names.subtract(["main", "isf_vertShaderInit", "vv_vertShaderInit"])
    var renamed = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.prefix + $0) })
    renamed["main"] = Self.main
    renamed["gl_Position"] = Self.position
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let name = renamed[tokens[index].text] else { continue }
      if let previous = tokens.previous(before: index), tokens[previous].isMark(".") { continue }
      tokens[index].text = name
    }
  }

  private func declaredNames(_ declaration: FileScope.Declaration) -> [String] {
    let words = declaration.tokens.drop { ["const", "highp", "mediump", "lowp"].contains(tokens[$0].text) }
    guard let first = words.first else { return [] }
    guard tokens[first].isName("struct") else {
      return DeclaratorList(words.dropFirst(), in: tokens).declarators.map { tokens[$0.name].text }
    }
    let close = words.lastIndex { tokens[$0].isMark("}") }
    let variables = close.map { DeclaratorList(words[($0 + 1)...], in: tokens).declarators.map { tokens[$0.name].text } } ?? []
    return words.dropFirst().prefix(1).map { tokens[$0].text } + variables
  }
}
