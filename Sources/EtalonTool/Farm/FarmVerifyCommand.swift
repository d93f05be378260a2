import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonFarm
import EtalonMedia
import EtalonVideo
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
    // The working folder becomes that of the job.
    let folder = job.map(FarmFolder.init)
    var command: RenderCommand?
    if folder == nil {
      try refuseJobFolder()
      do { command = try RenderCommand.parse(words) } catch {
        throw UnknownOption.error(with: ["farm", "verify"] + words, RenderCommand.fullMessage(for: error)) ?? error
      }
    }
    do {
      let verdict = try verdict(try command ?? commandOfJob(folder))
      StandardOutput.write(json ? JSONText.text(verdict) : verdict.text)
      if let folder, try folder.job().kind == .openjd, verdict.findings.contains(where: { $0.kind == .recipe }) {
        report.print([Self.valuesOfJob(folder)])
      }
      if verdict.exitCode != .success { throw ArgumentParser.ExitCode(verdict.exitCode.rawValue) }
    } catch let code as ArgumentParser.ExitCode {
      throw code
    } catch { throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue) }
  }

  private static func valuesOfJob(_ folder: FarmFolder) -> Diagnostic {
    Diagnostic(
      "farm.job-values", "what was changed when the job was sent, such as '--job-param strength=2.5', is not in its job.json",
      severity: .note,
      help: ["name the words of the render with these values, and '--records \(ShellWord.quoted(folder.path(of: "records")))'"])
  }

  /// Says how a job is named, where its folder stands alone.
  private func refuseJobFolder() throws {
    guard words.count == 1, (try? FarmFolder(words[0]).job()) != nil else { return }
    throw UsageError(
      "usage.farm", "'\(words[0])' is the folder of a job", help: "type 'etalon farm verify --job \(ShellWord.quoted(words[0]))'")
  }

  /// The command of the job, in its working folder.
  private func commandOfJob(_ folder: FarmFolder?) throws -> RenderCommand {
    guard let folder else { preconditionFailure("a command without words or a job") }
    if let option = words.first, option.hasPrefix("-") {
      throw UsageError(
        "usage.option", "'etalon farm verify --job' has no option '\(option)'", help: "type 'etalon help farm verify' for its options")
    }
    guard words.isEmpty else {
      throw UsageError("usage.farm", "'--job' says what was rendered, and so does '\(words[0])'", help: "leave out one of them")
    }
    let job = try folder.job()
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
    let count = Int(min(try number("--sample", sample) ?? 5, 1_000_000))
    let seed = try number("--seed", seed) ?? UInt64.random(in: 0...999_999)
    let records = try typed.farm.records.map(records) ?? FrameRecords([])
    var typed = typed
    // The folder is read here, and nothing is written.
    typed.farm.records = nil
    let (command, request) = try typed.reading()
    guard let video = try command.video(for: request) else {
      return try FarmVerification(request, try command.destination(for: request), records, sample: count, seed: seed).run()
    }
    return try withExpectedVideo(video, command, request, records) {
      try VideoVerification($0, records, sample: count, seed: seed).run()
    }
  }

  /// The records of a folder; one that was typed has to have some.
  private func records(_ folder: String) throws -> FrameRecords {
    let records = try FrameRecords(folder: folder)
    guard job == nil, records.all.isEmpty, records.brokenLines == 0 else { return records }
    throw RenderError(
      .missingInput, "there are no records in '\(folder)'",
      underlying: "renders with '--records' write them, as files NAME\(FrameRecordWriter.ending)",
      help: ["name the folder behind '--records' of the renders, or leave '--records' out to check without them"])
  }

  private func withExpectedVideo(
    _ video: VideoExport.Destination, _ command: RenderCommand, _ request: RenderRequest, _ records: FrameRecords,
    _ check: (ExpectedVideo) throws -> FarmVerdict
  ) throws -> FarmVerdict {
    guard !video.codec.isPicture, VideoContainer(path: video.path) != .m3u8 else {
      throw UsageError(
        "usage.farm", "'\(video.path)' is not made of parts, and 'farm verify' cannot check it", help: "type '-o name.mp4'")
    }
    let renderer = ShotRenderer()
    var request = request.making(video)
    // What the CPU executor rendered elsewhere is compared with what it renders here.
    if request.device == nil, records.isOfCPU(video: video.path) { request.device = "cpu" }
    let shot = try renderer.prepare(request)
    guard !shot.isLive else {
      throw UsageError("usage.farm", "a live stream comes once, so that nothing can be rendered again", help: "name a recording of it")
    }
    let session = RenderSession(command: command, request: request, report: FailureReport(format: .text), interruption: .shared)
    var video = video
    // The sound of a ShaderToy is a part of what the video is made of.
    let track = try session.soundTrack(of: shot, for: video, with: renderer)
    defer { track?.remove() }
    if let track { video.sound = .track(track.path) }
    return try check(try ExpectedVideo(shot, video))
  }

  private func number(_ option: String, _ text: String?) throws -> UInt64? {
    guard let text else { return nil }
    guard let number = UInt64(text) else {
      throw UsageError("usage.farm", "expected a whole number behind '\(option)', found '\(text)'", help: "type '\(option) 5'")
    }
    return number
  }
}
