internal import CFFmpeg
package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

extension VideoCodec {
  /// The codec of a video: the one that was asked for, or the usual one of the file's ending.
  ///
  /// - Parameters:
  ///   - name: what `--codec` says; nil where it was not given.
  ///   - alpha: whether frames have alpha that the video shall keep.
  package static func choose(_ name: String?, for path: String, alpha: Bool) throws(DiagnosticsError) -> VideoCodec {
    let container = VideoContainer(path: path)
    guard let name else {
      guard let container else { throw DiagnosticsError(unknownEnding(path)) }
      return container.defaultCodec(alpha: alpha)
    }
    guard let codec = VideoCodec(rawValue: name.lowercased()) else {
      let all = allCases.map(\.rawValue)
      let other = ["h265", "x265", "h.265"].contains(name.lowercased()) ? "hevc" : nil
      let nearest = (other ?? NearestName.find(name, in: all)).map { "did you mean '\($0)'?" }
      throw DiagnosticsError(
        Diagnostic(
          "video.unknown-codec", "no codec is called '\(name)'",
          help: [nearest ?? "codecs: \(all.joined(separator: ", "))"]))
    }
    return codec
  }

  /// What is wrong where a codec has no planes of so many bits; nil where it is not the bits.
  package func refusal(ofBits bits: Int, alpha: Bool) -> Diagnostic? {
    let possible = depths.filter { layout(alpha: alpha, bits: $0) != nil }
    guard !possible.isEmpty, !possible.contains(bits) else { return nil }
    let words = possible.map { "\($0)" }.joined(separator: " or ")
    let help = possible.last.map { $0 > 8 ? "type '--bits \($0)'" : "leave out '--bits'" }
    return Diagnostic(
      "video.bits", "\(rawValue)\(alpha ? " with alpha" : "") has \(words) bits a channel, not \(bits)",
      help: [help ?? "", "or --codec ffv1, in a file that ends in .mkv"])
  }

  /// The first container of a codec, of those that keep alpha where it is asked for.
  fileprivate static func unknownEnding(_ path: String) -> Diagnostic {
    let endings = VideoContainer.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
    return Diagnostic(
      "video.unknown-ending", "'\(path)' has no ending that tells the form of a video",
      help: ["endings: \(endings)", "for example: -o \(ShellWord.quoted("\(path).mp4"))"])
  }
}

extension VideoOutputSettings {
  /// What is wrong with the settings, and warnings; all rules are run.
  ///
  /// - Parameters:
  ///   - library: what the machine has; nil for rules only that hold everywhere.
  ///   - alpha: whether the frames have alpha that the video shall keep.
  package func diagnostics(_ library: VideoLibrary? = nil, alpha: Bool = false) -> [Diagnostic] {
    let fixed = [containerFits, layoutFits, sizeFits, rateFits, timecodeFits, orientationFits, soundFits, lightFits].flatMap { $0() }
    let asked = [alpha ? alphaFits() : [], library.map(encoderExists) ?? []].flatMap(\.self)
    return fixed + asked
  }

  private func containerFits() -> [Diagnostic] {
    guard let container else { return [VideoCodec.unknownEnding(path)] }
    guard !codec.containers.contains(container) else { return [] }
    let endings = codec.containers.map { ".\($0.rawValue)" }.joined(separator: ", ")
    let others = VideoCodec.allCases.filter { $0.containers.contains(container) }.map(\.rawValue).joined(separator: ", ")
    return [
      Diagnostic(
        "video.codec-in-container", "'.\(container.rawValue)' does not hold \(codec.rawValue)",
        help: ["write \(codec.rawValue) to a file that ends in \(endings)", "codecs of '.\(container.rawValue)': \(others)"])
    ]
  }

  private func layoutFits() -> [Diagnostic] {
    guard !codec.layouts.contains(layout) else { return [] }
    let layouts = codec.layouts.map(\.rawValue).joined(separator: ", ")
    return [Diagnostic("video.layout", "\(codec.rawValue) takes no planes of \(layout.rawValue)", help: ["it takes \(layouts)"])]
  }

  private func sizeFits() -> [Diagnostic] {
    let longest = codec.longestSide
    if size.width > longest || size.height > longest {
      return [
        Diagnostic(
          "video.size", "a video of \(size) is too large for \(codec.rawValue)", help: ["its sides have at most \(longest) pixels"])
      ]
    }
    let shortest = codec.shortestSide
    if size.width < shortest || size.height < shortest {
      return [
        Diagnostic(
          "video.size", "a video of \(size) is too small for \(codec.rawValue)",
          help: ["its sides have at least \(shortest) pixels", "or --codec ffv1, in a file that ends in .mkv"])
      ]
    }
    let isOdd = codec.needsEvenSides ? size.width % 2 + size.height % 2 > 0 : codec.needsEvenWidth && size.width % 2 > 0
    guard isOdd else { return [] }
    let nearest = Size(max(size.width & ~1, 2), codec.needsEvenSides ? max(size.height & ~1, 2) : size.height)
    let what = codec.needsEvenSides ? "sides" : "a width"
    return [
      Diagnostic(
        "video.odd-size", "a video of \(size) cannot be written as \(codec.rawValue), which needs \(what) of an even number of pixels",
        help: ["--size \(nearest)", "or --codec ffv1, in a file that ends in .mkv"])
    ]
  }

