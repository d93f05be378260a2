package import EtalonDiagnostics

/// Tells from the content of a filter file which dialect it is written in.
///
/// ```swift
/// let form = try DialectRecognition().form(of: source)
/// ```
/// Nothing is guessed: a text that two dialects could read, or none, is an error that says what speaks for which and how to settle it.
package struct DialectRecognition: Sendable {
  /// What speaks for a reading of a text.
  struct Evidence {
    let form: FilterForm
    /// The place, and what is seen there.
    let labels: [Diagnostic.Label]
  }

  package init() {}

  /// The form of a text, or of the dialect that a user chose for it.
  package func form(of source: SourceText, chosen: FilterManifest.Dialect? = nil) throws(DiagnosticsError) -> FilterForm {
    let start = Self.start(of: source)
    let isJSON = start.map { [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(source.bytes[$0]) } ?? false
    if let start, isWebPage(source) {
      throw DiagnosticsError(JSONReader.webPage(source, start..<source.bytes.count, insteadOf: isNamedJSON(source) ? "JSON" : "a shader"))
    }
    if let chosen { return Self.form(chosen, isJSON: isJSON) }
    if isJSON {
      if let start, let bare = Self.bareHeader(source, start) { throw DiagnosticsError(bare) }
      return .shaderToyProject
    }
    let evidence = DialectEvidence(source).all
    let forms = Set(evidence.map(\.form))
    if let form = forms.first, forms.count == 1 { return form }
    guard evidence.isEmpty else { throw DiagnosticsError(Self.ambiguity(evidence)) }
    let mistakes = isNamedJSON(source) ? JSONReader().read(source).diagnostics : []
    throw DiagnosticsError(mistakes.isEmpty ? [DialectEvidence.nothing(in: source)] : mistakes)
  }

  /// What to say about JSON with the keys of a header, which belongs into a comment; nil for any other JSON.
  private static func bareHeader(_ source: SourceText, _ start: Int) -> Diagnostic? {
    let text = String(decoding: source.bytes[start...].prefix(1 << 16), as: UTF8.self)
    guard !text.contains("\"renderpass\""), ["ISFVSN", "ETALON", "INPUTS"].contains(where: { text.contains("\"\($0)\"") }) else {
      return nil
    }
    return Diagnostic(
      "dialect.bare-header", "the header of a filter stands in a comment, and this one does not",
      labels: [.init(source, start..<start + 1, "expected '/*' before it")], help: ["write '/*' before its '{', and '*/' behind its '}'"])
  }

  /// Whether something in a text speaks for a form, though perhaps not alone.
  package func mayBe(_ form: FilterForm, _ source: SourceText) -> Bool { DialectEvidence(source).all.contains { $0.form == form } }

  /// Whether a text begins with markup.
  package func isWebPage(_ source: SourceText) -> Bool { Self.start(of: source).map { source.bytes[$0] == UInt8(ascii: "<") } ?? false }

  /// The first byte that is neither blank nor a byte order mark.
  private static func start(of source: SourceText) -> Int? {
    source.bytes.firstIndex { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
  }

  private func isNamedJSON(_ source: SourceText) -> Bool { source.path.lowercased().hasSuffix(".json") }

  private static func form(_ dialect: FilterManifest.Dialect, isJSON: Bool) -> FilterForm {
    switch dialect {
    case .shaderToy: isJSON ? .shaderToyProject : .shaderToy
    case .isf: .isf
    case .glTransition: .glTransition
    case .native: .native
    case .compute: .compute
    case .graph: preconditionFailure("a graph document is no text of a shader")
    }
  }

  private static func ambiguity(_ evidence: [Evidence]) -> Diagnostic {
    var seen: Set<FilterForm> = []
    let each = evidence.filter { seen.insert($0.form).inserted }
    let titles = each.map(\.form.title)
    let list = titles.dropLast().joined(separator: ", ") + " or " + (titles.last ?? "")
    let flags = each.map { "'--dialect \($0.form.dialect.rawValue)'" }.joined(separator: " or ")
    return Diagnostic(
      "dialect.ambiguous", "the file could be \(list)", labels: each.flatMap(\.labels),
      help: ["say which with \(flags)", "or remove what belongs to the other dialect"])
  }
}
