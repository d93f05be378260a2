internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// The vertex half of a filter: a text of its own that computes varyings and may move the corners of the picture.
struct ISFVertexHalf {
  /// The names that the two halves share in the text of the program.
  static let main = "etalonVertexMain"
  static let position = "etalon_Position"
  private static let prefix = "etalonVertex_"

  var tokens: [Token]
  let varyings: [Varying]
  /// Whether the text moves the corners of the picture.
  let movesCorners: Bool
  private(set) var diagnostics: [Diagnostic] = []

  init(_ tokens: [Token], _ source: SourceText) {
    var tokens = tokens
    let declared = Varyings(takenFrom: &tokens, isVertex: true)
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

  private mutating func report(attributes: [Varying]) {
    for attribute in attributes {
      diagnostics.append(
        Diagnostic(
          "isf.attribute", "the vertex half has no input '\(attribute.name)'",
          labels: attribute.labels.map { $0.worded("no geometry comes in") },
          help: ["after 'isf_vertShaderInit();' use 'gl_Position' and 'isf_FragNormCoord'"]))
    }
  }

  /// Renames everything that the text declares, so that the other half can have the same names.
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

/// The fragment half of a filter: what it reads from the vertex half, and the results that it declares itself.
struct ISFFragmentHalf {
  let varyings: Varyings
  private(set) var diagnostics: [Diagnostic] = []

  /// Takes the declarations out of the tokens and compares them with the vertex half.
  init(_ tokens: inout [Token], vertex: ISFVertexHalf?, _ source: SourceText) {
    varyings = Varyings(takenFrom: &tokens, isVertex: false)
    for varying in varyings.read where !ISFUniforms.names.contains(varying.name) { check(varying, vertex, source) }
    if !FileScope(tokens).functions.contains(where: { $0.name == "main" && $0.body != nil }) { reportMissingMain(tokens, source) }
  }

  private mutating func check(_ varying: Varying, _ vertex: ISFVertexHalf?, _ source: SourceText) {
    guard let written = vertex?.varyings.first(where: { $0.name == varying.name }) else {
      let file = source.path.split(separator: "/").last.map(String.init) ?? source.path
      let name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      diagnostics.append(
        Diagnostic(
          "isf.varying", "no vertex half writes '\(varying.name)'",
          labels: varying.labels.map { $0.worded("never written") },
          help: [vertex == nil ? "put the file '\(name).vs' beside this one" : "declare it as 'varying' in the vertex half too"]))
      return
    }
    guard written.type != varying.type || written.array != varying.array else { return }
    diagnostics.append(
      Diagnostic(
        "isf.varying", "the halves declare '\(varying.name)' as different types",
        labels: varying.labels.map { $0.worded(varying.type + varying.array) }
          + written.labels.map { $0.worded(written.type + written.array) }))
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

// MARK: - corners

/// GLSL that runs the vertex half of a filter before its fragment half.
///
/// A vertex half that leaves the corners where they are runs once for each pixel, as if every pixel were a vertex. One that moves them runs for the
/// four corners; the pixel then lies in one of the two triangles between them, which says how much of each corner it gets, or in neither, and is
/// transparent.
struct ISFCorners {
  let varyings: [Varying]
  let movesCorners: Bool

  /// Whether the pixel is covered, for texts that move corners.
  static let covered = "etalonIsCovered"

  /// What stands in front of the vertex half.
  var declarations: String {
    """
    vec4 \(ISFVertexHalf.position) = vec4(0.0, 0.0, 0.0, 1.0);
    vec2 etalonVertexPlace = (vec2(etalonPixel) + 0.5) / RENDERSIZE;
    void isf_vertShaderInit() {
      isf_FragNormCoord = etalonVertexPlace;
      \(ISFVertexHalf.position) = vec4(etalonVertexPlace * 2.0 - 1.0, 0.0, 1.0);
    }
    void vv_vertShaderInit() { isf_vertShaderInit(); }
    void \(ISFVertexHalf.main)();
    \(movesCorners ? cornerFunctions : pixelFunction)
    """
  }

  /// What stands between the halves: it runs before the initialisers of the fragment half.
  static let call = "bool etalonVertexHasRun = etalonRunVertex();\n"

  private var pixelFunction: String {
    """
    bool etalonRunVertex() {
      \(ISFVertexHalf.main)();
      return true;
    }

    """
  }

  /// Weighs three corners at a point: all weights are at least 0 inside of the triangle.
  ///
  /// Both sums of the comparison are computed alike, because texts put corners exactly on the farthest plane.
  static let weights = """
    bool etalonWeighCorners(vec4 a, vec4 b, vec4 c, vec2 here, out vec3 weights) {
      mat3 corners = mat3(a.xyw, b.xyw, c.xyw);
      if (determinant(corners) == 0.0) return false;
      weights = inverse(corners) * vec3(here, 1.0);
      float depth = dot(weights, vec3(a.z, b.z, c.z));
      float farthest = dot(weights, vec3(a.w, b.w, c.w));
      if (min(weights.x, min(weights.y, weights.z)) < 0.0 || abs(depth) > farthest) return false;
      weights /= weights.x + weights.y + weights.z;
      return true;
    }

    """

  private var cornerFunctions: String {
    let own = varyings.map { (name: ReservedWords.replacement(for: $0.name), type: $0.type, array: $0.array) }
    let all = [(name: "isf_FragNormCoord", type: "vec2", array: "")] + own
    let stores = all.map { "  \($0.type) etalonCorner_\($0.name)[4]\($0.array);\n" }.joined()
    let saves = all.map { "    etalonCorner_\($0.name)[etalonIndex] = \($0.name);\n" }.joined()
    let blends = all.map { blend($0.name, $0.type, $0.array) }.joined()
    let three = (0..<3).map { "etalonCorners[etalonIndex + \($0)]" }.joined(separator: ", ")
    return """
      bool etalonRunVertex() {
        vec2 etalonHere = etalonVertexPlace * 2.0 - 1.0;
        vec4 etalonCorners[4];
      \(stores)  for (int etalonIndex = 0; etalonIndex < 4; etalonIndex++) {
          etalonVertexPlace = vec2(etalonIndex & 1, etalonIndex >> 1);
          \(ISFVertexHalf.main)();
          etalonCorners[etalonIndex] = \(ISFVertexHalf.position);
      \(saves)  }
        for (int etalonIndex = 0; etalonIndex < 2 && !\(Self.covered); etalonIndex++) {
          vec3 etalonWeights;
          \(Self.covered) = etalonWeighCorners(\(three), etalonHere, etalonWeights);
          if (!\(Self.covered)) continue;
      \(blends)  }
        return true;
      }

      """
  }

  private func blend(_ name: String, _ type: String, _ array: String) -> String {
    let isFloat = ["float", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4"].contains(type)
    let corner = "etalonCorner_\(name)"
    func value(_ index: String) -> String {
      guard isFloat else { return "\(corner)[etalonIndex]\(index)" }
      return (0..<3).map { "etalonWeights[\($0)] * \(corner)[etalonIndex + \($0)]\(index)" }.joined(separator: " + ")
    }
    guard !array.isEmpty else { return "    \(name) = \(value(""));\n" }
    return "    for (int etalonPart = 0; etalonPart < \(name).length(); etalonPart++) \(name)[etalonPart] = \(value("[etalonPart]"));\n"
  }
}
