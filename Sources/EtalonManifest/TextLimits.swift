package import EtalonDiagnostics
package import EtalonGLSL

/// How much text the compiler is given at most: files may come from anywhere.
///
/// Real filters stay far below all of them; the compiler needs time and stack in proportion to what it is given.
package struct TextLimits: Sendable, Hashable {
  /// Bytes of one file.
  package var bytes = 1 << 20
  /// Tokens after includes and macros are expanded.
  package var tokens = 1 << 20
  /// Brackets inside each other.
  package var nesting = 256
  /// Operators that join one expression, after macros are expanded.
  package var operators = 20_000
  /// Members of a struct together with those of the structs in it; the compiler walks through all of them at every declaration.
  package var members = 1 << 16
  /// Files that are included, one inside the other.
  package var includeDepth = 16
  /// Files that are included in all; libraries of small files, one for each function, need hundreds.
  package var includes = 512

  package init() {}
}

/// Refuses text that would cost the compiler too much, before it sees any of it.
package struct LimitCheck {
  private let limits: TextLimits

  package init(_ limits: TextLimits) { self.limits = limits }

  /// What is wrong with the size of a file.
  package func diagnostics(of source: SourceText) -> [Diagnostic] {
    guard source.bytes.count > limits.bytes else { return [] }
    let message = "'\(source.path)' has \(source.bytes.count) bytes, at most \(limits.bytes) are accepted"
    return [Diagnostic("limit.bytes", message, labels: [.init(source, 0..<0)])]
  }

  /// What is wrong with tokens whose includes are expanded.
  package func diagnostics(of tokens: [Token]) -> [Diagnostic] {
    if let diagnostic = nestingDiagnostic(tokens) ?? memberDiagnostic(tokens) { return [diagnostic] }
    return expansionDiagnostic(tokens).map { [$0] } ?? []
  }

  private func nestingDiagnostic(_ tokens: [Token]) -> Diagnostic? {
    var brackets = BracketDepth()
    var directiveBrackets = BracketDepth()
    for index in tokens.indices {
      if tokens[index].isInDirective {
        brackets.follow(directiveToken: index, in: tokens)
        directiveBrackets.follow(tokens[index])
      } else {
        brackets.follow(tokens[index])
        directiveBrackets = BracketDepth()
      }
      if max(brackets.depth, directiveBrackets.depth) > limits.nesting {
        return Diagnostic(
          "limit.nesting", "brackets are nested deeper than \(limits.nesting) levels", labels: label(tokens[index], "one level too many"))
      }
    }
    return nil
  }

  /// Goes through the text statement by statement, so that a diagnostic points at the statement that is too large.
  private func expansionDiagnostic(_ tokens: [Token]) -> Diagnostic? {
    var sizes = MacroSizes(tokens)
    var total = ExpansionMeasure()
    let visible = tokens.indices.filter { tokens[$0].isSignificant && !tokens[$0].isInDirective }
    for statement in visible.split(whereSeparator: { tokens[$0].kind == .punctuator && [";", "{", "}"].contains(tokens[$0].text) }) {
      let size = sizes.measure(statement)
      total = total + size + ExpansionMeasure(tokens: 1)
      if total.tokens > limits.tokens { return tokenDiagnostic(tokens[statement[statement.startIndex]]) }
      if size.operators > limits.operators, let diagnostic = operatorDiagnostic(statement, tokens, &sizes) { return diagnostic }
    }
    return nil
  }

  /// What is wrong with the structs of some tokens, in which macros are expanded or left alone.
  package func memberDiagnostic(_ tokens: [Token]) -> Diagnostic? {
    var sizes = StructSizes(limit: limits.members)
    for keyword in tokens.indices where tokens[keyword].isName("struct") && !tokens[keyword].isInDirective {
      guard let tooLarge = sizes.add(keyword: keyword, in: tokens) else { continue }
      return Diagnostic(
        "limit.members", "a struct has more than \(limits.members) members, with those of the structs in it",
        labels: label(tokens[tooLarge], "too large"), help: ["nest fewer structs, or put their numbers into arrays"])
    }
    return nil
  }

  private func tokenDiagnostic(_ token: Token) -> Diagnostic {
    Diagnostic(
      "limit.tokens", "the text has more than \(limits.tokens) tokens after its macros are expanded",
      labels: label(token, "too many with this statement"))
  }

  /// Commas between arguments and elements separate expressions, so a long table is no long expression.
  private func operatorDiagnostic(_ statement: ArraySlice<Int>, _ tokens: [Token], _ sizes: inout MacroSizes) -> Diagnostic? {
    for expression in statement.split(whereSeparator: { tokens[$0].isMark(",") }) {
      let count = sizes.measure(expression).operators
      guard count > limits.operators, let first = expression.first else { continue }
      return Diagnostic(
        "limit.operators", "an expression has more than \(limits.operators) operators",
        labels: label(tokens[first], "starts here"), help: ["compute it in a loop, or in several statements"])
    }
    return nil
  }

  private func label(_ token: Token, _ message: String) -> [Diagnostic.Label] {
    token.origin.map { [$0.label(message)] } ?? []
  }
}

