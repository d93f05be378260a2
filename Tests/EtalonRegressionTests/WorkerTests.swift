import EtalonRegression
import Foundation
import Testing

/// Cases that are run by the command itself, in processes with limits.
@Suite struct WorkerTests {
  private static let command = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "etalon")

  @Test func aRunThatIsKilledLeavesTheLinesOfWhatWasDone() throws {
    let folder = try TestFolder()
    try folder.writeFilter("first", "vec4(uv, level, 1.0)")
    // It runs long enough to be killed, and ends by itself if its parent no longer exists.
    try folder.write(
      "second/second.glsl", "void mainImage(out vec4 c, in vec2 p) { float x = p.x; while (x > -1.0) x = fract(x * 1.3); c = vec4(x); }\n")
    let lines = "\(folder.path)/out/lines.jsonl"
    let process = Process()
    process.executableURL = Self.command
    process.arguments = ["test", folder.path, "--jobs", "1", "--timeout", "20", "--json-lines", lines, "--json", folder.place.path]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    func written() -> String { (try? String(contentsOfFile: lines, encoding: .utf8)) ?? "" }
    while written().isEmpty, process.isRunning { usleep(5000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(written().hasSuffix("\n") && written().split(separator: "\n").count == 1)
    #expect(try JSONDecoder().decode(CaseResult.self, from: Data(written().utf8)).subject == "first")
    #expect(!folder.exists("out/results.json"))
  }

  /// Killed, or told a second time: the terminal tells the workers nothing, which are in groups of their own.
  @Test(arguments: [[SIGKILL], [SIGTERM, SIGINT]]) func nothingIsLeftOfARunThatIsEndedAtOnce(signals: [Int32]) throws {
    let folder = try TestFolder()
    try folder.write(
      "endless/endless.glsl", "void mainImage(out vec4 c, in vec2 p) { float x = p.x; while (x > -1.0) x = fract(x * 1.3); c = vec4(x); }\n"
    )
    try folder.write("temporary/readme", "")
    let process = Process()
    process.executableURL = Self.command
    process.arguments = ["test", "\(folder.path)/endless", "--timeout", "60", "--json", folder.place.path]
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": "\(folder.path)/temporary"]) { $1 }
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    func hasBegun() -> Bool {
      folder.files("temporary").contains { $0.hasSuffix(".out") && !(FileManager.default.contents(atPath: $0) ?? Data()).isEmpty }
    }
    while !hasBegun(), process.isRunning { usleep(5000) }
    let workers = RunningProcess.children(of: process.processIdentifier)
    #expect(workers.count == 1)
    for signal in signals { kill(process.processIdentifier, signal) }
    process.waitUntilExit()
    for _ in 0..<1000 where workers.contains(where: \.isAlive) || folder.files("temporary").count > 1 { usleep(10_000) }
    let alive = workers.filter(\.isAlive), left = folder.files("temporary").map { URL(filePath: $0).lastPathComponent }
    #expect(alive.isEmpty && left == ["readme"])
    for worker in workers { kill(worker.number, SIGKILL) }
  }

  /// A process may write files of 16 KiB only, and what it prints about its cases goes into one.
  @Test func whatFailsOnlyAfterOthersSaysAfterWhich() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write(
      "ramp/tests/all.yaml",
      "size: 8x8\ninvariants: crop\ncases: { early: {}, long: { frames: 0-7 }, middle: { frames: 0-5 }, late: {} }\n")
    var settings = CaseRun.Settings(device: "cpu", folder: folder.place.folder, pictures: folder.place.pictures, today: "2026-05-01")
    settings.timeout = 60
    let runner = TestRunner(
      program: "/bin/bash", arguments: ["-c", "ulimit -f 16; exec '\(Self.command.path)' test-cases \"$1\"", "worker"], settings: settings,
      libraries: [], device: try TestDevice(option: "cpu"), jobs: 1, retries: 2)
    let results = try runner.run(try folder.selection("").cases, observe: { _ in }, isInterrupted: { false })
    #expect(results.map(\.verdict) == [.passed, .passed, .orderDependent, .passed])
    #expect(results[2].reason.hasPrefix("fails only after '\(results[1].id)' in the same process: its process ended with code 73"))
  }
}

/// A process as the system shows it.
private struct RunningProcess {
  let number: pid_t

  static func children(of parent: pid_t) -> [RunningProcess] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }) ?? []
    return all.map(RunningProcess.init).filter { $0.fields.dropFirst().first == "\(parent)" }
  }

  /// An orphan that has ended stays as a zombie where no process waits for it; a zombie is not alive.
  var isAlive: Bool { fields.first.map { $0 != "Z" } ?? false }

  /// The state and the number of the parent, which stand behind the name.
  private var fields: [Substring] {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return [] }
    return text.lastIndex(of: ")").map { text[text.index(after: $0)...].split(separator: " ") } ?? []
  }
}
