package import EtalonDiagnostics

/// The names that a dialect gives to every text, for saying what an unknown name was probably meant to be.
package struct NameHints: Sendable, Hashable {
  /// A function that a dialect gives to every text.
  package struct Function: Sendable, Hashable {
    /// Its forms, each as the list of its parameters: `["image", "ivec2 position"]`.
    package let forms: [[String]]
    /// How many arguments of the author's call are missing in the text that is compiled.
    package let dropped: Int
    /// What to write when the number of arguments is right and their types are not; nil where nothing is likely.
    package let help: String?

    package init(_ forms: [[String]], dropped: Int = 0, help: String? = nil) {
      self.forms = forms
      self.dropped = dropped
      self.help = help
    }
  }

  /// What a text may mention without declaring it.
  package let offered: [String]
  /// For names that other players use, the name here.
  package let here: [String: String]
  /// The functions, by their names in the author's text.
  package let functions: [String: Function]

  package init(offered: [String] = [], here: [String: String] = [:], functions: [String: Function] = [:]) {
    self.offered = offered
    self.here = here
    self.functions = functions
  }
}

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