// MARK: - sizes of structs

/// Counts the members of structs with those of the structs in them, each definition once.
///
/// Numbers saturate just above the limit, so that forty structs that hold the one before twice are only too large. Macros are not expanded; a name
/// that is defined several times counts with the largest of its definitions.
private struct StructSizes {
  let limit: Int
  private var counts: [String: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Takes the struct that a keyword begins, and returns the token to point at when it is too large.
  mutating func add(keyword: Int, in tokens: [Token]) -> Int? {
    guard var open = tokens.next(after: keyword) else { return nil }
    var name: Int?
    if tokens[open].kind == .identifier, let next = tokens.next(after: open) { (name, open) = (open, next) }
    guard tokens[open].isMark("{") else { return nil }
    let count = memberCount(openedAt: open, in: tokens)
    if let name { counts[tokens[name].text] = max(count, counts[tokens[name].text] ?? 0) }
    return count > limit ? name ?? keyword : nil
  }

  private func memberCount(openedAt open: Int, in tokens: [Token]) -> Int {
    var sum = 0
    var depth = 0
    /// What each name adds that the declaration declares, and how many names it has.
    var (size, names) = (1, 1)
    var place: Int? = open
    while let index = place, sum <= limit {
      let token = tokens[index]
      if token.kind == .identifier, depth == 1, size == 1, let inner = counts[token.text] { size += inner }
      if token.kind == .punctuator {
        switch token.text {
        case "{", "[", "(": depth += 1
        case "}", "]", ")": depth -= 1
        case "," where depth == 1: names += 1
        case ";" where depth == 1:
          sum += min(size * names, limit + 1)
          (size, names) = (1, 1)
        default: break
        }
      }
      if depth == 0 { break }
      place = tokens.next(after: index)
    }
    return min(sum, limit + 1)
  }
}

// MARK: - sizes of expanded macros

/// How large some tokens become once their macros are expanded.
///
/// Numbers saturate, so that a macro that doubles itself forty times is only very large.
package struct ExpansionMeasure: Sendable, Hashable {
  package static let largest = 1 << 40

  package var tokens = 0
  /// Operators that join operands into one expression.
  package var operators = 0

  package init(tokens: Int = 0, operators: Int = 0) {
    self.tokens = min(tokens, Self.largest)
    self.operators = min(operators, Self.largest)
  }

  static func + (a: Self, b: Self) -> Self {
    Self(tokens: a.tokens + b.tokens, operators: a.operators + b.operators)
  }

  static func * (count: Int, measure: Self) -> Self {
    Self(tokens: product(count, measure.tokens), operators: product(count, measure.operators))
  }

  private static func product(_ a: Int, _ b: Int) -> Int {
    let (value, overflows) = a.multipliedReportingOverflow(by: b)
    return overflows ? largest : min(value, largest)
  }

  /// The larger of both in every respect.
  static func larger(_ a: Self, _ b: Self) -> Self {
    Self(tokens: max(a.tokens, b.tokens), operators: max(a.operators, b.operators))
  }
}

/// The size of an expanded text as a function of the sizes of macro arguments: a constant and how often each argument occurs.
private struct ExpansionForm {
  var constant = ExpansionMeasure()
  /// One for each parameter of the macro that the text belongs to.
  var occurrences: [Int]

  init(parameterCount: Int) { occurrences = Array(repeating: 0, count: parameterCount) }

