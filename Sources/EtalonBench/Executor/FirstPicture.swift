import Etalon
import EtalonCPU
import EtalonPlan
import Foundation

/// CPU time from SPIR-V to a finished picture of 64×64 pixels, with nothing compiled before.
struct FirstPicture {
  let folder: String
  let picture: String

  private static let runs = 20
  private static let limit = 15.0

  func run(_ classes: [ShaderClass], _ verdict: inout Verdict) throws {
    print("from SPIR-V to a picture of 64×64: CPU ms, median of \(Self.runs)")
    for shaderClass in classes {
      for shader in shaderClass.shaders {
        let path = "\(folder)/\(shader).glsl"
        let shot = try BenchmarkShader(path: path, size: "64x64", picture: shaderClass.readsPicture ? picture : nil).shot
        let times = try (0..<Self.runs).map { _ in try time(shot) }
        verdict.check(shader, times.median, atMost: Self.limit, unit: " ms")
      }
    }
  }

  private func time(_ shot: Shot) throws -> Double {
    let start = CPUClock.milliseconds()
    let pending = try shot.execution(on: CPUBackend()).submit(try shot.values(of: 60))
    try pending.wait()
    pending.release()
    let end = CPUClock.milliseconds()
    return end.user + end.system - start.user - start.system
  }
}
