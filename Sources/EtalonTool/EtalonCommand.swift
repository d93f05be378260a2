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
      RenderCommand.self, PlanCommand.self, ListCommand.self, DescribeCommand.self, FilterCheckCommand.self, NewCommand.self, ImportCommand.self,
      DevicesCommand.self,
      CheckSequenceCommand.self, CompareCommand.self, TestCommand.self, ApproveCommand.self, MutateCommand.self, SurveyCommand.self,
      SanitizeCommand.self, ProbeCommand.self, SurveyFilterCommand.self, TestCasesCommand.self, MutateFileCommand.self,
    ])

  /// Runs the command and ends the process without exit handlers.
  ///
  /// A driver may still work on a frame that took too long, and its threads must not meet static objects that are being destroyed.
  static func main() {
    StandardStreams.prepare()
    Interruption.shared.listen()
    var code = EtalonDiagnostics.ExitCode.success.rawValue
    do {
      if let error = UnreadableWords.error(with: EscapedBytes.arguments) { throw error }
      if let error = UnknownCommand.error(with: CommandLine.arguments.dropFirst().first) { throw error }
      var command = try parseAsRoot()
      do throws(RenderError) { try AddressSpace.require(AddressSpace.leastForCommand, for: "etalon") } catch {
        StandardError.write(error.text)
        _exit(EtalonDiagnostics.ExitCode(error.code).rawValue)
      }
      try command.run()
    } catch let exit as ArgumentParser.ExitCode {
      code = exit.rawValue
    } catch let error as UsageError {
      code = FailureReport(format: .text).exitCode(for: error).rawValue
    } catch {
      let text = fullMessage(for: error) + "\n"
      code = exitCode(for: error).rawValue
      if code == 0 { StandardOutput.write(text) } else { StandardError.write(text) }
    }
    // The standard error of a worker process is not shown.
    if ProcessInfo.processInfo.environment[ChildProcess.parentVariable] == nil {
      StandardError.write(DiagnosticPrinter().text(CacheNotes.takeAll()))
    }
    if let interrupted = Interruption.shared.exitCode { code = interrupted }
    if let failure = StandardOutput.exitCode({ StandardError.write($0.text) }) { code = failure }
    _exit(code)
  }
}

/// `etalon devices`: what would be used, and why.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the devices that can render, the preferred one first, with what they lack.")

  func run() throws {
    StandardOutput.write(DeviceList.text())
  }
}

// MARK: words that name no command

/// Explains a first word that is no subcommand: a misspelling, or a shader without `render` before it.
private enum UnknownCommand {
  /// What is wrong with the first argument; nil when it is an option or a subcommand.
  static func error(with word: String?) -> UsageError? {
    guard let word, !word.isEmpty, !word.hasPrefix("-") else { return nil }
    let commands = EtalonCommand.configuration.subcommands
    guard word != "help", !commands.contains(where: { $0._commandName == word }) else { return nil }
    let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName } + ["help"]
    let isFile = word.contains(".") || word.contains("/")
    let help =
      isFile
      ? "type 'etalon render \(word) -o picture.png'"
      : NearestName.find(word, in: names).map { "did you mean '\($0)'?" } ?? "the commands are \(names.joined(separator: ", "))"
    return UsageError("usage.command", "etalon has no command '\(word)'", help: help)
  }
}

/// Explains words of the command line that are no UTF-8, as the names of files from old archives may be.
private enum UnreadableWords {
  /// What is wrong with some words, escaped; nil when there are none.
  static func error(with words: [String]) -> UsageError? {
    guard let first = words.first else { return nil }
    return UsageError(
      "usage.encoding", "the word '\(first)' is not UTF-8, so that no file can be opened by it",
      help: "rename the file: mv $'\(first)' \(first.replacing(/\\x[0-9A-F]{2}/, with: "_"))")
  }
}
