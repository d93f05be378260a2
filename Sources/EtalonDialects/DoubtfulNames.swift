package import EtalonDiagnostics
package import EtalonManifest

/// Names whose declarations have errors: errors of the compiler about them may follow from those errors.
package struct DoubtfulNames: Sendable {
  private let names: Set<String>

  /// Collects the names that the header gives, and those in lines where something is wrong.
  package init(of draft: FilterDraft, in source: FilterReader.Source) {
    var names: Set<String> = []
    if case .text(let text, _) = source, let header = HeaderComment(in: text, mustComeFirst: false) {
      let strings = text.bytes[header.comment].split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
      names.formUnion(strings.map { String(decoding: $0, as: UTF8.self) }.filter { Self.words(of: $0).count == 1 })
    }
    for label in draft.diagnostics.filter({ $0.severity == .error }).flatMap(\.labels) {
      names.formUnion(Self.words(of: Self.line(of: label.source, at: label.range)))
    }
    self.names = names.filter { !Self.saysNothing($0) }
  }

  /// Whether an error has no place, or stands in a line that says one of the names.
  package func mayCause(_ diagnostic: Diagnostic) -> Bool {
    guard let place = diagnostic.labels.first else { return true }
    return Self.words(of: Self.line(of: place.source, at: place.range)).contains(where: names.contains)
  }

  private static func line(of source: SourceText, at range: Range<Int>) -> String {
    source.line(source.position(at: range.lowerBound).line)
  }

  private static func words(of text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }

  /// Numbers, types and keywords of declarations: two lines that share them need not be related.
  private static func saysNothing(_ word: String) -> Bool {
    if word.first?.isNumber != false || ["const", "in", "out", "inout", "uniform", "void", "main"].contains(word) { return true }
    let type = word.drop { "biud".contains($0) && word.contains("vec") }
    return ["float", "int", "uint", "bool", "double"].contains(word) || type.hasPrefix("vec") || word.hasPrefix("mat")
  }
}
