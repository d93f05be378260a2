import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPreview
import EtalonSystem
import EtalonTypes
import EtalonVideo
import Foundation

/// One run of `etalon render`: prepares the shot and exports it.
struct RenderSession {
  let command: RenderCommand
  private(set) var request: RenderRequest
  let report: FailureReport
  let interruption: Interruption

  init(command: RenderCommand, request: RenderRequest, report: FailureReport, interruption: Interruption) {
    (self.command, self.report, self.interruption) = (command, report, interruption)
    var request = request
    request.cancellation = interruption.cancellation
    self.request = request
  }

  /// Renders and returns the exit code.
  func run() throws -> Int32 {
    let renderer = ShotRenderer()
    if let frames = try command.farm.checkpointFrames() {
      try command.farm.refuseBesideCheckpoints()
      return try keepCheckpoints(before: frames, with: renderer)
    }
    if let sweep = try command.sweep(of: request) {
      try command.farm.refuse(for: "a sweep")
      return try render(sweep, with: renderer)
    }
    if let sound = try command.sound(for: request) {
      try command.farm.refuse(for: "a sound")
      return try export(sound, with: renderer)
    }
    if let video = try command.video(for: request) { return try export(video, with: renderer) }
    if let format = try command.streamFormat(for: request, size: { try renderer.prepare(request).size }) {
      try command.farm.refuse(for: "a pipe")
      return try stream(format, with: renderer)
    }
    let destination = try command.destination(for: request)
    let code = try export(try prepared(renderer), to: destination)
    try renderer.checkValidation()
    return code
  }

  /// The shot, once its warnings are told.
  ///
  /// - Parameter video: what it becomes; nil for pictures.
  func prepared(_ renderer: ShotRenderer, for video: VideoExport.Destination? = nil) throws -> Shot {
    let shot = try renderer.prepare(request)
    try report(warnings(shot.warnings, for: video))
    report.print(notes(on: shot))
    return shot
  }

  /// What the time of frames follows from where it was not said.
  private func notes(on shot: Shot) -> [Diagnostic] {
    [shot.noteOfLength, command.time.first == nil ? shot.noteOfFirst : nil, noteOfUnit(shot)].compactMap(\.self)
  }

  /// More frames than a number of frames on the command line usually means.
  private static let manyFrames = 1000

  /// What a length without a unit means where it makes many frames: it may have been meant as their number.
  private func noteOfUnit(_ shot: Shot) -> Diagnostic? {
    guard let text = command.time.duration, let number = Int(text), shot.frames.count > Self.manyFrames else { return nil }
    return Diagnostic(
      "shot.seconds", "a duration of \(text) is \(number.of("second")): \(shot.frames.count) frames at \(shot.clock.rate) a second",
      severity: .note, help: ["write '\(text)f' for \(number.of("frame")), or '\(text)s' for seconds"])
  }

  /// Renders frames of a shot and writes them.
  func export(_ shot: Shot, to destination: SequenceExport.Destination) throws -> Int32 {
    // How many frames a sequence of pictures has is not known before.
    for file in destination.files { try RenderCommand.checkName(file.pattern, frameCount: shot.frames.count) }
    report.print(noteOfOneFrame(shot, destination))
    let display = command.progressDisplay(report)
    let interruption = interruption
    let export = SequenceExport(shot, to: destination) {
      display.show($0)
    } isInterrupted: {
      interruption.isRequested
    }
    defer { report.print(shot.takeNotes() + CacheNotes.takeAll() + NaNWarning(command: command, shot: shot).takeAll()) }
    let summary = try interruption.patiently { try export.run() }
    display.finish(summary)
    if let failure = shot.failureOfStream { throw failure }
    if shot.isLive { return code(summary) }
    if summary.wasInterrupted, !command.running.watch { tellHowToGoOn(summary, of: shot.frames.count, to: destination) }
    return code(summary)
  }

  /// Brings what frames remember forward, and keeps it before some frames.
  private func keepCheckpoints(before frames: [Int], with renderer: ShotRenderer) throws -> Int32 {
    var session = self
    // What is fused with what is remembered follows from what becomes of the frames.
    if let video = try command.video(for: request) { session.request = request.making(video) }
    let shot = try session.prepared(renderer)
    guard shot.memory == .endless else {
      let why = shot.hasState ? "frames soon forget those before them here" : "frames do not depend on those before them here"
      throw UsageError(
        "usage.checkpoints", "\(why), so that there is nothing to keep",
        help: "leave out '--only-checkpoints': frames can be rendered in any order")
    }
    let range = shot.clock.first...max(shot.clock.first, shot.frames.max() ?? 0)
    if let outside = frames.first(where: { !range.contains($0) }) {
      throw UsageError(
        "usage.checkpoints", "the shot has no frame \(outside): it has the frames \(range.lowerBound) to \(range.upperBound)",
        help: "name frames of the shot, or say how long it is: '--duration 10s'")
    }
    let display = command.progressDisplay(report)
    let last = frames.last ?? shot.clock.first, interruption = interruption
    display.show(.started(frames: 0, kept: 0, warmUp: shot.warmUp(for: [last]), size: shot.size, device: shot.deviceName))
    defer { report.print(shot.takeNotes() + CacheNotes.takeAll()) }
    let isWhole = try interruption.patiently {
      for frame in frames {
        let isKept = try shot.keepState(before: frame) {
          interruption.isRequested
        } warmedUp: {
          display.show(.warmedUp)
        }
        guard isKept else { return false }
      }
      return true
    }
    let summary = RenderSummary(written: 0, kept: 0, failed: 0, wasInterrupted: !isWhole)
    display.finish(summary)
    try renderer.checkValidation()
    return code(summary)
  }

