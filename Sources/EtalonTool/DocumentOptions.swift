import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation

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
    var command = command
    let clock = text.clock.mapValues(\.text)
    command.pictures.size = command.pictures.size ?? clock["size"]
    command.time.rate = command.time.rate ?? clock["rate"]
    command.time.first = command.time.first ?? clock["first"]
    command.time.start = command.time.start ?? clock["start"]
    // The frames of the document are its shot; where the command line says nothing, all of them are wanted.
    if command.time.frames == nil, command.time.duration == nil, command.time.time == nil { command.time.frames = clock["frames"] }
    command.time.duration = command.time.duration ?? clock["duration"]
    command.files.format = command.files.format ?? clock["format"]
    command.files.workingSpace = command.files.workingSpace ?? clock["workingSpace"]
    if command.files.output.isEmpty, command.files.contactSheet == nil { command.files.output = outputs }
    return command
  }

  /// What is the document's among what the command then says, by the option that it stands for.
  func words(besides command: RenderCommand) -> [String: GraphText.Word] {
    let given: [String: String?] = [
      "--size": command.pictures.size, "--rate": command.time.rate, "--first": command.time.first, "--start": command.time.start,
      "--duration": command.time.duration, "--format": command.files.format, "--working-space": command.files.workingSpace,
    ]
    var words: [String: GraphText.Word] = [:]
    for (option, value) in given where value == nil { words[option] = text.clock[GraphText.key(ofOption: option)] }
    if command.time.frames == nil, command.time.duration == nil, command.time.time == nil {
      words["--frames"] = text.clock["frames"]
    }
    return words
  }

  /// The outputs with files; the first of the document needs no name.
  private var outputs: [String] {
    text.outputs.enumerated().compactMap { index, output in
      output.file.map { file in
        let path = file.text.hasPrefix("/") ? file.text : text.folder + file.text
        return index == 0 ? path : "\(output.name.text)=\(path)"
      }
    }
  }

  /// How the files of the outputs are written, where the command line says nothing; nil is the name of the first.
  func forms(besides command: RenderCommand) -> [String?: RenderRequest.OutputForm] {
    var forms: [String?: RenderRequest.OutputForm] = [:]
    for (index, output) in text.outputs.enumerated() {
      let bits = command.files.bits == nil ? output.bits.flatMap { Int($0.text) } : nil
      let alpha = command.files.alpha == nil ? output.alpha.flatMap { AlphaMode(rawValue: $0.text) } : nil
      forms[index == 0 ? nil : output.name.text] = .init(bits: bits, alpha: alpha)
    }
    return forms
  }
}

extension GraphText {
  /// `workingSpace` for `--working-space`.
  static func key(ofOption option: String) -> String {
    let parts = option.drop { $0 == "-" }.split(separator: "-")
    return parts.prefix(1).joined() + parts.dropFirst().map(\.capitalized).joined()
  }
}
