import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonFarm
import EtalonMedia
import Foundation

/// `etalon farm verify`: whether what several machines made is what one machine would have made.
struct FarmVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract:
      "Checks all frames of a job, and renders some of each machine again; ends with 1 when something differs, 66 when frames are missing.",
    discussion: """
      etalon farm verify --job jobs/turn
      etalon farm verify photo.png vignette -r 24 --frames 0-239 -o 'out/turn.####.png' --records records

      Without --job the words are those of 'etalon render'; --records names the folder with the records of the machines.
      """)

  @Option(help: ArgumentHelp("The folder of a job, in place of the words of a render.", valueName: "job"))
  var job: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many frames of each machine are rendered again, of all at most 20; of a video whole parts of 60 frames. Default: 5; 0 for none.",
      valueName: "number"))
  var sample: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Chooses these frames. Default: other ones each time.", valueName: "number"))
  var seed: String?

  @Flag(help: "Print what was found as JSON.")
  var json = false

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The stages and options of 'etalon render'.", valueName: "words"))
  var words: [String] = []

  func run() throws {
    let report = FailureReport(format: .text)
    var command: RenderCommand?
    if job == nil { command = try RenderCommand.parse(words) }
    do {
      let verdict = try verdict(try command ?? commandOfJob())
      StandardOutput.write(json ? JSONText.text(verdict) : verdict.text)
      if verdict.exitCode != .success { throw ArgumentParser.ExitCode(verdict.exitCode.rawValue) }
    } catch let code as ArgumentParser.ExitCode {
      throw code
    } catch { throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue) }
  }

  /// The command of the job, in its working folder.
  private func commandOfJob() throws -> RenderCommand {
    guard let path = self.job else { preconditionFailure("a command without words or a job") }
    guard words.isEmpty else {
      throw UsageError("usage.farm", "'--job' says what was rendered, and so does '\(words[0])'", help: "leave out one of them")
    }
    let folder = FarmFolder(path), job = try folder.job()
    guard FileManager.default.changeCurrentDirectoryPath(job.folder) else {
      throw RenderError(
        .missingInput, "the working folder of the job, '\(job.folder)', is not on this machine",
        help: ["check it where that folder is, or name the words of the render and '--records \(job.records)'"])
    }
    do {
      var command = try RenderCommand.parse(job.command)
      command.farm.records = job.records
      command.farm.warmUp = job.cut.warmUp.map(String.init)
      if job.cut.method == .checkpoints { command.farm.checkpoints = folder.path(of: "checkpoints") }
      return command
    } catch {
      throw RenderError(
        .invalidInput, "'\(folder.path(of: "job.json"))' has words that this Etalon does not know",
        help: ["write the job again with 'etalon farm'"])
    }
  }

  private func verdict(_ typed: RenderCommand) throws -> FarmVerdict {
    let count = try number("--sample", sample) ?? 5, seed = try number("--seed", seed) ?? UInt64.random(in: 0...999_999)
    let records = try typed.farm.records.map { try FrameRecords(folder: $0) } ?? FrameRecords([])
    var typed = typed
    // The folder is read here, and nothing is written.
    typed.farm.records = nil
    let (command, request) = try typed.reading()
    if let video = try command.video(for: request) {
      return try verdict(video, command, request) { expected in
        try VideoVerification(expected, records, sample: Int(min(count, 1000)), seed: seed).run()
      }
    }
    let destination = try command.destination(for: request)
    return try FarmVerification(request, destination, records, sample: Int(min(count, 1000)), seed: seed).run()
  }

  private func verdict(
    _ video: VideoExport.Destination, _ command: RenderCommand, _ request: RenderRequest, _ check: (ExpectedVideo) throws -> FarmVerdict
  ) throws -> FarmVerdict {
    let renderer = ShotRenderer(), request = request.making(video)
    let shot = try renderer.prepare(request)
    let session = RenderSession(command: command, request: request, report: FailureReport(format: .text), interruption: .shared)
    var video = video
    // The sound of a ShaderToy is a part of what the video is made of.
    let track = try session.soundTrack(of: shot, for: video, with: renderer)
    defer { track?.remove() }
    if let track { video.sound = .track(track.path) }
    return try check(ExpectedVideo(shot, video))
  }

  private func number(_ option: String, _ text: String?) throws -> UInt64? {
    guard let text else { return nil }
    guard let number = UInt64(text) else {
      throw UsageError("usage.farm", "expected a whole number behind '\(option)', found '\(text)'", help: "type '\(option) 5'")
    }
    return number
  }
}
