internal import EtalonDiagnostics
internal import EtalonManifest

/// Turns the compiler's messages into diagnostics at the author's text.
///
/// They stay in the compiler's order. Messages that only follow from an earlier one are left out, and nothing is said behind the first place that
/// the grammar cannot follow. A text with thousands of errors gets a few errors and the number of the others, because finding the place
/// and the words for each takes a look at the text around it.
struct ErrorMapper {
  /// The most errors, and the most warnings, that are told about a text.
  static let mostDiagnostics = 20
  /// The most messages that are looked at, whether they are told or only follow from others.
  private static let mostMessages = 1000

  private let pass: PassSource
  private let lines: TokenLines
  private let fileName: String

  init(pass: PassSource, lines: TokenLines, fileName: String) {
    self.pass = pass
    self.lines = lines
    self.fileName = fileName
  }

  /// The errors and warnings of a log that has at least one error.
  func error(of log: String) -> DiagnosticsError {
    let found = diagnostics(of: log)
    guard found.contains(where: { $0.severity == .error }) else { return DiagnosticsError(found + [unplaced(log)]) }
    return DiagnosticsError(found)
  }

  /// Everything that a log says.
  func diagnostics(of log: String) -> [Diagnostic] {
    guard !log.isEmpty else { return [] }
    let messages = CompilerMessage.parse(log, fileName: fileName)
    guard !messages.isEmpty else { return [] }
    let tokens = TokenListing(lines)
    let macros = MacroTable(tokens.directives)
    let names = NameListing(tokens, pass: pass)
    let locator = MessageLocator(tokens: tokens, macros: macros)
    var filter = ConsequenceFilter(tokens)
    var out: [Diagnostic] = []
    var counts: [Diagnostic.Severity: Int] = [:]
    var untold: [CompilerMessage] = []
    for (index, message) in messages.enumerated() where !isRepeated(message, by: messages.dropFirst(index + 1).first) {
      if filter.isOver, message.severity == .error { continue }
      guard counts[message.severity, default: 0] < Self.mostDiagnostics, index < Self.mostMessages else {
        untold.append(message)
        continue
      }
      let place = locator.place(of: message)
      let context = MessageContext(
        message: message, tokens: tokens, macros: macros, names: names, token: place.token, directive: place.directive,
        expansion: place.expansion)
      guard let explanation = MessageTable.rules.lazy.compactMap({ $0(context) }).first else { continue }
      guard filter.admits(explanation, at: place.token, isWarning: message.severity == .warning) else { continue }
      let diagnostic = Placer(tokens).diagnostic(explanation, in: context)
      guard !out.contains(diagnostic) else { continue }
      out.append(diagnostic)
      counts[message.severity, default: 0] += 1
    }
    if let first = untold.first { out.append(more(untold.count, from: locator.place(of: first), tokens)) }
    return out
  }

  /// Says how much is not told, and where the first of it is.
  private func more(_ count: Int, from place: MessageLocator.Place, _ tokens: TokenListing) -> Diagnostic {
    let origin = place.token.flatMap { tokens.origin($0...$0) } ?? place.directive
    return Diagnostic(
      "glsl.more", "the compiler has \(count) more \(count == 1 ? "message" : "messages") about pass '\(pass.name)'", severity: .note,
      labels: origin.map { [$0.label("the next one")] } ?? [],
      help: ["mend the others first: these may only follow from them"])
  }

  /// Whether the next message says the same more precisely: an argument for an `out` parameter is first reported as an assignment.
  private func isRepeated(_ message: CompilerMessage, by next: CompilerMessage?) -> Bool {
    guard let next else { return false }
    return message.text.hasPrefix("l-value required") && next.text.hasPrefix("Non-L-value") && next.line == message.line
  }

  /// The compiler failed and said nothing that could be read.
  private func unplaced(_ log: String) -> Diagnostic {
    Diagnostic(
      "internal.compiler", "the GLSL compiler failed on pass '\(pass.name)' without a reason that etalon understands",
      help: ["this is a mistake of etalon: please report it together with the shader"], notes: log.isEmpty ? [] : [log])
  }
}

// MARK: Explanations

/// What a rule makes of one message of the compiler, before it is placed and weighed against the others.
struct Explanation {
  /// A part of the text to point at.
  enum Mark {
    /// The tokens from one to another.
    case tokens(ClosedRange<Int>)
    /// The gap right behind a token, where something is missing.
    case after(Int)
    case source(SourceRange)
  }

  /// How it stands to the explanations before it.
  enum Role {
    case cause
    /// Follows from an earlier error in the same statement or about the same name, if there is one.
    case consequence
  }

  /// What the compiler can no longer judge after it.
  enum Damage: Equatable {
    case nothing
    /// The types in the rest of the statement are guesses.
    case statement
    /// The types of expressions with the name are guesses, everywhere.
    case name(String)
    /// The body of the function that comes next is read as something else.
    case nextBody
    /// The rest of the text is read as something else.
    case rest
  }

