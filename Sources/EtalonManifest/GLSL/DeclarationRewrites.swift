package import EtalonDiagnostics
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

/// Gives local variables without an initialiser the value zero each time their declaration runs, as browsers do.
///
/// A compiler that keeps such a variable for the whole function would let the `int i` of an inner `for (int i; i++ < 9;)` continue from its last value.
/// Variables of the outermost block are left alone: a kernel starts with zeros.
package struct LocalZeros: Rewrite {
  package let name = "local zeros"

  package init() {}

  private static let zeros: [String: String] = {
    var zeros = ["float": "0.0", "int": "0", "uint": "0u", "bool": "false"]
    for size in 2...4 {
      for (prefix, zero) in [("vec", "0.0"), ("ivec", "0"), ("uvec", "0u"), ("bvec", "false"), ("mat", "0.0")] {
        zeros["\(prefix)\(size)"] = "\(prefix)\(size)(\(zero))"
      }
    }
    return zeros
  }()
  /// Tokens of one declaration; a longer one is left alone.
  private static let longest = 4096

  package func apply(to tokens: inout [Token]) {
    let macros = Set(Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for place in declarations(in: tokens, macros) {
      guard let zero = Self.zeros[tokens[place].text] else { continue }
      for name in unsetNames(after: place, tokens) where !macros.contains(tokens[name].text) {
        let added = Lexer.tokens(ofAddedText: " = \(zero)").map { Token($0.kind, $0.text, isInDirective: tokens[name].isInDirective) }
        edits.append((name + 1..<name + 1, added))
      }
    }
    tokens.apply(edits)
  }

  /// The types that start a declaration within an inner block or in the head of a `for`.
  private func declarations(in tokens: [Token], _ macros: Set<String>) -> [Int] {
    var found: [Int] = []
    var holdsMembers: [Bool] = []
    for index in tokens.indices where tokens[index].isSignificant {
      let token = tokens[index]
      if Self.zeros[token.text] != nil {
        guard let before = tokens.previous(before: index) else { continue }
        let isInBlock = !token.isInDirective && holdsMembers.count >= 2 && !holdsMembers.contains(true)
        let startsStatement = ["{", "}", ";"].contains(tokens[before].text) && isInBlock
        if startsStatement || startsLoop(before, tokens) { found.append(index) }
      } else if !token.isInDirective, token.isMark("{") {
        holdsMembers.append(opensMembers(index, tokens, macros))
      } else if !token.isInDirective, token.isMark("}") {
        _ = holdsMembers.popLast()
      }
    }
    return found
  }

  private func startsLoop(_ open: Int, _ tokens: [Token]) -> Bool {
    guard tokens[open].isMark("("), let word = tokens.previous(before: open) else { return false }
    return tokens[word].text == "for"
  }

  /// Whether members follow, as after `struct Ray {`: a name that is no macro stands in front.
  private func opensMembers(_ brace: Int, _ tokens: [Token], _ macros: Set<String>) -> Bool {
    guard let before = tokens.previous(before: brace), tokens[before].kind == .identifier else { return false }
    return !["else", "do"].contains(tokens[before].text) && !macros.contains(tokens[before].text)
  }

  /// The names of `int a, b = 1, c[2];` that have no value and are no arrays; none where no `;` ends the declaration.
  private func unsetNames(after type: Int, _ tokens: [Token]) -> [Int] {
    var places: [Int] = []
    var place = tokens.next(after: type)
    while let current = place, !tokens[current].isMark(";") {
      guard places.count < Self.longest, !["{", "}"].contains(tokens[current].text) else { return [] }
      places.append(current)
      place = tokens.next(after: current)
    }
    guard place != nil, let first = places.first, tokens[first].kind == .identifier else { return [] }
    return DeclaratorList(places, in: tokens).declarators.filter { $0.array.isEmpty && $0.initializer.isEmpty }.map(\.name)
  }
}

/// Drops `const` from constants outside of functions whose initialiser this compiler may not fold: `const mat3 M = inverse(…)`.
///
/// Constants that are made from such constants lose it too. All others keep it, because they may be the length of an array.
package struct FileScopeConst: Rewrite {
  package let name = "unfoldable const"

  package init() {}

  package func apply(to tokens: inout [Token]) {
    var variables: Set<String> = []
    for declaration in FileScope(tokens).declarations {
      guard let first = declaration.tokens.first, tokens[first].isName("const") else { continue }
      let declarators = DeclaratorList(declaration.tokens.dropFirst(2), in: tokens).declarators
      let areFoldable = declarators.allSatisfy { isFoldable($0.initializer, tokens, variables) }
      guard !areFoldable else { continue }
      tokens.erase(first...first)
      variables.formUnion(declarators.map { tokens[$0.name].text })
    }
  }

  /// Whether an initialiser calls nothing but constructors and mentions only constants.
  private func isFoldable(_ initializer: [Int], _ tokens: [Token], _ variables: Set<String>) -> Bool {
    initializer.allSatisfy { place in
      guard tokens[place].kind == .identifier else { return true }
      let isConstructor = ValueType(rawValue: tokens[place].text) != nil
      return !variables.contains(tokens[place].text) && (isConstructor || !tokens.isCalled(at: place))
    }
  }
}
