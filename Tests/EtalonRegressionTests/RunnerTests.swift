import EtalonRegression
import Foundation
import Synchronization
import Testing

/// What happens to cases whose processes do not end well; the processes are a shell's.
@Suite struct RunnerTests {
  /// Runs cases of these names: each passes unless its name says otherwise.
  private func run(_ names: [String], timeout: Double = 30) throws -> [CaseResult] {
    let folder = try TestFolder()
    try folder.writeFilter("shown", "vec4(uv, level, 1.0)")
    try folder.write("shown/tests/all.yaml", "cases:\n" + names.map { "  \($0): { size: 8x8 }\n" }.joined())
    let cases = try folder.selection("").cases
    for testCase in cases {
      for verdict in [Verdict.passed, .failed] {
        var result = CaseResult(id: testCase.id, name: testCase.name, path: testCase.path, line: nil, subject: "shown")
        result.verdict = verdict
        let data = try JSONEncoder().encode(["result": result])
        try folder.write("answers/\(testCase.name).\(verdict.rawValue)", String(decoding: data, as: UTF8.self) + "\n")
      }
    }
    let script = """
      cd '\(folder.path)'
      for name in $(grep -o '"id":"[^"]*"' "$1" | sed 's/.*://; s/"$//'); do
        printf '{"begin":"%s:%s"}\\n' '\(folder.path)/shown/tests/all.yaml' $name
        verdict=passed
        case $name in
          crash*) kill -SEGV $$;;
          hang) sleep 30;;
          quit) exit 3;;
          broken) verdict=failed;;
          fickle) [ -e seen ] || verdict=failed; touch seen;;
          spoilt) [ -z "$spoiler" ] || verdict=failed;;
          spoiler) spoiler=yes;;
        esac
        cat answers/$name.$verdict
      done
      """
    let settings = CaseRun.Settings(device: "cpu", folder: folder.place.folder, pictures: folder.place.pictures, today: "2026-05-01")
    let device = TestDevice(option: "cpu", backend: "cpu", device: "CPU executor", driver: "etalon", driverVersion: "1")
    let runner = TestRunner(
      program: "/bin/bash", arguments: ["-c", script, "worker"], settings: settings, libraries: [], device: device, jobs: 1,
      timeout: timeout)
    return try runner.run(cases, observe: { _ in }, isInterrupted: { false })
  }

  @Test func aCrashIsTheBusinessOfOneCase() throws {
    let results = try run(["one", "crash", "two", "quit", "three"])
    #expect(results.map(\.verdict) == [.passed, .crashed, .passed, .crashed, .passed])
    #expect(results[1].reason.contains("signal 11"))
    #expect(results[3].reason.contains("code 3"))
  }

  @Test func aHangIsEndedAndTheRestGoesOn() throws {
    let results = try run(["one", "hang", "two"], timeout: 1)
    #expect(results.map(\.verdict) == [.passed, .timedOut, .passed])
    #expect(results[1].attempts.map(\.verdict) == [.timedOut])
  }

  @Test func failuresAreToldFromFlakes() throws {
    let results = try run(["one", "broken", "fickle", "spoiler", "spoilt"])
    #expect(results.map(\.verdict) == [.passed, .failed, .flaky, .passed, .orderDependent])
    #expect(results[1].attempts.map(\.kind) == ["alone"])
    #expect(results[4].attempts.map(\.kind) == ["alone", "alone", "batch"])
  }

  @Test func everyCaseHasAResultThoughAllCrash() throws {
    #expect(try run(["crash", "crash2", "crash3"]).map(\.verdict) == [.crashed, .crashed, .crashed])
  }
}