  let id: String
  var message: String
  var mark: Mark?
  var label = ""
  var others: [(mark: Mark, label: String)] = []
  var help: [String] = []
  var notes: [String] = []
  var role = Role.cause
  var damage = Damage.nothing
}

/// Puts explanations at their places in the author's text.
private struct Placer {
  private let tokens: TokenListing

  init(_ tokens: TokenListing) { self.tokens = tokens }

  func diagnostic(_ explanation: Explanation, in context: MessageContext) -> Diagnostic {
    var labels: [Diagnostic.Label] = []
    var notes = explanation.notes
    if let macro = context.expansion, let token = context.token {
      labels = expansionLabels(explanation, macro, use: token, context)
      if macro.origin != nil { notes.append("it comes from macro '\(macro.name)'") }
    } else if let place = explanation.mark.flatMap({ range($0) }) {
      labels = [place.label(explanation.label)]
    }
    guard !labels.isEmpty || context.message.line == nil else { return inOurText(explanation, context) }
    labels += explanation.others.compactMap { other in range(other.mark).map { $0.label(other.label) } }
    return Diagnostic(
      explanation.id, explanation.message, severity: context.message.severity, labels: labels, help: explanation.help, notes: notes)
  }

  /// First the use, then the word in the definition.
  private func expansionLabels(
    _ explanation: Explanation, _ macro: MacroTable.Macro, use token: Int, _ context: MessageContext
  ) -> [Diagnostic.Label] {
    guard let use = range(.tokens(token...token)) else { return [] }
    guard let definition = context.macros.definition(of: context.message.subject, startingAt: macro) else {
      return [use.label(explanation.label)]
    }
    return [
      use.label("used here"), definition.place.label(explanation.label),
    ]
  }

  private func range(_ mark: Explanation.Mark) -> SourceRange? {
    switch mark {
    case .source(let range): return range
    case .tokens(let range):
      if let origin = tokens.origin(range) { return origin }
      return range.lazy.compactMap { tokens.tokens[$0].origin }.first
    case .after(let index):
      guard let origin = tokens.tokens[index].origin else { return nil }
      return SourceRange(origin.source, origin.range.upperBound..<origin.range.upperBound)
    }
  }

  /// The compiler refused text that Etalon wrote around the author's.
  private func inOurText(_ explanation: Explanation, _ context: MessageContext) -> Diagnostic {
    let near = context.token.flatMap { token in
      tokens.tokens[..<token].last { $0.origin != nil }?.origin ?? tokens.tokens[token...].first { $0.origin != nil }?.origin
    }
    return Diagnostic(
      "internal.generated-source", "the code that etalon wrote around the shader does not compile: \(explanation.message)",
      severity: context.message.severity, labels: near.map { [$0.label("near this")] } ?? [],
      help: ["this is a mistake of etalon: please report it together with the shader"], notes: ["at '\(context.tokenText)'"])
  }
}

/// Leaves out what only follows from an earlier error.
private struct ConsequenceFilter {
  private let tokens: TokenListing
  private var damagedStatements: Set<Int> = []
  private var damagedNames: Set<String> = []
  private var damagedBodies: [ClosedRange<Int>] = []
  /// For statements that were searched for damaged names, how many names those were; nil when one was found.
  private var searchedStatements: [Int: Int?] = [:]
  /// Whether nothing more can be told about errors.
  private(set) var isOver = false

  init(_ tokens: TokenListing) { self.tokens = tokens }

  /// Whether an explanation is worth telling; remembers what it damages.
  mutating func admits(_ explanation: Explanation, at token: Int?, isWarning: Bool) -> Bool {
    if isWarning { return true }
    guard !isOver else { return false }
    let statement = token.map { tokens.startOfStatement($0) }
    let isKnown = explanation.role == .consequence && (isDamaged(token, statement) || usesDamagedName(statement))
    if explanation.damage == .rest { isOver = true }
    guard !isKnown else { return false }
    switch explanation.damage {
    case .nothing, .rest: break
    case .statement: if let statement { damagedStatements.insert(statement) }
    case .name(let name):
      damagedNames.insert(name)
      if let statement { damagedStatements.insert(statement) }
    case .nextBody:
      if let token, tokens.text(token + 1) == "{", let close = tokens.partner(of: token + 1) { damagedBodies.append(token...close) }
    }
    return true
  }

  private func isDamaged(_ token: Int?, _ statement: Int?) -> Bool {
    guard let token, let statement else { return false }
    return damagedStatements.contains(statement) || damagedBodies.contains { $0.contains(token) }
  }

  private mutating func usesDamagedName(_ statement: Int?) -> Bool {
    guard let statement, !damagedNames.isEmpty else { return false }
    if let known = searchedStatements[statement], known == nil || known == damagedNames.count { return known == nil }
    var index = statement
    while let text = tokens.text(index), text != ";", text != "}" {
      if damagedNames.contains(text) {
        searchedStatements[statement] = .some(nil)
        return true
      }
      index += 1
    }
    searchedStatements[statement] = damagedNames.count
    return false
  }
}
