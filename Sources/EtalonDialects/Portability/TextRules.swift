internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest

/// Arguments that change what other arguments of the same call read: GLSL does not define the order in which arguments are evaluated.
///
/// `vec2(random(), random())` is two numbers in an unknown order when `random` counts in a global variable.
struct EvaluationOrderRule: PortabilityRule {
  private static let assignments: Set<String> = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"]

  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    let globals = Set(subject.texts.flatMap(globals))
    let impure = Set(subject.texts.flatMap { impureFunctions($0, globals) })
    for (text, tokens) in subject.texts.enumerated() {
      for index in tokens.indices where tokens[index].kind == .identifier && tokens.isCalled(at: index) {
        guard let place = disordered(index, tokens, impure) else { continue }
        return [
          subject.note(
            "port.evaluation-order", "several arguments of one call have side effects, and GLSL gives them no order",
            at: .init(text: text, token: place), "has side effects", help: ["compute them one after the other, in variables"],
            notes: ["here they are evaluated from left to right"])
        ]
      }
    }
    return []
  }

  /// The names of variables outside of functions that may change.
  private func globals(_ tokens: [Token]) -> [String] {
    FileScope(tokens).declarations.flatMap { declaration -> [String] in
      let words = declaration.tokens.filter { tokens[$0].kind == .identifier }
      guard !words.contains(where: { ["const", "uniform", "struct"].contains(tokens[$0].text) }) else { return [] }
      return words.dropFirst().map { tokens[$0].text }
    }
  }

  /// The functions that write a global variable or their arguments.
  private func impureFunctions(_ tokens: [Token], _ globals: Set<String>) -> [String] {
    FileScope(tokens).functions.filter { function in
      guard function.name != "mainImage", function.name != "main", let body = function.body else { return false }
      if function.parameters.contains(where: { $0.contains { ["out", "inout"].contains(tokens[$0].text) } }) { return true }
      let locals = Set(function.parameters.compactMap { $0.last.map { tokens[$0].text } })
      return body.contains { globals.contains(tokens[$0].text) && !locals.contains(tokens[$0].text) && isWritten($0, tokens) }
    }.map(\.name)
  }

  /// Whether a variable, or a member of it, is assigned to.
  private func isWritten(_ index: Int, _ tokens: [Token]) -> Bool {
    if let before = tokens.previous(before: index), tokens[before].isMark("++") || tokens[before].isMark("--") { return true }
    var next = tokens.next(after: index)
    while let dot = next, tokens[dot].isMark("."), let member = tokens.next(after: dot) { next = tokens.next(after: member) }
    return next.map { tokens[$0].kind == .punctuator && Self.assignments.contains(tokens[$0].text) } ?? false
  }

  /// The second of the arguments that have side effects.
  private func disordered(_ index: Int, _ tokens: [Token], _ impure: Set<String>) -> Int? {
    guard !["for", "if", "while", "switch", "return"].contains(tokens[index].text), let open = tokens.next(after: index),
      let arguments = tokens.arguments(openedAt: open), arguments.count > 1
    else { return nil }
    let effects = arguments.compactMap { argument in
      argument.first { impure.contains(tokens[$0].text) && tokens.isCalled(at: $0) || isStep($0, tokens) }
    }
    return effects.count > 1 ? effects[1] : nil
  }

  private func isStep(_ index: Int, _ tokens: [Token]) -> Bool { tokens[index].isMark("++") || tokens[index].isMark("--") }
}

/// `fract(sin(x) * 43758.5453)`: noise that every driver computes differently, because it magnifies the error of the sine.
struct SineHashRule: PortabilityRule {
  /// A factor above it makes the error of a sine as large as the result.
  private static let largestFactor = 1000.0

  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    for (text, tokens) in subject.texts.enumerated() {
      for index in tokens.indices where tokens[index].isName("fract") && hashes(index, tokens) {
        return [
          subject.note(
            "port.sine-hash", "noise from a magnified sine differs from driver to driver", at: .init(text: text, token: index),
            "hashes here",
            notes: ["'--device cpu' gives the same noise on every machine"])
        ]
      }
    }
    return []
  }

  /// Whether the argument has a sine and multiplies by a large number.
  private func hashes(_ index: Int, _ tokens: [Token]) -> Bool {
    guard let open = tokens.next(after: index), tokens[open].isMark("("), let argument = tokens.arguments(openedAt: open)?.first else {
      return false
    }
    let hasSine = argument.contains { ["sin", "cos"].contains(tokens[$0].text) && tokens.isCalled(at: $0) }
    let hasFactor = argument.contains { place in
      guard tokens[place].kind == .float, let value = Double(tokens[place].text.prefix { $0.isNumber || $0 == "." }) else { return false }
      return value > Self.largestFactor
    }
    return hasSine && hasFactor
  }
}
