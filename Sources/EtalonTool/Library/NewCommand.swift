import ArgumentParser
import Etalon
import EtalonDiagnostics

/// `etalon new`: a filter to start from.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a commented filter to start from, with a test case.",
    discussion: """
      etalon new --kind color soft-glow
      etalon new --kind transition page-turn --folder ./Filters
      """)

  @Argument(help: ArgumentHelp("The name of the filter, and of the folder that is made for it.", valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "What it is: color, warp, image, compute or generator for a kernel of that kind, transition, shadertoy or isf.", valueName: "kind"))
  var kind: String

  @Option(help: ArgumentHelp("Where the folder is made. Default: here.", valueName: "folder"))
  var folder: String = ""

  func run() throws {
    let report = FailureReport(format: .text)
    do {
      let filter = try newFilter()
      let paths = try filter.write()
      StandardOutput.write(paths.map { $0 + "\n" }.joined())
      StandardError.write("type 'etalon check \(filter.path)' to see whether it is right\n")
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }

  private func newFilter() throws(UsageError) -> NewFilter {
    do throws(DiagnosticsError) { return try NewFilter(template(), named: name, in: folder) } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }

  private func template() throws(DiagnosticsError) -> FilterTemplate {
    try OptionText("--kind", kind)
      .choice(of: [
        "color": .color, "warp": .warp, "image": .image, "compute": .compute, "generator": .generator, "transition": .transition,
        "shadertoy": .shaderToy, "isf": .isf,
      ])
  }
}
