import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

@testable import EtalonFarm

/// Scripts for Slurm, and what Slurm says about their jobs.
@Suite struct SlurmTests {
  private func job(_ folder: FarmFolder, memory: StateMemory = .none, isVideo: Bool = false, command: [String] = ["plasma"]) throws
    -> FarmJob
  {
    let outline = ShotOutline(
      frames: Array(0...11), shot: 0...11, clock: ShotClock(first: 0, start: .zero, rate: 24), size: Size(16, 16), isLive: false,
      name: "plasma",
      files: [], memory: memory, stateShare: 0.1, dependsOnRange: false, outputNames: ["main"])
    return FarmJob(
      .slurm, name: "turn", command: command, folder: "/tmp/it's here", frames: "0-11", shot: "0-11", size: "16x16", rate: "24",
      cut: try JobCut(.auto, of: outline, .init(chunk: 4)),
      outputs: [.init(path: isVideo ? "/tmp/a.mp4" : "/tmp/a.####.png", isVideo: isVideo)],
      records: folder.path(of: "records"))
  }

  private func files(_ job: FarmJob, _ folder: FarmFolder, change: (inout JobSettings) -> Void = { _ in }) -> [String: String] {
    var settings = JobSettings(name: job.name, command: "/opt/etalon/bin/etalon")
    change(&settings)
    return Dictionary(SlurmScripts(job, settings, in: folder).files.map { ($0.name, $0.text) }) { first, _ in first }
  }

