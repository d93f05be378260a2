package import EtalonDiagnostics
internal import EtalonManifest

/// Reads stages as they are typed on a command line, and as the strings of chains in documents: `photo.png | gaussian-blur sigma=6`.
///
/// Each stage reads the one before it; what reads no picture begins a new chain, and the last chain is the result. What the words mean —
/// which of them are image inputs — is known when the filters are loaded.
///
/// **Concurrency**: an immutable value.
package struct StageParser: Sendable {
  /// Whether the file that a word names is a picture, not a filter.
  private let isPicture: @Sendable (String) -> Bool
  /// Whether a word with blanks is the name of a file.
  private let isFile: @Sendable (String) -> Bool

  package init(isPicture: @escaping @Sendable (String) -> Bool, isFile: @escaping @Sendable (String) -> Bool) {
    self.isPicture = isPicture
    self.isFile = isFile
  }

  /// Reads arguments that are stages, or have several with ` | ` between them; all mistakes are thrown together.
  package func graph(_ arguments: [String]) throws(DiagnosticsError) -> GraphText {
    var stages: [Stage] = []
    var mistakes: [Diagnostic] = []
    for (index, argument) in arguments.enumerated() {
      let source = SourceText(path: arguments.count == 1 ? "stages" : "stage \(index + 1)", text: argument)
      do throws(DiagnosticsError) { stages += try self.stages(source) } catch { mistakes += error.diagnostics }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return try StageChain(stages).graph()
  }

  private func stages(_ source: SourceText) throws(DiagnosticsError) -> [Stage] {
    if isFile(source.text) {
      let word = GraphText.Word(source.text, at: SourceRange(source, 0..<source.bytes.count))
      return [try StageReader(isPicture: isPicture).stage(file: word)]
    }
    let words = try StageWords.all(of: source)
    let groups = words.split(omittingEmptySubsequences: false) { $0.text == "|" }
    var stages: [Stage] = []
    for group in groups {
      guard !group.isEmpty else {
        throw DiagnosticsError(
          Diagnostic(
            "stage.empty", "a stage has no words", labels: [.init(source, 0..<source.bytes.count, "empty between, before or behind '|'")],
            help: ["write a filter, an operation or a picture on both sides of every '|'"]))
      }
      stages.append(try StageReader(isPicture: isPicture).stage(Array(group)))
    }
    return stages
  }
}

/// A stage, read by itself.
struct Stage: Sendable {
  enum Subject: Sendable {
    case picture(GraphText.Word, fields: [LocatedNode.Member])
    case filter(GraphText.Word, settings: [GraphText.Setting])
  }

  /// What is written before a colon.
  let name: GraphText.Word?
  let subject: Subject
}

extension SourceRange {
  /// What is written there.
  var text: String { String(decoding: source.bytes[range], as: UTF8.self) }
}
