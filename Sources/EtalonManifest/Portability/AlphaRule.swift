internal import EtalonDiagnostics
internal import EtalonTypes

/// Alpha that a ShaderToy text computes and its player never shows.
struct AlphaRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .shaderToy, subject.manifest.alpha == .opaque else { return [] }
    let shown = shownTexts(of: subject.manifest)
    for (text, tokens) in subject.texts.enumerated() where shown.contains(path(tokens)) {
      guard let main = FileScope(tokens).functions.first(where: { $0.name == "mainImage" && $0.body != nil }), let body = main.body,
        let name = main.parameters.first?.last.map({ tokens[$0].text }), let place = computedAlpha(of: name, in: body, tokens)
      else { continue }
      return [
        subject.note(
          "port.alpha", "'mainImage' computes an alpha, which a ShaderToy player replaces by 1", at: .init(text: text, token: place),
          "this alpha", help: ["'--alpha straight' or '--alpha premultiplied' keeps it"])
      ]
    }
    return []
  }

  /// The texts of the pass that gives the result; the buffer of a loose file that reads itself is shown, too.
  private func shownTexts(of manifest: FilterManifest) -> Set<String> {
    let images = manifest.passes.filter { $0.target == nil }
    let paths = images.flatMap { $0.source.pieces.compactMap { $0.origin?.source.path } }
    return Set(paths + paths.filter { $0.hasSuffix(LooseProject.copySuffix) }.map { String($0.dropLast(LooseProject.copySuffix.count)) })
  }

  private func path(_ tokens: [Token]) -> String { tokens.first { $0.origin != nil }?.origin?.source.path ?? "" }

  /// Where the alpha of a variable gets a value that is no plain number.
  private func computedAlpha(of name: String, in body: ClosedRange<Int>, _ tokens: [Token]) -> Int? {
    body.first { index in
      guard tokens[index].isName(name), let next = tokens.next(after: index) else { return false }
      if tokens[next].isMark("="), let value = tokens.next(after: next) {
        return tokens[value].isName("vec4") && isComputed(lastArgument(value, tokens), tokens)
      }
      guard tokens[next].isMark("."), let member = tokens.next(after: next), ["a", "w"].contains(tokens[member].text),
        let assignment = tokens.next(after: member), ["=", "*=", "+=", "-=", "/="].contains(tokens[assignment].text)
      else { return false }
      let value = tokens.next(after: assignment).map { [$0] } ?? []
      return !tokens[assignment].isMark("=") || isComputed(value, tokens)
    }
  }

  /// The last argument of `vec4(…)`; none when one argument fills the vector.
  private func lastArgument(_ constructor: Int, _ tokens: [Token]) -> [Int] {
    guard let open = tokens.next(after: constructor), tokens[open].isMark("("), let arguments = tokens.arguments(openedAt: open),
      arguments.count > 1
    else { return [] }
    return arguments[arguments.count - 1]
  }

  private func isComputed(_ value: [Int], _ tokens: [Token]) -> Bool {
    guard let first = value.first else { return false }
    return value.count > 1 || ![.integer, .float].contains(tokens[first].kind)
  }
}
