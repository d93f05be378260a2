internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Turns the tokens of both halves of a filter into its passes.
struct ISFTranslation {
  let interface: ISFInterface
  private let vertex: ISFVertexHalf?
  private let fragment: [Token]
  private let varyings: Varyings
  private let forwarders: [Token]
  private let rewriteNames: [String]
  /// Every identifier of the rewritten halves.
  let mentioned: Set<String>

  init(_ text: ISFText, interface: ISFInterface, options: FilterReader.Options) {
    self.interface = interface
    varyings = text.varyings
    let rewrites = Self.rewrites(interface, options)
    var fragment = text.fragment
    var names: [String] = []
    let own = UserBuiltIns(predefined: ["__VERSION__": ISFEnvironment.number])
    var forwarders = Lexer.tokens(ofAddedText: own.forwarders(for: fragment))
    for rewrite in [own as any Rewrite] + rewrites where rewrite.changes(&fragment) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), Self.textureCalls(interface)] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    vertex = text.vertex.map { half in
      var half = half
      for rewrite in rewrites where half.apply(rewrite) && !names.contains(rewrite.name) { names.append(rewrite.name) }
      return half
    }
    self.fragment = fragment
    self.forwarders = forwarders
    rewriteNames = names
    mentioned = Self.names(fragment, forwarders, vertex)
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private static func rewrites(_ interface: ISFInterface, _ options: FilterReader.Options) -> [any Rewrite] {
    let always: [any Rewrite] = [
      LengthMembers(), LineNumbers(), Stripping(), MacroSpaces(), ISFEnvironment(), ISFMain(), EmptyMacroArguments(), LocalZeros(),
      FragmentNames(),
      Derivatives(),
      imageCalls(interface),
      textureCalls(interface), ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private static func mipmapped(_ interface: ISFInterface) -> Set<String> {
    Set(interface.images.filter { $0.sampler.interpolation == .mipmap }.map(\.name))
  }

  private static func allImages(_ interface: ISFInterface) -> Set<String> {
    Set(interface.images.map(\.name) + interface.targets.map(\.name))
  }

  private static func imageCalls(_ interface: ISFInterface) -> ISFImageCalls {
    ISFImageCalls(mipmapped: mipmapped(interface), images: allImages(interface))
  }

  private static func textureCalls(_ interface: ISFInterface) -> TextureCalls {
    TextureCalls(mipmapped: mipmapped(interface), plain: allImages(interface).subtracting(mipmapped(interface)))
  }

  // MARK: passes

  /// The pass with a number.
  func pass(_ index: Int, named name: String, to target: String?) -> PassSource {
    let branches = ISFPassBranches(passIndex: index)
    var fragment = fragment
    var vertex = vertex
    let isChanged = [branches.changes(&fragment), vertex?.apply(branches) ?? false].contains(true)
    let mentioned = Self.names(fragment, forwarders, vertex)
    let program = ISFProgram(
      uniforms: interface.uniforms(mentioned), textures: interface.textures(mentioned), passIndex: index, vertex: vertex,
      varyings: varyings, forwarders: forwarders, mentioned: mentioned)
    return source(program, fragment, name, target, rewriteNames + (isChanged ? [branches.name] : []))
  }

  private static func names(_ fragment: [Token], _ forwarders: [Token], _ vertex: ISFVertexHalf?) -> Set<String> {
    Set((fragment + forwarders + (vertex?.tokens ?? [])).lazy.filter { $0.kind == .identifier }.map(\.text))
  }

  /// A pass that shows a target, for filters whose last pass writes one.
  func copy(of target: String) -> PassSource {
    let image = ReservedWords.replacement(for: target)
    let text = "void \(ISFProgram.fragmentMain)() { etalon_FragColor = etalonTexture(\(image), isf_FragNormCoord); }"
    let mentioned: Set = [image, "etalonTexture"]
    let program = ISFProgram(
      uniforms: interface.uniforms(mentioned), textures: interface.textures(mentioned), passIndex: 0, vertex: nil, varyings: Varyings(),
      forwarders: [], mentioned: mentioned)
    return source(program, Lexer.tokens(ofAddedText: text), "image", nil, [])
  }

  private func source(
    _ program: ISFProgram, _ fragment: [Token], _ name: String, _ target: String?, _ rewrites: [String]
  ) -> PassSource {
    let names = interface.images.map(\.name) + interface.parameters.map(\.name) + interface.targets.map(\.name)
    return PassSource(
      name: name, target: target, source: GeneratedSource(program.tokens(around: fragment)), uniforms: program.uniforms,
      textures: program.textures.map { PassTexture(name: $0.name, source: $0.source, sampler: $0.sampler) },
      usesQuads: program.usesQuads, hints: ISFHints.hints(names), rewrites: rewrites)
  }
}

/// Gives the `main` of the author's text another name, because the program has one already.
struct ISFMain: Rewrite {
  let name = "own main"

  func apply(to tokens: inout [Token]) {
    tokens.rename(["main": ISFProgram.fragmentMain, "vv_FragNormCoord": "isf_FragNormCoord"])
  }
}

extension ISFVertexHalf {
  /// Rewrites the text and says whether that changed anything.
  mutating func apply(_ rewrite: any Rewrite) -> Bool { rewrite.changes(&tokens) }
}

// MARK: - branches of other passes

/// Removes the branches that belong to other passes, so that each pass mentions only what it really reads.
///
/// ISF has one text for all passes, which decides by `PASSINDEX` what it does: `if (PASSINDEX == 1) { … } else { … }`. Only conditions of nothing but the
/// number and literals are looked at, and what holds directives stays.
struct ISFPassBranches: Rewrite {
  let name = "pass branches"

  let passIndex: Int

  /// Conditions inside each other and chains of `else if`.
  private static let deepest = 200

  func apply(to tokens: inout [Token]) {
    guard tokens.contains(where: { $0.isName("PASSINDEX") }) else { return }
    var index = 0
    while index < tokens.count {
      if tokens[index].isName("if"), !tokens[index].isInDirective { removeDeadBranch(ofConditionAt: index, in: &tokens) }
      index += 1
    }
  }

  /// Whether the author's text of a pass uses its number only in conditions that were looked at: then no branch of another pass is left in it.
  static func decideAll(_ pass: PassSource) -> Bool {
    let tokens = Lexer.tokens(ofAddedText: pass.source.pieces.filter { $0.origin != nil }.map(\.text).joined(separator: " "))
    var open = Set(tokens.indices.filter { tokens[$0].isName("PASSINDEX") })
    guard !open.isEmpty else { return false }
    for index in tokens.indices where tokens[index].isName("if") && !tokens[index].isInDirective {
      guard let start = tokens.next(after: index), tokens[start].isMark("("), let end = tokens.closing(of: start),
        PassCondition.value(of: Array(tokens[(start + 1)..<end]), passIndex: 0) != nil
      else { continue }
      open.subtract(start...end)
    }
    return open.isEmpty
  }

  private func removeDeadBranch(ofConditionAt index: Int, in tokens: inout [Token]) {
    guard let open = tokens.next(after: index), tokens[open].isMark("("), let close = tokens.closing(of: open),
      let isTrue = PassCondition.value(of: Array(tokens[(open + 1)..<close]), passIndex: passIndex),
      let start = tokens.next(after: close), let end = statementEnd(at: start, in: tokens)
    else { return }
    if !isTrue { return empty(start...end, in: &tokens) }
    guard let other = tokens.next(after: end), tokens[other].isName("else"), let otherStart = tokens.next(after: other),
      let otherEnd = statementEnd(at: otherStart, in: tokens)
    else { return }
    empty(otherStart...otherEnd, in: &tokens)
  }

  /// Replaces a statement by an empty one.
  private func empty(_ range: ClosedRange<Int>, in tokens: inout [Token]) {
    guard !range.contains(where: { tokens[$0].isInDirective }) else { return }
    let first = tokens[range.lowerBound]
    tokens.erase(range)
    tokens[range.lowerBound] = first.replaced(by: "{}", kind: .punctuator)
  }

  /// The last token of the statement that starts at a place; nil when that is hard to say.
  private func statementEnd(at start: Int, in tokens: [Token], depth: Int = 0) -> Int? {
    guard depth < Self.deepest else { return nil }
    if tokens[start].isMark("{") { return tokens.closing(of: start) }
    switch tokens[start].text {
    case "for", "while", "switch": return bodyEnd(ofHeadAt: start, in: tokens, depth)
    case "if":
      guard let end = bodyEnd(ofHeadAt: start, in: tokens, depth) else { return nil }
      guard let other = tokens.next(after: end), tokens[other].isName("else"), let otherStart = tokens.next(after: other) else {
        return end
      }
      return statementEnd(at: otherStart, in: tokens, depth: depth + 1)
    case "do", "case", "default", "else": return nil
    default: return semicolon(from: start, in: tokens)
    }
  }

  private func bodyEnd(ofHeadAt start: Int, in tokens: [Token], _ depth: Int) -> Int? {
    guard let open = tokens.next(after: start), tokens[open].isMark("("), let close = tokens.closing(of: open),
      let body = tokens.next(after: close)
    else { return nil }
    return statementEnd(at: body, in: tokens, depth: depth + 1)
  }

  private func semicolon(from start: Int, in tokens: [Token]) -> Int? {
    var brackets = BracketDepth()
    var place: Int? = start
    while let current = place {
      if brackets.depth == 0, tokens[current].isMark(";") { return current }
      if brackets.depth == 0, tokens[current].isMark("}") { return nil }
      brackets.follow(tokens[current])
      place = tokens.next(after: current)
    }
    return nil
  }
}

/// Conditions such as `PASSINDEX == 0` and `PASSINDEX == 3 || PASSINDEX >= 5`.
enum PassCondition {
  /// The value of a condition; nil when it depends on anything but the number of the pass.
  static func value(of tokens: [Token], passIndex: Int) -> Bool? {
    let words = tokens.filter(\.isSignificant).map(\.text)
    let isPlain = !words.isEmpty && tokens.allSatisfy { !$0.isInDirective }
    return isPlain ? any(words[...], passIndex) : nil
  }

  private static func any(_ words: ArraySlice<String>, _ passIndex: Int) -> Bool? {
    combine(words.split(separator: "||", omittingEmptySubsequences: false).map { all($0, passIndex) }) { $0.contains(true) }
  }

  private static func all(_ words: ArraySlice<String>, _ passIndex: Int) -> Bool? {
    combine(words.split(separator: "&&", omittingEmptySubsequences: false).map { comparison($0, passIndex) }) { !$0.contains(false) }
  }

  private static func combine(_ values: [Bool?], _ join: ([Bool]) -> Bool) -> Bool? {
    let known = values.compactMap(\.self)
    return known.count == values.count ? join(known) : nil
  }

  private static func comparison(_ words: ArraySlice<String>, _ passIndex: Int) -> Bool? {
    var words = words
    while words.count > 3, words.first == "(", words.last == ")" { words = words.dropFirst().dropLast() }
    guard words.count == 3, words.contains("PASSINDEX") else { return nil }
    func number(_ word: String) -> Int? { word == "PASSINDEX" ? passIndex : Int(word) }
    guard let left = number(words[words.startIndex]), let right = number(words[words.startIndex + 2]) else { return nil }
    switch words[words.startIndex + 1] {
    case "==": return left == right
    case "!=": return left != right
    case "<": return left < right
    case "<=": return left <= right
    case ">": return left > right
    case ">=": return left >= right
    default: return nil
    }
  }
}
