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
    try graph(
      arguments.enumerated().map { index, argument in
        let source = SourceText(path: arguments.count == 1 ? "stages" : "stage \(index + 1)", text: argument)
        return GraphText.Word(argument, at: SourceRange(source, 0..<source.bytes.count))
      })
  }

  /// Reads stages that stand in a document; all mistakes are thrown together, each at its place there.
  package func graph(_ texts: [GraphText.Word]) throws(DiagnosticsError) -> GraphText {
    var stages: [Stage] = []
    var mistakes: [Diagnostic] = []
    for text in texts {
      do throws(DiagnosticsError) { stages += try self.stages(text) } catch { mistakes += error.diagnostics }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return try StageChain(stages).graph()
  }

  private func stages(_ text: GraphText.Word) throws(DiagnosticsError) -> [Stage] {
    if isFile(text.text) { return [try StageReader(isPicture: isPicture).stage(file: text)] }
    let place = text.writtenOut ?? SourceRange(of: text.text)
    let words = try StageWords.all(in: place)
    let groups = words.split(omittingEmptySubsequences: false) { $0.text == "|" }
    var stages: [Stage] = []
    for (index, group) in groups.enumerated() {
      if let name = group.first, group.count == 1, name.text.hasPrefix("@") {
        throw Self.noStage(name, next: groups.dropFirst(index + 1).first?.first?.text)
      }
      guard !group.isEmpty else {
        throw DiagnosticsError(
          Diagnostic(
            "stage.empty", "a stage has no words", labels: [.init(place.source, place.range, "empty between, before or behind '|'")],
            help: ["write a filter, an operation or a picture on both sides of every '|'"]))
      }
      stages.append(try StageReader(isPicture: isPicture).stage(Array(group)))
    }
    return stages
  }

  /// What a name is good for that stands where a stage should.
  private static func noStage(_ name: SourceRange, next: String?) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "stage.name-alone", "'\(name.text)' is a result, not a stage", labels: [.init(name.source, name.range, "not a stage")],
        help: ["begin with the filter, and give it the result: '\(next ?? "gaussian-blur") inputImage=\(name.text)'"]))
  }
}

extension GraphText.Word {
  /// Where its words stand, perhaps over several lines; nil where they were written with escapes.
  fileprivate var writtenOut: SourceRange? {
    if let verbatim = place.verbatim(text) { return verbatim }
    // A text over several lines has an indicator before it, and blanks for line ends.
    func words(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] { bytes.split { $0 <= 0x20 }.map { Array($0) } }
    let wanted = words(Array(text.utf8)[...])
    let written = place.source.bytes[place.range]
    if words(written) == wanted { return place }
    guard let line = written.firstIndex(of: 0x0A), words(written[line...]) == wanted else { return nil }
    return SourceRange(place.source, line..<place.range.upperBound)
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