  private func rateFits() -> [Diagnostic] {
    if let rate = timing.rate?.framesPerSecond, rate > Rational(codec.highestRate) {
      let reason = codec == .gif ? "; a GIF counts time in hundredths of a second, and viewers show no frame for less than two of them" : ""
      return [
        Diagnostic(
          "video.rate", "\(rate) frames a second are too many for \(codec.rawValue)\(reason)", help: ["--rate \(codec.highestRate)"])
      ]
    }
    let tick = timing.tick
    let limit = Int(Int32.max)
    guard tick <= .zero || tick.numerator > limit || tick.denominator > limit else { return [] }
    return [
      Diagnostic(
        "video.rate", "a video cannot count time in ticks of \(tick) s", help: ["give a rate such as 24 or 24000/1001"])
    ]
  }

  private func timecodeFits() -> [Diagnostic] {
    guard let timecode else { return [] }
    let rate = timing.rate?.framesPerSecond ?? Rational(60)
    guard Timecode(timecode, at: rate) == nil else { return [] }
    let frames = (rate + Rational(1, 2)).floor
    return [
      Diagnostic(
        "video.timecode", "'\(timecode)' is no timecode at \(rate) frames a second",
        help: ["for example: 01:00:00:00, with frames below \(frames)"])
    ]
  }

  private func orientationFits() -> [Diagnostic] {
    guard orientation != 1 else { return [] }
    guard (1...8).contains(orientation) else {
      return [Diagnostic("video.orientation", "an orientation is a number from 1 to 8, not \(orientation)")]
    }
    guard let container, !container.hasEditList else { return [] }
    return [
      Diagnostic(
        "video.orientation", "'.\(container.rawValue)' does not say how a picture is turned",
        help: ["write a file that ends in .mp4 or .mov, or turn the frames"])
    ]
  }

  private func soundFits() -> [Diagnostic] {
    guard case .file = sound else { return [] }
    if codec.isPicture {
      let name = codec == .gif ? "a GIF" : codec == .apng ? "an APNG" : "a WebP picture"
      return [Diagnostic("video.sound", "\(name) has no sound", help: ["write a file that ends in .mp4 or .webm, or --sound none"])]
    }
    return []
  }

  private func alphaFits() -> [Diagnostic] {
    guard !codec.hasAlpha else { return [] }
    let suitable = VideoCodec.allCases.filter(\.hasAlpha).map { "--codec \($0.rawValue) (.\($0.containers[0].rawValue))" }
    return [
      Diagnostic(
        "video.alpha", "\(codec.rawValue) has no alpha", help: ["with alpha: \(suitable.joined(separator: ", "))", "or --alpha opaque"])
    ]
  }

  /// What is wrong with light beyond white.
  private func lightFits() -> [Diagnostic] {
    guard color.transfer == .smpte2084 || color.transfer == .aribB67, layout.bits < 10 else { return [] }
    return [
      Diagnostic(
        "video.hdr", "\(codec.rawValue) with \(layout.bits) bits a channel cannot hold light beyond white",
        help: ["type '--bits 10 --codec hevc', or av1, vp9 or prores"])
    ]
  }

  private func encoderExists(_ library: VideoLibrary) -> [Diagnostic] {
    let writing = unsafe library.interface.writing.pointee
    guard encoder(writing) == nil else { return [] }
    let present = codec.encoders.filter { unsafe writing.has_encoder($0.rawValue) }
    if let encoder = present.first { return [cannotTake(encoder, library)] }
    let names = codec.encoders.map { "'\($0.rawValue)'" }.joined(separator: " or ")
    let others = VideoCodec.allCases.filter { other in
      other.containers.contains { container == $0 } && other.encoders.contains { unsafe writing.has_encoder($0.rawValue) }
    }
    let choice = others.isEmpty ? nil : "or --codec \(others.map(\.rawValue).joined(separator: " or "))"
    return [
      Diagnostic(
        "video.no-encoder", "FFmpeg's libraries on this machine have no encoder \(names)",
        help: [package(library), choice].compactMap(\.self), notes: [library.versions])
    ]
  }

  /// What has an encoder of the codec.
  private func package(_ library: VideoLibrary) -> String? {
    let names = codec.encoders.compactMap(\.library)
    guard !names.isEmpty else { return nil }
    return "install a libavcodec with \(names.joined(separator: " or ")): apt-get install libavcodec-extra\(library.major)"
  }

  /// The only encoder that there is takes no frames of the size, or cannot keep every bit.
  private func cannotTake(_ encoder: VideoEncoder, _ library: VideoLibrary) -> Diagnostic {
    let isSmall = min(size.width, size.height) < 64
    let reason = isSmall ? "takes no frames of \(size), only from 64x64 on" : "cannot keep every bit, which a quality of 100 asks for"
    return Diagnostic(
      "video.no-encoder", "the encoder '\(encoder.rawValue)', the only one on this machine for \(codec.rawValue), \(reason)",
      help: [isSmall ? "--size 64x64" : "--quality 99"] + [package(library)].compactMap(\.self), notes: [library.versions])
  }
}