  /// A note that one picture is written of something that moves, where nothing says which one.
  private func noteOfOneFrame(_ shot: Shot, _ destination: SequenceExport.Destination) -> [Diagnostic] {
    guard shot.showsMovingPictures, case .single(time: nil) = request.frames, let file = destination.files.first, !file.pattern.hasNumber,
      let moving = request.namedPictures.first(where: { $0.video != nil || $0.sequence != nil })
    else { return [] }
    let path = file.pattern.description
    let stem = path.lowercased().hasSuffix(".png") ? String(path.dropLast(4)) : path
    return [
      Diagnostic(
        "render.one-frame", "'\(path)' shows one frame of '\(moving.path)', the first", severity: .note,
        help: ["type '-o \(stem).####.png' for all frames, or '--time 2s' for another one"])
    ]
  }

  /// Renders frames and encodes them as a video.
  private func export(_ video: VideoExport.Destination, with renderer: ShotRenderer) throws -> Int32 {
    var session = self
    session.request = request.making(video)
    let shot = try session.prepared(renderer, for: video)
    var video = video
    let track = try session.soundTrack(of: shot, for: video, with: renderer)
    defer { track?.remove() }
    if let track { video.sound = .track(track.path) }
    let display = command.progressDisplay(report)
    let interruption = interruption
    let export = VideoExport(shot, to: video) {
      display.show($0)
    } isInterrupted: {
      interruption.isRequested
    }
    defer { report.print(shot.takeNotes() + CacheNotes.takeAll() + NaNWarning(command: command, shot: shot).takeAll()) }
    let result = try interruption.patiently { try export.run() }
    display.finish(result.summary)
    report.print(result.notes.filter { note in track.map { !note.message.contains($0.path) } ?? true })
    if let failure = shot.failureOfStream { throw failure }
    if result.summary.wasInterrupted, !shot.isLive, interruption.signalNumber != nil {
      let frames = shot.frames.count, part = result.path.map { "; '\($0)' has them" } ?? ""
      let words = ["etalon"] + ProcessArguments.all.dropFirst().map(ShellWord.quoted)
      let goOn =
        video.resumes
        ? "; go on with: \(words.joined(separator: " "))"
        : video.codec.isPicture ? "" : "; with '--resume' a video can go on after it was stopped"
      let done = result.summary.written + result.summary.kept
      StandardError.line("stopped: \(done) of \(frames.of("frame")) \(frames == 1 ? "is" : "are") encoded\(part)\(goOn)")
    }
    try renderer.checkValidation()
    return code(result.summary)
  }

  /// Says what a signal left undone, and what to type for that.
  private func tellHowToGoOn(_ summary: RenderSummary, of count: Int, to destination: SequenceExport.Destination) {
    guard interruption.signalNumber != nil else { return }
    let done = "stopped: \(summary.written + summary.kept) of \(count.of("frame")) \(count == 1 ? "is" : "are") written"
    guard destination.files.contains(where: \.pattern.hasNumber) else { return StandardError.line(done) }
    let words = ["etalon"] + ProcessArguments.all.dropFirst().map(ShellWord.quoted) + (command.files.resume ? [] : ["--resume"])
    StandardError.line("\(done); go on with: \(words.joined(separator: " "))")
  }

  /// Writes the frames to standard output.
  private func stream(_ format: FrameStreamFormat, with renderer: ShotRenderer) throws -> Int32 {
    var session = self
    if case .planes(let form) = format { session.request.planes = form }
    let shot = try session.prepared(renderer)
    defer { report.print(shot.takeNotes() + CacheNotes.takeAll() + NaNWarning(command: command, shot: shot).takeAll()) }
    WarmUpNote.write(shot.warmUp(for: shot.frames))
    let interruption = interruption
    let export = PipeExport(shot, as: format) { (bytes: [UInt8]) throws(RenderError) in
      try StandardOutput.write(bytes)
    } isInterrupted: {
      interruption.isRequested
    }
    let summary: RenderSummary
    do {
      summary = try interruption.patiently { try export.run() }
    } catch {
      // What became of standard output is told at the end of the command.
      if StandardOutput.hasFailed { return ExitCode.success.rawValue }
      throw error
    }
    if let failure = shot.failureOfStream { throw failure }
    try renderer.checkValidation()
    return code(summary)
  }

