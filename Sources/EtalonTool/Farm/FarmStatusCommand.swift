import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonFarm
import EtalonMedia

/// `etalon farm status`: how far a job is.
struct FarmStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Tells which frames of a job are there, and what Slurm says about its tasks.",
    discussion: "etalon farm status jobs/turn")

  @Argument(help: ArgumentHelp("The folder of the job.", valueName: "job"))
  var job: String

  func run() throws {
    let report = FailureReport(format: .text)
    do {
      let folder = FarmFolder(self.job)
      let job = try folder.job(), records = try FrameRecords(folder: job.records)
      let frames = try UsageError.reading { try FrameRangeParser.parse(job.frames, option: "job.json") }.frames
      StandardOutput.write(job.text)
      for output in job.outputs { StandardOutput.write(try FramesOnDisk(output, frames: frames, records: records).text + "\n") }
      guard job.kind == .slurm else { return }
      guard let state = try SlurmState(of: job, in: folder) else {
        return StandardOutput.write("not submitted: \(ShellWord.quoted(folder.path(of: "submit")))\n")
      }
      StandardOutput.write(state.text(in: folder))
    } catch { throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue) }
  }
}
