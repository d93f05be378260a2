import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonSystem
import EtalonTypes
import EtalonVideo
import Foundation

/// The WAV file that a sound pass becomes.
struct SoundDestination {
  let path: String
  /// Number 0 is the sample at time 0.
  let samples: Range<Int>
  let sampleRate: Int
  let policy: ReplacePolicy
}

extension RenderCommand {
  /// The sound that is written; nil where the frames become pictures or a video.
  func sound(for request: RenderRequest) throws -> SoundDestination? {
    let outputs = files.output.map { OutputOption($0) }
    guard let output = outputs.first(where: { $0.path.lowercased().hasSuffix(".wav") }) else { return nil }
    try refuseBesideSound(output)
    guard request.filter != nil else {
      throw UsageError(
        "usage.sound", "'\(output.path)' is the sound of one ShaderToy, and here are several stages or a graph",
        help: "name the ShaderToy alone")
    }
    let rate = try sampleRate()
    let samples = try samples(of: request, at: rate)
    guard samples.count <= SoundExport.mostSamples else {
      throw UsageError(
        "usage.sound", "\(samples.count) samples are more than the \(SoundExport.mostSamples) of one file",
        help: "render it in parts: '--start 600 --duration 600s'")
    }
    return SoundDestination(
      path: output.path, samples: samples, sampleRate: rate, policy: files.overwrite ? .anything : .ownFrames)
  }

  /// The endings of sounds that are not written.
  private static let otherSounds: Set<String> = ["aac", "aif", "aiff", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wma"]

  /// Refuses endings of sounds that are not written, where the filter makes a sound.
  func refuseOtherSound(_ path: String, _ request: RenderRequest) throws {
    let ending = URL(filePath: path).pathExtension
    guard Self.otherSounds.contains(ending.lowercased()), case .file(let filter)? = request.filter,
      (try? FilterFile.readSound(filter, dialect: request.dialect)) != nil
    else { return }
    throw UsageError(
      "usage.format", "'\(path)' does not end in .wav, as the sounds do that are written",
      help: "type '--output \(path.dropLast(ending.count + 1)).wav'")
  }

  /// Samples a second of a sound pass.
  func sampleRate() throws -> Int {
    guard let text = video.sampleRate else { return SoundExport.usualSampleRate }
    guard let rate = Int(text), SoundExport.sampleRates.contains(rate) else {
      let (least, most) = (SoundExport.sampleRates.lowerBound, SoundExport.sampleRates.upperBound)
      let error = OptionText("--sample-rate", text).error(
        "usage.sample-rate", "expected samples a second from \(least) to \(most), found '\(text)'", "not a sample rate",
        help: ["type '--sample-rate 48000'"])
      throw UsageError(diagnostics: error.diagnostics)
    }
    return rate
  }

  private func samples(of request: RenderRequest, at rate: Int) throws -> Range<Int> {
    var seconds = request.clock.start..<request.clock.start + Rational(SoundExport.usualSeconds)
    if case .range(let range) = request.frames {
      let bounds = range.bounds
      guard bounds.count == range.count else {
        throw UsageError(
          "usage.sound", "a sound has all frames from the first to the last",
          help: "type '--frames \(bounds.lowerBound)-\(bounds.upperBound)'")
      }
      let start = request.clock.time(ofFrame: bounds.lowerBound)
      seconds = start..<start + Rational(bounds.count) * request.clock.rate.frameDuration
    }
    let first = (seconds.lowerBound * Rational(rate)).floor
    var end = (seconds.upperBound * Rational(rate)).floor
    // A length in seconds is that of the samples, not that of the frames which it begins.
    if time.frames == nil, let length = time.duration.flatMap({ OptionText("--duration", $0).lengthInSeconds }) {
      end = first + (length * Rational(rate) + Rational(1, 2)).floor
    }
    guard first >= 0 else {
      throw UsageError("usage.sound", "a sound begins at time 0, and this one would begin before", help: "type '--start 0'")
    }
    guard end > first else { throw UsageError("usage.sound", "the sound would have no sample", help: "type '--duration 10s'") }
    return first..<end
  }

  /// Refuses what a sound cannot do.
  private func refuseBesideSound(_ output: OutputOption) throws {
    let options = [
      ("other outputs", files.output.count > 1), ("the name of an output", output.output != nil),
      ("'--contact-sheet'", files.contactSheet != nil), ("'--watch'", running.watch), ("'--keep-going'", running.keepGoing),
      ("'--sweep'", !values.sweep.isEmpty), ("'--resume'", files.resume), ("'--size'", pictures.size != nil),
      ("'--scale'", pictures.scale != nil), ("'--time'", time.time != nil), ("'--bits'", files.bits != nil),
      ("'--alpha'", files.alpha != nil), ("'--format'", files.format != nil), ("'--mouse'", values.mouse != nil),
      ("'--events'", values.events != nil), ("'--codec'", video.codec != nil), ("'--quality'", video.quality != nil),
      ("'--preset'", video.preset != nil), ("'--sound'", video.sound != nil),
    ]
    let given = options.filter(\.1).map(\.0).joined(separator: ", ")
    guard given.isEmpty else {
      throw UsageError("usage.sound", "'\(output.path)' is one sound and nothing else", help: "leave out \(given)")
    }
  }
}

extension RenderSession {
  /// Renders the sound pass and writes it; the file appears when it is whole.
  func export(_ destination: SoundDestination, with renderer: ShotRenderer) throws -> Int32 {
    let file = try AtomicFile(destination.path, replacing: destination.policy)
    let export = try SoundExport(request, samples: destination.samples, rate: destination.sampleRate, with: renderer)
    try report(export.warnings)
    if command.time.duration == nil, command.time.frames == nil {
      report.print([
        Diagnostic(
          "sound.length", "nothing says how long the sound is: it has \(SoundExport.usualSeconds) seconds, as those that ShaderToy writes",
          severity: .note, help: ["type '--duration 10s'"])
      ])
    }
    let display = command.progressDisplay(report)
    let result = try rendered(export) { display.show($0) }
    display.finish(result.summary)
    guard !result.summary.wasInterrupted else {
      StandardError.line("stopped: '\(destination.path)' is not written")
      return interruption.signalNumber.map { 128 + $0 } ?? ExitCode.success.rawValue
    }
    try file.write(WAVWriter().bytes(of: result.sound))
    try file.commit()
    try report(result.notes)
    try renderer.checkValidation()
    return ExitCode.success.rawValue
  }

