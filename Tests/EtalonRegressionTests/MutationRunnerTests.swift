import Etalon
import EtalonRegression
import Testing

/// What happens to mutants whose processes do not end well; the processes are a shell's.
@Suite struct MutationRunnerTests {
  private func run(_ body: String, timeout: Double = 30) throws -> MutationResults {
    let folder = try TestFolder()
    try folder.writeFilter("shown", "vec4(uv, level, 1.0)")
    try folder.write("shown/tests/all.yaml", "size: 8x8\ninvariants: defaults\n")
    let script = """
      begin() { printf '{"begin":{"number":%s,"isLooking":%s}}\\n' "$1" "$2"; }
      for number in $(grep -o '"number":[0-9]*' "$1" | sed 's/.*://'); do
        \(body)
      done
      """
    let runner = try MutationRunner(
      program: "/bin/bash", arguments: ["-c", script, "worker"], cases: folder.selection("").cases, folders: [folder.path],
      libraries: [folder.path], jobs: 2, timeout: timeout, today: "2026-05-01")
    return try runner.run(count: 6, seed: 1, only: nil, observe: { _ in }, isInterrupted: { false })
  }

  @Test func aCrashIsNoticedUnlessTheCasesWereThrough() throws {
    let results = try run(
      """
      begin $number false
      [ $((number % 3)) = 0 ] && begin $number true
      kill -SEGV $$
      """)
    #expect(
      results.mutants.map { "\($0.mutant.number) \($0.verdict)" } == [
        "0 survived", "1 noticed", "2 noticed", "3 survived", "4 noticed", "5 noticed",
      ])
    #expect(results.survivors.allSatisfy { $0.change?.moment == "crashed or took too long" })
  }

  @Test func aMutantThatNeverEndsIsEnded() throws {
    let results = try run("begin $number false; exec sleep 30", timeout: 0.02)
    #expect(results.counts.noticed == 6)
  }

  @Test func aProcessThatSaysNothingIsADefect() throws {
    #expect(throws: (any Error).self) { try run("echo broken >&2; exit 1") }
  }
}
