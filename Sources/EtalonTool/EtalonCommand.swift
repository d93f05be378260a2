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
    subcommands: workers,
    groupedSubcommands: [
      CommandGroup(
        name: "Rendering",
        subcommands: [RenderCommand.self, PreviewCommand.self, PlanCommand.self, DevicesCommand.self, CheckSequenceCommand.self]),
      CommandGroup(name: "Farms", subcommands: [FarmCommand.self]),
      CommandGroup(
        name: "Filters",
        subcommands: [ListCommand.self, DescribeCommand.self, FilterCheckCommand.self, NewCommand.self, ImportCommand.self]),
      CommandGroup(
        name: "Testing",
        subcommands: [
          TestCommand.self, ApproveCommand.self, CompareCommand.self, MutateCommand.self, SurveyCommand.self,
        ]),
      CommandGroup(name: "Looking into shaders", subcommands: [SanitizeCommand.self, ProbeCommand.self]),
    ])

  /// What other processes of this command run; not shown.
  private static var workers: [any ParsableCommand.Type] { [SurveyFilterCommand.self, TestCasesCommand.self, MutateFileCommand.self] }

  /// Runs the command and ends the process without exit handlers.
  ///
  /// A driver may still work on a frame that took too long, and its threads must not meet static objects that are being destroyed.
  static func main() {
    StandardStreams.prepare()
    do throws(RenderError) { try StackLimit.prepare() } catch {
      StandardError.write(error.text)
      _exit(EtalonDiagnostics.ExitCode(error.code).rawValue)
    }
    Interruption.shared.listen()
    var code = EtalonDiagnostics.ExitCode.success.rawValue
    do {
      if let error = UnreadableWords.error(with: ProcessArguments.unreadable) { throw error }
      let words = Array(ProcessArguments.all.dropFirst())
      if let error = UnknownCommand.error(with: words.first == "help" ? Array(words.dropFirst()) : words) { throw error }
      var command: any ParsableCommand
      do { command = try parseAsRoot(words) } catch { throw UnknownOption.error(with: words, fullMessage(for: error)) ?? error }
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
    commandName: "devices",
    abstract: "Lists the devices that can render, the preferred one first, with what they lack, and the cameras of the machine.")

  func run() throws {
    StandardOutput.write(DeviceList.text() + CameraList.text())
  }
}

// MARK: words that name no command

/// Explains a first word that is no subcommand: a misspelling, or a shader without `render` before it.
private enum UnknownCommand {
  /// What is wrong with the first argument, or behind `farm` with the second; nil when it is an option or a subcommand.
  static func error(with words: [String]) -> UsageError? {
    if words.first == "farm", words.count > 1, !words[1].hasPrefix("-") {
      let names = FarmCommand.configuration.subcommands.map { $0._commandName }
      guard !names.contains(words[1]) else { return nil }
      return UsageError(
        "usage.command", "etalon farm has no command '\(words[1])'",
        help: NearestName.find(words[1], in: names).map { "did you mean '\($0)'?" } ?? "the commands are \(names.joined(separator: ", "))")
    }
    guard let word = words.first, !word.isEmpty, !word.hasPrefix("-") else { return nil }
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

/// Explains an option that no command has, where the parameter of a filter is meant: `--amount 0.5`.
enum UnknownOption {
  private static let commands = ["render", "plan", "sanitize", "probe", "farm slurm", "farm openjd", "farm verify"]

  /// - Parameter message: what the parser says.
  static func error(with words: [String], _ message: String) -> UsageError? {
    let command = words.prefix(words.first == "farm" ? 2 : 1).joined(separator: " ")
    guard commands.contains(command), let found = message.firstMatch(of: /Unknown option '--([^'=]+)/),
      let place = words.firstIndex(where: { $0 == "--\(found.output.1)" || $0.hasPrefix("--\(found.output.1)=") })
    else { return nil }
    let parts = words[place].split(separator: "=", maxSplits: 1)
    let next = words.dropFirst(place + 1).first.flatMap { $0.hasPrefix("-") && Double($0) == nil ? nil : $0 }
    let value = parts.count > 1 ? String(parts[1]) : next ?? "VALUE"
    let setting = ShellWord.quoted("\(found.output.1)=\(value)")
    return UsageError(
      "usage.option", "'etalon \(command)' has no option '--\(found.output.1)'",
      help: "for a parameter of the filter type --set \(setting); 'etalon help \(command)' lists the options")
  }
}

/// Explains words of the command line that are no UTF-8, as the names of files from old archives may be.
private enum UnreadableWords {
  /// What is wrong with some words; nil when there are none.
  static func error(with words: [[UInt8]]) -> UsageError? {
    guard let first = words.first else { return nil }
    // A name that begins with a hyphen would be an option.
    let path = first.first == UInt8(ascii: "-") ? Array("./".utf8) + first : first
    let readable = String(decoding: path, as: UTF8.self).replacing("\u{FFFD}", with: "_")
    if first.contains(UInt8(ascii: "=")) {
      return UsageError(
        "usage.encoding", "the word '\(EscapedBytes.text(first))' is not UTF-8",
        help: "write the text as UTF-8: \(ShellWord.quoted(readable))")
    }
    return UsageError(
      "usage.encoding", "the word '\(EscapedBytes.text(first))' is not UTF-8, so that no file can be opened by it",
      help: "rename the file: mv \(ShellWord.quoted(bytes: path)) \(ShellWord.quoted(readable))")
  }
}
