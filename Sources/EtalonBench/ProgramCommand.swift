import ArgumentParser
import Etalon
import EtalonCPU

/// Shows what the CPU executor makes of a shader.
struct ProgramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "program", abstract: "Prints the lane program of each pass of a shader, as the CPU executor runs it.")

  @Argument(help: "The shader.") var shader: String
  @Option(help: "Width and height in pixels.") var size = "1280x720"
  @Option(name: .short, help: ArgumentHelp("The picture that a filter reads.", valueName: "file")) var input: String?

  func run() throws {
    for kernel in try BenchmarkShader(path: shader, size: size, picture: input).shot.kernels {
      print(try ProgramListing.text(of: kernel))
    }
  }
}
