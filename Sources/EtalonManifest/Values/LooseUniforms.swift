package import EtalonDiagnostics
package import EtalonGLSL
package import EtalonTypes

/// A `uniform` that a text declares outside of any block, which Vulkan GLSL does not allow.
package struct LooseUniform {
  /// The name as the author wrote it.
  package let name: String
  package let type: String
  package let arrayLength: Int?
  /// The value that the text gives it; nil when it gives none.
  package let initial: Value?
  package let hasInitializer: Bool
  /// What the text says about the values it may have.
  package let comment: ParameterComment
  package let place: SourceRange?
  /// A label at the name, empty when Etalon wrote it.
  package let labels: [Diagnostic.Label]
}

extension LooseUniform {
  /// A uniform that a host sets without a declaration.
  package init(undeclared name: String, type: String, place: SourceRange?) {
    self.init(
      name: name, type: type, arrayLength: nil, initial: nil, hasInitializer: false, comment: ParameterComment(), place: place,
      labels: place.map { [$0.label("")] } ?? [])
  }
}

/// Takes the loose uniforms out of a text.
package struct LooseUniforms {
  package private(set) var uniforms: [LooseUniform] = []
  package private(set) var diagnostics: [Diagnostic] = []

  private let dialect: String
  private let readsDefaults: Bool
  private let names: MacroNames

  /// Removes the declarations from the tokens; messages name the dialect.
  ///
  /// - Parameter readsDefaults: whether a comment behind a declaration may hold its value: `uniform float speed; // = 0.5`.
  package init(takenFrom tokens: inout [Token], of dialect: String = "ShaderToy", readsDefaults: Bool = false) {
    self.dialect = dialect
    self.readsDefaults = readsDefaults
    names = MacroNames(tokens)
    for directive in Directive.all(in: tokens) where directive.name == "iUniform" {
      // The type with which that extension declares a color: a vector with a color picker.
      for place in directive.operands where tokens[place].text == "color3" { tokens[place].text = "vec3" }
      add(directive, tokens)
    }
    let written = tokens
    let inactive = InactiveBranches(tokens)
    for declaration in FileScope(tokens).declarations {
      guard let keyword = declaration.tokens.firstIndex(where: { tokens[$0].isName("uniform") }) else { continue }
      let rest = declaration.tokens[(keyword + 1)...].drop { ["highp", "mediump", "lowp"].contains(tokens[$0].text) }
      guard let type = rest.first, tokens[type].kind == .identifier else { continue }
      let isUnknown = inactive.contains(type) && !Self.isType(names.meaning(of: tokens[type].text, at: type))
      if rest.contains(where: { tokens[$0].isMark("{") }) {
        report(block: declaration, tokens)
      } else if !isUnknown {
        let comment = annotation(before: declaration.tokens[0], written).completed(by: comment(behind: declaration.end, written))
        let initial = readsDefaults ? CommentedDefault.find(after: declaration.end, in: written, stopsAtLineEnd: true) : nil
        add(type: type, rest.dropFirst(), tokens, comment, initial)
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
        "\(dialect.lowercased().replacing(" ", with: "-")).uniform-block", "uniform blocks are not part of \(dialect)",
        labels: tokens.labels(at: block.tokens.prefix(2), "a block"),
        help: ["declare each member as a uniform of its own"]))
  }

  private mutating func add(
    type: Int, _ places: some Sequence<Int>, _ tokens: [Token], _ comment: ParameterComment, _ common: CommentedDefault? = nil
  ) {
    let typeName = names.meaning(of: tokens[type].text, at: type)
    let valueType = ValueType(rawValue: typeName)
    for declarator in DeclaratorList(places, in: tokens).declarators {
      if let diagnostic = GLSLKeywords.diagnostic(of: declarator.name, in: tokens) { diagnostics.append(diagnostic) }
      let value = LiteralReader.value(of: declarator.initializer, in: tokens)
      uniforms.append(
        LooseUniform(
          name: names.meaning(of: tokens[declarator.name].text, at: type), type: typeName,
          arrayLength: arrayLength(declarator.array, tokens),
          initial: valueType.flatMap { type in value.map { ValueConversion.converted($0, to: type) } ?? common?.value(as: type) },
          hasInitializer: !declarator.initializer.isEmpty, comment: comment, place: tokens.origin(of: [declarator.name]),
          labels: tokens.labels(at: [declarator.name], "")))
    }
  }

  private static func isType(_ name: String) -> Bool { ValueType(rawValue: name) != nil || name.contains("sampler") }

  private func arrayLength(_ places: [Int], _ tokens: [Token]) -> Int? {
    guard places.count == 3 else { return places.isEmpty ? nil : 0 }
    return Int(tokens[places[1]].text) ?? 0
  }
}

/// The macros of a text that stand for a name, as in `#define SAMPLER_TYPE sampler2D`.
struct MacroNames {
  private let meanings: [String: (place: Int, name: String)]

  /// Macros that stand for each other end somewhere.
  private static let deepest = 16

  /// Of several definitions the first one counts that the compiler may see.
  init(_ tokens: [Token]) {
    let inactive = InactiveBranches(tokens)
    let pairs = Directive.all(in: tokens).compactMap { directive -> (String, (place: Int, name: String))? in
      guard !inactive.contains(directive.range.lowerBound), let macro = MacroDefinition(directive, in: tokens), macro.parameters == nil,
        macro.body.count == 1, tokens[macro.body[0]].kind == .identifier
      else { return nil }
      return (macro.name, (macro.nameIndex, tokens[macro.body[0]].text))
    }
    meanings = Dictionary(pairs) { first, _ in first }
  }

  /// What a name stands for at a place; itself where no macro in front of it says so.
  func meaning(of name: String, at place: Int) -> String {
    var name = name
    for _ in 0..<Self.deepest {
      guard let next = meanings[name], next.place < place else { break }
      name = next.name
    }
    return name
  }
}
