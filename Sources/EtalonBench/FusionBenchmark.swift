import ArgumentParser
import Etalon
import EtalonCPU
import EtalonGraph
import EtalonMedia
import EtalonTypes
import Foundation

/// Holds a chain of point-wise filters that became one kernel against the chain that stores every step, and against one kernel by hand.
struct FusionBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fusion",
    abstract: "Five point-wise filters in one kernel: user CPU a frame against five kernels, and against one by hand.",
    discussion: """
      Frames are timed after one that compiles and warms up; the fastest of several rounds counts, in which the contenders take turns. Ends \
      with 1 when a bar is missed.
      """)

  @Option(help: "The folder of the filters that are measured beside the shipped ones.") var filters = "Tests/Benchmarks/graphs"
  @Option(help: "Width and height in pixels.") var size = "1920x1080"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 5

  private static let chain = ["hue-rotate", "saturation", "brightness-contrast", "gamma", "vignette"]

  func run() throws {
    let picture = BenchmarkPicture.newPath()
    try BenchmarkPicture.write(to: picture, try BenchmarkShader.size(size))
    defer { try? FileManager.default.removeItem(atPath: picture) }
    var verdict = BenchVerdict()
    for contender in [ExecutorContender.cpu(.best), try .lavapipe()] {
      let fused = try run([picture] + Self.chain, fuses: true, on: contender)
      let stored = try run([picture] + Self.chain, fuses: false, on: contender)
      let byHand = try run([picture, "\(filters)/five-in-one.glsl"], fuses: true, on: contender)
      var best = [Double](repeating: .infinity, count: 3)
      for _ in 0..<rounds {
        for (index, run) in [fused, stored, byHand].enumerated() { best[index] = min(best[index], try run.userTime()) }
      }
      print("\(contender.name), \(size): fused \(text(best[0])) ms, stored \(text(best[1])) ms, by hand \(text(best[2])) ms")
      verdict.check("fused over one kernel by hand", best[0] / best[2], atMost: 1.10)
      verdict.check("fused over stored", best[0] / best[1], atMost: 0.45)
    }
    if !verdict.passes { throw ExitCode(1) }
  }

  private func text(_ milliseconds: Double) -> String { String(format: "%.1f", milliseconds) }

  private func run(_ stages: [String], fuses: Bool, on contender: ExecutorContender) throws -> ContenderRun {
    try ContenderRun(try BenchmarkGraph.shot(stages, fuses: fuses), on: contender)
  }
}

/// A graph that is measured, prepared just as `etalon render` prepares it.
enum BenchmarkGraph {
  /// - Parameter stages: as on the command line.
  static func request(_ stages: [String]) throws -> RenderRequest {
    let parser = StageParser {
      $0.hasSuffix(".png")
    } isFile: {
      FileManager.default.fileExists(atPath: $0)
    }
    var request = RenderRequest(graph: try parser.graph(stages), library: FilterLibrary(try LibrarySearch(named: [])))
    request.device = "cpu"
    return request
  }

  /// - Parameter stages: as on the command line.
  static func shot(_ stages: [String], fuses: Bool = true) throws -> Shot {
    var request = try request(stages)
    // A photo never changes, so that everything would be computed once.
    request.planOptions = PlanOptions(fuses: fuses, hoists: false)
    return try ShotRenderer().prepare(request)
  }
}

/// The picture that benchmarks read.
enum BenchmarkPicture {
  /// A path of a file that is not there yet.
  static func newPath() -> String { FileManager.default.temporaryDirectory.appending(path: "etalon-bench-\(UUID().uuidString).png").path }

  static func write(_ frame: SyntheticFrame = .photo, to path: String, _ size: Size) throws {
    let file = try AtomicFile(path, replacing: .anything)
    try PNGEncoder().encode(frame.picture(size), to: file)
    try file.commit()
  }
}
