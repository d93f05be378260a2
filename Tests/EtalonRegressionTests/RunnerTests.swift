import EtalonRegression
import Foundation
import Synchronization
import Testing

/// What happens to cases whose processes do not end well; the processes are a shell's.
@Suite struct RunnerTests {
  /// Runs cases of these names: each passes unless its name says otherwise.
  ///
  /// - Parameter expected: a verdict that is expected of all of them.
  private func run(
    _ names: [String], timeout: Double = 30, retries: Int = 3, expected: Verdict? = nil,
    observe: @escaping @Sendable (CaseResult) -> Void = { _ in }
  ) throws -> [CaseResult] {
    let folder = try TestFolder()
    try folder.writeFilter("shown", "vec4(uv, level, 1.0)")
    let expectation = expected.map { ", expect: { result: \($0.rawValue), reason: known, link: 'https://example.org/1' }" } ?? ""
    try folder.write("shown/tests/all.yaml", "cases:\n" + names.map { "  \($0): { size: 8x8\(expectation) }\n" }.joined())
    let cases = try folder.selection("").cases
    for testCase in cases {
      for verdict in [Verdict.passed, .failed, .notDeterministic] {
        var result = CaseResult(id: testCase.id, name: testCase.name, path: testCase.path, line: nil, subject: "shown")
        (result.verdict, result.reason) = (verdict, verdict == .passed ? "" : "looks \(verdict.rawValue)")
        for kind in ["result", "draft"] {
          let data = try JSONEncoder().encode([kind: result])
          try folder.write("answers/\(testCase.name).\(verdict.rawValue).\(kind)", String(decoding: data, as: UTF8.self) + "\n")
        }
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
          broken*) verdict=failed;;
          fickle) [ -e seen ] || verdict=failed; touch seen;;
          varied) verdict=failed; [ -e again ] && verdict=not-deterministic; touch again;;
          seldom) n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; [ $n -ne 2 ] || verdict=failed;;
          spoilt) [ -z "$spoiler" ] || verdict=failed;;
          spoiler) spoiler=yes;;
          puzzle) cat answers/$name.failed.draft; sleep 30;;
          trap) cat answers/$name.failed.draft; kill -SEGV $$;;
        esac
        cat answers/$name.$verdict.result
      done
      """
    var settings = CaseRun.Settings(device: "cpu", folder: folder.place.folder, pictures: folder.place.pictures, today: "2026-05-01")
    settings.timeout = timeout
    let device = TestDevice(option: "cpu", backend: "cpu", device: "CPU executor", driver: "etalon", driverVersion: "1")
    let runner = TestRunner(
      program: "/bin/bash", arguments: ["-c", script, "worker"], settings: settings, libraries: [], device: device, jobs: 1,
      patience: 0, retries: retries)
    return try runner.run(cases, observe: observe, isInterrupted: { false })
  }

  @Test func aCrashIsTheBusinessOfOneCase() throws {
    let results = try run(["one", "crash", "two", "quit", "three"])
    #expect(results.map(\.verdict) == [.passed, .crashed, .passed, .crashed, .passed])
    #expect(results[1].reason.contains("signal 11"))
    #expect(results[3].reason.contains("code 3"))
  }

  @Test func aHangIsEndedAndTheRestGoesOn() throws {
    let results = try run(["one", "hang", "two"], timeout: 2)
    #expect(results.map(\.verdict) == [.passed, .timedOut, .passed])
    #expect(results[1].attempts.map(\.verdict) == [.timedOut, .timedOut], "each costs the whole limit")
    #expect(results[1].reason == "took longer than 2 s, and its process was ended")
    #expect(results[1].notes == ["'--timeout SECONDS' allows a case more time"])
  }

  @Test(arguments: [("puzzle", "judging took longer than 2 s"), ("trap", "its process crashed with signal 11")])
  func judgingTakesNothingAwayFromACase(name: String, words: String) throws {
    let results = try run(["one", name, "two"], timeout: 2, retries: 1)
    #expect(results.map(\.verdict) == [.passed, .failed, .passed])
    #expect(results[1].reason == "looks failed" && results[1].notes == ["blame: not worked out: \(words)"])
  }

  @Test func failuresAreToldFromFlakes() throws {
    let results = try run(["one", "broken", "fickle", "spoiler", "spoilt"])
    #expect(results.map(\.verdict) == [.passed, .failed, .flaky, .passed, .orderDependent])
    #expect(results[1].attempts.map(\.kind) == [.first, .alone, .alone, .alone])
    #expect(results[4].attempts.prefix(7).map(\.kind) == [.first, .alone, .alone, .alone, .batch, .batch, .batch])
    #expect(results[4].reason.hasPrefix("fails only after '\(results[3].id)' in the same process"))
    #expect(results[4].reproduce == "etalon test \(results[3].id) \(results[4].id) --jobs 1")
  }

  @Test func whatFailsInSeveralWaysIsAFlake() throws {
    let result = try run(["varied"])[0]
    #expect(result.verdict == .flaky)
    #expect(result.reason == "fails in several ways: failed: looks failed; not-deterministic: looks not-deterministic")
    #expect(result.attempts.map(\.verdict) == [.failed, .notDeterministic])
    #expect(result.candidates.isEmpty && result.approve.isEmpty)
  }

  @Test func nothingIsTriedAgainUnlessAskedFor() throws {
    let result = try run(["fickle"], retries: 0)[0]
    #expect(result.verdict == .failed && result.attempts.isEmpty)
  }

  @Test func tooManyFailuresAreNoFlakes() throws {
    let results = try run((1...22).map { "broken\($0)" }, retries: 1)
    #expect(results.count { $0.attempts.count == 2 } == 20)
    #expect(results.count { $0.notes == ["not tried again: more than 20 cases failed"] } == 2)
    #expect(results.allSatisfy { $0.verdict == .failed })
  }

  @Test(arguments: [
    ("one", Verdict.flaky, Verdict.warning, "passed in 4 of 4 runs"), ("fickle", .flaky, .expectedFailure, "flaky, as expected"),
    ("seldom", .flaky, .expectedFailure, "flaky, as expected"), ("broken", .flaky, .failed, "failed in 4 of 4 runs: looks failed"),
    ("broken", .failed, .expectedFailure, "failed, as expected"), ("crash", .failed, .crashed, "signal 11"),
    ("crash", .crashed, .expectedFailure, "crashed, as expected"), ("one", .crashed, .unexpectedPass, "'crashed' (known, https"),
    ("fickle", .crashed, .flaky, "fails sometimes"), ("broken", .skipped, .failed, "looks failed"),
  ]) func onlyTheVerdictThatIsExpectedIsBorne(name: String, expected: Verdict, verdict: Verdict, words: String) throws {
    let result = try run([name], expected: expected)[0]
    #expect(result.verdict == verdict)
    #expect(result.reason.contains(words))
    let isOther = verdict.isFailure && expected != .flaky && verdict != .unexpectedPass
    #expect(result.notes.contains { $0.hasSuffix("which does not cover '\(verdict.rawValue)'") } == isOther)
  }

  @Test func whatFailsAsExpectedIsNotTriedAgain() throws {
    #expect(try run(["crash"], expected: .crashed)[0].attempts.isEmpty)
  }

  @Test func eachIsToldOfWhenItIsSettled() throws {
    let told = Mutex<[CaseResult]>([])
    let results = try run(["broken", "one", "fickle", "two"]) { result in told.withLock { $0.append(result) } }
    let order = told.withLock { $0 }
    #expect(order.map(\.name) == ["one", "two", "broken", "fickle"], "what failed waits until it was tried again")
    for result in order { #expect(results.first { $0.id == result.id }?.verdict == result.verdict) }
  }

  @Test func everyCaseHasAResultThoughAllCrash() throws {
    #expect(try run(["crash", "crash2", "crash3"]).map(\.verdict) == [.crashed, .crashed, .crashed])
  }
}
