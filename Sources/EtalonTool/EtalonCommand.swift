import ArgumentParser
import Etalon

/// The `etalon` command.
@main struct EtalonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon",
    abstract: "Renders GLSL shaders to frames, on Vulkan compute or on a deterministic CPU executor.",
    version: EtalonVersion.current,
    subcommands: [RenderCommand.self, DevicesCommand.self, CheckSequenceCommand.self])
}
