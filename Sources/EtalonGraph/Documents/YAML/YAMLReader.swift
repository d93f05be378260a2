package import EtalonDiagnostics
internal import Yams

/// Reads a YAML text as located values; every scalar stays the text that it is.
///
/// Documents need neither anchors nor tags nor several documents in one file, so those are refused: aliases are how a short text becomes a
/// large one.
package enum YAMLReader {
  /// How much of a stranger's text is read at most.
  static let mostBytes = 1 << 20
  static let deepestNesting = 32
  static let mostValues = 50_000

  /// The one value of a text.
  package static func read(_ source: SourceText) throws(DiagnosticsError) -> LocatedNode {
    let text = try YAMLTextCheck(source).check()
    let root: Node?
    do {
      root = try Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch {
      throw DiagnosticsError(YAMLMistake(source).diagnostic(of: error))
    }
    guard let root else {
      throw DiagnosticsError(Diagnostic("yaml.empty", "the document is empty", labels: [.init(source, 0..<0, "nothing here")]))
    }
    var conversion = YAMLConversion(source)
    let node = conversion.convert(root)
    guard conversion.diagnostics.isEmpty else { throw DiagnosticsError(conversion.diagnostics) }
    return node
  }
}
