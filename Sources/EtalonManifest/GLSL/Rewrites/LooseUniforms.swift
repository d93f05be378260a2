internal import EtalonDiagnostics
internal import EtalonTypes

/// A `uniform` that a text declares outside of any block, which Vulkan GLSL does not allow.
struct LooseUniform {
  /// The name as the author wrote it.
  let name: String
  let type: String
  let arrayLength: Int?
  /// The value that the text gives it; nil when it gives none.
  let initial: Value?
  let hasInitializer: Bool
  /// What the text says about the values it may have.
  let comment: ParameterComment
  let place: SourceRange?
  /// A label at the name, empty when Etalon wrote it.
  let labels: [Diagnostic.Label]
}

/// Takes the loose uniforms out of a text.
struct LooseUniforms {
  private(set) var uniforms: [LooseUniform] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let dialect: String

  /// Removes the declarations from the tokens; messages name the dialect.
  init(takenFrom tokens: inout [Token], of dialect: String = "ShaderToy") {
    self.dialect = dialect
    for directive in Directive.all(in: tokens) where directive.name == "iUniform" {
      // That extension's word for a vector with a color picker.
      for place in directive.operands where tokens[place].text == "color3" { tokens[place].text = "vec3" }
      add(directive, tokens)
    }
    let written = tokens
    for declaration in FileScope(tokens).declarations {
      guard let keyword = declaration.tokens.firstIndex(where: { tokens[$0].isName("uniform") }) else { continue }
      let rest = declaration.tokens[(keyword + 1)...].drop { ["highp", "mediump", "lowp"].contains(tokens[$0].text) }
      guard let type = rest.first, tokens[type].kind == .identifier else { continue }
      if rest.contains(where: { tokens[$0].isMark("{") }) {
        report(block: declaration, tokens)
      } else {
        let comment = annotation(before: declaration.tokens[0], written).completed(by: comment(behind: declaration.end, written))
        add(type: type, rest.dropFirst(), tokens, comment)
      }
      // Directives between the tokens of a declaration stay; everything else of it goes.
      let layout = declaration.tokens[..<keyword].lastIndex { tokens[$0].isName("layout") }
      for place in declaration.tokens[(layout ?? keyword)...] + [declaration.end] { tokens.erase(place...place) }
    }
  }

  /// `#iUniform float width = 8.0 in { 0.1, 15.0 } step 0.1` of an editor extension that previews ShaderToy files.
  private mutating func add(_ directive: Directive, _ tokens: [Token]) {
    let words = directive.operands.prefix { !tokens[$0].isName("in") && !tokens[$0].isName("step") }
    guard let type = words.first, tokens[type].kind == .identifier else { return }
    add(type: type, words.dropFirst(), tokens, ParameterComment(range: directive.operands.dropFirst(words.count), in: tokens))
  }

  /// What the comment behind a declaration says, in the same line.
  private func comment(behind end: Int, _ tokens: [Token]) -> ParameterComment {
    let line = tokens[(end + 1)...].prefix { $0.kind == .space || $0.kind == .comment }
    return line.first { $0.kind == .comment }.map { ParameterComment($0.text, place: $0.origin) } ?? ParameterComment()
  }

  /// What the comment in front of a declaration says, and the group that it belongs to.
  private func annotation(before start: Int, _ tokens: [Token]) -> ParameterComment {
    var place = start - 1
    var found = ""
    var origin: SourceRange?
    while place >= 0, !tokens[place].isSignificant {
      if tokens[place].kind == .comment, ParameterComment.isAnnotation(tokens[place].text) {
        found = tokens[place].text
        origin = tokens[place].origin
        break
      }
      place -= 1
    }
    let group = tokens[..<start].lazy.filter { $0.kind == .comment }.compactMap { ParameterComment.group(begunBy: $0.text) }.reversed()
      .first
    return ParameterComment(annotation: found, group: group, place: origin)
  }

  private mutating func report(block: FileScope.Declaration, _ tokens: [Token]) {
    diagnostics.append(
      Diagnostic(
        "\(dialect.lowercased()).uniform-block", "uniform blocks are not part of \(dialect)",
        labels: tokens.labels(at: block.tokens.prefix(2), "a block"),
        help: ["declare each member as a uniform of its own"]))
  }

  private mutating func add(type: Int, _ places: some Sequence<Int>, _ tokens: [Token], _ comment: ParameterComment) {
    let typeName = tokens[type].text
    for declarator in DeclaratorList(places, in: tokens).declarators {
      let value = LiteralReader.value(of: declarator.initializer, in: tokens)
      uniforms.append(
        LooseUniform(
          name: tokens[declarator.name].text, type: typeName, arrayLength: arrayLength(declarator.array, tokens),
          initial: ValueType(rawValue: typeName).flatMap { type in value.flatMap { ValueConversion.converted($0, to: type) } },
          hasInitializer: !declarator.initializer.isEmpty, comment: comment, place: tokens.origin(of: [declarator.name]),
          labels: tokens.labels(at: [declarator.name], "")))
    }
  }

  private func arrayLength(_ places: [Int], _ tokens: [Token]) -> Int? {
    guard places.count == 3 else { return places.isEmpty ? nil : 0 }
    return Int(tokens[places[1]].text) ?? 0
  }
}
