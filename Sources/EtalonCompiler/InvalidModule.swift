internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Says that the compiler's own output is against the rules, which no author caused.
enum InvalidModule {
  static func error(_ message: Glslang.ValidatorMessage, words: [UInt32], lines: TokenLines, pass: PassSource) -> DiagnosticsError {
    let line = message.instruction.flatMap { debugLine(before: $0, in: words) }
    let place = line.flatMap { lines.origin(ofLine: $0) }
    return DiagnosticsError(
      Diagnostic(
        "internal.invalid-module", "pass '\(pass.name)' compiles to a module that is not valid SPIR-V",
        labels: place.map { [$0.label("made from this")] } ?? [],
        help: ["this is a mistake of etalon: please report it together with the shader"], notes: [message.text]))
  }

  /// The line of the last `OpLine` in front of an instruction (1-based).
  private static func debugLine(before instruction: Int, in words: [UInt32]) -> Int? {
    let headerWords = 5
    let opLine: UInt32 = 8
    var index = headerWords
    var number = 1
    var line: Int?
    while index < words.count, number <= instruction {
      let count = Int(words[index] >> 16)
      guard count > 0, count <= words.count - index else { return nil }
      if words[index] & 0xFFFF == opLine, count >= 3 { line = Int(words[index + 2]) }
      index += count
      number += 1
    }
    return line
  }
}

/// Finds what an author wrote that a compiled module may not have, such as an array of too many elements.
///
/// Errors about modules name a word of them. Types have no line, but what is declared with them has a name or is used at a line.
struct ModulePlaces {
  private static let headerWords = 5
  private let words: [UInt32]
  private let source: GeneratedSource
  private let lines: TokenLines

  init(_ words: [UInt32], lines: TokenLines) { (self.words, self.lines, source) = (words, lines, lines.source) }

  /// The same error with the author's place, where one is found.
  func placed(_ error: DiagnosticsError) -> DiagnosticsError {
    DiagnosticsError(error.diagnostics.map { placed($0) })
  }

  private func placed(_ diagnostic: Diagnostic) -> Diagnostic {
    guard diagnostic.labels.isEmpty, let match = diagnostic.message.firstMatch(of: /^(?:'\w+': )?(.*), at word (\d+)$/),
      let word = Int(match.2), let place = place(ofWord: word)
    else { return diagnostic }
    return Diagnostic(
      diagnostic.id, String(match.1), severity: diagnostic.severity, labels: [place.label("here")],
      help: diagnostic.help)
  }

  /// Where the thing that an instruction declares is named, or used first.
  private func place(ofWord word: Int) -> SourceRange? {
    var ids: Set<UInt32> = []
    var names: [UInt32: String] = [:]
    var line: Int?
    for (start, opcode, operands) in instructions {
      switch Int(opcode) {
      case 5: names[operands.first ?? 0] = Self.text(operands.dropFirst())
      case 8: line = operands.count > 1 ? Int(operands[operands.startIndex + 1]) : nil
      case 19...39:
        let isIt = start == word, isMadeOfIt = operands.dropFirst().contains { ids.contains($0) }
        if isIt || isMadeOfIt, let id = operands.first { ids.insert(id) }
      case 59:
        guard let type = operands.first, ids.contains(type), let name = names[operands[operands.startIndex + 1]] else { break }
        if let place = source.pieces.first(where: { $0.origin != nil && $0.text == name })?.origin { return place }
      case 54...:
        if let type = operands.first, ids.contains(type), let place = line.flatMap({ lines.origin(ofLine: $0) }) { return place }
      default: break
      }
    }
    return nil
  }

  /// The instructions with the word that each starts at.
  private var instructions: [(start: Int, opcode: UInt32, operands: ArraySlice<UInt32>)] {
    var result: [(start: Int, opcode: UInt32, operands: ArraySlice<UInt32>)] = []
    var place = Self.headerWords
    while place < words.count {
      let count = Int(words[place] >> 16)
      guard count > 0, count <= words.count - place else { break }
      result.append((place, words[place] & 0xFFFF, words[(place + 1)..<(place + count)]))
      place += count
    }
    return result
  }

  /// The text in the words of a name, up to its final zero.
  private static func text(_ words: ArraySlice<UInt32>) -> String {
    let bytes = [UInt8](words: Array(words))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