  @Test func aJobOfPicturesHasChunksAndACheck() throws {
    let folder = FarmFolder("/tmp/jobs/turn")
    let files = files(try job(folder), folder)
    #expect(Set(files.keys) == ["render.sbatch", "check.sbatch", "submit", "logs/readme.txt"])
    let render = try #require(files["render.sbatch"])
    #expect(render.contains("#SBATCH --array=1-3\n"))
    #expect(render.contains("#SBATCH --output=/tmp/jobs/turn/logs/render-%a.log\n"))
    #expect(render.contains("#SBATCH --chdir=\"/tmp/it's here\"\n"))
    #expect(render.contains("#SBATCH --requeue\n"))
    #expect(
      render.contains(
        "/opt/etalon/bin/etalon render plasma --shard \"$SLURM_ARRAY_TASK_ID/3\" --resume --records /tmp/jobs/turn/records &\n"))
    #expect(files["check.sbatch"]?.contains("/opt/etalon/bin/etalon farm verify --job /tmp/jobs/turn &\n") == true)
    #expect(
      files["submit"]?.contains("check=$(sbatch --parsable --dependency=afterok:$render --kill-on-invalid-dep=yes check.sbatch)\n") == true)
  }

  @Test func whatFramesRememberIsBroughtForwardFirst() throws {
    let folder = FarmFolder("/tmp/jobs/turn")
    let files = files(try job(folder, memory: .endless), folder)
    #expect(
      files["checkpoints.sbatch"]?.contains("etalon render plasma --only-checkpoints 4,8 --checkpoints /tmp/jobs/turn/checkpoints &\n")
        == true)
    #expect(
      files["render.sbatch"]?.contains("--shard \"$SLURM_ARRAY_TASK_ID/3\" --checkpoints /tmp/jobs/turn/checkpoints --resume") == true)
    #expect(files["submit"]?.contains("render=$(sbatch --parsable --dependency=afterok:$checkpoints") == true)
  }

  @Test func aVideoIsJoinedBehindItsParts() throws {
    let folder = FarmFolder("/tmp/jobs/turn")
    let files = files(try job(folder, isVideo: true), folder)
    #expect(files["video.sbatch"]?.contains("etalon render plasma --resume --records /tmp/jobs/turn/records &\n") == true)
    #expect(files["video.sbatch"]?.contains("--array") == false)
    #expect(files["submit"]?.contains("check=$(sbatch --parsable --dependency=afterok:$video") == true)
  }

  @Test func settingsBecomeDirectives() throws {
    let folder = FarmFolder("/tmp/100% done/turn")
    let files = files(try job(folder), folder) { settings in
      (settings.cpus, settings.memory, settings.gpus, settings.timeLimit) = (4, 2048, 1, 3723)
      settings.slurm.throttle = 2
      (settings.slurm.partition, settings.slurm.account, settings.slurm.lines) = ("gpu", "film", ["--nice=100"])
      settings.environment = ["ETALON_PATH": "/a b"]
    }
    let render = try #require(files["render.sbatch"])
    for line in [
      "array=1-3%2", "cpus-per-task=4", "mem=2048M", "gres=gpu:1", "time=01:02:03", "partition=gpu", "account=film", "nice=100",
      "output=\"/tmp/100%% done/turn/logs/render-%a.log\"",
    ] { #expect(render.contains("#SBATCH --\(line)\n"), "\(line)") }
    #expect(render.contains("export ETALON_PATH='/a b'\n"))
  }

  /// Whatever was typed, a shell reads the scripts, and the command gets the words.
  @Test func shellsReadTheScripts() throws {
    let place = try TestPlace()
    let folder = FarmFolder("\(place.path)/it's a \"job\"")
    let typed = ["plasma", "--set", "text=it's $HOME `date` \"x\"", "--library", "a\\b"]
    for memory in [StateMemory.none, .endless] {
      let job = try job(folder, memory: memory, isVideo: memory == .none, command: typed)
      let settings = JobSettings(name: "turn", command: "\(place.path)/print words")
      try folder.write(job, SlurmScripts(job, settings, in: folder).files)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".sbatch") || name == "submit" {
        #expect(try ToolAnswer(["bash", "-n", folder.path(of: name)]).errors == "", "\(name)")
      }
    }
    try place.write("print words", "#!/bin/bash\nprintf '%s\\n' \"$@\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(place.path)/print words")
    let answer = try ToolAnswer(["env", "SLURM_ARRAY_TASK_ID=2", "SLURM_JOB_ID=1", "bash", folder.path(of: "render.sbatch")])
    #expect(answer.code == 0)
    let expected =
      ["render"] + typed + [
        "--shard", "2/3", "--checkpoints", folder.path(of: "checkpoints"), "--resume", "--records", folder.path(of: "records"),
      ]
    #expect(answer.text.split(separator: "\n").map(String.init) == expected)
    #expect(try String(contentsOfFile: folder.path(of: "logs/render-2.code"), encoding: .utf8) == "0\n")
  }

  /// The command hears of a request to end, and its own code counts.
  @Test func requestsToEndAreHandedOn() throws {
    let place = try TestPlace()
    let folder = FarmFolder("\(place.path)/job")
    let job = try job(folder)
    try folder.write(job, SlurmScripts(job, JobSettings(name: "turn", command: "\(place.path)/work"), in: folder).files)
    try place.write(
      "work", "#!/bin/bash\ntrap 'sleep 0.3; exit 143' TERM\ntouch \(place.path)/began\nfor i in {1..100}; do sleep 0.1; done\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(place.path)/work")
    let script = folder.path(of: "render.sbatch")
    let shell = "SLURM_ARRAY_TASK_ID=1 bash '\(script)' & until [ -e '\(place.path)/began' ]; do sleep 0.05; done; kill -TERM $!; wait $!"
    #expect(try ToolAnswer(["bash", "-c", shell]).code == 143)
    #expect(try String(contentsOfFile: folder.path(of: "logs/render-1.code"), encoding: .utf8) == "143\n")
  }

  // MARK: what Slurm says

  /// Recorded from Slurm 22.05: chunk 2 failed, chunk 3 was requeued.
  private static let jobs = """
    JobId=1 ArrayJobId=1 ArrayTaskId=4 JobName=turn-render UserId=root(0) JobState=COMPLETED Reason=None Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 ExitCode=0:0 NodeList=n2 BatchHost=n2
    JobId=5 ArrayJobId=1 ArrayTaskId=3 JobName=turn-render UserId=root(0) JobState=PENDING Reason=BeginTime Dependency=(null) Requeue=1 Restarts=1 BatchFlag=1 ExitCode=0:0 NodeList= BatchHost=n1
    JobId=4 ArrayJobId=1 ArrayTaskId=2 JobName=turn-render UserId=root(0) JobState=FAILED Reason=NonZeroExitCode Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 ExitCode=65:0 NodeList=n2 BatchHost=n2
    JobId=3 ArrayJobId=1 ArrayTaskId=1 JobName=turn-render UserId=root(0) JobState=COMPLETED Reason=None Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 ExitCode=0:0 NodeList=n1 BatchHost=n1

    """
  private static let chunks: [Int?] = [1, 2, 3, 4]

  @Test func chunksAreRead() {
    let tasks = SlurmState.tasks(of: .render, inJobs: Self.jobs, Self.chunks)
    #expect(
      tasks == [
        .init(.render, chunk: 4, state: "COMPLETED", node: "n2"), .init(.render, chunk: 3, state: "PENDING", restarts: 1),
        .init(.render, chunk: 2, state: "FAILED", node: "n2"), .init(.render, chunk: 1, state: "COMPLETED", node: "n1"),
      ])
    let folder = FarmFolder("/tmp/none")
    #expect(
      SlurmState(tasks).text(in: folder)
        == "render: 2 completed, 1 failed, 1 pending, on n1 n2, 1 restart\n  render-2: failed\n"
        + "when the others have ended and the reason is mended, render what is missing: /tmp/none/submit --again\n")
  }

  @Test(arguments: [("PartitionConfig", " (PartitionConfig)"), ("Priority", ""), ("Dependency", "")]) func tasksThatCannotStartSayWhy(
    reason: String, text: String
  ) {
    let line = "JobId=1 JobState=PENDING Reason=\(reason) Restarts=0 NodeList=(null)"
    let tasks = SlurmState.tasks(of: .check, inJobs: line, [nil])
    #expect(SlurmState(tasks).text(in: FarmFolder("/tmp/none")) == "check: pending\(text)\n")
  }

  @Test(arguments: [("1-4", 4), ("2-4%2", 3), ("1,3", 2), ("1-4:2", 2), ("1,3,...", 4)]) func waitingChunksShareALine(
    list: String, count: Int
  ) {
    let line = "JobId=1 ArrayJobId=1 ArrayTaskId=\(list) JobState=PENDING Restarts=0 NodeList=(null)"
    #expect(SlurmState.tasks(of: .render, inJobs: line, Self.chunks).count == count)
  }

  @Test func aStepWithoutChunksIsRead() {
    let line =
      "JobId=2 JobName=turn-check JobState=PENDING Reason=Dependency Dependency=afterok:1_*(unfulfilled) Requeue=1 Restarts=0 NodeList="
    #expect(SlurmState.tasks(of: .check, inJobs: line, [nil]) == [.init(.check, chunk: nil, state: "PENDING")])
  }

  @Test func accountsAreRead() {
    let text = "12_1|COMPLETED|n1\n12_2|CANCELLED by 1000|n2\n12_[5-32]|PENDING|None assigned\n13|TIMEOUT|n1\n"
    #expect(
      SlurmState.tasks(of: .render, inAccounts: text) == [
        .init(.render, chunk: 1, state: "COMPLETED", node: "n1"), .init(.render, chunk: 2, state: "CANCELLED", node: "n2"),
        .init(.render, chunk: nil, state: "TIMEOUT", node: "n1"),
      ])
  }
}

/// A folder that is gone with the test.
final class TestPlace {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "etalon-farm-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
  }
}
