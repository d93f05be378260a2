internal import EtalonDiagnostics
internal import EtalonManifest

/// Says that the compiler's own output is against the rules, which is never the author's fault.
enum InvalidModule {
  static func error(_ objection: Shaderc.Objection, words: [UInt32], lines: TokenLines, pass: PassSource) -> DiagnosticsError {
    let line = objection.instruction.flatMap { debugLine(before: $0, in: words) }
    let place = line.flatMap { lines.origin(ofLine: $0) }
    return DiagnosticsError(
      Diagnostic(
        "internal.invalid-module", "pass '\(pass.name)' compiles to a module that is not valid SPIR-V",
        labels: place.map { [.init($0.source, $0.range, "made from this")] } ?? [],
        help: ["this is a mistake of etalon: please report it together with the shader"], notes: [objection.text]))
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
