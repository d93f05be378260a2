import ArgumentParser
import Etalon
import EtalonCPU
import EtalonMedia
import EtalonTypes
import Foundation

/// Holds the CPU executor against Mesa's software driver, against itself with two threads, and against the clock for a first picture.
struct ExecutorBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "executor", abstract: "The CPU executor against lavapipe: user CPU a frame of the same SPIR-V, with one thread each.",
    discussion: """
      Frames are timed after one that compiles and warms up; the fastest of several rounds counts, in which the executors take turns. Then \
      two threads are held against one, and the time from SPIR-V to a first small picture is taken. Ends with 1 when a bar is missed.
      """)

  @Option(help: "The folder of the shaders.") var shaders = "Tests/Benchmarks/shaders"
  @Option(help: "Width and height in pixels.") var size = "1280x720"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 3
  @Argument(help: "The shaders that are measured; all without a name.") var names: [String] = []

  func run() throws {
    let classes = try chosenClasses()
    let picture = FileManager.default.temporaryDirectory.appending(path: "etalon-bench-\(UUID().uuidString).png").path
    try BenchmarkPicture.write(to: picture, Size(1280, 720))
    defer { try? FileManager.default.removeItem(atPath: picture) }
    var verdict = Verdict()
    let peers = PeerComparison(folder: shaders, size: size, picture: picture, rounds: rounds)
    try peers.run(classes, &verdict)
    try ThreadScaling(folder: shaders, size: size).run(&verdict)
    try FirstPicture(folder: shaders, picture: picture).run(classes, &verdict)
    if !verdict.passes { throw ExitCode(1) }
  }

  private func chosenClasses() throws -> [ShaderClass] {
    guard !names.isEmpty else { return ShaderClass.all }
    let known = ShaderClass.all.flatMap(\.shaders)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw ValidationError("no benchmark shader '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
    return ShaderClass.all.compactMap { shaderClass in
      let chosen = shaderClass.shaders.filter(names.contains)
      return chosen.isEmpty ? nil : ShaderClass(name: shaderClass.name, shaders: chosen, readsPicture: shaderClass.readsPicture)
    }
  }
}
