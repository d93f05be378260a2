import ArgumentParser
import Etalon
import EtalonDiagnostics

/// `etalon import`, which turns a ShaderToy export into a folder of texts that a person can work with.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turns a ShaderToy export, or a loose shader, into a filter folder.",
    discussion: """
      etalon import export.json -o my-filter
      etalon import plasma.glsl --expose SPEED,TINT -o plasma
      """)

  @Argument(help: ArgumentHelp("The JSON that the site exports, or a GLSL file.", valueName: "file"))
  var file: String

  @Option(name: .customShort("o"), help: ArgumentHelp("The folder to write; it must not exist yet.", valueName: "folder"))
  var folder: String

  @Option(
    help: ArgumentHelp(
      "Constants that become parameters, from 0 to twice their value unless a comment says otherwise.", valueName: "NAME,…"))
  var expose: [String] = []

  @Option(help: ArgumentHelp("How mistakes are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  func run() throws {
    let report = FailureReport(format: diagnostics)
    do {
      let outcome = try ProjectImport().write(file, to: folder, exposing: exposedNames())
      report.print(outcome.warnings)
      StandardOutput.write(outcome.text)
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }

  private func exposedNames() throws(UsageError) -> [String] {
    let parts = expose.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let names = parts.map { part in part.split(separator: " ").joined(separator: " ") }
    guard !names.contains("") else {
      throw UsageError(
        "usage.expose", "'--expose \(expose.joined(separator: " "))' has a place without a name",
        help: "write the names with commas between them, such as '--expose SPEED,TINT'")
    }
    if let several = names.first(where: { $0.contains(" ") }) {
      throw UsageError(
        "usage.expose", "'\(several)' is no name of a constant",
        help: "write commas between names: '--expose \(several.replacing(" ", with: ","))'")
    }
    return names
  }
}
