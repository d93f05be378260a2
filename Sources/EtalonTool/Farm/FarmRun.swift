import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonFarm
import EtalonGraph
import EtalonMedia
import EtalonSystem
import EtalonTypes
import EtalonVideo
import Foundation

/// Makes a job of a command of `etalon render`: reads it, refuses what makes no sense on a farm, and decides where the shot is cut.
struct FarmRun {
  let command: RenderCommand
  let options: JobOptions
  /// The command that machines run, where none was said; nil for the path of this one.
  var standardCommand: String?
  /// Whether workers have neither the environment nor the home folder of this machine, so that the words name the filters' folders.
  var namesLibraries = false

  /// Prepares a job and does something with it; ends with the code of what goes wrong.
  func run(_ body: (FarmPreparation) throws -> Void) throws {
    let report = FailureReport(format: command.running.diagnostics)
    do {
      let folder = FarmFolder(options.job)
      try folder.check(overwrites: command.files.overwrite)
      try body(try preparation(report, folder))
    } catch { throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue) }
  }

  private func preparation(_ report: FailureReport, _ folder: FarmFolder) throws -> FarmPreparation {
    try refuseOptions()
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ProcessArguments.all[0]
    let settings = try options.settings(command: standardCommand ?? executable)
    var command = command
    if namesLibraries { command.libraries.library = try ownLibraries() }
    let (read, request) = try command.reading()
    try refuseInputs(read, request)
    let video = try read.video(for: request)
    if let video { try refuse(video) }
    let destination = try video == nil ? read.destination(for: request) : nil
    let outline = try ShotRenderer().outline(of: video.map { request.making($0) } ?? request)
    guard !outline.isLive else { throw Self.refusal("a live stream cannot be divided: it comes once", "record it first: -o part.mp4") }
    for file in destination?.files ?? [] { try RenderCommand.checkName(file.pattern, frameCount: outline.frames.count) }
    let cut = try JobCut(try options.wish(), of: outline, try options.lengths(), unit: video == nil ? 1 : VideoSegments.mostFrames)
    if cut.method == .checkpoints, command.running.noCheckpoints {
      throw Self.refusal("'--no-checkpoints' and a cut by checkpoints contradict each other", "leave it out, or type '--cut whole'")
    }
    let outputs =
      video.map { [FarmJob.Output(path: FarmFolder.absolute($0.path), isVideo: true)] }
      ?? (destination?.files ?? []).map { FarmJob.Output(path: FarmFolder.absolute($0.pattern.description), isVideo: false) }
    var typed = command
    typed.files.resume = false
    return FarmPreparation(
      command: typed, request: request, outline: outline, cut: cut, outputs: outputs, folder: folder, settings: settings,
      executable: executable, report: report)
  }

  /// All folders that filters are looked up in, without those of the command itself.
  private func ownLibraries() throws(RenderError) -> [String] {
    try LibrarySearch(named: command.libraries.library).folders.filter { $0.origin != .builtIn }.map(\.path)
  }

  // MARK: what makes no sense

  /// Options that say how one process works.
  private func refuseOptions() throws {
    let refused: [(String, Bool, String)] = [
      ("--watch", command.running.watch, "a job is rendered once"),
      ("--json", command.running.json, "tasks say how far they are in the words of the scheduler"),
      ("--sweep", !command.values.sweep.isEmpty, "a sweep is one picture"),
      ("--contact-sheet", command.files.contactSheet != nil, "a contact sheet needs all frames at once"),
      ("--share", command.farm.share, "the scheduler divides the frames"),
      ("--lapse", command.farm.lapse != nil, "the scheduler divides the frames"),
      ("--shard", command.farm.shard != nil, "the job divides the frames: '--chunk' says how"),
      ("--checkpoints", command.farm.checkpoints != nil, "the job has a folder for them: '--cut checkpoints'"),
      ("--only-checkpoints", command.farm.onlyCheckpoints != nil, "the job has a task for them: '--cut checkpoints'"),
      ("--warm-up", command.farm.warmUp != nil, "the cut says it: '--cut warm-up=N'"),
      ("--records", command.farm.records != nil, "the job has a folder for them"),
      ("--openjd", command.farm.openJobDescription, "tasks say it where their scheduler understands it"),
    ]
    guard let (option, _, reason) = refused.first(where: \.1) else { return }
    throw Self.refusal("'\(option)' makes no sense on a farm: \(reason)", "leave it out")
  }

  private func refuseInputs(_ read: RenderCommand, _ request: RenderRequest) throws {
    guard !read.stages.contains("-"), !request.namedPictures.contains(where: { $0.path == "-" || $0.path.hasPrefix("pipe:") }) else {
      throw Self.refusal("machines of a farm cannot read the standard input of this one", "save it as a file")
    }
    let paths = read.files.output.map { OutputOption($0).path }
    if paths.contains("-") { throw Self.refusal("'-o -' writes to the standard output of one process", "type '-o frames.####.png'") }
    guard let sound = paths.first(where: { $0.lowercased().hasSuffix(".wav") }) else { return }
    throw Self.refusal("'\(sound)' is a sound, which is made at once", "type 'etalon render' instead of 'etalon farm'")
  }

  private func refuse(_ video: VideoExport.Destination) throws {
    if VideoContainer(path: video.path) == .m3u8 {
      throw Self.refusal("'\(video.path)' is an HLS stream, whose parts go out in their order", "type '-o name.mp4'")
    }
    guard video.codec.isPicture else { return }
    throw Self.refusal("'\(video.path)' cannot be joined of parts", "type '-o name.mp4', or render it with 'etalon render'")
  }

  private static func refusal(_ message: String, _ help: String) -> UsageError { UsageError("usage.farm", message, help: help) }
}

