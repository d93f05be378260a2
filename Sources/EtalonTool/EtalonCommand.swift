import ArgumentParser
import Etalon
import EtalonDiagnostics
import Foundation

/// The `etalon` command.
@main struct EtalonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon",
    abstract: "Renders GLSL shaders to frames, on Vulkan compute or on a deterministic CPU executor.",
    version: EtalonVersion.current,
    subcommands: [RenderCommand.self, DevicesCommand.self, CheckSequenceCommand.self])

  /// Runs the command and ends the process without exit handlers.
  ///
  /// A driver may still work on a frame that took too long, and its threads must not meet static objects that are being destroyed.
  static func main() {
    var code = EtalonDiagnostics.ExitCode.success.rawValue
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let exit as ArgumentParser.ExitCode {
      code = exit.rawValue
    } catch {
      let text = fullMessage(for: error)
      code = exitCode(for: error).rawValue
      FileHandle(fileDescriptor: code == 0 ? STDOUT_FILENO : STDERR_FILENO).write(Data((text + "\n").utf8))
    }
    fflush(nil)
    _exit(code)
  }
}