  private func rendered(
    _ export: SoundExport, observe: @escaping (RenderEvent) -> Void = { _ in }
  ) throws -> SoundExport.Result {
    let interruption = interruption
    return try interruption.patiently { try export.run(observe: observe) { interruption.isRequested } }
  }

  /// The sound pass of what a video shows, or the song of Etalon's that its inputs listen to, as a file.
  ///
  /// Nil where there is neither, or the video has another sound or none.
  func soundTrack(of shot: Shot, for video: VideoExport.Destination, with renderer: ShotRenderer) throws -> SoundTrackFile? {
    let rate = try command.sampleRate()
    guard video.sound == .ofSource, !video.codec.isPicture else { return nil }
    guard let export = try SoundExport(heardWith: shot, request, rate: rate, with: renderer) else {
      return try shot.heardSong.map { try SoundTrackFile($0) }
    }
    // What both read is told once, and what the sound does not read the picture may.
    try report(export.warnings.filter { !shot.warnings.contains($0) && $0.id != "manifest.unused-input" })
    let result = try rendered(export)
    guard !result.summary.wasInterrupted else { return nil }
    try report(result.notes.filter { !shot.sourceNotes.contains($0) })
    return try SoundTrackFile(result.sound)
  }
}

extension RenderSession {
  /// What reading said, as it is true for a video: the note that no picture depends on the sound pass is left out where the video has its sound,
  /// and says what keeps the sound away where it has another one or none.
  func warnings(_ warnings: [Diagnostic], for video: VideoExport.Destination?) -> [Diagnostic] {
    guard let video, !video.codec.isPicture else { return warnings }
    return warnings.compactMap { found in
      guard found.id == SoundExport.passNote else { return found }
      let help: String
      switch video.sound {
      case .none: help = "leave out '--sound none' to hear it"
      case .file(let path): help = "leave out '--sound \(path)' to hear it"
      case .ofSource, .track:
        guard request.filter == nil || request.filter == .standardInput else { return nil }
        help = "render the ShaderToy alone, named with its file, to hear it"
      }
      return Diagnostic(
        found.id, found.message, severity: found.severity, labels: found.labels, help: [help], notes: found.notes)
    }
  }
}

/// The sound of a video while the video is written.
///
/// Several runs may make parts of one video, each with a file of its own.
struct SoundTrackFile {
  private let folder: String
  var path: String { "\(folder)/sound.wav" }

  init(_ sound: Sound) throws {
    folder = try TemporaryFiles.makeFolder("etalon-sound")
    let file = try AtomicFile("\(folder)/sound.wav", replacing: .anything)
    try file.write(WAVWriter().bytes(of: sound))
    try file.commit()
  }

  func remove() { TemporaryFiles.remove(folder) }
}
