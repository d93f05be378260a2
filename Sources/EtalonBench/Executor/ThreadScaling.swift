import EtalonCPU
import Foundation

/// How much faster two threads render than one, on the wall.
struct ThreadScaling {
  let folder: String
  let size: String

  private static let shaders = ["noise", "march"]
  /// An odd number of pairs, of whose ratios the middle one counts.
  private static let pairs = 9

  /// How many threads wanted to run during the last minute, as text.
  private static func load() -> String {
    var averages = [0.0]
    guard unsafe getloadavg(&averages, 1) == 1 else { return "an unknown number of" }
    return String(format: "%.1f", max(0, averages[0] - 1))
  }

  func run(_ verdict: inout Verdict) throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    guard processors >= 2 else { return print("thread scaling: not measured, this machine has one processor") }
    print("thread scaling: wall time with one thread over that with two, median of \(Self.pairs) pairs")
    print("  \(processors) processors, \(Self.load()) others at work: two threads can only be twice as fast where nobody is")
    for shader in Self.shaders {
      let shot = try BenchmarkShader(path: "\(folder)/\(shader).glsl", size: size, picture: nil).shot
      let one = try ContenderRun(shot, on: .cpu(.best)), two = try ContenderRun(shot, on: .cpu(.best, threads: 2))
      let ratios = try (0..<Self.pairs).map { _ in try one.wallTime() / two.wallTime() }
      verdict.check("\(shader), two threads", ratios.median, atLeast: 1.85)
    }
  }
}
