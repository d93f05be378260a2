import ArgumentParser
import EtalonDiagnostics

/// How diagnostics are printed.
enum DiagnosticsFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// Prints what went wrong on standard error and turns it into the exit code of the command.
struct FailureReport {
  let format: DiagnosticsFormat

  /// Prints diagnostics, warnings among them.
  func print(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    switch format {
    case .text: StandardError.write(DiagnosticPrinter().text(diagnostics))
    case .json: StandardError.write(DiagnosticJSON().text(diagnostics))
    }
  }

  /// Prints an error of any kind and returns the exit code that belongs to it.
  func exitCode(for error: any Error) -> EtalonDiagnostics.ExitCode {
    switch error {
    case let error as DiagnosticsError:
      print(error.diagnostics)
      return .invalidInput
    case let error as UsageError:
      print(error.diagnostics)
      return .usage
    case let error as RenderError where error.code == .interrupted && Interruption.shared.signalNumber != nil:
      Interruption.shared.cutShort()
      return .tryAgain
    case let error as RenderError:
      print(error)
      return EtalonDiagnostics.ExitCode(error.code)
    default:
      print(RenderError(.internalError, "\(error)"))
      return .internalError
    }
  }

  private func print(_ error: RenderError) {
    switch format {
    case .text: StandardError.write(error.text)
    case .json: StandardError.write(DiagnosticJSON().text(error.diagnostics))
    }
  }
}