  mutating func add(_ other: ExpansionForm, times count: Int = 1) {
    constant = constant + count * other.constant
    for (index, occurrence) in other.occurrences.enumerated() {
      let (value, overflows) = occurrence.multipliedReportingOverflow(by: count)
      occurrences[index] = min(overflows ? .max : value, ExpansionMeasure.largest) + occurrences[index]
      occurrences[index] = min(occurrences[index], ExpansionMeasure.largest)
    }
  }
}

/// Computes how large text becomes through its macros, without expanding anything.
///
/// Every macro is a linear function of the sizes of its arguments, so one look at each definition is enough. A name that is defined several
/// times counts with the largest of its definitions, and a macro that mentions itself counts as a plain name there, as the preprocessor has it.
struct MacroSizes {
  /// Macros that mention macros that mention macros, and so on.
  private static let deepestChain = 256

  private let tokens: [Token]
  private let definitions: [String: [MacroDefinition]]
  private var forms: [String: ExpansionForm] = [:]
  private var inProgress: Set<String> = []

  init(_ tokens: [Token]) {
    self.tokens = tokens
    let all = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }
    definitions = Dictionary(grouping: all, by: \.name)
  }

  /// The size of some visible tokens after expansion.
  mutating func measure(_ places: ArraySlice<Int>) -> ExpansionMeasure {
    form(of: places, parameters: []).constant
  }

  private mutating func form(of places: ArraySlice<Int>, parameters: [String]) -> ExpansionForm {
    var sum = ExpansionForm(parameterCount: parameters.count)
    var place = places.startIndex
    while place < places.endIndex {
      let token = tokens[places[place]]
      if let parameter = parameters.firstIndex(of: token.text), token.kind == .identifier {
        sum.occurrences[parameter] = min(sum.occurrences[parameter] + 1, ExpansionMeasure.largest)
      } else if token.kind == .identifier, definitions[token.text] != nil, !inProgress.contains(token.text) {
        place = add(callOf: token.text, at: place, in: places, parameters: parameters, to: &sum)
      } else {
        let joins = token.kind == .punctuator && Punctuators.joiningOperators.contains(token.text)
        sum.constant = sum.constant + ExpansionMeasure(tokens: 1, operators: joins ? 1 : 0)
      }
      place += 1
    }
    return sum
  }

  /// Adds a macro with its arguments, and returns the last place that belongs to the call.
  private mutating func add(
    callOf name: String, at place: Int, in places: ArraySlice<Int>, parameters: [String], to sum: inout ExpansionForm
  ) -> Int {
    let macro = form(ofMacro: name)
    sum.add(ExpansionForm(constant: macro.constant))
    guard !macro.occurrences.isEmpty, let (arguments, end) = arguments(after: place, in: places) else { return place }
    for (argument, count) in zip(arguments, macro.occurrences) {
      sum.add(form(of: argument, parameters: parameters), times: count)
    }
    return end
  }

  private mutating func form(ofMacro name: String) -> ExpansionForm {
    if let known = forms[name] { return known }
    guard inProgress.count < Self.deepestChain else { return ExpansionForm(constant: .init(tokens: ExpansionMeasure.largest)) }
    inProgress.insert(name)
    let candidates = (definitions[name] ?? []).map { form(of: $0.body[...], parameters: $0.parameters ?? []) }
    inProgress.remove(name)
    var largest = ExpansionForm(parameterCount: candidates.map(\.occurrences.count).max() ?? 0)
    for candidate in candidates {
      largest.constant = .larger(largest.constant, candidate.constant)
      for (index, count) in candidate.occurrences.enumerated() { largest.occurrences[index] = max(largest.occurrences[index], count) }
    }
    forms[name] = largest
    return largest
  }

  private func arguments(after place: Int, in places: ArraySlice<Int>) -> (arguments: [ArraySlice<Int>], end: Int)? {
    guard place + 1 < places.endIndex, tokens[places[place + 1]].isMark("(") else { return nil }
    var arguments: [ArraySlice<Int>] = []
    var start = place + 2
    var depth = 0
    for index in start..<max(start, places.endIndex) {
      let token = tokens[places[index]]
      guard token.kind == .punctuator else { continue }
      if depth == 0, token.text == "," || token.text == ")" {
        arguments.append(places[start..<index])
        start = index + 1
        if token.text == ")" { return (arguments, index) }
      }
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
    }
    return nil
  }
}

extension ExpansionForm {
  fileprivate init(constant: ExpansionMeasure) {
    self.constant = constant
    occurrences = []
  }
}
