import EtalonRegression
import Foundation
import Testing

/// Cases that are run by the command itself, in processes with limits.
@Suite struct WorkerTests {
  /// A process may write files of 16 KiB only, and what it prints about its cases goes into one.
  @Test func whatFailsOnlyAfterOthersSaysAfterWhich() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write(
      "ramp/tests/all.yaml",
      "size: 8x8\ninvariants: purity\ncases: { early: {}, long: { frames: 0-7 }, middle: { frames: 0-5 }, late: {} }\n")
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let settings = CaseRun.Settings(device: "cpu", folder: folder.place.folder, pictures: folder.place.pictures, today: "2026-05-01")
    let runner = TestRunner(
      program: "/bin/bash", arguments: ["-c", "ulimit -f 16; exec '\(products)/etalon' test-cases \"$1\"", "worker"], settings: settings,
      libraries: [], device: try TestDevice(option: "cpu"), jobs: 1, timeout: 60, retries: 2)
    let results = try runner.run(try folder.selection("").cases, observe: { _ in }, isInterrupted: { false })
    #expect(results.map(\.verdict) == [.passed, .passed, .orderDependent, .passed])
    #expect(results[2].reason.hasPrefix("fails only after '\(results[1].id)' in the same process: its process ended with code 73"))
  }
}
