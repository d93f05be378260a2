import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes
import EtalonVideo

/// How a video is encoded, and what is heard with it.
struct VideoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The codec of a video: \(VideoCodec.allCases.map(\.rawValue).joined(separator: ", ")). Default: h264 for .mp4, prores for .mov, ffv1 (lossless) for .mkv, vp9 for .webm.",
      valueName: "codec"))
  var codec: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much a codec may lose: 0 to 100, where 100 keeps everything. Default: 75.", valueName: "quality"))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "How long the encoder of H.264 looks for a smaller file: \(VideoPreset.allCases.map(\.rawValue).joined(separator: ", ")). Default: medium.",
      valueName: "preset"))
  var preset: String?

  @Option(
    help: ArgumentHelp(
      "What is heard with a video: a file, or none. Default: the sound of the video that it is made of, where that shows at its own speed, or the one that an input listens to.",
      valueName: "sound"))
  var sound: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples a second of the sound pass of a ShaderToy. Default: 44100.", valueName: "number"))
  var sampleRate: String?

  @Flag(help: "Let damaged videos and sounds fail the command; otherwise the damage is told.")
  var strict = false
}

extension RenderCommand {
  /// The video that the frames become; nil where they go into pictures or a stream.
  func video(for request: RenderRequest) throws -> VideoExport.Destination? {
    let outputs = files.output.map { OutputOption($0) }
    guard let output = outputs.first(where: { VideoContainer(path: $0.path) != nil }) else {
      try refuseVideoOptions()
      return nil
    }
    try refuseBesideVideo(output)
    let keepsAlpha = try alphaIsKept(request, output.path)
    let codec: VideoCodec
    do throws(DiagnosticsError) { codec = try VideoCodec.choose(video.codec, for: output.path, alpha: keepsAlpha ?? false) } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
    guard let layout = codec.layout(alpha: keepsAlpha ?? (codec == .prores4444), bits: request.bits) else {
      throw UsageError(
        "video.no-alpha", "\(codec.rawValue) has no alpha, which '--alpha straight' asks for",
        help: "type '--codec prores4444 -o name.mov' or '-o name.webm', or leave out '--alpha'")
    }
    try checkInputsSurvive(output.path, request)
    var destination = VideoExport.Destination(path: output.path, codec: codec, layout: layout)
    destination.policy = files.overwrite ? .anything : .ownFrames
    destination.resumes = files.resume
    guard codec != .gif || !files.resume else {
      throw UsageError("usage.video", "a GIF cannot go on, because its palette needs all frames", help: "leave out '--resume'")
    }
    destination.quality = try UsageError.reading { try video.quality.map { try OptionText("--quality", $0).quality() } }
    if let text = video.preset {
      let preset: VideoPreset = try UsageError.reading { try OptionText("--preset", text).named() }
      destination.preset = preset
    }
    _ = try sampleRate()
    switch video.sound {
    case nil: destination.sound = .ofSource
    case "none"?: destination.sound = .none
    case let path?: destination.sound = .file(path)
    }
    return destination
  }

  /// Whether the video keeps alpha; nil where nothing says so.
  private func alphaIsKept(_ request: RenderRequest, _ path: String) throws -> Bool? {
    switch request.alpha {
    case nil: return nil
    case .opaque?: return false
    case .straight?: return true
    case .premultiplied?:
      throw UsageError("video.alpha", "videos have straight alpha or none", help: "type '--alpha straight' or '--alpha opaque'")
    }
  }

  /// Refuses what a video cannot do.
  private func refuseBesideVideo(_ output: OutputOption) throws {
    let options = [
      ("other outputs", files.output.count > 1), ("the name of an output", output.output != nil),
      ("'--contact-sheet'", files.contactSheet != nil), ("'--watch'", running.watch), ("'--keep-going'", running.keepGoing),
      ("'--sweep'", !values.sweep.isEmpty),
    ]
    let given = options.filter(\.1).map(\.0).joined(separator: ", ")
    guard given.isEmpty else {
      throw UsageError(
        "usage.video", "'\(output.path)' is one video and nothing else",
        help: "leave out \(given), or type '-o frames.####.png' for pictures")
    }
  }

  /// Refuses options of videos where no video is written.
  private func refuseVideoOptions() throws {
    if video.sampleRate != nil {
      throw UsageError(
        "usage.sound", "'--sample-rate' is for sounds, and none is written",
        help: "type '-o name.wav', or '-o name.mp4' for a video with its sound")
    }
    let given = [("--codec", video.codec), ("--quality", video.quality), ("--preset", video.preset), ("--sound", video.sound)].first {
      $0.1 != nil
    }
    guard let (option, _) = given else { return }
    throw UsageError("usage.video", "'\(option)' is for videos, and none is written", help: "type '-o name.mp4'")
  }
}

extension OptionText {
  /// `0` to `100`.
  fileprivate func quality() throws(DiagnosticsError) -> VideoQuality {
    guard let quality = Int(text).flatMap({ VideoQuality($0) }) else {
      throw error("usage.quality", "expected a quality from 0 to 100, found '\(text)'", "not a quality", help: ["type '--quality 90'"])
    }
    return quality
  }
}
