package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Reads an ISF filter: its header, its fragment half and, beside it, its vertex half.
///
/// ```swift
/// let reading = try ISFReader(files: FolderFiles("filters")).read(source, named: "bloom", options: FilterReader.Options())
/// ```
package struct ISFReader: DialectReader {
  private let files: any FileProvider

  /// Prepares to read; the vertex half and included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  package func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    let sources = try ISFSources(source, files: files, limits: options.limits)
    let search = try ISFHeaderSearch(source)
    let headerReader = HeaderReader(source, search.comment, policy: .isf, options: options)
    let header = headerReader.header
    guard sources.includeDiagnostics.isEmpty else {
      return FilterDraft(nil, sources.includeDiagnostics + search.warnings + headerReader.diagnostics)
    }
    let text = ISFText(sources, source, header: search.comment, declared: Set(header.names), options)
    let targets = ISFTargets(header, mentioned: text.names)
    let interface = ISFInterface(header: header, targets: targets.targets, loose: text.loose, samplers: options.samplers)
    let translation = ISFTranslation(text, interface: interface, options: options)
    let passes = passes(targets, translation)
    let cycles = PassCycles(
      passes, targets.targets, help: "add \"PERSISTENT\": true to one of the targets, or change the order of the passes",
      isCertain: ISFPassBranches.decideAll)
    var diagnostics = search.warnings + headerReader.diagnostics + text.diagnostics + interface.diagnostics + cycles.diagnostics
    if !diagnostics.contains(where: { $0.severity == .error }) { diagnostics += interface.unused(translation.mentioned) }
    let manifest = FilterManifest(
      name: name, dialect: .isf, kind: header.kind, about: header.about, inputs: interface.images, parameters: interface.parameters,
      constants: text.constants, targets: targets.targets, passes: passes, alpha: header.alpha)
    return FilterDraft(manifest, diagnostics)
  }

  /// The passes by the names of their targets; a target that is written twice has a number from then on.
  private func passes(_ targets: ISFTargets, _ translation: ISFTranslation) -> [PassSource] {
    var counts: [String: Int] = [:]
    var passes: [PassSource] = []
    for (index, target) in targets.passes {
      let name = target ?? "image"
      counts[name, default: 0] += 1
      let count = counts[name] ?? 1
      passes.append(translation.pass(index, named: count > 1 ? "\(name)-\(count)" : name, to: target))
    }
    return passes + (targets.copied.map { [translation.copy(of: $0)] } ?? [])
  }
}

// MARK: - the header

/// Finds the header of an ISF file, with what is odd about its place.
struct ISFHeaderSearch {
  let comment: HeaderComment
  let warnings: [Diagnostic]

  init(_ source: SourceText) throws(DiagnosticsError) {
    guard let comment = HeaderComment(in: source, mustComeFirst: false) else { throw DiagnosticsError(Self.missing(source)) }
    let tokens = Lexer.tokens(of: source)
    let header = tokens.filter { $0.origin?.range == comment.comment }
    let diagnostics = UnterminatedComment.diagnostics(in: header)
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    self.comment = comment
    let first = tokens.first(where: \.isSignificant)?.origin?.range
    warnings = first.flatMap { $0.lowerBound < comment.comment.lowerBound ? [Self.late(source, $0)] : nil } ?? []
  }

  private static func late(_ source: SourceText, _ place: Range<Int>) -> Diagnostic {
    Diagnostic(
      "isf.header-not-first", "the header is not the first thing in the file", severity: .warning,
      labels: [.init(source, place, "stands before it")], help: ["move the header to the top"],
      notes: ["most hosts read a header only at the top of a file"])
  }

  private static func missing(_ source: SourceText) -> Diagnostic {
    let tokens = Lexer.tokens(of: source)
    let start = tokens.first { $0.kind == .comment || $0.isSignificant }?.origin?.range.lowerBound ?? 0
    return Diagnostic(
      "isf.no-header", "the file has no ISF header", labels: [.init(source, start..<start, "expected a comment with JSON")],
      help: ["begin the file with '/*{ \"ISFVSN\": \"2\", \"INPUTS\": [] }*/'"])
  }
}

// MARK: - texts

/// The texts of a filter: the fragment half that the user named, and the vertex half that lies beside it.
private struct ISFSources {
  let fragment: [Token]
  /// What is wrong with the includes of both.
  let includeDiagnostics: [Diagnostic]
  /// Nil when there is no file.
  let vertex: (tokens: [Token], source: SourceText)?

