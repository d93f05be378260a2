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
      "The codec of a video: \(VideoCodec.allCases.map(\.rawValue).joined(separator: ", ")). 8 bits, or 10 with --bits 10; prores and prores4444 have 10. Default: h264 for .mp4, prores for .mov, ffv1 (lossless) for .mkv, vp9 for .webm.",
      valueName: "codec"))
  var codec: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much a codec may lose: 0 to 100, where 100 keeps everything. Default: 75.", valueName: "quality"))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "How long the encoders of H.264, HEVC and AV1 look for a smaller file: \(VideoPreset.allCases.map(\.rawValue).joined(separator: ", ")). Default: medium.",
      valueName: "preset"))
  var preset: String?

  @Option(
    help: ArgumentHelp(
      "Keeps light beyond white: pq or hlg, the curves of ITU-R BT.2100, with the primaries of BT.2020. Needs --working-space linear and a codec with 10 bits or more, which it then has.",
      valueName: "curve"))
  var hdr: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The light of white with --hdr, in candela per square meter. Default: 203 (ITU-R BT.2408).", valueName: "number"))
  var hdrWhite: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How often a GIF, APNG or WebP is played: 1 or more. Default: again and again.", valueName: "number"))
  var plays: String?

  @Option(
    help: ArgumentHelp(
      "What is heard with a video: a file, or none. Default: the sound of the video that it is made of, where that shows at its own speed, or the one that an input listens to.",
      valueName: "sound"))
  var sound: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples a second of the sound pass of a ShaderToy. Default: 44100.", valueName: "number"))
  var sampleRate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much of an HLS stream its playlist lists, in seconds: older parts are removed. Default: all of it.", valueName: "seconds"))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "What happens where rendering is slower than a live stream: wait keeps every picture, drop renders the newest and says how many were left out.",
      valueName: "policy"))
  var late: String?

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
    let hdr = try highDynamicRange(request, codec)
    let bits = try bits(of: output, request, codec, hdr)
    guard let layout = codec.layout(alpha: keepsAlpha ?? (codec == .prores4444), bits: bits) else {
      if let refusal = codec.refusal(ofBits: bits, alpha: keepsAlpha ?? false) { throw UsageError(diagnostics: [refusal]) }
      throw UsageError(
        "video.no-alpha", "\(codec.rawValue) has no alpha, which '--alpha straight' asks for",
        help: "type '--codec prores4444 -o name.mov' or '-o name.webm', or leave out '--alpha'")
    }
    if let pattern = try? FramePattern(output.path), pattern.hasNumber {
      throw UsageError(
        "usage.video", "'\(output.path)' has a place for a frame number, and a video is one file",
        help: "leave '#' and '%d' out of its name, or write pictures: 'name.####.png'")
    }
    try checkInputsSurvive(output.path, request)
    var destination = VideoExport.Destination(path: output.path, codec: codec, layout: layout)
    destination.policy = files.overwrite ? .anything : .ownFrames
    destination.resumes = files.resume
    guard !codec.isPicture || !files.resume else {
      let reason = codec == .gif ? "a GIF cannot go on, because its palette needs all frames" : "\(codec.rawValue) cannot go on"
      throw UsageError("usage.video", reason, help: "leave out '--resume'")
    }
    destination.hdr = hdr
    destination.plays = try plays(codec)
    try refuseUnused(codec)
    destination.quality = try UsageError.reading { try video.quality.map { try OptionText("--quality", $0).quality() } }
    if let text = video.preset {
      let preset: VideoPreset = try UsageError.reading { try OptionText("--preset", text).named() }
      destination.preset = preset
    }
    let isPlaylist = VideoContainer(path: output.path) == .m3u8
    if isPlaylist, files.resume {
      throw UsageError("usage.video", "an HLS stream cannot go on, because its parts are out already", help: "leave out '--resume'")
    }
    if let text = video.window {
      guard isPlaylist else {
        throw UsageError("usage.video", "'--window' is for HLS streams", help: "type '-o live/stream.m3u8', or leave it out")
      }
      destination.window = try UsageError.reading { try OptionText("--window", text).seconds(above: .zero) }
    }
    if farm.share || farm.shard != nil, codec.isPicture || isPlaylist {
      throw UsageError(
        "usage.video", "'\(output.path)' cannot be made in parts, which '\(farm.share ? "--share" : "--shard")' asks for",
        help: "leave it out, or type '-o name.mp4'")
    }
    destination.portion = try farm.portion()
    destination.recorder = try farm.recorder()
    if farm.share { destination.resumes = true }
    _ = try sampleRate()
    switch video.sound {
    case nil: destination.sound = .ofSource
    case "none"?: destination.sound = .none
    case let path?: destination.sound = .file(path)
    }
    return destination
  }

  /// How the video keeps light beyond white; nil where it ends at white.
  private func highDynamicRange(_ request: RenderRequest, _ codec: VideoCodec) throws -> VideoExport.Destination.HighDynamicRange? {
    guard let text = video.hdr else {
      if video.hdrWhite != nil { throw UsageError("usage.hdr", "'--hdr-white' is for '--hdr'", help: "type '--hdr pq'") }
      return nil
    }
    let curve =
      try UsageError.reading { try OptionText("--hdr", text).choice(of: ["pq": .pq, "hlg": .hlg]) }
      as VideoExport.Destination.HighDynamicRange.Curve
    guard codec.depths.contains(where: { $0 > 8 }), !codec.isPicture else {
      throw UsageError(
        "usage.hdr", "'--hdr' needs a codec with 10 bits a channel, and \(codec.rawValue) has none",
        help: "type '--codec hevc -o name.mp4', or av1, vp9 or prores")
    }
    guard request.workingSpace == .linear else {
      throw UsageError(
        "usage.hdr", "'--hdr' keeps light beyond white, and colors are computed as encoded numbers, which end there",
        help: "type '--working-space linear'")
    }
    if let format = request.format, !format.isFloat {
      throw UsageError(
        "usage.hdr", "'--hdr' keeps light beyond white, and '--format \(format.rawValue)' stores none between filters",
        help: "type '--format rgba16f', or leave it out")
    }
    let white = try UsageError.reading { try video.hdrWhite.map { try OptionText("--hdr-white", $0).nits() } }
    return .init(curve, white: white ?? 203)
  }

  /// The bits of a channel: those that were asked for, and for light beyond white as many as the codec has.
  private func bits(
    of output: OutputOption, _ request: RenderRequest, _ codec: VideoCodec, _ hdr: VideoExport.Destination.HighDynamicRange?
  ) throws -> Int {
    let asked = try output.form().bits ?? files.bits.map { _ in request.bits }
    guard hdr != nil else { return asked ?? request.outputForms[output.output]?.bits ?? request.bits }
    guard let asked else { return codec.depths.last ?? 10 }
    guard asked > 8 else {
      throw UsageError(
        "usage.hdr", "'--hdr' needs 10 bits a channel or more, not \(asked)", help: "leave out '--bits', or type '--bits 10'")
    }
    return asked
  }

  private func plays(_ codec: VideoCodec) throws -> Int? {
    guard let text = video.plays else { return nil }
    guard codec.isPicture else {
      throw UsageError(
        "usage.video", "'--plays' is for pictures that move, not for \(codec.rawValue)", help: "type '-o name.apng', or leave it out")
    }
    return try UsageError.reading { try OptionText("--plays", text).plays() }
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

  /// Refuses options that the encoder of a codec does not have.
  private func refuseUnused(_ codec: VideoCodec) throws {
    if video.quality != nil, !codec.hasQuality {
      let reason = codec.isLossless ? "keeps every bit" : "has up to 256 colors"
      throw UsageError("usage.video", "\(codec.rawValue) \(reason), and has no '--quality'", help: "leave it out")
    }
    if video.preset != nil, !codec.hasPreset {
      throw UsageError(
        "usage.video", "'--preset' is for h264, hevc and av1, and the video is \(codec.rawValue)",
        help: "leave it out, or type '--codec h264'")
    }
  }

  /// Refuses options of videos where no video is written.
  private func refuseVideoOptions() throws {
    if video.sampleRate != nil {
      throw UsageError(
        "usage.sound", "'--sample-rate' is for sounds, and none is written",
        help: "type '-o name.wav', or '-o name.mp4' for a video with its sound")
    }
    let given = [
      ("--codec", video.codec), ("--quality", video.quality), ("--preset", video.preset), ("--sound", video.sound),
      ("--hdr", video.hdr), ("--hdr-white", video.hdrWhite), ("--plays", video.plays),
      ("--window", video.window),
    ].first {
      $0.1 != nil
    }
    guard let (option, _) = given else { return }
    throw UsageError("usage.video", "'\(option)' is for videos, and none is written", help: "type '-o name.mp4'")
  }
}

extension OptionText {
  /// Candela per square meter.
  fileprivate func nits() throws(DiagnosticsError) -> Double {
    guard let number = Double(text), (1...10000).contains(number) else {
      throw error(
        "usage.hdr", "expected light from 1 to 10000 candela per square meter, found '\(text)'", "not a light",
        help: ["type '--hdr-white 203'"])
    }
    return number
  }

  /// A number of times.
  fileprivate func plays() throws(DiagnosticsError) -> Int {
    guard let number = Int(text), (1...65535).contains(number) else {
      throw error("usage.plays", "expected a number from 1 to 65535, found '\(text)'", "not a number of times", help: ["type '--plays 3'"])
    }
    return number
  }

  /// `0` to `100`.
  fileprivate func quality() throws(DiagnosticsError) -> VideoQuality {
    guard let quality = Int(text).flatMap({ VideoQuality($0) }) else {
      throw error("usage.quality", "expected a quality from 0 to 100, found '\(text)'", "not a quality", help: ["type '--quality 90'"])
    }
    return quality
  }
}
