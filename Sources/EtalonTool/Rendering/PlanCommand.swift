import ArgumentParser
import Etalon

/// `etalon plan`: what a command line of `etalon render` would do.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Prints what 'etalon render' would do for one frame: dispatches, textures, outputs.",
    discussion: """
      etalon plan photo.png 'gaussian-blur sigma=6' hue-rotate vignette
      etalon plan photo.png 'gaussian-blur sigma=6' --dot | dot -Tsvg > plan.svg

      The stages and options are those of 'etalon render'; nothing is rendered or written.
      """)

  @Flag(help: "Print the plan in the DOT language of Graphviz.")
  var dot = false

  @OptionGroup var command: RenderCommand

  func run() throws {
    let report = FailureReport(format: command.running.diagnostics)
    do {
      let (text, warnings) = try ShotRenderer().plan(try command.reading().1, isDOT: dot)
      report.print(warnings)
      StandardOutput.write(text)
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }
}
