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
      let home = folder.isEmpty ? "./\(name)" : String(filter.path[..<(filter.path.lastIndex(of: "/") ?? filter.path.endIndex)])
      StandardError.write("type 'etalon test \(ShellWord.quoted(home)) --record missing' to record the first picture of its case\n")
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