  private func render(_ sweep: Sweep, with renderer: ShotRenderer) throws -> Int32 {
    let display = command.progressDisplay(report)
    let interruption = interruption
    var found: [Diagnostic] = []
    defer { report.print(found) }
    let summary = try interruption.patiently {
      try sweep.run(request, with: renderer) {
        try report($0.warnings)
        report.print(notes(on: $0))
      } rendered: { shot, setting in
        guard found.isEmpty else { return }
        var command = command
        command.values.set.append("\(setting.name)=\(setting.value)")
        found = NaNWarning(command: command, shot: shot).takeAll()
      } observe: {
        display.show($0)
      } isInterrupted: {
        interruption.isRequested
      }
    }
    display.finish(summary)
    return code(summary)
  }

  func code(_ summary: RenderSummary) -> Int32 {
    if summary.failed > 0 { return ExitCode.someFramesFailed.rawValue }
    if summary.wasInterrupted, let signal = interruption.signalNumber { return 128 + signal }
    return ExitCode.success.rawValue
  }

  func report(_ warnings: [Diagnostic]) throws {
    guard !warnings.isEmpty else { return }
    report.print(warnings)
    if command.running.warningsAsErrors {
      throw DiagnosticsError(
        [
          Diagnostic(
            "usage.warnings", "\(warnings.count.of("warning")), which '--warnings-as-errors' makes fail")
        ])
    }
  }
}

extension RenderCommand {
  /// Lines for programs where they were asked for, a bar on a terminal, nothing in a pipe.
  func progressDisplay(_ report: FailureReport) -> any ProgressDisplay {
    if farm.openJobDescription { return OpenJobProgress(report: report) }
    if running.json { return JSONProgress(report: report) }
    return isatty(STDERR_FILENO) == 1 ? TerminalProgress(report: report) : QuietProgress(report: report)
  }
}

/// Says which frames of a shot hold NaN, and what finds out why.
private struct NaNWarning {
  let command: RenderCommand
  let shot: Shot

  /// One warning for each output that holds some, about the frames since it was asked last.
  ///
  /// Where no output shows any, what passes hand on to later frames and to mipmaps counts.
  func takeAll() -> [Diagnostic] {
    let shown = shot.takeFramesWithNaN().map(warning)
    return shown.isEmpty ? shot.takeHiddenNaN().map(warning) : shown
  }

  private func warning(_ hidden: HiddenNaN) -> Diagnostic {
    let message =
      switch hidden.reader {
      case .laterFrames: "the pass '\(hidden.pass)' keeps NaN after frame \(hidden.frame), which the frames after it read"
      case .mipmaps: "the pass '\(hidden.pass)' has NaN in its mipmaps on frame \(hidden.frame), which hand it on to whole blocks of pixels"
      }
    return Diagnostic("render.not-a-number", message, severity: .warning, help: [help(frame: hidden.frame)])
  }

  private func warning(_ frames: FramesWithNaN) -> Diagnostic {
    let name = name(ofOutput: frames.output)
    let message: String
    let stored = name.lowercased().hasSuffix(".exr'") ? "which the file keeps" : "stored as 0"
    if frames.count > 1 {
      message = "\(frames.count) frames of \(name) hold NaN, \(stored), the first of them frame \(frames.first)"
    } else if shot.frames.count > 1 {
      message = "frame \(frames.first) of \(name) holds NaN, \(stored)"
    } else {
      message = "\(name) holds NaN, \(stored)"
    }
    return Diagnostic("render.not-a-number", message, severity: .warning, help: [help(frame: frames.first)])
  }

  private func name(ofOutput index: Int) -> String {
    let options = command.files.output.map { OutputOption($0) }
    guard let option = options.first(where: { shot.index(ofOutput: $0.output) == index }) else {
      return command.files.contactSheet.map { "'\($0)'" } ?? "the result"
    }
    return option.path == "-" ? "standard output" : "'\(option.path)'"
  }

  // MARK: What finds out why

  private func help(frame: Int) -> String {
    if command.stages == ["-"] { return "save the shader as a file, and 'etalon sanitize' tells where it comes from" }
    return "see where it comes from: \(sanitizing(frame).map(ShellWord.quoted).joined(separator: " "))"
  }

  /// `etalon sanitize` of the same frame, word by word.
  private func sanitizing(_ frame: Int) -> [String] {
    var words = CommandWords(["etalon", "sanitize", command.stages.joined(separator: " | "), "--size", "\(shot.size)"])
    if let time = command.time.time { words.add("--time", [time]) } else { words.add("--frames", ["\(frame)"]) }
    words.add("--duration", [command.time.duration ?? shot.impliedDuration])
    // A shot may have the rate and the numbers of its pictures.
    words.add("--rate", [command.time.rate ?? (shot.clock.rate == .sixty ? nil : "\(shot.clock.rate)")])
    words.add("--first", [command.time.first ?? (shot.clock.first == 0 ? nil : "\(shot.clock.first)")])
    words.add("--start", [command.time.start])
    words.add("-i", command.pictures.i)
    words.add("--input", command.pictures.input)
    words.add("--assets", [command.pictures.assets])
    words.add("--set", command.values.set)
    words.add("--mouse", [command.values.mouse])
    words.add("--date", [command.values.date])
    words.add("--dialect", [command.running.dialect])
    words.add("--library", command.libraries.library)
    return words.words
  }
}
