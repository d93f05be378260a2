import ArgumentParser
import EtalonCPU
import EtalonMedia
import EtalonTypes
import Foundation

/// Holds watched kernels against the same ones that nobody watches.
struct WatchBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "What the sanitizer costs: user CPU a frame of watched kernels, of plain ones.",
    discussion: "One thread each; the fastest of several rounds counts, in which both take turns. Ends with 1 when the bar is missed.")

  @Option(help: "The folder of the shaders.") var shaders = "Tests/Benchmarks/shaders"
  @Option(help: "Width and height in pixels.") var size = "640x360"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 3

  /// How many times as long a watched frame may take.
  private static let limit = 12.0

  func run() throws {
    let picture = FileManager.default.temporaryDirectory.appending(path: "etalon-bench-\(UUID().uuidString).png").path
    try BenchmarkPicture.write(to: picture, Size(1280, 720))
    defer { try? FileManager.default.removeItem(atPath: picture) }
    var verdict = Verdict()
    for shaderClass in ShaderClass.all {
      for shader in shaderClass.shaders {
        let shot = try BenchmarkShader(
          path: "\(shaders)/\(shader).glsl", size: size, picture: shaderClass.readsPicture ? picture : nil
        ).shot
        let plain = try ContenderRun(shot, on: .cpu(.best)), watched = try ContenderRun(shot, on: .watched())
        var best = (plain: Double.infinity, watched: Double.infinity)
        for _ in 0..<rounds { best = (min(best.plain, try plain.userTime()), min(best.watched, try watched.userTime())) }
        print(String(format: "%@: plain %.1f ms, watched %.1f ms", shader, best.plain, best.watched))
        verdict.check(shader, best.watched / best.plain, atMost: Self.limit)
      }
    }
    if !verdict.passes { throw ExitCode(1) }
  }
}

extension ExecutorContender {
  /// The CPU executor with one thread, watched.
  fileprivate static func watched() -> ExecutorContender {
    ExecutorContender(name: "watched", backend: CPUBackend(.init(threadCount: 1), watch: WatchLog { _, _ in false }))
  }
}
