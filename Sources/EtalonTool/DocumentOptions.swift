import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes

/// What a graph document says about its rendering, where the command line says nothing.
struct DocumentOptions {
  let text: GraphText

  /// The document that is rendered by itself: a file, or a filter of a library that is one.
  static func path(of stages: [String], _ libraries: LibraryOptions) throws -> String? {
    guard stages.count == 1, !StageParser.isNeeded(for: stages) else { return nil }
    if GraphDocument.isGraph(stages[0]) { return stages[0] }
    guard !stages[0].contains("/"), !stages[0].contains("."), stages[0] != "-" else { return nil }
    // A name that nobody has is told with everything else that is wrong.
    guard let path = try? libraries.open().path(of: stages[0]), GraphDocument.isGraph(path) else { return nil }
    return path
  }

  /// The command with what the document says.
  func applied(to command: RenderCommand) throws -> RenderCommand {
    try refuseUnsupported(command)
    var command = command
    let clock = text.clock.mapValues(\.text)
    command.pictures.size = command.pictures.size ?? clock["size"]
    command.time.rate = command.time.rate ?? clock["rate"]
    command.time.first = command.time.first ?? clock["first"]
    command.time.start = command.time.start ?? clock["start"]
    if command.time.frames == nil, command.time.duration == nil, command.time.time == nil {
      (command.time.frames, command.time.duration) = (clock["frames"], clock["duration"])
    }
    if command.files.output.isEmpty, command.files.contactSheet == nil { command.files.output = outputs }
    command.files.alpha = command.files.alpha ?? text.outputs.compactMap(\.alpha).first?.text
    if command.files.bits == "8", let bits = text.outputs.compactMap(\.bits).first?.text { command.files.bits = bits }
    return command
  }

  /// How pictures between the filters are stored.
  var format: PixelFormat? { text.clock["format"].flatMap { PixelFormat(rawValue: $0.text) } }

  /// The outputs with files; the first of the document needs no name.
  private var outputs: [String] {
    text.outputs.enumerated().compactMap { index, output in
      output.file.map { file in
        let path = file.text.hasPrefix("/") ? file.text : text.folder + file.text
        return index == 0 ? path : "\(output.name.text)=\(path)"
      }
    }
  }

  private func refuseUnsupported(_ command: RenderCommand) throws {
    var mistakes: [Diagnostic] = []
    if let space = text.clock["workingSpace"], space.text != "encoded" {
      mistakes.append(mistake("graph.working-space", "a graph is computed with encoded numbers", space, "not available", "leave it out"))
    }
    for words in [text.outputs.compactMap(\.alpha), text.outputs.compactMap(\.bits)] {
      guard let first = words.first, let other = words.first(where: { $0.text != first.text }) else { continue }
      mistakes.append(
        mistake("graph.output-form", "all outputs of a run have the same alpha and bits", other, "differs", "write '\(first.text)'"))
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  private func mistake(_ id: String, _ message: String, _ word: GraphText.Word, _ label: String, _ help: String) -> Diagnostic {
    Diagnostic(id, message, labels: [word.label(label)], help: [help])
  }
}