/// What is known of a job before it is written.
struct FarmPreparation {
  /// As it was typed, without what tasks say themselves.
  let command: RenderCommand
  let request: RenderRequest
  let outline: ShotOutline
  let cut: JobCut
  let outputs: [FarmJob.Output]
  let folder: FarmFolder
  let settings: JobSettings
  /// The path of this command.
  let executable: String
  let report: FailureReport

  func job(_ kind: FarmJob.Kind) -> FarmJob {
    FarmJob(
      kind, name: settings.name, command: command.words, folder: FileManager.default.currentDirectoryPath,
      frames: FrameRange(outline.frames)?.description ?? "", shot: FrameRange(outline.shot)?.description ?? "", size: "\(outline.size)",
      rate: "\(outline.clock.rate)", cut: cut, outputs: outputs, records: folder.path(of: "records"))
  }

  /// The words of tasks, and what they read.
  func task() throws -> FarmTask {
    let settings = command.values.set.compactMap { text in
      text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
    }
    // Etalon has its own filters with it, wherever it runs.
    let own = try LibrarySearch(named: []).folders.filter { $0.origin == .builtIn }.map { FarmFolder.absolute($0.path) + "/" }
    let files = Set(outline.files.filter { FileManager.default.fileExists(atPath: $0) }.map { FarmFolder.absolute($0) }).filter { file in
      !own.contains { file.hasPrefix($0) }
    }
    return FarmTask(
      words: command.farmWords, wordsWithoutFrames: commandWithoutFrames?.farmWords, files: files.sorted(),
      parameters: try RequestDescription(request).parameters, settings: Dictionary(settings) { _, last in last },
      makesVideo: outputs.contains(where: \.isVideo))
  }

  /// The command for tasks that say their frames themselves.
  ///
  /// Nil where the frames of a part would not be those of the whole: they follow moving pictures, which nothing but the pictures says, or progress is measured
  /// through wanted frames that do not begin with the shot.
  private var commandWithoutFrames: RenderCommand? {
    guard request.following == nil, case .range = request.frames else { return nil }
    var command = command
    command.time.frames = nil
    if request.shot != nil { return command }
    if outline.shot.lowerBound == outline.clock.first {
      command.time.duration = "\(outline.shot.count)f"
    } else if outline.dependsOnRange {
      return nil
    }
    return command
  }
}
