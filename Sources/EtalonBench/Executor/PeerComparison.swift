import Etalon
import EtalonCPU
import Foundation

/// User CPU a frame of every shader on the CPU executor, with each instruction set, and on lavapipe.
struct PeerComparison {
  let folder: String
  let size: String
  let picture: String
  let rounds: Int

  /// What an instruction set has to reach against lavapipe: the geometric mean of all shaders, and that of each class.
  private static let bars: [InstructionSet: (mean: Double, shaderClass: Double?)] = [.avx2: (1.0, 1.7), .avx512: (0.8, nil)]
  private static let sets = InstructionSet.allCases.filter(\.isSupported)

  func run(_ classes: [ShaderClass], _ verdict: inout Verdict) throws {
    let contenders = try [ExecutorContender.lavapipe()] + Self.sets.map { ExecutorContender.cpu($0) }
    print("user CPU ms a frame of \(size), one thread, best of \(rounds) rounds; in brackets the part of lavapipe's")
    print(Self.row("", contenders.map(\.name)))
    var ratios: [[[Double]]] = []
    for shaderClass in classes {
      var ofClass: [[Double]] = []
      for shader in shaderClass.shaders {
        let times = try measure(shader, of: shaderClass, contenders)
        let parts = times.dropFirst().map { $0 / times[0] }
        ofClass.append(parts)
        print(Self.row(shader, [Self.number(times[0])] + zip(times.dropFirst(), parts).map { "\(Self.number($0)) (\(Self.number($1)))" }))
      }
      ratios.append(ofClass)
      print(Self.row(shaderClass.name, [""] + Self.means(ofClass).map(Self.number)))
    }
    let all = Self.means(ratios.flatMap { $0 })
    print(Self.row("all", [""] + all.map(Self.number)))
    check(classes.map(\.name), ratios.map(Self.means), all, &verdict)
  }

  /// Times of all contenders.
  private func measure(_ shader: String, of shaderClass: ShaderClass, _ contenders: [ExecutorContender]) throws -> [Double] {
    let path = "\(folder)/\(shader).glsl"
    let shot = try BenchmarkShader(path: path, size: size, picture: shaderClass.readsPicture ? picture : nil).shot
    let runs = try contenders.map { try ContenderRun(shot, on: $0) }
    let pictures = try runs.dropFirst().map { try $0.bytes(ofFrame: 60) }
    if pictures.contains(where: { $0 != pictures[0] }) {
      throw BenchmarkError(description: "the instruction sets do not give the same picture of '\(shader)'")
    }
    var best = [Double](repeating: .infinity, count: runs.count)
    for _ in 0..<rounds {
      for (index, run) in runs.enumerated() { best[index] = min(best[index], try run.userTime()) }
    }
    return best
  }

  private func check(_ names: [String], _ classes: [[Double]], _ all: [Double], _ verdict: inout Verdict) {
    for (index, set) in Self.sets.enumerated() {
      guard let bar = Self.bars[set] else { continue }
      verdict.check("\(set.rawValue), geometric mean of all shaders, of lavapipe", all[index], atMost: bar.mean)
      guard let limit = bar.shaderClass else { continue }
      for (name, means) in zip(names, classes) { verdict.check("\(set.rawValue), \(name), of lavapipe", means[index], atMost: limit) }
    }
  }

  /// The geometric mean of each column.
  private static func means(_ rows: [[Double]]) -> [Double] {
    sets.indices.map { column in rows.map { $0[column] }.geometricMean }
  }

  private static func number(_ value: Double) -> String { String(format: "%.2f", value) }

  private static func row(_ name: String, _ cells: [String]) -> String {
    ([name.padding(toLength: 20, withPad: " ", startingAt: 0)] + cells.map { String(repeating: " ", count: max(0, 16 - $0.count)) + $0 })
      .joined()
  }
}
