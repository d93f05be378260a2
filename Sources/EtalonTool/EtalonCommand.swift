import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonSystem
import Foundation

/// The `etalon` command.
@main struct EtalonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon",
    abstract: "Renders GLSL shaders to frames, on Vulkan compute or on a deterministic CPU executor.",
    version: EtalonVersion.current,
    subcommands: [
      RenderCommand.self, PlanCommand.self, ListCommand.self, DescribeCommand.self, CheckCommand.self, NewCommand.self, ImportCommand.self,
      DevicesCommand.self,
      CheckSequenceCommand.self, CompareCommand.self, TestCommand.self, ApproveCommand.self, MutateCommand.self, SurveyCommand.self,
      SanitizeCommand.self, ProbeCommand.self, SurveyFilterCommand.self, TestCasesCommand.self, MutateFileCommand.self,
    ])

  /// Runs the command and ends the process without exit handlers.
  ///
  /// A driver may still work on a frame that took too long, and its threads must not meet static objects that are being destroyed.
  static func main() {
    StandardStreams.prepare()
    do throws(RenderError) { try AddressSpace.require(AddressSpace.leastForCommand, for: "etalon") } catch {
      StandardError.write(error.text)
      _exit(EtalonDiagnostics.ExitCode(error.code).rawValue)
    }
    Interruption.shared.listen()
    var code = EtalonDiagnostics.ExitCode.success.rawValue
    do {
      if let problem = UnreadableWords.problem(with: EscapedBytes.arguments) { throw problem }
      if let problem = UnknownCommand.problem(with: CommandLine.arguments.dropFirst().first) { throw problem }
      var command = try parseAsRoot()
      try command.run()
    } catch let exit as ArgumentParser.ExitCode {
      code = exit.rawValue
    } catch let problem as UsageError {
      code = FailureReport(format: .text).exitCode(for: problem).rawValue
    } catch {
      let text = fullMessage(for: error) + "\n"
      code = exitCode(for: error).rawValue
      if code == 0 { StandardOutput.write(text) } else { StandardError.write(text) }
    }
    // A process that works for another one is not listened to.
    if ProcessInfo.processInfo.environment[ChildProcess.parentVariable] == nil {
      StandardError.write(DiagnosticPrinter().text(CacheNotes.takeAll()))
    }
    if let interrupted = Interruption.shared.exitCode { code = interrupted }
    if let failure = StandardOutput.exitCode({ StandardError.write($0.text) }) { code = failure }
    _exit(code)
  }
}
