import ArgumentParser
import Etalon
import EtalonCPU
import EtalonPlan
import EtalonVulkan

/// Holds a frame of a filter with several passes against the sum of what its passes cost alone.
struct PassesBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passes", abstract: "What a frame of several passes costs over the sum of its passes, on both executors.",
    discussion: """
      What a pass costs alone is what a frame costs more in which it is done several times; a frame's own work (submitting, waiting, \
      barriers, values) is therefore in no pass. Frames are timed after some that compile and warm up, all kinds of frames in turn; the \
      fastest of several rounds counts. Ends with 1 when a bar is missed.
      """)

  @Argument(help: "The filter: a folder or a file.") var filter = "samples/coral"
  @Option(help: "Width and height in pixels.") var size = "1280x720"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 5

  /// How much more than all its passes a frame may cost.
  private static let limit = 1.05

  func run() throws {
    let shot = try BenchmarkShader(path: filter, size: size, picture: nil).shot
    var verdict = Verdict()
    let executors: [(String, any Backend)] = [
      ("the CPU executor", CPUBackend()), ("lavapipe", try VulkanBackend(DeviceChoice("llvmpipe"))),
    ]
    for (name, backend) in executors {
      let costs = try PassCosts(of: shot, on: backend, rounds: rounds)
      print("\(name): CPU ms a frame of \(size), user and system, best of \(rounds) rounds")
      print(costs.table)
      verdict.check("a frame, of the sum of its passes", costs.frame / costs.sum, atMost: Self.limit)
    }
    if !verdict.passes { throw ExitCode(1) }
  }
}
