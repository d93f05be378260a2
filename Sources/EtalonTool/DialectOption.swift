import ArgumentParser
import EtalonDiagnostics

/// The dialect of files whose content does not tell it.
struct DialectOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What a file is written in, where its text does not tell: shadertoy, isf, gl-transition, native or compute.", valueName: "dialect"))
  var dialect: String?

  /// The name of the dialect, if there is one.
  func name() throws(UsageError) -> String? {
    guard let dialect else { return nil }
    do throws(DiagnosticsError) { return try OptionText("--dialect", dialect).dialect() } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }
}

extension OptionText {
  /// The name of a dialect.
  func dialect() throws(DiagnosticsError) -> String {
    try choice(of: [
      "shadertoy": "shadertoy", "isf": "isf", "gl-transition": "gl-transition", "native": "native", "compute": "compute",
    ])
  }
}
