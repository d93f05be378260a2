import Etalon
import EtalonDiagnostics
import EtalonGraph

/// The stages of a command line, and the options that do not go together with them.
struct StageOptions {
  let command: RenderCommand
  /// The graph document that takes the place of stages.
  var document: GraphText?

  func graph() throws -> GraphText {
    let text = try document ?? StageParser().graph(command.stages)
    let pictures = command.pictures.i.map { ("-i", $0) } + command.pictures.input.map { ("--input", $0) }
    if let (option, value) = pictures.first, text.openInputs.isEmpty {
      let name = text.nodes.first?.name.text ?? "stage"
      throw UsageError(
        "usage.stages", "'\(option)' is for one filter without settings of its own, and there are stages",
        help: option == "-i"
          ? "make the picture the first stage: etalon render \(value) …"
          : "say it in the stage: '\(name) \(value)'")
    }
    for (option, value) in [("--sampler", command.pictures.sampler.first), ("--dialect", command.running.dialect)] where value != nil {
      throw UsageError(
        "usage.stages", "'\(option)' is for one filter without settings of its own, and there are stages",
        help: "say it in the file of the filter")
    }
    return text
  }
}
