internal import EtalonDiagnostics
internal import EtalonGLSL

/// A variable that a vertex shader computes and a fragment shader reads, or a result that the fragment shader declares itself.
struct Varying {
  let name: String
  let type: String
  /// `[5]`, or nothing.
  let array: String
  let labels: [Diagnostic.Label]

  /// The declaration of a global variable in the place of it.
  var declaration: String { "\(type) \(ReservedWords.replacement(for: name))\(array);\n" }

  /// The color that a result stands for: channels that it does not have are 0, and alpha is 1.
  ///
  /// Of an array the first element is the picture.
  var color: String {
    let name = ReservedWords.replacement(for: name) + (array.isEmpty ? "" : "[0]")
    switch type {
    case "vec3": return "vec4(\(name), 1.0)"
    case "vec2": return "vec4(\(name), 0.0, 1.0)"
    case "float": return "vec4(\(name), 0.0, 0.0, 1.0)"
    default: return name
    }
  }
}

/// Takes the declarations of varyings out of a vertex shader or a fragment shader: `varying vec2 left;`, `in vec2 left;`, `out vec4 color;`.
struct Varyings {
  /// What comes from outside: attributes of a vertex shader, varyings of a fragment shader.
  private(set) var read: [Varying] = []
  /// What goes out: varyings of a vertex shader, results of a fragment shader.
  private(set) var written: [Varying] = []

  private static let qualifiers: Set<String> = ["flat", "smooth", "noperspective", "centroid", "highp", "mediump", "lowp", "invariant"]

  init() {}

  /// Removes the declarations from the tokens; a text may have them twice, for old and for new compilers.
  init(takenFrom tokens: inout [Token], isVertex: Bool) {
    for declaration in FileScope(tokens).declarations {
      guard let keyword = declaration.tokens.first(where: { ["varying", "in", "out", "attribute"].contains(tokens[$0].text) }),
        Self.onlyQualifiers(before: keyword, declaration.tokens, tokens)
      else { continue }
      let rest = declaration.tokens.drop { $0 <= keyword }.drop { Self.qualifiers.contains(tokens[$0].text) }
      guard let type = rest.first, tokens[type].kind == .identifier else { continue }
      let isWritten = tokens[keyword].text == "out" || (tokens[keyword].text == "varying" && isVertex)
      for declarator in DeclaratorList(rest.dropFirst(), in: tokens).declarators {
        let varying = Varying(
          name: tokens[declarator.name].text, type: tokens[type].text, array: declarator.array.map { tokens[$0].text }.joined(),
          labels: tokens.labels(at: [declarator.name], ""))
        if isWritten { Self.add(varying, to: &written) } else { Self.add(varying, to: &read) }
      }
      for place in declaration.tokens + [declaration.end] { tokens.erase(place...place) }
    }
  }

  private static func add(_ varying: Varying, to list: inout [Varying]) {
    if !list.contains(where: { $0.name == varying.name }) { list.append(varying) }
  }

  /// Whether nothing but qualifiers and a layout stand before a place, so that this is a declaration and no macro call.
  private static func onlyQualifiers(before place: Int, _ declaration: [Int], _ tokens: [Token]) -> Bool {
    let before = declaration.prefix { $0 < place }
    if before.first.map({ tokens[$0].isName("layout") }) ?? false { return true }
    return before.allSatisfy { qualifiers.contains(tokens[$0].text) }
  }
}
