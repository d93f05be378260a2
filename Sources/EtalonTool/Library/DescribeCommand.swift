import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph

/// `etalon describe`: what can be set, with its types and ranges.
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Tells what a filter or a graph is: its inputs, and its parameters with types, ranges and defaults.",
    discussion: """
      etalon describe gaussian-blur
      etalon describe plasma.glsl --json
      etalon describe graph.yaml
      """)

  @Argument(help: ArgumentHelp("A filter by its name, a file, or a graph document.", valueName: "filter"))
  var filter: String

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var dialect: DialectOption

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: ArgumentHelp("How mistakes are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  func run() throws {
    let report = FailureReport(format: diagnostics)
    do {
      let library = try libraries.open()
      if let operation = ImageOperation(rawValue: filter), (try? library.path(of: filter)) == nil {
        return write(FilterDescription(operation))
      }
      let path = try library.path(of: filter)
      if GraphDocument.isGraph(path) {
        let description = try GraphDescription(path, library: library)
        return StandardOutput.write(json ? JSONText.text(description) : GraphDescriptionText(description).text)
      }
      let reading = try FilterFile.read(path, dialect: dialect.name())
      report.print(reading.warnings)
      write(reading.description)
      if let operation = ImageOperation(rawValue: filter), !json { write(FilterDescription(operation), below: true) }
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }

  /// - Parameter below: whether another description stands above it.
  private func write(_ description: FilterDescription, below: Bool = false) {
    StandardOutput.write((below ? "\n" : "") + (json ? JSONText.text(description) : FilterDescriptionText(description).text))
  }
}