  /// Reads both and expands their includes, if they keep within the limits.
  init(_ source: SourceText, files: any FileProvider, limits: TextLimits) throws(DiagnosticsError) {
    let half = try ExpandedText(source, files: files, limits: limits)
    fragment = half.tokens
    guard let beside = try Self.vertexText(beside: source, files, limits) else {
      vertex = nil
      includeDiagnostics = half.includeDiagnostics
      return
    }
    let otherHalf = try ExpandedText(beside, files: files, limits: limits)
    vertex = (otherHalf.tokens, beside)
    includeDiagnostics = half.includeDiagnostics + otherHalf.includeDiagnostics
  }

  /// The file with the same name and the extension `vs` or `vert`.
  private static func vertexText(
    beside source: SourceText, _ files: any FileProvider, _ limits: TextLimits
  ) throws(DiagnosticsError) -> SourceText? {
    let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { $0 + "/" }.joined()
    guard let file = parts.last, let dot = file.lastIndex(of: "."), dot != file.startIndex else { return nil }
    for fileExtension in ["vs", "vert"] {
      let name = file[..<dot] + "." + fileExtension
      do throws(FileError) {
        return SourceText(path: folder + name, bytes: try files.bytes(at: String(name), atMost: limits.bytes))
      } catch {
        if error == .missing { continue }
        throw DiagnosticsError(unreadable(String(name), error, source, limits))
      }
    }
    return nil
  }

  private static func unreadable(_ name: String, _ error: FileError, _ source: SourceText, _ limits: TextLimits) -> Diagnostic {
    let why =
      switch error {
      case .missing: "no such file"
      case .outside: "a link that leads out of the folder"
      case .tooLarge: "more than \(limits.bytes) bytes"
      case .unreadable(let why): why
      }
    return Diagnostic("isf.vertex-half", "cannot read the vertex half '\(name)': \(why)", labels: [.init(source, 0..<0)])
  }
}

/// The halves of a filter with their declarations taken apart, and what is wrong with them.
struct ISFText {
  private(set) var fragment: [Token]
  private(set) var vertex: ISFVertexHalf?
  private(set) var varyings: Varyings
  private(set) var loose: [LooseUniform] = []
  /// Each name once, in the order of the text.
  let constants: [SettableConstant]
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter declared: the names that the header declares.
  fileprivate init(
    _ sources: ISFSources, _ source: SourceText, header: HeaderComment, declared: Set<String>, _ options: FilterReader.Options
  ) {
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

/// The result under the name that other players give it: a text that writes `fragColor` and declares it nowhere means `gl_FragColor`.
private struct ISFForeignResult {
  private(set) var diagnostics: [Diagnostic] = []

  private static let foreign = "fragColor"
  private static let own = "gl_FragColor"

  /// Renames it in the tokens and says so once.
  ///
  /// - Parameter declared: names that the header declares.
  init(renamedIn tokens: inout [Token], declared: Set<String>) {
    let places = tokens.indices.filter { tokens[$0].isName(Self.foreign) }
    guard let first = places.first, !declared.contains(Self.foreign) else { return }
    let isOwnWritten = tokens.contains { $0.isName(Self.own) || $0.isName("gl_FragData") }
    guard !isOwnWritten, !places.contains(where: { Self.declares($0, tokens) }) else { return }
    tokens.rename([Self.foreign: Self.own])
    diagnostics.append(
      Diagnostic(
        "isf.frag-color", "'\(Self.foreign)' is declared nowhere, so it is read as '\(Self.own)'", severity: .warning,
        labels: tokens.labels(at: [first], "not declared"), help: ["write '\(Self.own)'"]))
  }

  /// Whether a name stands behind a type, another declared name or `#define`.
  private static func declares(_ place: Int, _ tokens: [Token]) -> Bool {
    guard let before = tokens.previous(before: place) else { return false }
    if tokens[before].kind == .identifier { return !["return", "else"].contains(tokens[before].text) }
    return tokens[before].isMark(",") && !isArgument(before, tokens)
  }

  /// Whether a comma stands within brackets.
  private static func isArgument(_ comma: Int, _ tokens: [Token]) -> Bool {
    var depth = 0
    var place = tokens.previous(before: comma)
    while let current = place, !tokens[current].isMark(";"), !tokens[current].isMark("{"), !tokens[current].isMark("}") {
      if tokens[current].isMark(")") { depth += 1 }
      if tokens[current].isMark("(") { depth -= 1 }
      if depth < 0 { return true }
      place = tokens.previous(before: current)
    }
    return false
  }
}
